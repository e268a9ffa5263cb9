#pragma once

#include <memory>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/delta/checkpoint_heads.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// TableFormat::Load. A checkpoint that cannot be read (cut, vanished) is passed over with a warning
// for an older one or the commits alone.
// kInvalid: a version that is no number. kNotFound: no table, no such version, before the first
// time. kCorrupt: a commit missing or unreadable, no protocol or metaData anywhere. kUnsupported:
// reader version or feature, type, or file format by name.
Result<Snapshot> LoadSnapshot(Runtime& runtime, CheckpointHeads& heads, const TableHome& home,
                              const AsOf& as_of);

// TableFormat::Detect: whether `_delta_log` holds a commit or checkpoint.
Result<bool> DetectTable(const TableHome& home);

// The metadata of the model that protocol and metaData action say; `mapping` as they make it.
Result<TableMetadata> ToTableMetadata(const Protocol& protocol, const MetadataAction& action);

// A version as a user types it: a decimal number. kInvalid.
Result<int64_t> ParseVersion(std::string_view text);

}  // namespace tarn::delta
