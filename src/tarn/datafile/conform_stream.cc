#include "tarn/datafile/conform_stream_internal.h"

#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/compute/api_vector.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;

constexpr const char* kInConform = "arrow";

// Rows of a file as a table's columns.
class ConformStream final : public BatchStream {
 public:
  ConformStream(std::unique_ptr<BatchStream> rows, FileReadOptions options,
                std::shared_ptr<arrow::Schema> schema)
      : rows_(std::move(rows)), options_(std::move(options)), schema_(std::move(schema)) {
    if (options_.skip_rows != nullptr) skip_rows_ = *options_.skip_rows;
    options_.skip_rows = nullptr;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<BatchPtr> Next() override {
    TARN_ASSIGN_OR_RETURN(const BatchPtr batch, rows_->Next());
    if (batch == nullptr) return batch;
    TARN_ASSIGN_OR_RETURN(auto converted, ConformRows(*batch, options_, schema_, next_row_));
    const int64_t first_row = next_row_;
    next_row_ += batch->num_rows();
    return skip_rows_.empty() ? converted : WithoutSkipped(std::move(converted), first_row);
  }

 private:
  Result<BatchPtr> WithoutSkipped(BatchPtr batch, int64_t first_row) const {
    arrow::Int64Builder kept;
    TARN_RETURN_IF_ERROR(Lift(kept.Reserve(batch->num_rows()), kInConform));
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      if (!skip_rows_.Contains(static_cast<uint64_t>(first_row + row))) kept.UnsafeAppend(row);
    }
    if (kept.length() == batch->num_rows()) return batch;
    TARN_ASSIGN_OR_RETURN(const auto rows, Lift(kept.Finish(), kInConform));
    return RowsAt(std::move(batch), rows);
  }

  const std::unique_ptr<BatchStream> rows_;
  FileReadOptions options_;
  const std::shared_ptr<arrow::Schema> schema_;
  RowSet skip_rows_;
  int64_t next_row_ = 0;
};

}  // namespace

Result<std::shared_ptr<arrow::Schema>> SchemaRead(const FileReadOptions& options) {
  TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(options.schema));
  if (!options.row_positions) return schema;
  return Lift(schema->AddField(schema->num_fields(), arrow::field("_pos", arrow::int64(), false)),
              kInConform);
}

Result<BatchPtr> ConformRows(const arrow::RecordBatch& batch, const FileReadOptions& options,
                             const std::shared_ptr<arrow::Schema>& schema, int64_t first_row) {
  const ConformOptions conforming{
      .match = options.match, .names = FieldNames::kFile, .casts = ConformOptions::Casts::kChecked};
  const int64_t row_count = batch.num_rows();
  std::vector<std::shared_ptr<arrow::Array>> columns;
  columns.reserve(options.schema.fields.size() + 1);
  for (const Field& field : options.schema.fields) {
    TARN_ASSIGN_OR_RETURN(const int found,
                          FindField(batch.schema()->fields(), field, conforming, ""));
    std::shared_ptr<arrow::Array> column;
    if (found < 0) {
      TARN_ASSIGN_OR_RETURN(column, MissingColumn(field, row_count));
    } else {
      TARN_ASSIGN_OR_RETURN(column,
                            ConformArray(batch.column(found), field, conforming, field.name));
    }
    columns.push_back(std::move(column));
  }
  if (options.row_positions) {
    arrow::Int64Builder positions;
    TARN_RETURN_IF_ERROR(Lift(positions.Reserve(row_count), kInConform));
    for (int64_t row = 0; row < row_count; ++row) positions.UnsafeAppend(first_row + row);
    TARN_ASSIGN_OR_RETURN(auto array, Lift(positions.Finish(), kInConform));
    columns.push_back(std::move(array));
  }
  return arrow::RecordBatch::Make(schema, row_count, std::move(columns));
}

Result<BatchPtr> RowsAt(BatchPtr batch, const std::shared_ptr<arrow::Array>& rows) {
  if (batch->num_columns() == 0) {
    return arrow::RecordBatch::Make(batch->schema(), rows->length(),
                                    std::vector<std::shared_ptr<arrow::Array>>());
  }
  TARN_ASSIGN_OR_RETURN(
      const arrow::Datum taken,
      Lift(arrow::compute::Take(batch, rows, arrow::compute::TakeOptions::NoBoundsCheck()),
           kInConform));
  return taken.record_batch();
}

Result<std::unique_ptr<BatchStream>> MakeConformStream(std::unique_ptr<BatchStream> rows,
                                                       const FileReadOptions& options) {
  TARN_ASSIGN_OR_RETURN(auto schema, SchemaRead(options));
  return std::unique_ptr<BatchStream>(
      std::make_unique<ConformStream>(std::move(rows), options, std::move(schema)));
}

}  // namespace tarn
