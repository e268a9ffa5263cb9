#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/path.h"
#include "tarn/base/recently_used.h"
#include "tarn/base/result.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

inline constexpr std::string_view kMetadataFolder = "metadata";
inline constexpr std::string_view kVersionHint = "version-hint.text";

// A metadata file by its name: "v12.metadata.json" (path tables), "00012-<uuid>.metadata.json"
// (catalogs), ".gz" before or after ".metadata.json".
struct MetadataName {
  int64_t number = 0;
  std::string stem;  // "v12", "00012-<uuid>": what a Version says
  bool compressed = false;
};
std::optional<MetadataName> ParseMetadataName(std::string_view name);

struct MetadataFile {
  MetadataName name;
  Path path;
  bool named_by_home = false;  // found under a head that is authoritative
};

// The newest metadata file of a table: the one its home names (nothing else if the head is
// authoritative), else the highest number in the metadata folder. `version-hint.text` only says
// where to begin to look: it may be missing, behind or ahead. Of two with the same number the
// hinted one. kNotFound if there is none.
Result<MetadataFile> FindNewest(const TableHome& home);

// The metadata file with this stem. kNotFound.
Result<MetadataFile> FindByStem(const TableHome& home, std::string_view stem);

// Whether a table stands here.
Result<bool> DetectTable(const TableHome& home);

// Reads, unpacks where it is compressed, whatever its name says, and parses. Errors name the file.
Result<Metadata> ReadMetadata(const TableHome& home, const Path& path);

// Metadata files as ReadMetadata gives them, the last few kept: a commit needs the same one again
// and again, and its JSON grows with the table's history. Thread-safe.
class MetadataReader {
 public:
  Result<std::shared_ptr<const Metadata>> Read(const TableHome& home, const Path& path);

  // What a commit is about to write, with its text: a file that holds just this is not parsed.
  void Expect(Metadata written);

 private:
  RecentlyUsed<std::shared_ptr<const Metadata>> kept_{4};
  std::mutex mutex_;
  std::shared_ptr<const Metadata> expected_;
};

// gzip. kCorrupt; kUnsupported beyond a gigabyte.
Result<Bytes> Gunzip(BytesView bytes);
Bytes Gzip(BytesView bytes);

}  // namespace tarn::iceberg
