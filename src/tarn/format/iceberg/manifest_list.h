#pragma once

#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// The manifests of a snapshot, in the list's order. Of a version 1 snapshot that names its
// manifests itself the spec is read from each one's header. kCorrupt, kNotFound naming the file.
Result<std::vector<ManifestFile>> ReadManifests(Runtime& runtime, const TableHome& home,
                                                const Locations& locations,
                                                const SnapshotEntry& snapshot);

}  // namespace tarn::iceberg
