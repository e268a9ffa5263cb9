#include "tarn/format/iceberg/table_properties.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/text.h"

namespace tarn::iceberg {
namespace {

class Reader {
 public:
  explicit Reader(const std::map<std::string, std::string>& properties) : properties_(properties) {}

  const std::string* Find(const char* name) const {
    const auto found = properties_.find(name);
    return found == properties_.end() ? nullptr : &found->second;
  }

  Status Number(const char* name, int64_t least, int64_t& number) const {
    const std::string* text = Find(name);
    if (text == nullptr) return OkStatus();
    const std::optional<int64_t> parsed = ParseInt64(*text);
    if (!parsed || *parsed < least) {
      return Wrong(name, *text, "a number from " + std::to_string(least));
    }
    number = *parsed;
    return OkStatus();
  }

  Status Flag(const char* name, bool& flag) const {
    const std::string* text = Find(name);
    if (text == nullptr) return OkStatus();
    const std::string lower = AsciiLower(*text);
    if (lower != "true" && lower != "false") return Wrong(name, *text, "true or false");
    flag = lower == "true";
    return OkStatus();
  }

  Status MergeOnRead(const char* name, bool& merge_on_read) const {
    const std::string* mode = Find(name);
    if (mode == nullptr) return OkStatus();
    const std::string lower = AsciiLower(*mode);
    if (lower != "merge-on-read" && lower != "copy-on-write") {
      return Wrong(name, *mode, "copy-on-write or merge-on-read");
    }
    merge_on_read = lower == "merge-on-read";
    return OkStatus();
  }

  static Error Wrong(const char* name, const std::string& text, const std::string& expected) {
    return Invalid(std::string("iceberg: table property '") + name + "' is '" + text +
                   "', expected " + expected);
  }

  // A property that asks for something Tarn does not write.
  Status Refuse(const char* name, const char* what) const {
    const std::string* text = Find(name);
    if (text == nullptr || text->empty() || AsciiLower(*text) == "false") return OkStatus();
    return Unsupported(std::string("iceberg: table property '") + name + "' asks for " + what +
                       ", which Tarn does not write yet");
  }

 private:
  const std::map<std::string, std::string>& properties_;
};

// The codecs of a data format: as its property spells them, and as FileWriteOptions does.
struct DataFormat {
  std::string_view name;
  const char* codec_property;
  std::string_view default_codec;
  std::vector<std::pair<std::string_view, std::string_view>> codecs;
};

const std::vector<DataFormat>& DataFormats() {
  static const std::vector<DataFormat> kFormats = {
      {"parquet",
       "write.parquet.compression-codec",
       "zstd",
       {{"zstd", "zstd"}, {"snappy", "snappy"}, {"uncompressed", "none"}, {"none", "none"}}},
      {"avro",
       "write.avro.compression-codec",
       "gzip",
       {{"gzip", "gzip"}, {"zstd", "zstd"}, {"snappy", "snappy"}, {"uncompressed", "none"}}},
      {"orc",
       "write.orc.compression-codec",
       "gzip",
       {{"zlib", "gzip"},
        {"zstd", "zstd"},
        {"snappy", "snappy"},
        {"lz4", "lz4"},
        {"none", "none"}}}};
  return kFormats;
}

// write.format.default, and the codec of that format.
Status ReadDataFormat(const Reader& reader, WriteProperties& parsed) {
  const std::string* const wanted = reader.Find("write.format.default");
  const std::string name = wanted == nullptr ? "parquet" : AsciiLower(*wanted);
  for (const DataFormat& format : DataFormats()) {
    if (format.name != name) continue;
    parsed.file_format = name;
    parsed.compression = format.default_codec;
    const std::string* const codec = reader.Find(format.codec_property);
    if (codec == nullptr) return OkStatus();
    std::string known;
    for (const auto& [spelled, compression] : format.codecs) {
      if (AsciiEqualsIgnoreCase(spelled, *codec)) {
        parsed.compression = compression;
        return OkStatus();
      }
      known += (known.empty() ? "" : ", ") + std::string(spelled);
    }
    return Unsupported(std::string("iceberg: '") + format.codec_property + "' is '" + *codec +
                       "'; Tarn writes " + known);
  }
  return Unsupported("iceberg: 'write.format.default' is '" + *wanted +
                     "'; Tarn writes data files as parquet, avro or orc");
}

}  // namespace

Result<WriteProperties> ParseWriteProperties(const std::map<std::string, std::string>& properties) {
  const Reader reader(properties);
  WriteProperties parsed;
  TARN_RETURN_IF_ERROR(
      reader.Number("write.target-file-size-bytes", 1, parsed.target_file_size_bytes));
  TARN_RETURN_IF_ERROR(
      reader.Number("commit.manifest.target-size-bytes", 1, parsed.manifest_target_bytes));
  TARN_RETURN_IF_ERROR(
      reader.Number("commit.manifest.min-count-to-merge", 1, parsed.manifests_min_to_merge));
  TARN_RETURN_IF_ERROR(reader.Flag("commit.manifest-merge.enabled", parsed.merge_manifests));
  TARN_RETURN_IF_ERROR(
      reader.Number("write.metadata.previous-versions-max", 1, parsed.previous_versions_max));
  TARN_RETURN_IF_ERROR(
      reader.Flag("write.metadata.delete-after-commit.enabled", parsed.delete_old_metadata));
  TARN_RETURN_IF_ERROR(reader.MergeOnRead("write.delete.mode", parsed.merge_on_read_deletes));
  TARN_RETURN_IF_ERROR(reader.MergeOnRead("write.update.mode", parsed.merge_on_read_updates));
  if (const std::string* codec = reader.Find("write.metadata.compression-codec")) {
    const std::string lower = AsciiLower(*codec);
    if (lower != "gzip" && lower != "none") {
      return Reader::Wrong("write.metadata.compression-codec", *codec, "none or gzip");
    }
    parsed.gzip_metadata = lower == "gzip";
  }
  TARN_RETURN_IF_ERROR(ReadDataFormat(reader, parsed));
  TARN_RETURN_IF_ERROR(reader.Refuse("write.data.path", "data outside the table's folder"));
  TARN_RETURN_IF_ERROR(reader.Refuse("write.folder-storage.path", "data in another folder"));
  TARN_RETURN_IF_ERROR(reader.Refuse("write.metadata.path", "metadata in another folder"));
  TARN_RETURN_IF_ERROR(reader.Refuse("write.object-storage.enabled", "hashed paths"));
  TARN_RETURN_IF_ERROR(reader.Refuse("encryption.key-id", "encryption"));
  return parsed;
}

Result<RetryPolicy> ParseRetryPolicy(const std::map<std::string, std::string>& properties,
                                     const RetryPolicy& otherwise) {
  const Reader reader(properties);
  RetryPolicy policy = otherwise;
  int64_t retries = policy.attempts_max - 1;
  TARN_RETURN_IF_ERROR(reader.Number("commit.retry.num-retries", 0, retries));
  constexpr int64_t kAttemptsMax = 1'000'000;
  policy.attempts_max = static_cast<int>(std::min(retries, kAttemptsMax - 1) + 1);
  TARN_RETURN_IF_ERROR(reader.Number("commit.retry.min-wait-ms", 0, policy.wait_first_ms));
  TARN_RETURN_IF_ERROR(reader.Number("commit.retry.max-wait-ms", 0, policy.wait_max_ms));
  TARN_RETURN_IF_ERROR(reader.Number("commit.retry.total-timeout-ms", 0, policy.total_ms));
  return policy;
}

}  // namespace tarn::iceberg
