#pragma once

#include <string>

#include "tarn/base/result.h"
#include "tarn/query/table_resolver.h"

namespace tarn {

class ReadBuilder;

// The query that reads what `read` describes from `table`. Values of options become literals, so
// that the engine casts them to their column's type. kInvalid if both a version and a time are
// asked for.
Result<std::string> ReadToSql(const ReadBuilder& read, const TableReference& table);

}  // namespace tarn
