#pragma once

// Variants in DuckDB as their JSON text. For *_duckdb.cc files only: includes DuckDB.

#include "duckdb.hpp"

#include "tarn/base/result.h"
#include "tarn/duck/duck_session.h"

namespace tarn {

// The type of a variant column: VARCHAR called TARN_VARIANT. A cast to it from the struct that a
// Parquet file holds decodes the variant (see InstallVariantCast); to VARCHAR and JSON it is its text.
// DuckDB's own VARIANT cannot tell a NULL from a variant null, so it is not used.
duckdb::LogicalType VariantTextType();

// Teaches the session's DuckDB that cast.
Status InstallVariantCast(DuckSession& session);

}  // namespace tarn
