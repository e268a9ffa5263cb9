#include "tarn/format/iceberg/metadata_files.h"

#include <algorithm>
#include <vector>

#include <zlib.h>

#include "tarn/base/text.h"
#include "tarn/format/iceberg/location.h"

namespace tarn::iceberg {
namespace {

constexpr std::string_view kEnding = ".metadata.json";
constexpr std::string_view kGzip = ".gz";
constexpr size_t kUnpackedMax = size_t{1} << 30;
constexpr int kWithGzipHeader = 15 + 16;  // zlib's window bits

bool TakeEnding(std::string_view& text, std::string_view ending) {
  if (!text.ends_with(ending)) return false;
  text.remove_suffix(ending.size());
  return true;
}

std::string_view Stripped(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

Path Folder(const TableHome& home) { return home.root / kMetadataFolder; }

Result<bool> Exists(const TableHome& home, const Path& path) {
  const Result<ObjectInfo> info = home.storage.Stat(path);
  if (info.ok()) return true;
  if (info.error().code == ErrorCode::kNotFound) return false;
  return info.error();
}

// The file of version `number` of a path table, under any of its spellings.
Result<std::optional<MetadataFile>> FindNumbered(const TableHome& home, int64_t number) {
  const std::string stem = "v" + std::to_string(number);
  for (const std::string& name :
       {stem + ".metadata.json", stem + ".gz.metadata.json", stem + ".metadata.json.gz"}) {
    const Path path = Folder(home) / name;
    TARN_ASSIGN_OR_RETURN(const bool there, Exists(home, path));
    if (there) return std::optional(MetadataFile{*ParseMetadataName(name), path});
  }
  return std::optional<MetadataFile>();
}

Result<std::string> ReadHint(const TableHome& home) {
  Result<Bytes> hint = home.storage.Read(Folder(home) / kVersionHint);
  if (hint.ok()) return std::string(Stripped(*hint));
  if (hint.error().code == ErrorCode::kNotFound) return std::string();
  return std::move(hint).error();
}

Result<std::vector<MetadataFile>> ListAll(const TableHome& home) {
  std::vector<MetadataFile> files;
  Path after;
  while (true) {
    constexpr int32_t kPage = 1000;
    TARN_ASSIGN_OR_RETURN(const std::vector<ObjectInfo> page,
                          home.storage.List(Folder(home), after, kPage, Storage::Depth::kShallow));
    for (const ObjectInfo& object : page) {
      if (auto name = ParseMetadataName(object.path.name())) {
        files.push_back({*std::move(name), object.path});
      }
    }
    if (static_cast<int32_t>(page.size()) < kPage) return files;
    after = page.back().path;
  }
}

Error NoTable(const TableHome& home) {
  return NotFound("iceberg: no table at '" + home.root.str() + "': no metadata file in '" +
                  std::string(kMetadataFolder) + "'");
}

Error InFile(const Error& error, const Path& path) {
  return error.WithContext("'" + path.str() + "'");
}

// What a metadata file says, unpacked.
Result<Bytes> ReadText(const TableHome& home, const Path& path) {
  TARN_ASSIGN_OR_RETURN(Bytes bytes, home.storage.Read(path));
  if (!bytes.starts_with("\x1F\x8B")) return bytes;
  Result<Bytes> unpacked = Gunzip(bytes);
  if (!unpacked.ok()) return InFile(unpacked.error(), path);
  return unpacked;
}

Result<Metadata> Parsed(const Path& path, Bytes text) {
  Result<Metadata> metadata = MetadataFromJson(std::move(text));
  if (!metadata.ok()) return InFile(metadata.error(), path);
  return metadata;
}

}  // namespace

std::optional<MetadataName> ParseMetadataName(std::string_view name) {
  MetadataName parsed;
  std::string_view stem = name;
  parsed.compressed = TakeEnding(stem, kGzip);
  if (!TakeEnding(stem, kEnding)) return std::nullopt;
  parsed.compressed |= TakeEnding(stem, kGzip);
  parsed.stem = stem;
  std::string_view digits = stem;
  if (digits.starts_with('v')) {
    digits.remove_prefix(1);
  } else {
    const size_t dash = digits.find('-');
    if (dash == std::string_view::npos) return std::nullopt;
    digits = digits.substr(0, dash);
  }
  const auto number = ParseInt64(digits);
  if (!number || *number < 0) return std::nullopt;
  parsed.number = *number;
  return parsed;
}

Result<MetadataFile> FindNewest(const TableHome& home) {
  if (!home.head.name.empty()) {
    TARN_ASSIGN_OR_RETURN(Path path, Locations(home, "").Resolve(home.head.name));
    const std::string name(path.name());
    const auto parsed = ParseMetadataName(name);
    return MetadataFile{parsed ? *parsed : MetadataName{.stem = name}, std::move(path),
                        home.head.authoritative};
  }
  if (home.head.authoritative) return NoTable(home);
  TARN_ASSIGN_OR_RETURN(const std::string hint, ReadHint(home));
  if (const auto hinted = ParseInt64(hint)) {
    TARN_ASSIGN_OR_RETURN(auto newest, FindNumbered(home, *hinted));
    for (int64_t next = *hinted + 1; newest; ++next) {
      TARN_ASSIGN_OR_RETURN(auto later, FindNumbered(home, next));
      if (!later) return *std::move(newest);
      newest = std::move(later);
    }
  }
  TARN_ASSIGN_OR_RETURN(const std::vector<MetadataFile> files, ListAll(home));
  const MetadataFile* newest = nullptr;
  for (const MetadataFile& file : files) {
    const bool hinted = file.path.name().starts_with(hint) && !hint.empty();
    if (newest == nullptr || file.name.number > newest->name.number ||
        (file.name.number == newest->name.number && hinted)) {
      newest = &file;
    }
  }
  if (newest == nullptr) return NoTable(home);
  return *newest;
}

Result<MetadataFile> FindByStem(const TableHome& home, std::string_view stem) {
  for (const char* ending : {".metadata.json", ".gz.metadata.json", ".metadata.json.gz"}) {
    const std::string name = std::string(stem) + ending;
    const Result<Path> path = Folder(home).Join(name);
    if (!path.ok() || stem.find('/') != std::string_view::npos) break;
    TARN_ASSIGN_OR_RETURN(const bool there, Exists(home, *path));
    if (!there) continue;
    const auto parsed = ParseMetadataName(name);
    return MetadataFile{parsed ? *parsed : MetadataName{.stem = std::string(stem)}, *path,
                        home.head.authoritative};
  }
  return NotFound("iceberg: '" + home.root.str() + "': no metadata file '" + std::string(stem) +
                  "'");
}

Result<bool> DetectTable(const TableHome& home) {
  if (home.head.authoritative || !home.head.name.empty()) return !home.head.name.empty();
  Result<MetadataFile> newest = FindNewest(home);
  if (newest.ok()) return true;
  if (newest.error().code == ErrorCode::kNotFound) return false;
  return newest.error();
}

Result<Metadata> ReadMetadata(const TableHome& home, const Path& path) {
  TARN_ASSIGN_OR_RETURN(Bytes text, ReadText(home, path));
  return Parsed(path, std::move(text));
}

Result<std::shared_ptr<const Metadata>> MetadataReader::Read(const TableHome& home,
                                                             const Path& path) {
  TARN_ASSIGN_OR_RETURN(const ObjectInfo object, home.storage.Stat(path));
  std::string key = IdentityOf(home.storage, object);
  if (auto kept = kept_.Find(key)) return *std::move(kept);
  TARN_ASSIGN_OR_RETURN(Bytes text, ReadText(home, path));
  std::shared_ptr<const Metadata> metadata;
  {
    const std::scoped_lock lock(mutex_);
    if (expected_ != nullptr && expected_->text == text) metadata = expected_;
  }
  if (metadata == nullptr) {
    TARN_ASSIGN_OR_RETURN(Metadata read, Parsed(path, std::move(text)));
    metadata = std::make_shared<const Metadata>(std::move(read));
  }
  kept_.Keep(std::move(key), metadata);
  return metadata;
}

void MetadataReader::Expect(Metadata written) {
  auto expected = std::make_shared<const Metadata>(std::move(written));
  const std::scoped_lock lock(mutex_);
  expected_ = std::move(expected);
}

Result<Bytes> Gunzip(BytesView bytes) {
  z_stream stream{};
  if (inflateInit2(&stream, kWithGzipHeader) != Z_OK) return Internal("gzip: no memory");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  Bytes unpacked;
  int state = Z_OK;
  while (state == Z_OK && unpacked.size() < kUnpackedMax) {
    constexpr size_t kStep = size_t{1} << 16;
    const size_t at = unpacked.size();
    unpacked.resize(at + std::max(kStep, at));
    stream.next_out = reinterpret_cast<Bytef*>(unpacked.data() + at);
    stream.avail_out = static_cast<uInt>(unpacked.size() - at);
    state = inflate(&stream, Z_NO_FLUSH);
    unpacked.resize(unpacked.size() - stream.avail_out);
    if (state == Z_OK && stream.avail_in == 0 && stream.avail_out > 0) break;
  }
  inflateEnd(&stream);
  if (state == Z_STREAM_END) return unpacked;
  if (unpacked.size() >= kUnpackedMax) return Unsupported("gzip: more than a gigabyte unpacked");
  return Corrupt("gzip: the bytes are cut or damaged");
}

Bytes Gzip(BytesView bytes) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kWithGzipHeader, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  Bytes packed(deflateBound(&stream, static_cast<uLong>(bytes.size())) + 64, '\0');
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace tarn::iceberg
