#pragma once

#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/deleted_rows.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/relation.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// The metadata relations, named and shaped as Spark's "Querying with SQL, inspecting tables" and
// PyIceberg's `inspect` have them:
//   snapshots, history, refs, metadata_log_entries   what the metadata file says
//   manifests                                        a row per manifest of the snapshot
//   objects                                          all that any state of the table needs
//   entries, files, partitions, position_deletes     what the manifests say (file_relations.h)
// Times are instants in milliseconds. `partition` is left out of a table that never had partition
// fields.
std::vector<std::string_view> RelationNames();

// TableFormat::ReadRelation.
Result<Relation> ReadRelation(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                              std::string_view name, DeletedRowsReader& deleted_rows);

}  // namespace tarn::iceberg
