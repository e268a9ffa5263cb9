#pragma once

// DuckDB's bound predicates as the model's expressions. For *_duckdb.cc files only: includes
// DuckDB.

#include <functional>

#include "duckdb.hpp"
#include "duckdb/planner/expression.hpp"

#include "tarn/model/expression.h"
#include "tarn/model/schema.h"

namespace tarn {

// The table's field behind a bound column reference, or null when it is none of the table's.
using FieldOfBinding = std::function<const Field*(const duckdb::ColumnBinding&)>;

// `expression` over rows of a table: comparisons with constants, IN, IS [NOT] NULL, BETWEEN, prefix
// LIKE, isnan, boolean columns, AND, OR, NOT; members of structs by their own id. Whatever it
// cannot say exactly is kOpaque, as a whole term: for pruning that keeps files, for MustMatch it
// proves nothing. Constant subexpressions are evaluated in `context`. Never throws.
Expression FromDuckExpression(duckdb::ClientContext& context, const duckdb::Expression& expression,
                              const FieldOfBinding& field_of);

}  // namespace tarn
