#include "tests/contract/table_stand.h"

#include <mutex>
#include <utility>

#include "tarn/catalog/pointer_committer.h"
#include "tarn/format/delta/delta_format.h"
#include "tarn/format/iceberg/iceberg_format.h"
#include "tests/contract/fakes/mover_home.h"
#include "tests/contract/fakes/server_home.h"
#include "tests/contract/fakes/timeline_home.h"
#include "tests/support/memory_pointers.h"
#include "tests/support/toy_format.h"

namespace tarn::testing {
namespace {

// A path committer whose revealing step can go unanswered.
class LossyPathCommitter final : public Committer {
 public:
  explicit LossyPathCommitter(Storage& storage) : real_(MakePathCommitter(storage)) {}
  int answers_to_lose = 0;

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) override {
    return real_->Guard(home);
  }
  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    Result<PublishOutcome> outcome = real_->Publish(home, commit);
    if (answers_to_lose == 0 || !outcome.ok()) return outcome;
    --answers_to_lose;
    return PublishOutcome(NoAnswer{});
  }
  Status ShowFirst(TableHome& home, const WriteTicket& ticket) override {
    return real_->ShowFirst(home, ticket);
  }
  Status RunUpkeep(TableHome& home, const Upkeep& upkeep) override {
    return real_->RunUpkeep(home, upkeep);
  }

 private:
  std::unique_ptr<Committer> real_;
};

template <class AnyCommitter>
void LoseAnswersOf(Committer& committer, int count) {
  dynamic_cast<AnyCommitter&>(committer).answers_to_lose = count;
}

class PathStand : public TableStand {
 public:
  std::unique_ptr<Committer> NewCommitter() override {
    return std::make_unique<LossyPathCommitter>(*storage);
  }
  TableHome Open(const Path& root) override { return {root, *storage}; }
  void LoseAnswers(Committer& committer, int count) override {
    LoseAnswersOf<LossyPathCommitter>(committer, count);
  }
};

class DeltaStand final : public PathStand {
 public:
  const TableFormat& format() override { return *format_; }

 private:
  std::unique_ptr<TableFormat> format_ = MakeDeltaFormat(fakes.runtime);
};

class IcebergStand final : public PathStand {
 public:
  const TableFormat& format() override { return *format_; }

 private:
  std::unique_ptr<TableFormat> format_ = MakeIcebergFormat(fakes.runtime, {});
};

PointerKey KeyOf(const Path& root) { return {"tarn", "default", root.str()}; }

// The committers of a catalog whose tables are called as their folders.
class PointersByRoot final : public Committer {
 public:
  PointersByRoot(Storage& storage, Random& random, std::shared_ptr<MemoryPointers> pointers)
      : storage_(storage), random_(random), pointers_(std::move(pointers)) {}

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) override {
    return Of(home)->Guard(home);
  }
  Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) override {
    return Of(home)->Publish(home, commit);
  }
  Status ShowFirst(TableHome& home, const WriteTicket& ticket) override {
    return Of(home)->ShowFirst(home, ticket);
  }
  Status RunUpkeep(TableHome& home, const Upkeep& upkeep) override {
    return Of(home)->RunUpkeep(home, upkeep);
  }

 private:
  std::unique_ptr<Committer> Of(const TableHome& home) {
    return MakePointerCommitter(storage_, random_, pointers_, KeyOf(home.root));
  }

  Storage& storage_;
  Random& random_;
  const std::shared_ptr<MemoryPointers> pointers_;
};

// Iceberg with the newest metadata named by a pointer, as in a SQL catalog. Writers share the
// pointers, so an answer to be lost is that of the next swap.
class IcebergPointerStand final : public TableStand {
 public:
  const TableFormat& format() override { return *format_; }
  std::unique_ptr<Committer> NewCommitter() override {
    return std::make_unique<PointersByRoot>(*storage, *fakes.random, pointers_);
  }
  TableHome Open(const Path& root) override {
    return {root, *storage,
            Head{.name = pointers_->Find(KeyOf(root)).value().value_or(""), .authoritative = true}};
  }
  void LoseAnswers(Committer& /*committer*/, int count) override {
    pointers_->answers_to_lose = count;
  }

 private:
  const std::shared_ptr<MemoryPointers> pointers_ = std::make_shared<MemoryPointers>();
  std::unique_ptr<TableFormat> format_ = MakeIcebergFormat(fakes.runtime, {});
};

class LogStand final : public PathStand {
 public:
  const TableFormat& format() override { return format_; }

 private:
  CommitVault vault_;
  LogFormat format_{vault_};
};

class ServerStand final : public TableStand {
 public:
  const TableFormat& format() override { return format_; }
  std::unique_ptr<Committer> NewCommitter() override {
    return std::make_unique<ServerCommitter>(server_, *storage);
  }
  TableHome Open(const Path& root) override {
    return {root, *storage, Head{.name = server_.HeadOf(root)}};
  }
  void LoseAnswers(Committer& committer, int count) override {
    LoseAnswersOf<ServerCommitter>(committer, count);
  }

 private:
  CommitVault vault_;
  FakeServer server_{*storage};
  ServerFormat format_{vault_, *fakes.random};
};

class TimelineStand final : public TableStand {
 public:
  const TableFormat& format() override { return format_; }
  std::unique_ptr<Committer> NewCommitter() override {
    return std::make_unique<TimelineCommitter>(*storage, lock_);
  }
  TableHome Open(const Path& root) override { return {root, *storage}; }
  void LoseAnswers(Committer& committer, int count) override {
    LoseAnswersOf<TimelineCommitter>(committer, count);
  }

 private:
  CommitVault vault_;
  std::mutex lock_;
  TimelineFormat format_{vault_, fakes.clock, *fakes.random};
};

class MoverStand final : public TableStand {
 public:
  const TableFormat& format() override { return format_; }
  std::unique_ptr<Committer> NewCommitter() override {
    return std::make_unique<MoverCommitter>(metastore_, *storage, vault_, lock_);
  }
  TableHome Open(const Path& root) override {
    return {root, *storage, Head{.document = metastore_.Describe(metastore_.Get(root))}};
  }
  // It dies in the middle of its moves: the worst that can happen to it.
  void LoseAnswers(Committer& committer, int count) override {
    dynamic_cast<MoverCommitter&>(committer).moves_until_death = count > 0 ? 1 : -1;
  }

 private:
  CommitVault vault_;
  FakeMetastore metastore_;
  std::mutex lock_;
  MoverFormat format_{vault_, metastore_, *fakes.random};
};

template <class Stand>
TableStandKind Kind(std::string name) {
  return {std::move(name), [] { return std::make_unique<Stand>(); }};
}

}  // namespace

std::vector<TableStandKind> AllTableStands() {
  return {Kind<DeltaStand>("delta_on_a_path"),
          Kind<IcebergStand>("iceberg_on_a_path"),
          Kind<IcebergPointerStand>("iceberg_under_a_pointer"),
          Kind<LogStand>("toy_log_on_a_path"),
          Kind<ServerStand>("server"),
          Kind<TimelineStand>("timeline"),
          Kind<MoverStand>("mover")};
}

}  // namespace tarn::testing
