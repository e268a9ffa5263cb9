#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/format/delta/schema_json.h"
#include "tarn/model/snapshot.h"

namespace tarn::delta {

// What the codec keeps between Load and whatever follows on the same snapshot: the objects of the
// log that make it up, and its actions apart from files.
struct DeltaState final : SnapshotState {
  int64_t version = 0;
  LogSegment segment;
  Protocol protocol;
  MetadataAction metadata;
  ColumnMapping mapping = ColumnMapping::kNone;
  std::map<std::string, Txn> txns;
  std::map<std::string, DomainMetadata> domains;  // removed ones are not there
  std::vector<Sidecar> sidecars;                  // of the segment's checkpoint
  std::optional<CommitInfo> commit_info;  // of the version's commit, where its file is there
};

// The state of a snapshot that this codec loaded. kInternal for another's, or none.
Result<const DeltaState*> StateOf(const Snapshot& snapshot);

}  // namespace tarn::delta
