#pragma once

#include <string>

#include "tarn/base/result.h"
#include "tarn/duck/duck_session.h"
#include "tarn/model/schema.h"
#include "tarn/sql/statement.h"

namespace tarn {

// A type as casts to it are spelled.
std::string SqlTypeOf(const Type& type);

// SQL that makes the table's columns, in the table's order, of the columns of `query` (already in
// DuckDB's words): by position against the columns that INSERT lists (or all of them, those of a
// PARTITION clause last), or by name; columns left out get their default or NULL; each cast to its
// column's type. kInvalid naming the columns when their number differs or one is unknown.
Result<std::string> SelectForInsert(DuckSession& session, const std::string& table,
                                    const Schema& schema, const sql::Insert& insert,
                                    const std::string& query);

}  // namespace tarn
