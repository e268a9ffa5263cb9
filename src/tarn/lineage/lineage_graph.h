#pragma once

#include <string>

#include "tarn/lineage/analyze.h"

namespace tarn::lineage {

// `script` as a drawing, from inputs to outputs: a box per dataset with its columns, an arrow per
// DIRECT edge, dashed ones for what decides about one column or about every row.

// Graphviz: `dot -Tsvg`.
std::string LineageDot(const ScriptLineage& script);

// Mermaid: the text between ```mermaid and ``` in a Markdown document.
std::string LineageMermaid(const ScriptLineage& script);

}  // namespace tarn::lineage
