#pragma once

#include <map>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/sql/statement.h"
#include "tarn/sql/token_cursor.h"

namespace tarn::sql {

// `name type [NOT NULL] [COMMENT '…'] [DEFAULT expression] [CHECK (…)] [GENERATED ALWAYS AS (…)]
// [FIRST | AFTER x]` at the cursor; the name may be a path (parent.name). kInvalid naming the
// place; kUnsupported for PRIMARY KEY, UNIQUE and REFERENCES, which no open format enforces.
Result<ColumnDefinition> ParseColumnDefinition(TokenCursor& cursor);

// `CREATE [OR REPLACE] TABLE …`, the cursor behind TABLE.
Result<CreateTable> ParseCreateTable(TokenCursor& cursor, bool or_replace);

// `ALTER TABLE …`, the cursor behind TABLE.
Result<AlterTable> ParseAlterTable(TokenCursor& cursor);

// `a DESC NULLS LAST, bucket(16, b)`, perhaps in brackets: as ORDER BY has them, over columns and
// their transforms; NULLs first unless it descends. kInvalid naming the place.
Result<std::vector<SortItem>> ParseSortItems(TokenCursor& cursor);

// ('key' = 'value', a.b = 3): keys in quotes or dotted, values literals; '=' may be left out.
Result<std::map<std::string, std::string>> ParseProperties(TokenCursor& cursor);

}  // namespace tarn::sql
