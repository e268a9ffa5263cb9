#pragma once

#include <memory>
#include <string_view>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/types.h"

namespace tarn {

// ORC's types by the attributes that a table format gives them, their names begun with `prefix`
// (Iceberg's specification, "Appendix A: ORC"): <prefix>.id at every depth, .required; .long-type
// TIME, .binary-type UUID and FIXED with .length.

// A field of an ORC file as a table's: "PARQUET:field_id" for the id; int64 that is a time as
// time64, binary that is a uuid or fixed as fixed_size_binary; elements named as elsewhere.
std::shared_ptr<arrow::Field> FromOrcField(const arrow::Field& field, std::string_view prefix);
// Values of the one as those of the other. kCorrupt: a uuid or fixed of another length.
Result<std::shared_ptr<arrow::Array>> FromOrcArray(const std::shared_ptr<arrow::Array>& array,
                                                   const std::shared_ptr<arrow::DataType>& type);

// A field of a file schema (ToFileSchema of `table`'s) as the adapter writes it, with those
// attributes.
std::shared_ptr<arrow::Field> ToOrcField(const arrow::Field& field, const Field& table,
                                         std::string_view prefix);
// The same buffers as the other's values: times become int64, fixed binary.
Result<std::shared_ptr<arrow::Array>> ToOrcArray(const std::shared_ptr<arrow::Array>& array,
                                                 const std::shared_ptr<arrow::DataType>& type);

}  // namespace tarn
