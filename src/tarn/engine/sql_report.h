#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"

namespace tarn {

// What there is to say about a SQL text without running it.
struct SqlReport {
  std::string text = {};  // the text laid out anew, or its tree
  int64_t statement_count = 0;
  std::vector<std::string> errors = {};  // "line 2, column 5: expected …", one per bad statement
};

// `sql` laid out anew (sql/formatter.h); statements that cannot be read stay as they are.
// kInvalid for an unknown dialect.
Result<SqlReport> FormatSqlText(std::string_view sql, std::string_view dialect);

// The tree of each statement (sql/tree_text.h), behind a line with its number and place. kInvalid
// for an unknown dialect.
Result<SqlReport> SqlTextTree(std::string_view sql, std::string_view dialect);

// hive, spark, trino, …: for messages.
std::vector<std::string> SqlDialectNames();

}  // namespace tarn
