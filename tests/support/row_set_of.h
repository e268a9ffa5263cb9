#pragma once

#include <cstdint>
#include <initializer_list>

#include "tarn/model/row_set.h"

namespace tarn::testing {

inline RowSet RowSetOf(std::initializer_list<uint64_t> rows) {
  RowSet set;
  for (const uint64_t row : rows) set.Add(row);
  return set;
}

}  // namespace tarn::testing
