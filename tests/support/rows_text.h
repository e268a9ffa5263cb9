#pragma once

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "tarn/datafile/file_format.h"

namespace tarn::testing {

// A value as test expectations spell it: NULL, text without quotes, nested values as Arrow prints
// them.
inline std::string CellText(const arrow::Array& array, int64_t row) {
  if (array.IsNull(row)) return "NULL";
  const auto scalar = array.GetScalar(row);
  return scalar.ok() ? (*scalar)->ToString() : scalar.status().ToString();
}

// All rows of a stream, columns joined by '|'; one string "error: …" when it fails.
inline std::vector<std::string> RowsText(BatchStream& stream) {
  std::vector<std::string> rows;
  while (true) {
    auto batch = stream.Next();
    if (!batch.ok()) return {"error: " + batch.error().ToString()};
    if (*batch == nullptr) return rows;
    for (int64_t row = 0; row < (*batch)->num_rows(); ++row) {
      std::string line;
      for (int column = 0; column < (*batch)->num_columns(); ++column) {
        if (column > 0) line += '|';
        line += CellText(*(*batch)->column(column), row);
      }
      rows.push_back(std::move(line));
    }
  }
}

inline std::vector<std::string> RowsText(Result<std::unique_ptr<BatchStream>> stream) {
  if (!stream.ok()) return {"error: " + stream.error().ToString()};
  return RowsText(**stream);
}

inline std::vector<std::string> Sorted(std::vector<std::string> rows) {
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace tarn::testing
