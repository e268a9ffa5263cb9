#pragma once

// Variants in DuckDB as their JSON text. For *_duckdb.cc files only: includes DuckDB.

#include "duckdb.hpp"

#include "tarn/base/result.h"
#include "tarn/duck/duck_session.h"

namespace tarn {

// A cast to VariantTextType from the struct that a Parquet file holds decodes the variant; to
// VARCHAR and JSON it is its text. DuckDB's own VARIANT cannot tell a NULL from a variant null, so
// it is not used.
Status InstallVariantCast(DuckSession& session);

}  // namespace tarn
