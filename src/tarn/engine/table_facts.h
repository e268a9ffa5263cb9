#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/commit.h"
#include "tarn/model/data_file.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table.h"

namespace tarn {

// Counts of some files. `rows` is without deleted ones; -1 when a file's count is unknown.
struct FileTotals {
  int64_t files = 0;
  int64_t rows = 0;
  int64_t bytes = 0;
  int64_t deleted_rows = 0;
  friend bool operator==(const FileTotals&, const FileTotals&) = default;
};

// One partition: its values as text, in the order of the fields of the spec that its files were
// written under (nothing for NULL), and its files.
struct PartitionFacts {
  int32_t spec_id = 0;
  std::vector<std::optional<std::string>> values = {};
  FileTotals totals = {};
  std::vector<DataFile> files = {};
  // Of each of them; what its delete files count may be more (rows of other files, keys).
  std::map<std::string, int64_t> deleted_rows = {};  // by DataFile::path; none: not there
};

// What is known of a table at one version.
struct TableFacts {
  std::string name;
  std::string location;  // a URI: "file:///data/events"
  std::string format;
  Snapshot snapshot;
  FileTotals totals;
  std::vector<PartitionFacts>
      partitions;  // sorted by spec and text; one without values if unpartitioned
};

// Files whose bounds are wanted as well cost their decoding.
enum class FileBounds : uint8_t { kNo, kYes };

// All files of the version, in memory. Errors: as TableFormat::Load and Files.
Result<TableFacts> ReadTableFacts(const Table& table, const AsOf& as_of, FileBounds bounds);

// The commits that can still be read, newest first; at most `limit` (0: all).
Result<std::vector<Commit>> ReadHistory(const Table& table, int64_t limit);

// `values` as a folder is written: "day=2026-01-01/city=NULL"; empty for none.
std::string PartitionToText(const PartitionSpec& spec,
                            const std::vector<std::optional<std::string>>& values);

}  // namespace tarn
