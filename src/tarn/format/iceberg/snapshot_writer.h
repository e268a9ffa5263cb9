#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/delete_writer.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/table_properties.h"
#include "tarn/model/commit.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// A snapshot about to be: its entry for the metadata and the objects it needs.
struct NewSnapshot {
  SnapshotEntry entry;
  int64_t assigned_rows = 0;  // row ids given, version 3
  std::vector<NewObject> objects;
};

// What a snapshot is made on.
struct SnapshotBase {
  const Metadata* metadata =
      nullptr;  // the table as the commit will have it: schemas, specs, version
  const SnapshotEntry* parent = nullptr;  // null: the first
  int64_t timestamp_ms = 0;
  WriteProperties properties = {};
};

// The snapshot of `commit` (which has files): ADDED entries in a manifest of their own, manifests
// that lose files rewritten, then manifests of one spec bin-packed into fewer where there are many.
// kConflict when a file to be removed is not in the table. `deletes` are those of
// commit.row_deletes.
Result<NewSnapshot> WriteSnapshot(Runtime& runtime, const TableHome& home,
                                  const Locations& locations, const SnapshotBase& base,
                                  const Commit& commit, const NewDeletes& deletes = {});

}  // namespace tarn::iceberg
