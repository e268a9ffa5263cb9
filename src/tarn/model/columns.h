#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn {

// Many strings end to end.
class StringColumn {
 public:
  size_t size() const { return offsets_.size() - 1; }
  bool empty() const { return size() == 0; }
  std::string_view operator[](size_t row) const {
    return std::string_view(data_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
  }
  void Append(std::string_view text) {
    data_.append(text);
    offsets_.push_back(data_.size());
  }
  void Reserve(size_t rows, size_t bytes) {
    offsets_.reserve(rows + 1);
    data_.reserve(bytes);
  }
  int64_t memory_bytes() const {
    return static_cast<int64_t>(data_.capacity() + offsets_.capacity() * sizeof(uint64_t));
  }

 private:
  std::vector<uint64_t> offsets_ = {0};
  std::string data_;
};

// Many values of one scalar type, some null.
struct ValueColumn {
  Type type;
  std::vector<uint8_t> valid;  // one per row, 1 or 0; never empty unless the column is
  // int64_t: boolean (0/1), integers, date, time, timestamps; double: float, double; Int128:
  // decimal; StringColumn: the rest. Null rows hold a zero or an empty string.
  std::variant<std::vector<int64_t>, std::vector<double>, std::vector<Int128>, StringColumn> values;

  static ValueColumn Of(Type type);
  size_t size() const { return valid.size(); }
  Value Get(size_t row) const;
  void Append(const Value& value);  // null, or of the type
};

}  // namespace tarn
