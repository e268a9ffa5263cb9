#include "tarn/format/iceberg/encode.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "tarn/base/uuid.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/format/iceberg/metadata_writer.h"
#include "tarn/format/iceberg/prepare.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/format/iceberg/snapshot_writer.h"

namespace tarn::iceberg {
namespace {

class Encoder {
 public:
  Encoder(Runtime& runtime, MetadataReader& files, const TableHome& home, const Snapshot& base,
          const Commit& commit, const DeleteWriterTools& tools)
      : runtime_(runtime),
        files_(files),
        home_(home),
        base_(base),
        commit_(commit),
        tools_(tools) {}

  Result<EncodedCommit> Encode() {
    if (!commit_.change_files.empty()) {
      return Unsupported("iceberg: a table keeps no change data");
    }
    for (const DataFile& file : commit_.added) {
      // Its old deletes are older than the file would be.
      if (file.deletes.empty()) continue;
      return Unsupported("iceberg: '" + file.path +
                         "' cannot come back with rows of it deleted; write the rows again");
    }
    TARN_RETURN_IF_ERROR(CheckWritable(base_));
    TARN_RETURN_IF_ERROR(Begin());
    // A rewrite without files is one of manifests.
    const bool files = !commit_.added.empty() || !commit_.removed.empty() ||
                       !commit_.row_deletes.empty() ||
                       commit_.operation.kind == OperationKind::kRewrite;
    if (commit_.metadata) TARN_RETURN_IF_ERROR(document_->SetModel(*commit_.metadata));
    for (const PositionMove& move : commit_.positions) {
      document_->SetProperty(std::string(kPositionPrefix) + move.source, move.after);
    }
    const int64_t now_ms = std::max(runtime_.clock.NowMicros() / 1000, after_ms_ + 1);
    for (const ReferenceChange& change : commit_.references) {
      TARN_RETURN_IF_ERROR(Move(change, now_ms));
    }
    if (!commit_.expired.empty()) TARN_RETURN_IF_ERROR(document_->RemoveSnapshots(commit_.expired));
    // A snapshot carries the commit's id; without one the properties do.
    if (files) {
      document_->RemoveProperty(std::string(kCommitIdProperty));
    } else {
      document_->SetProperty(std::string(kCommitIdProperty), commit_.id);
    }
    document_->SetUpdated(now_ms);
    if (files) TARN_RETURN_IF_ERROR(AddSnapshot(now_ms));

    // What is written can be read.
    TARN_ASSIGN_OR_RETURN(Metadata written, document_->Read());
    TARN_ASSIGN_OR_RETURN(const WriteProperties properties,
                          ParseWriteProperties(written.properties));
    TARN_ASSIGN_OR_RETURN(written.text, document_->Text());
    std::string stem = "v" + std::to_string(number_);
    const std::string ending = properties.gzip_metadata ? ".gz.metadata.json" : ".metadata.json";
    Bytes bytes = properties.gzip_metadata ? Gzip(written.text) : written.text;
    files_.Expect(std::move(written));
    encoded_.version.text = stem;
    encoded_.requirements.push_back({"head", base_.version.text});
    encoded_.head = [folder = home_.root / kMetadataFolder, own = std::move(stem), ending,
                     bytes = std::move(bytes)](std::string_view name) {
      return NewObject{folder / ((name.empty() ? own : std::string(name)) + ending), bytes};
    };
    return std::move(encoded_);
  }

 private:
  Status Begin() {
    if (!base_.exists()) {
      if (!commit_.metadata) return Invalid("iceberg: a table begins with its metadata");
      TARN_ASSIGN_OR_RETURN(
          MetadataDocument document,
          MetadataDocument::Create(*commit_.metadata, UriOf(home_.storage, home_.root)));
      document_ = std::make_unique<MetadataDocument>(std::move(document));
      number_ = 1;
      return OkStatus();
    }
    TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(base_));
    TARN_ASSIGN_OR_RETURN(const WriteProperties properties,
                          ParseWriteProperties(state->metadata->properties));
    const Locations locations(home_, state->metadata->location);
    const std::string file = locations.LocationOf(home_.Spell(state->file.path));
    TARN_ASSIGN_OR_RETURN(
        MetadataDocument document,
        MetadataDocument::After(*state->metadata, file, properties.previous_versions_max));
    document_ = std::make_unique<MetadataDocument>(std::move(document));
    number_ = state->file.name.number + 1;
    after_ms_ = state->metadata->last_updated_ms;
    return OkStatus();
  }

  Status Move(ReferenceChange change, int64_t now_ms) {
    if (change.name.empty()) change.name = home_.branch.empty() ? kMainBranch : home_.branch;
    std::optional<int64_t> snapshot_id;
    if (!change.version.empty()) {
      TARN_ASSIGN_OR_RETURN(snapshot_id, SnapshotIdOf(files_, home_, change.version));
    }
    return document_->MoveReference(change, snapshot_id, now_ms);
  }

  Status AddSnapshot(int64_t now_ms) {
    TARN_ASSIGN_OR_RETURN(const Metadata metadata, document_->Read());
    SnapshotBase base;
    base.metadata = &metadata;
    if (const auto head = HeadOf(metadata, home_.branch))
      base.parent = metadata.SnapshotById(*head);
    base.timestamp_ms = now_ms;
    TARN_ASSIGN_OR_RETURN(base.properties, ParseWriteProperties(metadata.properties));
    const Locations locations(home_, metadata.location);
    NewDeletes deletes;
    if (!commit_.row_deletes.empty()) {
      TARN_ASSIGN_OR_RETURN(
          deletes, WriteDeletes(home_, locations, metadata.format_version, NewUuid(runtime_.random),
                                commit_.row_deletes, tools_));
    }
    TARN_ASSIGN_OR_RETURN(NewSnapshot snapshot,
                          WriteSnapshot(runtime_, home_, locations, base, commit_, deletes));
    TARN_RETURN_IF_ERROR(
        document_->AddSnapshot(snapshot.entry, snapshot.assigned_rows, home_.branch));
    encoded_.staged = std::move(deletes.objects);
    for (NewObject& object : snapshot.objects) encoded_.staged.push_back(std::move(object));
    return OkStatus();
  }

  Runtime& runtime_;
  MetadataReader& files_;
  const TableHome& home_;
  const Snapshot& base_;
  const Commit& commit_;
  const DeleteWriterTools& tools_;
  std::unique_ptr<MetadataDocument> document_;
  int64_t number_ = 1;
  int64_t after_ms_ = 0;  // times rise from one metadata file to the next
  EncodedCommit encoded_;
};

}  // namespace

Result<EncodedCommit> EncodeCommit(Runtime& runtime, MetadataReader& files, const TableHome& home,
                                   const Snapshot& base, const Commit& commit,
                                   const DeleteWriterTools& tools) {
  return Encoder(runtime, files, home, base, commit, tools).Encode();
}

}  // namespace tarn::iceberg
