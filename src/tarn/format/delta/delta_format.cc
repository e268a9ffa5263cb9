#include "tarn/format/delta/delta_format.h"

#include "tarn/format/delta/begin.h"
#include "tarn/format/delta/dv_read.h"
#include "tarn/format/delta/encode.h"
#include "tarn/format/delta/file_stream.h"
#include "tarn/format/delta/history.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/prepare.h"
#include "tarn/format/delta/upkeep.h"

namespace tarn {
namespace {

class DeltaFormat final : public TableFormat {
 public:
  explicit DeltaFormat(Runtime& runtime) : runtime_(runtime) {}

  std::string_view name() const override { return "delta"; }

  FormatTraits traits() const override {
    return {.row_deletes = true,
            .tells_empty_from_null = false,
            .keeps_commit_id = true,
            .partition_columns_in_files = false,
            .hidden_partitioning = false,
            .change_files = true,
            .frees_versions = true,
            .isolation = {{OperationKind::kOther, "delta.isolationLevel", "WriteSerializable"}}};
  }

  Result<bool> Detect(const TableHome& home) const override { return delta::DetectTable(home); }

  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    return delta::LoadSnapshot(runtime_, heads_, home, as_of);
  }

  Result<std::unique_ptr<FileStream>> Files(const TableHome& home, const Snapshot& snapshot,
                                            const FileRequest& request) const override {
    return delta::StreamFiles(runtime_, home, snapshot, request);
  }

  Result<RowSet> DeletedRows(const TableHome& home, const Snapshot&,
                             const DataFile& file) const override {
    RowSet rows;
    for (const DeleteFile& deletes : file.deletes) {
      TARN_ASSIGN_OR_RETURN(const RowSet more, delta::ReadDeletionVector(home, deletes));
      rows.Merge(more);
    }
    return rows;
  }

  Result<History> Commits(const TableHome& home, const Version& after,
                          const std::optional<Version>& until,
                          HistoryDetail detail) const override {
    return delta::ReadCommits(runtime_, heads_, home, after, until, detail);
  }

  Result<WriteTicket> Begin(const TableHome&, const Snapshot& base,
                            const WriteIntent& intent) const override {
    return delta::MakeWriteTicket(base, intent);
  }

  Result<TableMetadata> Prepare(const TableMetadata* before, TableMetadata wanted) const override {
    return delta::PrepareMetadata(runtime_, before, std::move(wanted));
  }

  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    return delta::EncodeCommit(runtime_, home, base, commit, [&](const DeleteFile& deletes) {
      return delta::ReadDeletionVector(home, deletes);
    });
  }

  Result<Relation> ReadRelation(const TableHome&, const Snapshot&,
                                std::string_view name) const override {
    return NotFound("delta: no relation '" + std::string(name) + "'");
  }

  Result<Expiry> PlanExpiry(const TableHome&, const Snapshot&,
                            const ExpiryRequest&) const override {
    return Unsupported("delta: its versions go with its log");
  }

  Result<std::vector<Path>> ExpiredObjects(const TableHome&, const Snapshot&) const override {
    return std::vector<Path>();
  }

  Result<Upkeep> PlanUpkeep(const TableHome& home, const Snapshot& snapshot,
                            UpkeepWish wish) const override {
    return delta::PlanDeltaUpkeep(runtime_, home, snapshot, wish);
  }

 private:
  Runtime& runtime_;
  mutable delta::CheckpointHeads heads_;
};

}  // namespace

std::unique_ptr<TableFormat> MakeDeltaFormat(Runtime& runtime) {
  return std::make_unique<DeltaFormat>(runtime);
}

}  // namespace tarn
