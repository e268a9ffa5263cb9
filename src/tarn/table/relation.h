#pragma once

#include <memory>
#include <vector>

namespace arrow {
class RecordBatch;
class Schema;
}  // namespace arrow

namespace tarn {

// Rows about a table, for SQL: `t.files`, `t.history`. All batches are of the schema.
struct Relation {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
};

}  // namespace tarn
