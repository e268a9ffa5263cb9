#pragma once

#include <string>

#include "tarn/sql/tree.h"

namespace tarn::sql::tree {

// The tree below `node`, a line per node: its kind, what it says (name: 'text'), then its children,
// indented, each behind the name of its field. Fields that were not said are left out. Spans are
// not part of it, so two texts that differ only in layout give the same: that is what "the same
// tree" means for the formatter.
std::string TreeToText(const Node& node);

}  // namespace tarn::sql::tree
