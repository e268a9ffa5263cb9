#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/deleted_rows.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/relation.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// The relations that are read from the manifests of one snapshot (relations.h). Everything given
// outlives it.
class FileRelations {
 public:
  FileRelations(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                const IcebergState& state);

  // Every entry of every manifest, also of files that were removed.
  Result<Relation> Entries() const;
  // The files that are in the table: of rows, of deletes, or both.
  enum class Which : uint8_t { kAll, kData, kDeletes };
  Result<Relation> Files(Which which) const;
  // A row per partition (one for a table without), counted over the files of that.
  Result<Relation> Partitions() const;
  // A row per position that a position delete file or deletion vector takes from a file that is in
  // the table.
  Result<Relation> PositionDeletes(DeletedRowsReader& deleted_rows) const;

 private:
  // A partition field of any spec of the table: one column of `partition`.
  struct PartitionColumn {
    int32_t field_id;
    std::string name;
    Type type;
  };
  // A leaf column, for `readable_metrics`.
  struct MetricColumn {
    int32_t field_id;
    std::string path;
    Type type;
  };
  using Visit = std::function<Status(const ManifestFile&, const EntryColumns&)>;
  Status ForEachBatch(EntryWish wish, const Visit& visit) const;

  std::vector<std::shared_ptr<arrow::Field>> FileFields(bool with_spec) const;
  // Values of FileFields for one entry, appended to a record's children or a relation's columns.
  Status AppendFile(const std::vector<arrow::ArrayBuilder*>& into, const ManifestFile& manifest,
                    const EntryColumns& entries, int64_t row, bool with_spec) const;
  std::shared_ptr<arrow::DataType> PartitionType() const;
  Status AppendPartition(arrow::ArrayBuilder* into, int32_t spec_id, const EntryColumns& entries,
                         int64_t row) const;
  Status AppendPartition(arrow::ArrayBuilder* into, int32_t spec_id,
                         const std::vector<Value>& values) const;
  std::shared_ptr<arrow::DataType> MetricsType() const;
  Status AppendMetrics(arrow::ArrayBuilder* into, const EntryColumns& entries, int64_t row) const;

  Runtime& runtime_;
  const TableHome& home_;
  const Snapshot& snapshot_;
  const IcebergState& state_;
  const Locations locations_;
  std::vector<PartitionColumn> partition_;
  std::vector<MetricColumn> metrics_;
};

}  // namespace tarn::iceberg
