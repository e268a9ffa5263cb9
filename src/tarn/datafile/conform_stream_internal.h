#pragma once

#include <memory>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"

namespace tarn {

// What a reader of files gives: the columns asked for, and "_pos" behind them for row positions.
Result<std::shared_ptr<arrow::Schema>> SchemaRead(const FileReadOptions& options);

// A batch of a file's own columns as FileReadOptions asks, of `schema` (SchemaRead): its columns in
// its order, found by id or file name, widened, missing ones NULL or their initial default.
// `first_row`: the position of the batch in the file. All rows are still there.
Result<std::shared_ptr<arrow::RecordBatch>> ConformRows(
    const arrow::RecordBatch& batch, const FileReadOptions& options,
    const std::shared_ptr<arrow::Schema>& schema, int64_t first_row);

// The rows of `batch` at `rows` (integers, rising).
Result<std::shared_ptr<arrow::RecordBatch>> RowsAt(std::shared_ptr<arrow::RecordBatch> batch,
                                                   const std::shared_ptr<arrow::Array>& rows);

// Batches of a file's own columns, all rows from the first, through ConformRows; skipped rows are
// left out. For formats whose reader knows nothing of tables.
Result<std::unique_ptr<BatchStream>> MakeConformStream(std::unique_ptr<BatchStream> rows,
                                                       const FileReadOptions& options);

}  // namespace tarn
