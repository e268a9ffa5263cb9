#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/format/delta/stats_reader.h"
#include "tarn/model/file_batch.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// What a stream of files decodes, worked out once. Immutable; thread-safe. Holds all it needs of
// the snapshot; the home's storage outlives it.
struct FilePlan {
  TableHome home;
  TableMetadata metadata;
  PartitionSpec spec;
  std::vector<std::string> partition_names;  // as the log has them: physical
  std::vector<Type> partition_types;
  Expression filter;
  StatsFields wanted;  // bounds that the filter or the caller asks for

  FilePlan(const TableHome& home, const Snapshot& snapshot, const FileRequest& request);

  // An empty batch with the columns of this plan.
  FileBatch EmptyBatch() const;
};

// The partition values of one tuple of texts, and whether the filter leaves anything of it.
struct PartitionTuple {
  std::vector<Value> values;
  bool keep = true;
};

// Tuples met before, so that each is parsed and tested once however many files have it. Not
// thread-safe.
class PartitionCache {
 public:
  explicit PartitionCache(const FilePlan& plan) : plan_(plan) {}

  // The tuple under `key`, or null.
  const PartitionTuple* Find(std::string_view key) const;
  // Parses `texts` and keeps the tuple under `key`; valid until the next Add. A column without a
  // text is NULL. kCorrupt as PartitionValueFromText.
  Result<const PartitionTuple*> Add(std::string_view key, const PartitionTexts& texts);

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  const FilePlan& plan_;
  std::unordered_map<std::string, PartitionTuple, Hash, std::equal_to<>> tuples_;
};

// One add as it is appended to a batch; views need to live only that long.
struct AddRow {
  std::string_view uri;   // add.path
  std::string_view path;  // the same decoded and spelled
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  const PartitionTuple* partition = nullptr;
  const FileStats* stats = nullptr;
  const DeletionVectorDescriptor* deletion_vector = nullptr;
};

void AppendRow(FileBatch& batch, const AddRow& row);

// add.path as DataFile::path, `scratch` being where it stands if it differs. A location outside the
// store becomes kOutsideMark and its decoded spelling, so that actions about it still meet, and
// CheckInside refuses it if the file itself is wanted.
inline constexpr std::string_view kOutsideMark = "<outside the store>";
std::string_view FileKey(const TableHome& home, std::string_view uri, std::string& scratch);

// kInvalid naming the first file of `batch` that lies outside the store.
Status CheckInside(const TableHome& home, const FileBatch& batch);

DeleteFile ToDeleteFile(const DeletionVectorDescriptor& descriptor);
// The inverse: kCorrupt for a location that no descriptor of ours spells.
Result<DeletionVectorDescriptor> ToDescriptor(const DeleteFile& deletes);

}  // namespace tarn::delta
