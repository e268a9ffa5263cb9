#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/table/committer.h"
#include "tests/support/toy_format.h"

// A home that moves staged files into place, then registers partitions (Hive in small). A metastore
// knows columns, properties and partitions; the files are what stands in the partitions' folders.
// No commit is written down: no history, no Commit::id. A move can be repeated.

namespace tarn::testing {

struct MetastoreTable {
  int64_t version = 0;  // 0: no table
  TableMetadata metadata;
  std::map<std::string, std::string> positions;
  std::set<std::string> partitions;  // folders: "day=1"
};

// Thread-safe. Documents are handles of states, as a real one would be JSON.
class FakeMetastore {
 public:
  MetastoreTable Get(const Path& root) const {
    const std::lock_guard lock(mutex_);
    const auto found = tables_.find(root);
    return found == tables_.end() ? MetastoreTable() : found->second;
  }
  void Set(const Path& root, MetastoreTable table) {
    const std::lock_guard lock(mutex_);
    tables_[root] = std::move(table);
  }
  std::string Describe(const MetastoreTable& table) {
    const std::lock_guard lock(mutex_);
    documents_.push_back(table);
    return std::to_string(documents_.size() - 1);
  }
  MetastoreTable FromDocument(const std::string& document) const {
    const std::lock_guard lock(mutex_);
    return document.empty() ? MetastoreTable() : documents_[std::stoul(document)];
  }

 private:
  mutable std::mutex mutex_;
  std::map<Path, MetastoreTable> tables_;
  std::vector<MetastoreTable> documents_;
};

class MoverFormat final : public ToyFormat {
 public:
  MoverFormat(CommitVault& vault, const FakeMetastore& metastore, Random& random)
      : ToyFormat(vault), metastore_(metastore), random_(random) {}

  std::string_view name() const override { return "fake_mover"; }
  FormatTraits traits() const override { return {.keeps_commit_id = false}; }

  Result<bool> Detect(const TableHome& home) const override {
    return metastore_.FromDocument(home.head.document).version > 0;
  }

  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    const MetastoreTable table = metastore_.FromDocument(home.head.document);
    if (table.version == 0) return NotFound("no table");
    const auto* wanted = std::get_if<AtVersion>(&as_of);
    if (wanted != nullptr && wanted->version != std::to_string(table.version)) {
      return NotFound("no version " + wanted->version + ": only the newest state is kept");
    }
    auto state = std::make_shared<State>();
    for (const std::string& partition : table.partitions) {
      TARN_ASSIGN_OR_RETURN(
          const auto objects,
          home.storage.List(home.root / partition, Path(), 100'000, Storage::Depth::kShallow));
      for (const ObjectInfo& object : objects) {
        if (object.path.name().starts_with('.')) continue;  // staged
        DataFile file;
        file.path = file.location = home.Spell(object.path);
        file.size_bytes = object.size_bytes;
        file.partition = {Value(partition.substr(partition.find('=') + 1))};
        state->files.push_back(std::move(file));
      }
    }
    Snapshot snapshot;
    snapshot.version.text = std::to_string(table.version);
    snapshot.metadata = table.metadata;
    snapshot.positions = table.positions;
    snapshot.file_count = static_cast<int64_t>(state->files.size());
    snapshot.state = std::move(state);
    return snapshot;
  }

  // Nothing is written down but that something happened.
  Result<History> Commits(const TableHome& home, const Version& after,
                          const std::optional<Version>& /*until*/,
                          HistoryDetail /*detail*/) const override {
    const int64_t version = metastore_.FromDocument(home.head.document).version;
    const std::string now = version == 0 ? "" : std::to_string(version);
    if (after.text == now) return History(std::vector<Commit>());
    return History(HistoryGap::kGone);
  }

  // Files are written under hidden names in their own folders.
  Result<WriteTicket> Begin(const TableHome& /*home*/, const Snapshot& /*base*/,
                            const WriteIntent& /*intent*/) const override {
    WriteTicket ticket;
    ticket.file_prefix = ".staged-" + std::to_string(random_.Next()) + "-";
    return ticket;
  }

  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    if (!commit.row_deletes.empty()) return Unsupported("fake_mover: deleted rows");
    EncodedCommit encoded;
    const std::string next =
        std::to_string(metastore_.FromDocument(home.head.document).version + 1);
    encoded.version.text = next;
    encoded.requirements = {{"version", base.version.text}};
    for (const DataFile& file : commit.added) {
      const size_t slash = file.path.find('/');
      const std::string folder = file.path.substr(0, slash);
      const std::string staged = file.path.substr(slash + 1);
      const std::string name = staged.substr(staged.find('-', sizeof(".staged-")) + 1);
      encoded.changes.push_back({"move", file.path + "\n" + folder + "/" + name});
      encoded.changes.push_back({"register", folder});
    }
    for (const DataFile& file : commit.removed) encoded.changes.push_back({"remove", file.path});
    // Columns and positions, as one document.
    Commit facts;
    facts.metadata = commit.metadata;
    facts.positions = commit.positions;
    encoded.changes.push_back({"facts", vault_.Write(facts)});
    return encoded;
  }

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome&) const override {
    return Internal("no commits here");
  }

 private:
  const FakeMetastore& metastore_;
  Random& random_;
};

class MoverCommitter final : public Committer {
 public:
  MoverCommitter(FakeMetastore& metastore, Storage& storage, CommitVault& vault, std::mutex& lock)
      : metastore_(metastore), storage_(storage), vault_(vault), lock_(lock) {}
  int moves_until_death = -1;  // then no answer any more, once
  int answers_to_lose = 0;     // after everything was done

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) override {
    auto held = std::make_unique<Held>(lock_);
    home.head.document = metastore_.Describe(metastore_.Get(home.root));
    return std::unique_ptr<CommitGuard>(std::move(held));
  }

  // Requires the guard. Everything in it can be repeated by the next attempt, so all that stops it
  // after the first move is no answer.
  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    MetastoreTable table = metastore_.Get(home.root);
    const std::string now = table.version == 0 ? "" : std::to_string(table.version);
    for (const Requirement& requirement : commit.requirements) {
      if (requirement.subject == "version" && requirement.value != now) {
        return PublishOutcome(LostRace{});
      }
    }
    for (const MetadataChange& change : commit.changes) {
      if (change.action == "move") {
        if (moves_until_death == 0) {
          moves_until_death = -1;
          return PublishOutcome(NoAnswer{});
        }
        if (moves_until_death > 0) --moves_until_death;
        const size_t split = change.json.find('\n');
        const Path from = home.root / change.json.substr(0, split);
        const Path to = home.root / change.json.substr(split + 1);
        const auto moved = storage_.MoveIfAbsent(from, to);
        const bool moved_before =
            !moved.ok() && moved.error().code == ErrorCode::kNotFound && storage_.Stat(to).ok();
        if (!moved.ok() && !moved_before) return PublishOutcome(NoAnswer{});
      } else if (change.action == "register") {
        table.partitions.insert(change.json);
      } else if (change.action == "remove") {
        if (!storage_.Remove(home.root / change.json).ok()) return PublishOutcome(NoAnswer{});
      } else if (change.action == "facts") {
        TARN_ASSIGN_OR_RETURN(const Commit facts, vault_.Read(change.json));
        if (facts.metadata) table.metadata = *facts.metadata;
        for (const PositionMove& move : facts.positions) table.positions[move.source] = move.after;
      }
    }
    ++table.version;
    metastore_.Set(home.root, table);
    if (answers_to_lose > 0) {
      --answers_to_lose;
      return PublishOutcome(NoAnswer{});
    }
    return PublishOutcome(Published{commit.version});
  }

  Status ShowFirst(TableHome&, const WriteTicket&) override { return OkStatus(); }
  Status RunUpkeep(TableHome&, const Upkeep&) override { return OkStatus(); }

 private:
  struct Held final : CommitGuard {
    explicit Held(std::mutex& lock) : held(lock) {}
    std::unique_lock<std::mutex> held;
  };

  FakeMetastore& metastore_;
  Storage& storage_;
  CommitVault& vault_;
  std::mutex& lock_;
};

}  // namespace tarn::testing
