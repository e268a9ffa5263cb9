#include "tarn/format/iceberg/iceberg_format.h"

#include "tarn/format/iceberg/deleted_rows.h"
#include "tarn/format/iceberg/encode.h"
#include "tarn/format/iceberg/expire.h"
#include "tarn/format/iceberg/file_stream.h"
#include "tarn/format/iceberg/history.h"
#include "tarn/format/iceberg/load.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/format/iceberg/prepare.h"
#include "tarn/format/iceberg/relations.h"
#include "tarn/format/iceberg/table_properties.h"
#include "tarn/format/iceberg/upkeep.h"

namespace tarn {
namespace {

class IcebergFormat final : public TableFormat {
 public:
  IcebergFormat(Runtime& runtime, FileFormats file_formats)
      : runtime_(runtime), file_formats_(file_formats), deleted_rows_(std::move(file_formats)) {}

  std::string_view name() const override { return "iceberg"; }

  FormatTraits traits() const override {
    return {.row_deletes = true,
            .tells_empty_from_null = true,
            .keeps_commit_id = true,
            .partition_columns_in_files = true,
            .hidden_partitioning = true,
            .change_files = false,
            .references = true,
            .sort_orders = true,
            .distribution_property = "write.distribution-mode",
            .head_folder = iceberg::kMetadataFolder,
            .isolation = {{OperationKind::kDelete, "write.delete.isolation-level", "snapshot"},
                          {OperationKind::kUpdate, "write.update.isolation-level", "snapshot"}},
            .relations = iceberg::RelationNames()};
  }

  Result<bool> Detect(const TableHome& home) const override { return iceberg::DetectTable(home); }

  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    return iceberg::LoadSnapshot(metadata_, home, as_of);
  }

  Result<std::unique_ptr<FileStream>> Files(const TableHome& home, const Snapshot& snapshot,
                                            const FileRequest& request) const override {
    return iceberg::StreamFiles(runtime_, home, snapshot, request);
  }

  Result<RowSet> DeletedRows(const TableHome& home, const Snapshot& snapshot,
                             const DataFile& file) const override {
    return deleted_rows_.Read(home, snapshot, file);
  }

  Result<History> Commits(const TableHome& home, const Version& after,
                          const std::optional<Version>& until,
                          HistoryDetail detail) const override {
    return iceberg::ReadCommits(runtime_, metadata_, home, after, until, detail, deleted_rows_);
  }

  Result<WriteTicket> Begin(const TableHome&, const Snapshot& base,
                            const WriteIntent& intent) const override {
    return iceberg::MakeWriteTicket(base, intent);
  }

  Result<TableMetadata> Prepare(const TableMetadata* before, TableMetadata wanted) const override {
    return iceberg::PrepareMetadata(runtime_, before, std::move(wanted));
  }

  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    iceberg::DeleteWriterTools tools;
    if (const auto parquet = file_formats_.find("parquet"); parquet != file_formats_.end()) {
      tools.parquet = parquet->second;
    }
    tools.deleted = [&](const DataFile& file) { return deleted_rows_.Read(home, base, file); };
    return iceberg::EncodeCommit(runtime_, metadata_, home, base, commit, tools);
  }

  Result<RetryPolicy> Retries(const Snapshot& base, const RetryPolicy& otherwise) const override {
    return iceberg::ParseRetryPolicy(base.metadata.properties, otherwise);
  }

  Result<Relation> ReadRelation(const TableHome& home, const Snapshot& snapshot,
                                std::string_view name) const override {
    return iceberg::ReadRelation(runtime_, home, snapshot, name, deleted_rows_);
  }

  Result<Expiry> PlanExpiry(const TableHome& home, const Snapshot& snapshot,
                            const ExpiryRequest& request) const override {
    return iceberg::PlanExpiry(runtime_, home, snapshot, request);
  }

  Result<std::vector<Path>> ExpiredObjects(const TableHome& home,
                                           const Snapshot& snapshot) const override {
    return iceberg::ExpiredObjects(runtime_, home, snapshot);
  }

  Result<Upkeep> PlanUpkeep(const TableHome& home, const Snapshot& snapshot,
                            UpkeepWish) const override {
    return iceberg::PlanIcebergUpkeep(metadata_, home, snapshot);
  }

 private:
  Runtime& runtime_;
  const FileFormats file_formats_;
  // Caches of what never changes.
  mutable iceberg::DeletedRowsReader deleted_rows_;
  mutable iceberg::MetadataReader metadata_;
};

}  // namespace

std::unique_ptr<TableFormat> MakeIcebergFormat(Runtime& runtime, FileFormats file_formats) {
  return std::make_unique<IcebergFormat>(runtime, std::move(file_formats));
}

}  // namespace tarn
