#include "tarn/format/iceberg/upkeep.h"

#include <set>
#include <string>

#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/format/iceberg/table_properties.h"

namespace tarn::iceberg {

Result<Upkeep> PlanIcebergUpkeep(MetadataReader& files, const TableHome& home,
                                 const Snapshot& snapshot) {
  Upkeep upkeep;
  if (!snapshot.exists()) return upkeep;
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  if (!state->file.named_by_home) {
    if (!home.head.name.empty() || !state->file.name.stem.starts_with('v')) return upkeep;
    // Who is slower must not set the hint back.
    TARN_ASSIGN_OR_RETURN(const MetadataFile newest, FindNewest(home));
    upkeep.put.push_back(
        {home.root / kMetadataFolder / kVersionHint, std::to_string(newest.name.number)});
  }
  TARN_ASSIGN_OR_RETURN(const WriteProperties properties,
                        ParseWriteProperties(state->metadata->properties));
  const auto& log = state->metadata->metadata_log;
  if (!properties.delete_old_metadata || log.empty() ||
      static_cast<int64_t>(log.size()) < properties.previous_versions_max) {
    return upkeep;
  }
  const Locations locations(home, state->metadata->location);
  std::set<std::string> kept;
  for (const MetadataLogEntry& entry : log) kept.insert(entry.location);
  TARN_ASSIGN_OR_RETURN(const Path before, locations.Resolve(log.back().location));
  TARN_ASSIGN_OR_RETURN(const auto previous, files.Read(home, before));
  for (const MetadataLogEntry& entry : previous->metadata_log) {
    if (kept.contains(entry.location)) continue;
    TARN_ASSIGN_OR_RETURN(Path gone, locations.Resolve(entry.location));
    upkeep.remove.push_back(std::move(gone));
  }
  return upkeep;
}

}  // namespace tarn::iceberg
