#pragma once

#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// The column invariants of a schema as conditions on rows (PROTOCOL.md, "Column Invariants"), in
// the order of columns: the SQL below expression.expression of each `delta.invariants`. A member of
// a struct may have one; its SQL names columns from the table down ("s.x > 3"), as everywhere.
// kUnsupported naming the column: an invariant inside a list or map, which no engine can evaluate
// by row, or one that is no such JSON text.
Result<std::vector<CheckConstraint>> ColumnInvariants(const Schema& schema);

}  // namespace tarn::delta
