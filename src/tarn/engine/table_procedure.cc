#include "tarn/engine/table_procedure.h"

#include "tarn/query/call_sql.h"

namespace tarn {

Result<std::string> ProcedureSql(const Engine& engine, std::string_view table,
                                 const std::string& procedure,
                                 const std::map<std::string, std::string>& arguments) {
  TARN_ASSIGN_OR_RETURN(const TableReference reference, engine.ParseReference(table));
  return CallSql(procedure, reference, arguments);
}

}  // namespace tarn
