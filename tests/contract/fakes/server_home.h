#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/table/committer.h"
#include "tests/support/toy_format.h"

// A home whose server writes the head (an Iceberg REST catalog in small): clients stage objects and
// post requirements and changes; the server checks, writes the new head object, and moves its
// pointer.

namespace tarn::testing {

class FakeServer {
 public:
  explicit FakeServer(Storage& storage) : storage_(storage) {}

  // The name of the newest head; empty if there is no table.
  std::string HeadOf(const Path& root) const {
    const std::lock_guard lock(mutex_);
    const auto found = heads_.find(root);
    return found == heads_.end() ? std::string() : found->second;
  }

  enum class Reply { kDone, kRequirementFailed };
  struct Answer {
    Reply reply = Reply::kDone;
    std::string version;
  };
  Result<Answer> Post(const Path& root, const std::vector<Requirement>& requirements,
                      const std::vector<MetadataChange>& changes) {
    const std::lock_guard lock(mutex_);
    std::string& head = heads_[root];
    for (const Requirement& requirement : requirements) {
      if (requirement.subject == "head" && requirement.value != head) {
        return Answer{Reply::kRequirementFailed, {}};
      }
    }
    Bytes lines;
    if (!head.empty()) {
      TARN_ASSIGN_OR_RETURN(lines, storage_.Read(root / head));
    }
    // Versions are names, in no order that a client could use.
    const std::string version = "s" + std::to_string((++written_ * 7919) % 100'003);
    for (const MetadataChange& change : changes) lines += version + " " + change.json + "\n";
    head = "meta/" + std::to_string(written_) + ".head";
    TARN_RETURN_IF_ERROR(storage_.Put(root / head, lines));
    return Answer{Reply::kDone, version};
  }

 private:
  Storage& storage_;
  mutable std::mutex mutex_;
  int64_t written_ = 0;
  std::map<Path, std::string> heads_;
};

// The codec: the head lists all commits, each an object of its own that was staged.
class ServerFormat final : public ToyFormat {
 public:
  ServerFormat(CommitVault& vault, Random& random) : ToyFormat(vault), random_(random) {}
  std::string_view name() const override { return "fake_server"; }

  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& /*base*/,
                               const Commit& commit) const override {
    const Path staged = home.root / ("meta/" + std::to_string(random_.Next()) + ".commit");
    EncodedCommit encoded;
    encoded.staged = {{staged, vault_.Write(commit)}};
    encoded.requirements = {{"head", home.head.name}};
    encoded.changes = {{"add-commit", home.Spell(staged)}};
    return encoded;
  }

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome& home) const override {
    std::vector<Commit> commits;
    if (home.head.name.empty()) return commits;
    TARN_ASSIGN_OR_RETURN(const Bytes lines, home.storage.Read(home.root / home.head.name));
    for (const std::string& line : Split(lines, '\n')) {
      if (line.empty()) continue;
      const size_t space = line.find(' ');
      TARN_ASSIGN_OR_RETURN(const Path object, home.ObjectOf(line.substr(space + 1)));
      TARN_ASSIGN_OR_RETURN(const Bytes token, home.storage.Read(object));
      TARN_ASSIGN_OR_RETURN(Commit commit, vault_.Read(token));
      commit.version.text = line.substr(0, space);
      commits.push_back(std::move(commit));
    }
    return commits;
  }

 private:
  Random& random_;
};

class ServerCommitter final : public Committer {
 public:
  ServerCommitter(FakeServer& server, Storage& storage) : server_(server), storage_(storage) {}
  int answers_to_lose = 0;

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) override {
    home.head.name = server_.HeadOf(home.root);
    return std::unique_ptr<CommitGuard>();
  }

  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    for (const NewObject& object : commit.staged) {
      TARN_RETURN_IF_ERROR(storage_.Put(object.path, object.bytes));
    }
    TARN_ASSIGN_OR_RETURN(const FakeServer::Answer answer,
                          server_.Post(home.root, commit.requirements, commit.changes));
    if (answers_to_lose > 0) {
      --answers_to_lose;
      return PublishOutcome(NoAnswer{});
    }
    if (answer.reply == FakeServer::Reply::kRequirementFailed) return PublishOutcome(LostRace{});
    return PublishOutcome(Published{{answer.version}});
  }

  Status ShowFirst(TableHome&, const WriteTicket&) override { return OkStatus(); }
  Status RunUpkeep(TableHome&, const Upkeep&) override { return OkStatus(); }

 private:
  FakeServer& server_;
  Storage& storage_;
};

}  // namespace tarn::testing
