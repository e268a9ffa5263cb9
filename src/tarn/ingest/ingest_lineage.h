#pragma once

#include <string>

#include "tarn/ingest/transform/transform.h"
#include "tarn/model/schema.h"

namespace tarn {

// What a load's commit says of its lineage (Commit::lineage, in the form of
// lineage/commit_lineage.h): from the fields of `source` (the paths as the user wrote them), as the
// decoder shows them, through `chain` to the columns of `table`.
std::string LineageOfLoad(const std::string& source, const TransformChain& chain,
                          const Schema& table, bool replaces);

}  // namespace tarn
