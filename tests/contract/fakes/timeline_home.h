#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "tarn/table/committer.h"
#include "tests/support/toy_format.h"

// A home whose truth is a timeline (Hudi in small): a write is requested and inflight before its
// first data file; it is revealed under the table's lock by creating its completed instant, and
// versions are ordered by completion.

namespace tarn::testing {

constexpr char kInstantKey[] = "instant";

class TimelineFormat final : public ToyFormat {
 public:
  TimelineFormat(CommitVault& vault, Clock& clock, Random& random)
      : ToyFormat(vault), clock_(clock), random_(random) {}
  std::string_view name() const override { return "fake_timeline"; }

  Result<WriteTicket> Begin(const TableHome& home, const Snapshot& /*base*/,
                            const WriteIntent& /*intent*/) const override {
    const std::string instant = NewInstant();
    WriteTicket ticket;
    ticket.file_suffix = "_" + instant;
    ticket.shown_first = {{home.root / (".timeline/" + instant + ".requested"), ""},
                          {home.root / (".timeline/" + instant + ".inflight"), ""}};
    ticket.commit_extra = {{kInstantKey, instant}};
    return ticket;
  }

  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& /*base*/,
                               const Commit& commit) const override {
    const auto found = commit.extra.find(kInstantKey);
    const std::string instant = found == commit.extra.end() ? NewInstant() : found->second;
    EncodedCommit encoded;  // which version it makes only the home knows
    encoded.head = [root = home.root, instant,
                    token = vault_.Write(commit)](std::string_view completion) {
      return NewObject{root / (".timeline/" + std::string(completion) + "_" + instant + ".done"),
                       token};
    };
    return encoded;
  }

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome& home) const override {
    TARN_ASSIGN_OR_RETURN(const auto objects, home.storage.List(home.root / ".timeline", Path(),
                                                                100'000, Storage::Depth::kShallow));
    std::vector<Commit> commits;
    for (const ObjectInfo& object : objects) {
      const std::string_view name = object.path.name();
      if (!name.ends_with(".done")) continue;
      TARN_ASSIGN_OR_RETURN(const Bytes token, home.storage.Read(object.path));
      TARN_ASSIGN_OR_RETURN(Commit commit, vault_.Read(token));
      commit.version.text = std::string(name.substr(0, name.find('_')));
      commits.push_back(std::move(commit));
    }
    return commits;
  }

 private:
  std::string NewInstant() const {
    return std::to_string(clock_.NowMicros()) +
           std::to_string(random_.Below(1'000'000) + 1'000'000);
  }

  Clock& clock_;
  Random& random_;
};

class TimelineCommitter final : public Committer {
 public:
  // `lock` is the table's, shared by all its writers.
  TimelineCommitter(Storage& storage, std::mutex& lock) : storage_(storage), lock_(lock) {}
  int answers_to_lose = 0;
  std::vector<std::string> shown;

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& /*home*/) override {
    return std::unique_ptr<CommitGuard>(std::make_unique<Held>(lock_));
  }

  // Requires the guard.
  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    for (const NewObject& object : commit.staged) {
      TARN_RETURN_IF_ERROR(storage_.Put(object.path, object.bytes));
    }
    TARN_ASSIGN_OR_RETURN(const auto objects, storage_.List(home.root / ".timeline", Path(),
                                                            100'000, Storage::Depth::kShallow));
    // Completion times rise: they are given under the lock.
    int64_t completion = 1'000'000;
    for (const ObjectInfo& object : objects) {
      const std::string name(object.path.name());
      if (!name.ends_with(".done")) continue;
      completion = std::max<int64_t>(completion, std::stoll(name.substr(0, name.find('_'))) + 1);
    }
    const std::string name = std::to_string(completion);
    const NewObject head = commit.head(name);
    TARN_ASSIGN_OR_RETURN(const PutOutcome created, storage_.PutIfAbsent(head.path, head.bytes));
    if (answers_to_lose > 0) {
      --answers_to_lose;
      return PublishOutcome(NoAnswer{});
    }
    if (created == PutOutcome::kAlreadyExists) return PublishOutcome(LostRace{});
    return PublishOutcome(Published{{name}});
  }

  Status ShowFirst(TableHome& /*home*/, const WriteTicket& ticket) override {
    for (const NewObject& object : ticket.shown_first) {
      TARN_RETURN_IF_ERROR(storage_.Put(object.path, object.bytes));
      shown.emplace_back(object.path.name());
    }
    return OkStatus();
  }
  Status RunUpkeep(TableHome&, const Upkeep&) override { return OkStatus(); }

 private:
  struct Held final : CommitGuard {
    explicit Held(std::mutex& lock) : held(lock) {}
    std::unique_lock<std::mutex> held;
  };

  Storage& storage_;
  std::mutex& lock_;
};

}  // namespace tarn::testing
