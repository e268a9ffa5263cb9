#include "tarn/ingest/source/source_file.h"

#include <xxhash.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "tarn/base/text.h"
#include "tarn/ingest/source/glob.h"

namespace tarn {
namespace {

namespace fs = std::filesystem;

std::optional<SourceFormat> FormatOf(std::string_view name) {
  const std::string plain = AsciiLower(WithoutCompression(name));
  const auto ends = [&plain](std::string_view ending) { return plain.ends_with(ending); };
  if (ends(".jsonl") || ends(".ndjson") || ends(".json")) return SourceFormat::kJsonLines;
  if (ends(".csv") || ends(".tsv")) return SourceFormat::kCsv;
  if (ends(".parquet")) return SourceFormat::kParquet;
  if (ends(".arrow") || ends(".arrows") || ends(".ipc") || ends(".feather")) {
    return SourceFormat::kArrow;
  }
  if (ends(".avro")) return SourceFormat::kAvro;
  return std::nullopt;
}

bool TakesWhatIsKnown(const std::string& pattern) {
  std::error_code error;
  return pattern.find("**") != std::string::npos || fs::is_directory(pattern, error);
}

}  // namespace

std::string_view SourceFormatName(SourceFormat format) {
  switch (format) {
    case SourceFormat::kByName:
      return "by name";
    case SourceFormat::kJsonLines:
      return "jsonl";
    case SourceFormat::kCsv:
      return "csv";
    case SourceFormat::kParquet:
      return "parquet";
    case SourceFormat::kArrow:
      return "arrow";
    case SourceFormat::kAvro:
      return "avro";
  }
  return "unknown";
}

Result<std::vector<SourceFile>> FindSourceFiles(const Storage& local, const Pipeline& pipeline) {
  std::vector<SourceFile> files;
  std::set<std::string> seen;
  for (const std::string& pattern : pipeline.paths) {
    TARN_ASSIGN_OR_RETURN(const std::vector<std::string> names, Glob(pattern));
    if (names.empty()) return NotFound("no file matches '" + pattern + "'");
    for (const std::string& name : names) {
      SourceFile file;
      file.shown = name;
      std::error_code error;
      const fs::path absolute = fs::absolute(name, error);
      if (error) return Unavailable("'" + name + "': " + error.message());
      file.path = absolute.lexically_normal().string();
      if (!seen.insert(file.path).second) continue;
      file.compression = CompressionOf(name);
      const std::optional<SourceFormat> by_name = FormatOf(name);
      file.format = pipeline.format;
      if (pipeline.format == SourceFormat::kByName) {
        if (!by_name && TakesWhatIsKnown(pattern)) continue;
        if (!by_name) {
          return Invalid("'" + name +
                         "': its ending tells no format; say which with 'format' "
                         "(jsonl, csv, parquet, arrow, avro)");
        }
        file.format = *by_name;
      }
      const bool text =
          file.format == SourceFormat::kJsonLines || file.format == SourceFormat::kCsv;
      if (!text && file.compression != Compression::kNone) {
        return Invalid("'" + name + "': a compressed " +
                       std::string(SourceFormatName(file.format)) + " file; unpack it first");
      }
      TARN_ASSIGN_OR_RETURN(const Path object, file.object());
      TARN_ASSIGN_OR_RETURN(const ObjectInfo info, local.Stat(object));
      file.size_bytes = info.size_bytes;
      file.modified_ms = info.modified_ms;
      files.push_back(std::move(file));
    }
  }
  return files;
}

Result<std::string> FingerprintOf(const Storage& local, const SourceFile& file) {
  constexpr int64_t kEndBytes = 4096;
  TARN_ASSIGN_OR_RETURN(const Path object, file.object());
  TARN_ASSIGN_OR_RETURN(const auto reader, local.OpenReader(object));
  const int64_t size = reader->size_bytes();
  const int64_t head = std::min(size, kEndBytes);
  const int64_t tail = std::min(size - head, kEndBytes);
  std::string bytes(static_cast<size_t>(head + tail), '\0');
  if (head > 0) TARN_RETURN_IF_ERROR(reader->ReadAt(0, head, bytes.data()));
  if (tail > 0) TARN_RETURN_IF_ERROR(reader->ReadAt(size - tail, tail, bytes.data() + head));
  bytes += std::to_string(size);
  char hex[17];
  std::snprintf(hex, sizeof hex, "%016llx",
                static_cast<unsigned long long>(XXH3_64bits(bytes.data(), bytes.size())));
  return std::string(hex);
}

}  // namespace tarn
