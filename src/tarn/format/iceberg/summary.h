#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "tarn/format/iceberg/delete_writer.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/model/commit.h"

namespace tarn::iceberg {

// The summary of the snapshot that `commit` makes on `parent` (null: the first): operation,
// counters of what it adds and removes (zero ones left out), totals carried on from the parent
// where it has them, who wrote it. `removed_delete_files` are those whose entries went, all of
// positions.
std::map<std::string, std::string> SummaryOf(const Commit& commit, const SnapshotEntry* parent,
                                             int64_t removed_delete_files,
                                             const NewDeletes& added_deletes = {});

// "append", "overwrite", "delete", "replace".
std::string OperationOf(const Commit& commit);

}  // namespace tarn::iceberg
