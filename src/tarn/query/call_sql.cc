#include "tarn/query/call_sql.h"

#include "tarn/duck/duck_session.h"

namespace tarn {

std::string CallSql(const std::string& procedure, const TableReference& table,
                    const std::map<std::string, std::string>& arguments) {
  std::string name;
  if (!table.path.empty()) {
    name = (table.path.find('/') == std::string::npos ? "./" : "") + table.path;
  } else {
    for (const std::string& part : table.parts) {
      name += (name.empty() ? "" : ".") + QuoteIdentifier(part);
    }
  }
  std::string sql = "CALL system." + procedure + "(table => " + QuoteLiteral(name);
  for (const auto& [parameter, value] : arguments) {
    sql += ", " + parameter + " => " + QuoteLiteral(value);
  }
  return sql + ")";
}

}  // namespace tarn
