#pragma once

#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// Table properties that are Tarn's own and not shown as the user's.
inline constexpr std::string_view kPositionPrefix = "tarn.position.";
inline constexpr std::string_view kCommitIdProperty = "tarn.commit-id";
inline constexpr std::string_view kConstraintPrefix = "tarn.constraint.";

// TableFormat::Load. A version is what users type (the name of a branch or tag, a snapshot id) or
// the stem of a metadata file ("v12", "00012-<uuid>"), which is what Newest answers, since metadata
// changes without a snapshot. A snapshot or tag is read with its own schema, a branch with the
// table's. Times are those of the snapshot log. kNotFound: no table, no such version, before the
// first time.
Result<Snapshot> LoadSnapshot(const TableHome& home, const AsOf& as_of);

// The state that one metadata file says is newest.
Snapshot SnapshotOf(std::shared_ptr<const Metadata> metadata, const MetadataFile& file);

}  // namespace tarn::iceberg
