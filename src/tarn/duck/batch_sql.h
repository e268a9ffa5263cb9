#pragma once

#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/model/schema.h"
#include "tarn/model/table_metadata.h"

namespace tarn {

// SQL over one batch at a time: filters, computed columns, constraints. Made for one input schema,
// so every question of names and types is answered before the first row. Rows keep their order.
// Thread-safe: each thread gets a connection of its own.
class BatchSql {
 public:
  // `select` is what stands between SELECT and FROM ("*, price * 2 AS double_price"), `where` may
  // be empty. kInvalid with DuckDB's words.
  static Result<std::unique_ptr<BatchSql>> Make(Runtime& runtime, const Schema& input,
                                                const std::string& select,
                                                const std::string& where);
  virtual ~BatchSql() = default;
  virtual const Schema& output() const = 0;
  virtual Result<std::shared_ptr<arrow::RecordBatch>> Apply(
      const std::shared_ptr<arrow::RecordBatch>& batch) const = 0;
};

// CHECK constraints of a table over batches of its schema. A row must make each true: NULL breaks
// one too, as Delta asks ("CHECK Constraints", "Column Invariants").
class ConstraintChecker {
 public:
  static Result<std::unique_ptr<ConstraintChecker>> Make(
      Runtime& runtime, const Schema& schema, const std::vector<CheckConstraint>& constraints);
  virtual ~ConstraintChecker() = default;
  // kInvalid naming the constraint, its text, and the first row that breaks it with its values.
  virtual Status Check(const std::shared_ptr<arrow::RecordBatch>& batch) const = 0;
};

}  // namespace tarn
