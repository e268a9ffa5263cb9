#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// The members of `add` in a checkpoint that hold statistics and partition values in their own types
// (PROTOCOL.md, "Checkpoints": partitionValues_parsed, stats_parsed), for tables with
// delta.checkpoint.writeStatsAsStruct. Immutable.
class ParsedColumns {
 public:
  // kUnsupported as ToArrow.
  static Result<ParsedColumns> Make(const TableMetadata& metadata);

  // partitionValues_parsed (not for an unpartitioned table) and stats_parsed: numRecords,
  // tightBounds, minValues, maxValues, nullCount by the columns' names in data files.
  const std::vector<std::shared_ptr<arrow::Field>>& fields() const { return fields_; }

  // Appends the value of fields()[index] for one file to the builder of that field. What cannot be
  // parsed becomes null.
  Status Append(size_t index, const AddFile& file, arrow::ArrayBuilder& builder) const;

 private:
  Status AppendPartition(const AddFile& file, arrow::ArrayBuilder& builder) const;
  Status AppendStats(const AddFile& file, arrow::ArrayBuilder& builder) const;

  std::vector<Field> partition_;  // in the spec's order
  Schema schema_;                 // columns that have statistics: no partition columns
  std::vector<std::shared_ptr<arrow::Field>> fields_;
};

}  // namespace tarn::delta
