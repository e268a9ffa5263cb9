#pragma once

#include <string>
#include <string_view>

#include "tarn/lineage/analyze.h"

namespace tarn::lineage {

// `script` for people: per statement what it reads and writes, and below each output column the
// columns it is made of, with kind and expression; at the end of each statement its warnings.
//
//   create table as select → temp.lineage_test
//     reads default.dual
//     lineage_name = coalesce(name, count(id))
//       ← default.dual.name  TRANSFORMATION
//       ← default.dual.id    AGGREGATION
//     every row
//       ← default.dual.id    GROUP_BY  id
//
// `sql` is the text that was analysed.
std::string LineageTree(const ScriptLineage& script, std::string_view sql);

}  // namespace tarn::lineage
