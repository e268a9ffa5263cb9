#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/model/columns.h"

namespace tarn::iceberg {

// Arrow columns as manifests have them, found by field id, or by name where they carry none.

// Null when there is none.
std::shared_ptr<arrow::Array> ColumnOf(const arrow::RecordBatch& batch, int32_t id,
                                       std::string_view name);
std::shared_ptr<arrow::Array> ColumnOf(const arrow::StructArray& record, int32_t id,
                                       std::string_view name);

// A column of whole numbers of any width, or of booleans. Of no column: every value is missing.
class IntegerColumn {
 public:
  // kCorrupt naming the column for another type.
  static Result<IntegerColumn> Make(const std::shared_ptr<arrow::Array>& column,
                                    std::string_view name);
  std::optional<int64_t> At(int64_t row) const {
    const auto i = static_cast<size_t>(row);
    if (i >= values_.size() || valid_[i] == 0) return std::nullopt;
    return values_[i];
  }
  int64_t Or(int64_t row, int64_t otherwise) const { return At(row).value_or(otherwise); }

 private:
  std::vector<int64_t> values_;
  std::vector<uint8_t> valid_;
};

// A column of strings, bytes or fixed. Views live as long as the column.
class BytesColumn {
 public:
  static Result<BytesColumn> Make(std::shared_ptr<arrow::Array> column, std::string_view name);
  std::optional<std::string_view> At(int64_t row) const;

 private:
  enum class Kind : uint8_t { kNone, kBinary, kFixed };
  std::shared_ptr<arrow::Array> column_;
  Kind kind_ = Kind::kNone;
};

// A map of field ids to bytes or numbers; also its form as a list of keys and values.
class IdMapColumn {
 public:
  static Result<IdMapColumn> Make(const std::shared_ptr<arrow::Array>& column,
                                  std::string_view name);
  // The entries of `row`: [begin, end) of Key, Bytes and Number.
  std::pair<int64_t, int64_t> Entries(int64_t row) const;
  int64_t Key(int64_t entry) const { return keys_.Or(entry, -1); }
  std::optional<std::string_view> Bytes(int64_t entry) const { return bytes_.At(entry); }
  std::optional<int64_t> Number(int64_t entry) const { return numbers_.At(entry); }

 private:
  std::vector<int64_t> begins_;  // one more than rows
  std::vector<uint8_t> valid_;
  IntegerColumn keys_;
  BytesColumn bytes_;
  IntegerColumn numbers_;
};

// The values of an Arrow column as those of `type`, into which narrower numbers, and dates where
// `type` is a timestamp, are widened. kCorrupt naming the column where it is of another type.
Result<ValueColumn> ValuesOf(const std::shared_ptr<arrow::Array>& column, const Type& type,
                             std::string_view name);

// The model's type of an Avro type that a partition field may have; of one it may not, void.
Type TypeOfAvro(const AvroType& avro);

}  // namespace tarn::iceberg
