#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <arrow/type_fwd.h>

namespace tarn::cli {

// How one value of a result is written. Common to all: integers and decimals exactly; floating
// point in the fewest digits that read back equal, "NaN", "Infinity", "-Infinity"; dates and times
// as ISO 8601, with Z where the type has a zone, fractions of 3, 6 or 9 digits only where not zero;
// intervals as ISO 8601 durations ("P1M2DT3S").

// For csv, tables and markdown: text as it is, binary as hex digits, nested values as JSON. Of a
// value that is not null.
std::string CellText(const arrow::Array& array, int64_t row);

// For json and jsonl, appended to `out`: null, true, numbers; NaN and infinities as strings; text
// and times as strings; binary as base64; structs and maps with text keys as objects, other maps as
// arrays of {"key", "value"}.
void AppendCellJson(const arrow::Array& array, int64_t row, std::string& out);

// Whether columns of the type are written flush right.
bool IsNumeric(const arrow::DataType& type);

}  // namespace tarn::cli
