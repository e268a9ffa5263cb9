#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/snapshot_writer.h"
#include "tarn/model/reference_change.h"
#include "tarn/model/table_metadata.h"

namespace tarn::iceberg {

// The JSON of a metadata file that follows another, or of a table's first one: what Tarn has no
// field for stays as it was. One at a time: model changes first, then the snapshot.
class MetadataDocument {
 public:
  // The first metadata file of a table at `location`. Errors as SchemaToJson.
  static Result<MetadataDocument> Create(const TableMetadata& model, std::string location);
  // What follows `before`, which was read from `file_location`.
  static Result<MetadataDocument> After(const Metadata& before, const std::string& file_location,
                                        int64_t previous_versions_max);

  // Makes the table what `model` says: schema (a new id, unless one stands that is equal), specs,
  // properties, format version. Tarn's own properties stay.
  Status SetModel(const TableMetadata& model);
  void SetProperty(const std::string& name, const std::string& value);
  void RemoveProperty(const std::string& name);
  // `snapshot` becomes the head of the branch; empty, or main: the table's current.
  Status AddSnapshot(const SnapshotEntry& snapshot, int64_t assigned_rows,
                     const std::string& branch);
  // A branch or tag names `snapshot_id` from now on, or goes ("Snapshot References"). kNotFound,
  // kAlreadyExists as change.when says; kInvalid for main without a snapshot, a tag where a branch
  // is meant, retention that is not positive.
  Status MoveReference(const ReferenceChange& change, std::optional<int64_t> snapshot_id,
                       int64_t now_ms);
  // Snapshots go, with the log before them and their statistics. kConflict for one that a branch or
  // tag names.
  Status RemoveSnapshots(const std::vector<std::string>& ids);
  void SetUpdated(int64_t ms);

  // The document as it will be read, without its text.
  Result<Metadata> Read() const;
  Result<std::string> Text() const;

 private:
  MetadataDocument() = default;
  Result<bool> IsCurrentSchema(const Schema& schema) const;
  static void ClearAliases(Field& field);

  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace tarn::iceberg
