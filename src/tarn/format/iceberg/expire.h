#pragma once

#include <vector>

#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/relation.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// TableFormat::PlanExpiry, by the specification's "Snapshot Retention Policy": of each branch the
// newest min-snapshots-to-keep and those not older than max-snapshot-age stay, of a tag its
// snapshot; a branch or tag older than max-ref-age goes, main never; what no reference leads to
// stays while it is young. Defaults are the table's history.expire.* properties. kInvalid for
// versions that a reference names, and where gc.enabled is false.
Result<Expiry> PlanExpiry(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                          const ExpiryRequest& request);

// TableFormat::ExpiredObjects: of the snapshots that earlier metadata files (those the log names
// and that still stand) knew and the newest does not, the data and delete files, then manifests,
// then manifest lists that no snapshot of the newest needs. In that order an interrupted removal
// leaves what the next one finds the rest by. Costs a look at every manifest list, and at the
// manifests only when something is to be removed. kInvalid where gc.enabled is false.
Result<std::vector<Path>> ExpiredObjects(Runtime& runtime, const TableHome& home,
                                         const Snapshot& snapshot);

// The relation `objects`: path (TableHome::Spell) and kind of every object that some state of the
// table needs: files, manifests, manifest lists, statistics, metadata files of the log, the hint.
// kInvalid where gc.enabled is false: others may need what this table does not.
Result<Relation> NeededObjects(Runtime& runtime, const TableHome& home, const IcebergState& state);

}  // namespace tarn::iceberg
