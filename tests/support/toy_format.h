#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tarn/table/table_format.h"

namespace tarn::testing {

// Writes commits down: the bytes are a token, the value is kept here. Formats of tests need no
// encoding of their own to be formats. Thread-safe.
class CommitVault {
 public:
  Bytes Write(const Commit& commit) {
    const std::lock_guard lock(mutex_);
    const std::string token = "commit-" + std::to_string(commits_.size());
    commits_[token] = commit;
    return token;
  }
  Result<Commit> Read(const Bytes& token) const {
    const std::lock_guard lock(mutex_);
    const auto found = commits_.find(token);
    if (found == commits_.end()) return Corrupt("no commit '" + token + "'");
    return found->second;
  }

 private:
  mutable std::mutex mutex_;
  std::map<std::string, Commit> commits_;
};

class VectorFileStream final : public FileStream {
 public:
  explicit VectorFileStream(const std::vector<DataFile>& files) : seen_(files.size()) {
    for (const DataFile& file : files) {
      if (batch_.size == 0) {
        batch_.spec_id = file.spec_id;
        for (size_t i = 0; i < file.partition.size(); ++i) {
          // NULL does not tell the type: any file that knows it does.
          const bool text = std::any_of(files.begin(), files.end(), [i](const DataFile& other) {
            return std::holds_alternative<std::string>(other.partition[i]);
          });
          batch_.partition.push_back(
              ValueColumn::Of(Type::Of(text ? TypeKind::kString : TypeKind::kInt64)));
        }
      }
      AppendFile(batch_, file);
    }
  }
  Result<std::optional<FileBatch>> Next() override {
    if (given_ || batch_.size == 0) return std::optional<FileBatch>();
    given_ = true;
    return std::optional<FileBatch>(std::move(batch_));
  }
  int64_t files_seen() const override { return static_cast<int64_t>(seen_); }

 private:
  const size_t seen_;
  bool given_ = false;
  FileBatch batch_;
};

// A format whose state is all commits, replayed: what is left to a kind of home is how they are
// found and how one is encoded.
class ToyFormat : public TableFormat {
 public:
  struct State final : SnapshotState {
    std::vector<DataFile> files;
  };

  explicit ToyFormat(CommitVault& vault) : vault_(vault) {}

  FormatTraits traits() const override { return {}; }
  Result<bool> Detect(const TableHome& home) const override {
    TARN_ASSIGN_OR_RETURN(const std::vector<Commit> commits, AllCommits(home));
    return !commits.empty();
  }

  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    TARN_ASSIGN_OR_RETURN(const std::vector<Commit> commits, AllCommits(home));
    if (commits.empty()) return NotFound("no table");
    Snapshot snapshot;
    auto state = std::make_shared<State>();
    for (const Commit& commit : commits) {
      Apply(commit, snapshot, state->files);
      const auto* wanted = std::get_if<AtVersion>(&as_of);
      if (wanted != nullptr && wanted->version == commit.version.text) break;
    }
    if (const auto* wanted = std::get_if<AtVersion>(&as_of)) {
      if (snapshot.version.text != wanted->version)
        return NotFound("no version " + wanted->version);
    }
    snapshot.file_count = static_cast<int64_t>(state->files.size());
    snapshot.state = std::move(state);
    return snapshot;
  }

  Result<std::unique_ptr<FileStream>> Files(const TableHome& /*home*/, const Snapshot& snapshot,
                                            const FileRequest& /*request*/) const override {
    const auto& state = dynamic_cast<const State&>(*snapshot.state);
    return std::unique_ptr<FileStream>(std::make_unique<VectorFileStream>(state.files));
  }

  Result<RowSet> DeletedRows(const TableHome& /*home*/, const Snapshot& /*snapshot*/,
                             const DataFile& /*file*/) const override {
    return RowSet();
  }

  Result<History> Commits(const TableHome& home, const Version& after,
                          const std::optional<Version>& until,
                          HistoryDetail /*detail*/) const override {
    TARN_ASSIGN_OR_RETURN(const std::vector<Commit> commits, AllCommits(home));
    std::vector<Commit> range;
    bool inside = after.empty();
    for (const Commit& commit : commits) {
      if (inside) range.push_back(commit);
      if (commit.version == after) inside = true;
      if (until && commit.version == *until) break;
    }
    if (!inside) return History(HistoryGap::kGone);
    return History(std::move(range));
  }

  Result<WriteTicket> Begin(const TableHome& /*home*/, const Snapshot& /*base*/,
                            const WriteIntent& /*intent*/) const override {
    return WriteTicket();
  }

  Result<TableMetadata> Prepare(const TableMetadata* /*before*/,
                                TableMetadata wanted) const override {
    return wanted;
  }

  Result<Relation> ReadRelation(const TableHome&, const Snapshot&,
                                std::string_view name) const override {
    return NotFound("toy: no relation '" + std::string(name) + "'");
  }
  Result<Expiry> PlanExpiry(const TableHome&, const Snapshot&,
                            const ExpiryRequest&) const override {
    return Unsupported("toy: its versions go with its log");
  }
  Result<std::vector<Path>> ExpiredObjects(const TableHome&, const Snapshot&) const override {
    return std::vector<Path>();
  }
  Result<Upkeep> PlanUpkeep(const TableHome& /*home*/, const Snapshot& /*snapshot*/,
                            UpkeepWish /*wish*/) const override {
    return Upkeep();
  }

 protected:
  // Oldest first, each with its version.
  virtual Result<std::vector<Commit>> AllCommits(const TableHome& home) const = 0;

  static void Apply(const Commit& commit, Snapshot& snapshot, std::vector<DataFile>& files) {
    snapshot.version = commit.version;
    if (commit.metadata) snapshot.metadata = *commit.metadata;
    for (const PositionMove& move : commit.positions) snapshot.positions[move.source] = move.after;
    for (const DataFile& removed : commit.removed) {
      std::erase_if(files, [&](const DataFile& file) { return file.path == removed.path; });
    }
    for (DataFile added : commit.added) {
      if (added.location.empty()) added.location = added.path;
      files.push_back(std::move(added));
    }
  }

  CommitVault& vault_;
};

// One object per version, `_log/<8 digits>`, for tables whose home is a path.
class LogFormat final : public ToyFormat {
 public:
  using ToyFormat::ToyFormat;
  std::string_view name() const override { return "toy_log"; }

  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    const int64_t number = base.exists() ? std::stoll(base.version.text) + 1 : 0;
    EncodedCommit encoded;
    encoded.version.text = std::to_string(number);
    encoded.head = [object = NewObject{LogPath(home, number), vault_.Write(commit)}](
                       std::string_view) { return object; };
    return encoded;
  }

  static Path LogPath(const TableHome& home, int64_t number) {
    const std::string digits = std::to_string(number);
    return home.root / ("_log/" + std::string(8 - digits.size(), '0') + digits);
  }

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome& home) const override {
    TARN_ASSIGN_OR_RETURN(const auto objects, home.storage.List(home.root / "_log", Path(), 100'000,
                                                                Storage::Depth::kShallow));
    std::vector<Commit> commits;
    for (const ObjectInfo& object : objects) {
      TARN_ASSIGN_OR_RETURN(const Bytes token, home.storage.Read(object.path));
      TARN_ASSIGN_OR_RETURN(Commit commit, vault_.Read(token));
      commit.version.text = std::to_string(std::stoll(std::string(object.path.name())));
      commits.push_back(std::move(commit));
    }
    return commits;
  }
};

}  // namespace tarn::testing
