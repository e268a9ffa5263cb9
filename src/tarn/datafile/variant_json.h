#pragma once

#include <memory>
#include <string>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"

namespace tarn {

// A variant column as a Parquet file holds it — struct<metadata binary, value binary[,
// typed_value]>, shredded or not (parquet-format VariantEncoding.md, VariantShredding.md) — as JSON
// text, one value a row: NULL where the struct is NULL, the text "null" for a variant null. Object
// keys in the file's order (shredded ones first); numbers exact; dates and timestamps as ISO 8601
// text, binary as base64. kCorrupt naming the row. The one way in which Tarn shows variants.
Result<std::shared_ptr<arrow::Array>> VariantToJson(const arrow::StructArray& variant,
                                                    const std::string& path);

}  // namespace tarn
