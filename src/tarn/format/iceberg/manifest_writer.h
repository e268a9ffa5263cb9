#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/format/iceberg/delete_writer.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest.h"
#include "tarn/format/iceberg/metrics_modes.h"
#include "tarn/model/data_file.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// What the manifests of one commit under one partition spec share.
struct ManifestShape {
  PartitionSpec spec;
  std::vector<Type> partition_types;
  int32_t format_version = 2;
  int64_t snapshot_id = 0;
  int64_t sequence_number = 0;  // of the commit; 0 in version 1
  Schema schema;                // the table's
  std::string schema_json;      // both for the header
  std::string spec_json;
  std::string entry_schema;  // EntrySchema
};
Result<ManifestShape> MakeShape(PartitionSpec spec, std::vector<Type> partition_types,
                                int32_t format_version, int64_t snapshot_id,
                                int64_t sequence_number, const Schema& schema);

// Entries in the columns of EntrySchema.
using EntryBatches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

// ADDED entries for new data files: sequence numbers are left to inheritance, statistics are cut to
// the columns' modes.
Result<EntryBatches> AddedEntries(const ManifestShape& shape, const std::vector<DataFile>& files,
                                  const std::map<int32_t, MetricsMode>& modes,
                                  const Locations& locations);

// ADDED entries for new delete files of positions, all of the shape's spec.
Result<EntryBatches> AddedDeleteEntries(const ManifestShape& shape,
                                        const std::vector<NewDelete>& deletes);

// What becomes of an entry that is in the table, by the location of its file and, for deletion
// vectors, of the data file it belongs to.
enum class Fate : uint8_t { kKept, kDeleted };
using DecideFate =
    std::function<Fate(std::string_view location, std::optional<std::string_view> referenced)>;

// The entries of a manifest as another commit writes them: live ones EXISTING with the sequence
// numbers they have, or DELETED by this commit; those that earlier commits deleted are gone.
struct RewrittenEntries {
  EntryBatches batches;
  int64_t deleted = 0;
};
Result<RewrittenEntries> RewriteEntries(Runtime& runtime, const TableHome& home, const Path& path,
                                        const ManifestShape& shape, const ManifestFile& manifest,
                                        const DecideFate& decide);

// A manifest of entries: its bytes, and what its list says of it (`location` as given).
struct BuiltManifest {
  Bytes bytes;
  ManifestFile file;
};
Result<BuiltManifest> BuildManifest(Runtime& runtime, const ManifestShape& shape,
                                    ManifestContent content, const EntryBatches& batches,
                                    std::string location);

// The bytes of a manifest list.
struct ManifestListHeader {
  int64_t snapshot_id = 0;
  std::optional<int64_t> parent_id = {};
  int64_t sequence_number = 0;
  int32_t format_version = 2;
  std::optional<int64_t> first_row_id = {};  // version 3
};
Result<Bytes> BuildManifestList(Runtime& runtime, const ManifestListHeader& header,
                                const std::vector<ManifestFile>& manifests);

}  // namespace tarn::iceberg
