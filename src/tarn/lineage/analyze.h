#pragma once

#include <string_view>
#include <vector>

#include "tarn/lineage/analyze_options.h"
#include "tarn/lineage/lineage.h"
#include "tarn/lineage/schema_provider.h"
#include "tarn/sql/dialect.h"

namespace tarn::lineage {

// The lineage of a script. A plain value.
struct ScriptLineage {
  std::vector<StatementLineage> statements;  // in order; scripting blocks count by what is in them
  friend bool operator==(const ScriptLineage&, const ScriptLineage&) = default;
};

// What each statement of `sql` reads, writes and computes. Works from the text alone; `schema` says
// more where it knows the tables. Statements are read one after the other, so each sees the
// temporary views, tables, renames, USE and SET of those before. Never fails: what cannot be read,
// is unknown or ambiguous stands in the warnings, and has no source rather than an invented one.
// O(length + edges); a column's way through views and queries is walked once.
ScriptLineage Analyze(std::string_view sql, const sql::Dialect& dialect,
                      const SchemaProvider& schema, const AnalyzeOptions& options = {});

}  // namespace tarn::lineage
