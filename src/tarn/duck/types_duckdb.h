#pragma once

// DuckDB's types, values and errors as Tarn's and back. For *_duckdb.cc files only: includes
// DuckDB.

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "duckdb.hpp"

#include "tarn/base/result.h"
#include "tarn/duck/duck_session.h"
#include "tarn/model/schema.h"

namespace tarn {

// The type of a variant column: VARCHAR called TARN_VARIANT (variant_duckdb.h has its casts).
duckdb::LogicalType VariantTextType();

// The type a column of `type` has in SQL: variant is VariantTextType (its JSON text), fixed is
// BLOB, void is VARCHAR. Void members of structs are left out.
duckdb::LogicalType ToDuckType(const Type& type);

// What a result column of `type` is for Tarn; ids are 0. Signed types hold the unsigned ones
// (UBIGINT: decimal(20,0)), HUGEINT is decimal(38,0), UUID, ENUM and BIT are strings. kUnsupported
// naming the type for the rest (INTERVAL, UNION).
Result<Type> FromDuckType(const duckdb::LogicalType& type);

// A value of `type` for DuckDB, of type ToDuckType(type).
duckdb::Value ToDuckValue(const Type& type, const Value& value);

// The inverse, for scalars: null when `value` cannot be one of `type` exactly (then nothing may be
// concluded from it).
std::optional<Value> FromDuckValue(const Type& type, const duckdb::Value& value);

// DuckDB's failure as an Error, its first line with the place in `sql` ("line 2, column 5") if
// known. With `origin`, in the text that `sql` was made from.
Error ToError(const duckdb::ErrorData& error, std::string_view sql,
              const SqlOrigin* origin = nullptr);
// The same for what is being handled in a catch block.
Error ToError(const std::exception& exception, std::string_view sql);

}  // namespace tarn
