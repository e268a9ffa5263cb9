#include "tests/sim/world.h"

#include <cstdio>

#include "tarn/storage/local.h"

namespace tarn::sim {
namespace {

constexpr int64_t kStartMicros = 1'700'000'000'000'000;

class FiberClock final : public Clock {
 public:
  explicit FiberClock(Fibers& fibers) : fibers_(fibers) {}
  int64_t NowMicros() override { return fibers_.now_micros(); }
  void SleepMillis(int64_t millis) override { fibers_.SleepMillis(millis); }

 private:
  Fibers& fibers_;
};

}  // namespace

std::string_view NameOf(OpKind kind) {
  switch (kind) {
    case OpKind::kCreate:
      return "create";
    case OpKind::kAppend:
      return "append";
    case OpKind::kOverwritePart:
      return "overwrite of a partition";
    case OpKind::kOverwriteAll:
      return "overwrite of the table";
    case OpKind::kDeletePart:
      return "delete of a partition";
    case OpKind::kRewriteRow:
      return "delete of a row by rewriting";
    case OpKind::kDeleteRow:
      return "delete of a row by a vector";
    case OpKind::kIncrement:
      return "increment";
    case OpKind::kCompact:
      return "compaction";
    case OpKind::kAddColumn:
      return "add column";
    case OpKind::kSetProperty:
      return "set property";
    case OpKind::kIngest:
      return "ingest";
    case OpKind::kCheckpoint:
      return "checkpoint";
    case OpKind::kTornPeer:
      return "torn checkpoint";
    case OpKind::kRead:
      return "read";
  }
  return "?";
}

// Tells the world of every write that took effect, answered or not.
class World::RecordingStorage final : public Storage {
 public:
  RecordingStorage(World& world, Storage& inner) : world_(world), inner_(inner) {}

  std::string root_uri() const override { return inner_.root_uri(); }
  Result<Bytes> Read(const Path& path) const override { return inner_.Read(path); }
  Result<Bytes> ReadRange(const Path& path, ByteRange range) const override {
    return inner_.ReadRange(path, range);
  }
  Result<ObjectInfo> Stat(const Path& path) const override { return inner_.Stat(path); }
  Result<std::unique_ptr<ObjectReader>> OpenReader(const Path& path) const override {
    return inner_.OpenReader(path);
  }
  Result<std::vector<ObjectInfo>> List(const Path& prefix, const Path& after, int32_t limit,
                                       Depth depth) const override {
    return inner_.List(prefix, after, limit, depth);
  }
  Status Put(const Path& path, BytesView bytes) override {
    Status status = inner_.Put(path, bytes);
    world_.AfterWrite(path);
    return status;
  }
  Result<PutOutcome> PutIfAbsent(const Path& path, BytesView bytes) override {
    Result<PutOutcome> outcome = inner_.PutIfAbsent(path, bytes);
    world_.AfterWrite(path);
    return outcome;
  }
  Result<std::unique_ptr<ObjectWriter>> OpenWriter(const Path& path) override {
    return inner_.OpenWriter(path);
  }
  Result<PutOutcome> MoveIfAbsent(const Path& from, const Path& to) override {
    Result<PutOutcome> outcome = inner_.MoveIfAbsent(from, to);
    world_.AfterWrite(from);
    world_.AfterWrite(to);
    return outcome;
  }
  Status Remove(const Path& path) override {
    // Its caller may die in the middle; what is still there afterwards is recorded again.
    if (const auto version = world_.log_->VersionAt(path)) world_.truth.Removed(*version);
    Status status = inner_.Remove(path);
    world_.AfterWrite(path);
    return status;
  }
  std::string NativeName(const Path& path) const override { return inner_.NativeName(path); }

 private:
  World& world_;
  Storage& inner_;
};

World::World(uint64_t seed, const WorldOptions& options)
    : options_(options),
      random_(MakeSeededRandom(seed)),
      fibers_(std::make_unique<Fibers>(*random_, kStartMicros, random_->Below(4) * 30)),
      clock_(std::make_unique<FiberClock>(*fibers_)),
      root_(Path::Make("lake/t").value()),
      log_(options.format == SimFormat::kDelta ? TableLog::OfDelta() : TableLog::OfIceberg()) {
  const auto hook = [this](std::string_view operation, const Path& path) {
    BeforeCall(operation, path);
  };
  if (options_.on_disk) {
    auto disk = std::make_unique<testing::FakeDisk>();
    disk_ = disk.get();
    disk_->before_call = hook;
    disk_->now_ms = [this] { return fibers_->now_micros() / 1000; };
    local_ = MakeLocalStorage(std::move(disk), "/");
    recording_ = std::make_unique<RecordingStorage>(*this, *local_);
  } else {
    memory_ = MakeMemoryStorage(*clock_, *random_);
    memory_->SetFaults(options_.faults);
    memory_->SetBeforeCall(hook);
    recording_ = std::make_unique<RecordingStorage>(*this, *memory_);
  }
}

World::~World() = default;

Storage& World::storage() { return *recording_; }

World::Quiet::Quiet(World& world) : world_(world), before_(world.quiet_) {
  world_.quiet_ = true;
  if (world_.memory_) world_.memory_->SetFaults({});
}

World::Quiet::~Quiet() {
  world_.quiet_ = before_;
  if (world_.memory_ && !before_) world_.memory_->SetFaults(world_.options_.faults);
}

void World::BeforeCall(std::string_view operation, const Path& path) {
  if (quiet_ || !fibers_->current()) return;
  if (options_.on_disk) RecordNewVersions();
  if (trace) {
    std::printf("%lld fiber %zu: %.*s %s\n", static_cast<long long>(fibers_->now_micros() / 1000),
                *fibers_->current(), static_cast<int>(operation.size()), operation.data(),
                path.str().c_str());
  }
  fibers_->Yield();
  if (random_->Below(1000) < static_cast<uint64_t>(options_.kill_per_mille)) {
    ++deaths;
    fibers_->Kill(*fibers_->current());
  }
}

// On a disk a commit is visible before the call that makes it returns, which it may never do.
void World::RecordNewVersions() {
  const Quiet quiet(*this);
  for (;;) {
    const int64_t version = truth.newest() + 1;
    const Result<Bytes> bytes = storage().Read(log_->PathOf(root_, version));
    if (!bytes.ok()) return;
    if (const auto broken = truth.Record(*log_, storage(), root_, version, *bytes)) {
      return Violate(*broken);
    }
  }
}

void World::AfterWrite(const Path& path) {
  const std::optional<int64_t> version = log_->VersionAt(path);
  if (!version) return;
  const Quiet quiet(*this);
  const Result<Bytes> bytes = storage().Read(path);
  if (!bytes.ok()) {
    truth.Removed(*version);
  } else if (const auto broken = truth.Record(*log_, storage(), root_, *version, *bytes)) {
    Violate(*broken);
  }
}

void World::PowerCut() {
  ++power_cuts;
  if (trace) std::printf("--- power cut ---\n");
  RecordNewVersions();
  // What was read before the cut was right or wrong by the log that was there then.
  JudgeObservations();
  fibers_->KillOthers();
  disk_->PowerCut(*random_);
  const Quiet quiet(*this);
  int64_t survived = -1;
  for (int64_t version = 0; version <= truth.newest(); ++version) {
    const std::string digits = std::to_string(version);
    const Result<Bytes> bytes = storage().Read(log_->PathOf(root_, version));
    const bool cleaned = !truth.present().contains(version);
    if (!bytes.ok() && !cleaned) {
      if (version <= acknowledged) {
        Violate("a power cut took version " + digits + ", which was acknowledged");
      }
      continue;
    }
    if (bytes.ok() && *bytes != truth.at(version).raw) {
      Violate("a power cut left version " + digits + " torn");
    }
    if (survived != version - 1) {
      Violate("a power cut took version " + std::to_string(version - 1) + " but left version " +
              digits);
    }
    survived = version;
  }
  truth.ForgetFrom(survived + 1);
}

void World::Violate(std::string invariant) { violations_.push_back(std::move(invariant)); }

std::string World::NextName(std::string_view prefix) {
  return std::string(prefix) + std::to_string(++names_made_);
}

void World::JudgeObservations() {
  for (const Observation& seen : observations) {
    if (auto difference = Differs(seen, truth)) Violate(std::move(*difference));
  }
  observations.clear();
}

std::optional<std::string> Differs(const Observation& seen, const LogTruth& truth) {
  const std::string reader =
      "writer " + std::to_string(seen.writer) + " read version " + std::to_string(seen.version);
  if (seen.version > truth.newest()) return reader + ", which does not exist";
  if (seen.newest && seen.version < seen.acknowledged_before) {
    return reader + " after version " + std::to_string(seen.acknowledged_before) +
           " had been acknowledged";
  }
  const TableState& is = truth.at(seen.version).after;
  if (seen.state.files != is.files) {
    std::string missing;
    for (const auto& [path, file] : is.files) {
      if (!seen.state.files.contains(path)) missing += " " + path;
    }
    std::string surplus;
    for (const auto& [path, file] : seen.state.files) {
      if (!is.files.contains(path)) surplus += " " + path;
    }
    return reader + " with other files than its commits made: missing" + missing + "; too many" +
           surplus;
  }
  if (seen.state.positions != is.positions) return reader + " with other positions";
  if (seen.state.columns != is.columns) return reader + " with other columns";
  return std::nullopt;
}

}  // namespace tarn::sim
