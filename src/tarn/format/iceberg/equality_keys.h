#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn::iceberg {

// Rows compared by some of their columns, as equality deletes do: NULL equals NULL, -0.0 equals
// 0.0, NaN equals NaN.
class RowKeys {
 public:
  // `columns` of one length, of the Arrow types that ToArrow gives. kUnsupported naming a type that
  // has no equality here (nested, variant).
  static Result<RowKeys> Make(std::vector<std::shared_ptr<arrow::Array>> columns);
  // Bytes that are equal when the rows are.
  void Append(int64_t row, std::string& key) const;

 private:
  std::vector<std::shared_ptr<arrow::Array>> columns_;
};

struct KeyHash {
  using is_transparent = void;
  size_t operator()(std::string_view key) const { return std::hash<std::string_view>()(key); }
};
using KeySet = std::unordered_set<std::string, KeyHash, std::equal_to<>>;

// The top-level columns that hold the fields with these ids, cut down to them. kCorrupt when one is
// not there.
Result<Schema> ColumnsHolding(const Schema& schema, const std::vector<int32_t>& ids);

// The columns of those fields out of a batch of ColumnsHolding's schema: a member of a struct that
// is NULL is NULL.
Result<std::vector<std::shared_ptr<arrow::Array>>> FieldsOf(const arrow::RecordBatch& batch,
                                                            const Schema& columns,
                                                            const std::vector<int32_t>& ids);

}  // namespace tarn::iceberg
