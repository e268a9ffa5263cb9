#include "tarn/query/statement_context_internal.h"

namespace tarn {

Result<StatementResult> RunDropTable(StatementContext& context, const sql::DropTable& drop) {
  const Status dropped = context.resolver.Drop(context.tables.ReferenceOf(drop.table), drop.purge);
  if (!dropped.ok()) {
    if (drop.if_exists && dropped.error().code == ErrorCode::kNotFound) {
      return StatementResult{.message = drop.table.ToText() + " does not exist"};
    }
    return dropped.error();
  }
  return StatementResult{.message = drop.table.ToText() +
                                    (drop.purge ? " dropped, its data removed" : " dropped")};
}

}  // namespace tarn
