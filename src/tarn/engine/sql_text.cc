#include "tarn/engine/sql_text.h"

#include "tarn/sql/statement_parser.h"

namespace tarn {

bool IsIncompleteSql(std::string_view text) { return sql::IsIncomplete(text); }

}  // namespace tarn
