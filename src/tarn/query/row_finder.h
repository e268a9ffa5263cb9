#pragma once

#include <memory>
#include <string>

#include "tarn/query/statement_context_internal.h"
#include "tarn/write/delete_rows.h"

namespace tarn {

// Finds the rows of files for which `where` (in DuckDB's words, tables already replaced) is true,
// by DuckDB itself: subqueries and all. `alias` is what columns may be qualified with. The context
// outlives it.
RowFinder FindRowsInDuck(StatementContext& context, std::shared_ptr<Table> table, std::string alias,
                         std::string where);

}  // namespace tarn
