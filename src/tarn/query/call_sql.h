#pragma once

#include <map>
#include <string>

#include "tarn/query/table_resolver.h"

namespace tarn {

// The statement that runs a procedure on a table, with further arguments by name: their values are
// text, which the procedure casts.
//   CALL system.upkeep(table => '"ns"."t"')
std::string CallSql(const std::string& procedure, const TableReference& table,
                    const std::map<std::string, std::string>& arguments = {});

}  // namespace tarn
