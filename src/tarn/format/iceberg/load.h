#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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
inline constexpr std::string_view kMainBranch = "main";
inline constexpr std::string_view kConstraintPrefix = "tarn.constraint.";

// TableFormat::Load. A version is what users type (the name of a branch or tag, a snapshot id) or
// the stem of a metadata file ("v12", "00012-<uuid>"), which is what Newest answers, since metadata
// changes without a snapshot. A snapshot or tag is read with its own schema, a branch with the
// table's. Times are those of the snapshot log. kNotFound: no table, no such version, before the
// first time.
Result<Snapshot> LoadSnapshot(MetadataReader& files, const TableHome& home, const AsOf& as_of);

// The state that one metadata file says is newest.
Snapshot SnapshotOf(std::shared_ptr<const Metadata> metadata, const MetadataFile& file);
// The same of one branch (TableHome::branch; empty: the table's own line). kNotFound: no such
// branch; kInvalid: a tag.
Result<Snapshot> SnapshotOf(std::shared_ptr<const Metadata> metadata, const MetadataFile& file,
                            const std::string& branch);
// The snapshot at the head of that line; none before the first, or without such a branch.
std::optional<int64_t> HeadOf(const Metadata& metadata, const std::string& branch);

// The snapshot that a version means (LoadSnapshot). kNotFound.
Result<int64_t> SnapshotIdOf(MetadataReader& files, const TableHome& home,
                             const std::string& version);

}  // namespace tarn::iceberg
