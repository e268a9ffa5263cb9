#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/types.h"
#include "tarn/model/value.h"
#include "tarn/table/relation.h"

namespace tarn::iceberg {

// A relation's fields are made of these.
std::shared_ptr<arrow::Field> FieldOf(std::string name, std::shared_ptr<arrow::DataType> type);
std::shared_ptr<arrow::DataType> UtcMillis();
std::shared_ptr<arrow::DataType> TextMap();

// Rows of a metadata relation under construction, column by column within a row. Every row gives
// each column one value, by the method of its type. A failure shows in Finish.
class RelationRows {
 public:
  explicit RelationRows(std::vector<std::shared_ptr<arrow::Field>> fields);
  ~RelationRows();
  RelationRows(RelationRows&&) noexcept;
  RelationRows& operator=(RelationRows&&) = delete;

  // A column of integers of any width or of timestamps.
  void Number(int column, std::optional<int64_t> number);
  void Flag(int column, std::optional<bool> flag);
  void Text(int column, std::optional<std::string_view> text);  // of strings or bytes
  void Texts(int column, const std::map<std::string, std::string>& entries, std::string_view but);
  // Whatever the column's type: a scalar of `type`, null, or one value of another array.
  Status Cell(int column, const Type& type, const Value& value);
  Status Slice(int column, const arrow::Array& array, int64_t row);
  void Null(int column);
  arrow::ArrayBuilder* builder(int column);
  void Keep(const arrow::Status& status);

  // All rows as one batch. kInternal when something could not be appended.
  Result<Relation> Finish();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tarn::iceberg
