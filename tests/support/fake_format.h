#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/model/prune.h"
#include "tarn/table/table_format.h"

namespace tarn::testing {

// A format that knows one state of a table because a test said it: files, and the rows deleted by
// each delete file's location. Nothing can be written.
class FakeFormat final : public TableFormat {
 public:
  std::vector<FileBatch> files;
  std::map<std::string, RowSet> deleted_rows;
  mutable int64_t deleted_rows_calls = 0;
  std::vector<IsolationProperty> isolation;

  std::string_view name() const override { return "fake"; }
  FormatTraits traits() const override { return {.isolation = isolation}; }
  Result<bool> Detect(const TableHome&) const override { return true; }
  Result<Snapshot> Load(const TableHome&, const AsOf&) const override {
    return Unsupported("fake: load");
  }
  Result<std::unique_ptr<FileStream>> Files(const TableHome&, const Snapshot& snapshot,
                                            const FileRequest& request) const override {
    return std::unique_ptr<FileStream>(std::make_unique<Stream>(files, snapshot, request.filter));
  }
  Result<RowSet> DeletedRows(const TableHome&, const Snapshot&,
                             const DataFile& file) const override {
    RowSet rows;
    for (const DeleteFile& deletes : file.deletes) {
      ++deleted_rows_calls;
      const auto found = deleted_rows.find(deletes.location);
      if (found == deleted_rows.end()) return NotFound("fake: " + deletes.location);
      rows.Merge(found->second);
    }
    return rows;
  }
  Result<History> Commits(const TableHome&, const Version&, const std::optional<Version>&,
                          HistoryDetail) const override {
    return Unsupported("fake: commits");
  }
  Result<WriteTicket> Begin(const TableHome&, const Snapshot&, const WriteIntent&) const override {
    return Unsupported("fake: begin");
  }
  Result<TableMetadata> Prepare(const TableMetadata*, TableMetadata wanted) const override {
    return wanted;
  }
  Result<EncodedCommit> Encode(const TableHome&, const Snapshot&, const Commit&) const override {
    return Unsupported("fake: encode");
  }
  Result<Relation> ReadRelation(const TableHome&, const Snapshot&,
                                std::string_view name) const override {
    return NotFound("fake: no relation '" + std::string(name) + "'");
  }
  Result<Expiry> PlanExpiry(const TableHome&, const Snapshot&,
                            const ExpiryRequest&) const override {
    return Unsupported("fake: its versions go with its log");
  }
  Result<std::vector<Path>> ExpiredObjects(const TableHome&, const Snapshot&) const override {
    return std::vector<Path>();
  }
  Result<Upkeep> PlanUpkeep(const TableHome&, const Snapshot&, UpkeepWish) const override {
    return Upkeep{};
  }

 private:
  class Stream final : public FileStream {
   public:
    Stream(const std::vector<FileBatch>& files, const Snapshot& snapshot, const Expression& filter)
        : files_(files), snapshot_(snapshot), filter_(filter) {}
    Result<std::optional<FileBatch>> Next() override {
      while (next_ < files_.size()) {
        const FileBatch& batch = files_[next_++];
        seen_ += batch.size;
        FileBatch kept = batch.Filter(MayMatch(filter_, snapshot_.metadata.schema,
                                               *snapshot_.metadata.SpecById(batch.spec_id), batch));
        if (kept.size > 0) return std::optional<FileBatch>(std::move(kept));
      }
      return std::optional<FileBatch>();
    }
    int64_t files_seen() const override { return seen_; }

   private:
    const std::vector<FileBatch>& files_;
    const Snapshot& snapshot_;
    const Expression& filter_;
    size_t next_ = 0;
    int64_t seen_ = 0;
  };
};

}  // namespace tarn::testing
