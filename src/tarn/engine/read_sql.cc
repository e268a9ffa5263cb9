#include "tarn/engine/read_sql.h"

#include <vector>

#include "tarn/base/text.h"
#include "tarn/engine/read_builder.h"
#include "tarn/sql/statement.h"
#include "tarn/sql/tokenizer.h"

namespace tarn {

Result<std::string> ReadToSql(const ReadBuilder& read, const TableReference& table) {
  std::vector<std::string> columns;
  for (const std::string& name : read.columns()) columns.push_back(sql::QuoteName(name));
  std::string query = "SELECT " + (columns.empty() ? "*" : Join(columns, ", ")) + " FROM ";
  if (!table.path.empty()) {
    query += (table.format.empty() ? "" : table.format + ".") + sql::QuoteString(table.path);
  } else {
    std::vector<std::string> parts;
    for (const std::string& part : table.parts) parts.push_back(sql::QuoteName(part));
    query += Join(parts, ".");
  }
  if (read.version() && read.timestamp()) {
    return Invalid("read of '" + read.table() + "': a version and a time were both asked for");
  }
  if (read.version()) query += " VERSION AS OF " + sql::QuoteString(*read.version());
  if (read.timestamp()) query += " TIMESTAMP AS OF " + sql::QuoteString(*read.timestamp());
  std::vector<std::string> predicates;
  for (const auto& [column, value] : read.options()) {
    predicates.push_back(sql::QuoteName(column) + " = " + sql::QuoteString(value));
  }
  if (!read.where().empty()) predicates.push_back("(" + read.where() + "\n)");
  if (!predicates.empty()) query += " WHERE " + Join(predicates, " AND ");
  return query;
}

}  // namespace tarn
