#include "tarn/ingest/transform/bad_rows.h"

#include <utility>

#include <arrow/record_batch.h>

#include "tarn/ingest/transform/take_rows.h"

namespace tarn {

Result<Transformed> SetBadRowsAside(std::shared_ptr<arrow::RecordBatch> batch,
                                    std::map<int64_t, BadBatchRow> bad) {
  Transformed result;
  result.batch = std::move(batch);
  if (bad.empty()) return result;
  std::vector<int32_t> good;
  good.reserve(static_cast<size_t>(result.batch->num_rows()));
  for (int64_t row = 0; row < result.batch->num_rows(); ++row) {
    if (bad.count(row) == 0) good.push_back(static_cast<int32_t>(row));
  }
  result.bad_rows.reserve(bad.size());
  for (auto& [row, reason] : bad) result.bad_rows.push_back(std::move(reason));
  TARN_ASSIGN_OR_RETURN(result.batch, TakeRows(*result.batch, good));
  result.from_rows = std::move(good);
  return result;
}

}  // namespace tarn
