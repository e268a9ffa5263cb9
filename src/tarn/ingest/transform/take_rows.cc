#include "tarn/ingest/transform/take_rows.h"

#include <arrow/array/array_primitive.h>
#include <arrow/buffer.h>
#include <arrow/compute/api_vector.h>
#include <arrow/record_batch.h>

#include "tarn/datafile/arrow_status.h"

namespace tarn {

Result<std::shared_ptr<arrow::RecordBatch>> TakeRows(const arrow::RecordBatch& batch,
                                                     const std::vector<int32_t>& rows) {
  const auto count = static_cast<int64_t>(rows.size());
  const arrow::Int32Array indices(
      count, std::make_shared<arrow::Buffer>(reinterpret_cast<const uint8_t*>(rows.data()),
                                             count * static_cast<int64_t>(sizeof(int32_t))));
  std::vector<std::shared_ptr<arrow::Array>> columns;
  for (const auto& column : batch.columns()) {
    TARN_ASSIGN_OR_RETURN(
        auto taken,
        Lift(arrow::compute::Take(*column, indices, arrow::compute::TakeOptions::NoBoundsCheck()),
             "take rows", ErrorCode::kInternal));
    columns.push_back(std::move(taken));
  }
  return arrow::RecordBatch::Make(batch.schema(), count, std::move(columns));
}

}  // namespace tarn
