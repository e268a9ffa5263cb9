#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/sql/statement.h"

namespace tarn::sql {

// One place of a query that names a relation from outside it. Names of common table expressions and
// of columns are never listed; table functions are, as calls. Spans are offsets in the text given.
struct TableUse {
  TableName name;
  std::optional<TimeTravel> as_of = {};
  // The name with its time travel and, for a call, its arguments; never the alias: what to replace.
  SourceSpan span = {};
  // t.changes(1, 2), range(10): the arguments' texts. Not set: no parentheses.
  std::optional<std::vector<std::string>> arguments = {};
  std::string alias = {};  // empty if none was said
};

// Whether a text is a whole query or one expression (a WHERE clause), which may hold subqueries.
enum class TextKind : uint8_t { kQuery, kExpression };

// The relations that `sql` names, in order of place: after FROM, JOIN and commas between them,
// in subqueries, CTEs, set operations; after TABLE, DESCRIBE, SUMMARIZE, PIVOT, UNPIVOT. A scan
// over tokens with the scopes of CTE names, not a full parser: on text that the engine would refuse
// the answer is best effort. The tokenizer's errors; kInvalid for brackets nested deeper than
// 1,000. O(n).
Result<std::vector<TableUse>> FindTables(std::string_view sql, TextKind kind = TextKind::kQuery);

// `replacement` in place of `span`.
struct Edit {
  SourceSpan span = {};
  std::string replacement = {};
};

// Edits that turn Spark's spellings into DuckDB's; strings and comments are left alone:
//   `a b` → "a b" · default.t → "default".t · a <=> b → a IS NOT DISTINCT FROM b · a == b → a = b
//   a [NOT] RLIKE | REGEXP b → a ~ b with b made to match anywhere, as `~` matches whole strings
//   10L, 1.5D, 2.0BD, 1Y, 1S, 1F → casts
//   in CAST, TRY_CAST and behind `::`: ARRAY<INT> → INTEGER[], MAP<…>, STRUCT<a: INT>, BYTE,
//   TIMESTAMP_NTZ, TIMESTAMP_LTZ → DuckDB's names
//   array(…) → list_value(…), explode(…) → unnest(…), nvl(a, b) → coalesce(a, b), to_date(x) → a
//   cast, current_date() and current_timestamp() → without parentheses
// The tokenizer's errors.
Result<std::vector<Edit>> SpellingEdits(std::string_view sql);

// Edits for column references through a table's dotted name: where a use without an alias has two
// or more parts (FROM ns.t), `ns.t.c` → "t".c, so that a replacement aliased "t" answers it.
Result<std::vector<Edit>> QualifierEdits(std::string_view sql, const std::vector<TableUse>& uses);

// A text after edits, and the way back for error messages.
struct Rewritten {
  std::string text = {};
  struct Piece {
    uint32_t at = 0;        // offset in `text` where this piece begins
    uint32_t original = 0;  // offset in the original
    bool edited = false;    // a replacement: all of it stems from `original`
  };
  std::vector<Piece> pieces = {};
  // The offset in the original that offset `at` of `text` stems from.
  uint32_t OriginalOffset(uint32_t at) const;
};

// `sql` with `edits` (any order). An edit within another's span is dropped; of two that overlap
// partly the one that begins first wins, of two over the same bytes the first in the list.
// Insertions (empty spans) come before a replacement that begins at the same place.
Rewritten ApplyEdits(std::string_view sql, std::vector<Edit> edits);

}  // namespace tarn::sql
