#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <arrow/type_fwd.h>

namespace tarn {

// Whether a dictionary pays for a column that begins with `chunks` (one type, no lists) and of
// which `group_rows` rows make a row group: few distinct values, estimated from up to 1,024 rows
// spread over the chunks, and a dictionary small beside the rows. True when there is no value to
// judge by.
bool DictionaryPays(const std::vector<std::shared_ptr<arrow::Array>>& chunks, int64_t group_rows);

}  // namespace tarn
