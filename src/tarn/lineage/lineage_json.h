#pragma once

#include <string>
#include <string_view>

#include "tarn/lineage/analyze.h"

namespace tarn::lineage {

// `script` as one JSON document of one object, two spaces deep:
//
//   inputs, outputs   datasets: "db.table", "dir:…", "path:…"
//   columns           [{output, projection?, expression?, sources: [{column, type, kind, masking?,
//                     expression}]}]; of a plain query the output is "<query>.name"
//   dataset           INDIRECT columns that act on every row: [{column, type, kind, expression,
//                     outputs?}]; `outputs` if there are several
//   partitions?       {"db.table": {"ds": "'1'", "hr": null}}: verbatim SQL, null = dynamic
//   ddl?, schema_from?, maintenance?, transient?
//   expanded?         inputs, outputs, columns and dataset with the schema's views looked through
//   warnings          [{code, message, line, column}]
//   statements        [{operation, line, column, inputs, outputs}]: in order
//
// `sql` is the text that was analysed; `expanded` the same with Views::kExpanded, or null. Bytes
// that are no UTF-8 become U+FFFD.
std::string LineageJson(const ScriptLineage& script, std::string_view sql,
                        const ScriptLineage* expanded = nullptr);

}  // namespace tarn::lineage
