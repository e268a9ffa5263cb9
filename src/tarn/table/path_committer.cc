#include "tarn/base/crash_point.h"
#include "tarn/base/planted_bug.h"
#include "tarn/table/committer.h"

namespace tarn {
namespace {

// A put that may be repeated: same path, same bytes. A lost answer is answered by asking again.
Status PutSurely(Storage& storage, const NewObject& object) {
  constexpr int kTriesMax = 3;
  Status put;
  for (int tried = 0; tried < kTriesMax; ++tried) {
    put = storage.Put(object.path, object.bytes);
    if (put.ok() || put.error().code != ErrorCode::kUnknownOutcome) return put;
  }
  // Nothing was revealed, so whether the bytes are there does not matter to the caller.
  return Unavailable("stage '" + object.path.str() + "': no answer came")
      .CausedBy(std::move(put).error());
}

Status PutAllSurely(Storage& storage, const std::vector<NewObject>& objects) {
  for (const NewObject& object : objects) {
    TARN_RETURN_IF_ERROR(PutSurely(storage, object));
    CrashPoint("commit.between_stages");
  }
  return OkStatus();
}

class PathCommitter final : public Committer {
 public:
  explicit PathCommitter(Storage& storage) : storage_(storage) {}

  Result<std::unique_ptr<CommitGuard>> Guard(TableHome& /*home*/) override {
    return std::unique_ptr<CommitGuard>();
  }

  Result<PublishOutcome> Publish(TableHome& /*home*/, const EncodedCommit& commit) override {
    CrashPoint("commit.before_stage");
    TARN_RETURN_IF_ERROR(PutAllSurely(storage_, commit.staged));
    CrashPoint("commit.staged");
    const NewObject head = commit.head("");
    CrashPoint("commit.before_reveal");
    const Result<PutOutcome> created = storage_.PutIfAbsent(head.path, head.bytes);
    CrashPoint("commit.revealed");
    if (!created.ok()) {
      if (created.error().code != ErrorCode::kUnknownOutcome) return created.error();
      if constexpr (planted::kUnknownTakenForLost) return PublishOutcome(LostRace{});
      return PublishOutcome(NoAnswer{});
    }
    if (created.value() == PutOutcome::kAlreadyExists) return PublishOutcome(LostRace{});
    return PublishOutcome(Published{commit.version});
  }

  Status ShowFirst(TableHome& /*home*/, const WriteTicket& ticket) override {
    return PutAllSurely(storage_, ticket.shown_first);
  }

  Status RunUpkeep(TableHome& /*home*/, const Upkeep& upkeep) override {
    CrashPoint("upkeep.before");
    // A hint must not be seen before what it points to: the first failure ends it.
    for (const NewObject& object : upkeep.put) {
      TARN_RETURN_IF_ERROR(PutSurely(storage_, object));
      CrashPoint("upkeep.between_puts");
    }
    if (!upkeep.remove.empty()) CrashPoint("upkeep.before_removals");
    for (const Path& path : upkeep.remove) {
      TARN_RETURN_IF_ERROR(storage_.Remove(path));
      CrashPoint("upkeep.between_removals");
    }
    return OkStatus();
  }

 private:
  Storage& storage_;
};

}  // namespace

std::unique_ptr<Committer> MakePathCommitter(Storage& storage) {
  return std::make_unique<PathCommitter>(storage);
}

}  // namespace tarn
