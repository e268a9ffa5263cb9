#include "tests/sim/writer.h"

#include <algorithm>

#include "tarn/base/uuid.h"

namespace tarn::sim {
namespace {

constexpr int32_t kPartColumn = 2;

class SkewedClock final : public Clock {
 public:
  SkewedClock(Fibers& fibers, int64_t skew_ms) : fibers_(fibers), skew_ms_(skew_ms) {}
  int64_t NowMicros() override { return fibers_.now_micros() + skew_ms_ * 1000; }
  void SleepMillis(int64_t millis) override { fibers_.SleepMillis(millis); }

 private:
  Fibers& fibers_;
  const int64_t skew_ms_;
};

Expression PartIs(const std::string& part) {
  return Expression::Compare(Expression::Op::kEqual, kPartColumn, Value(part));
}

const std::string& PartOf(const DataFile& file) {
  return std::get<std::string>(file.partition.at(0));
}

OperationKind OperationOf(OpKind kind) {
  switch (kind) {
    case OpKind::kAppend:
    case OpKind::kIngest:
      return OperationKind::kAppend;
    case OpKind::kOverwritePart:
    case OpKind::kOverwriteAll:
      return OperationKind::kOverwrite;
    case OpKind::kDeletePart:
    case OpKind::kRewriteRow:
    case OpKind::kDeleteRow:
      return OperationKind::kDelete;
    case OpKind::kIncrement:
      return OperationKind::kUpdate;
    case OpKind::kCompact:
      return OperationKind::kRewrite;
    default:
      return OperationKind::kAlter;
  }
}

TableMetadata FirstMetadata() {
  TableMetadata metadata;
  metadata.table_id = "7e57ab1e-0000-4000-8000-000000000002";
  metadata.schema.fields = {
      {.id = 1, .name = "id", .type = Type::Of(TypeKind::kInt64)},
      {.id = kPartColumn, .name = "part", .type = Type::Of(TypeKind::kString)}};
  metadata.schema.last_column_id = 2;
  metadata.specs = {PartitionSpec{
      .id = 0,
      .fields = {PartitionField{.source_id = kPartColumn, .field_id = 1000, .name = "part"}}}};
  return metadata;
}

}  // namespace

Writer::Writer(World& world, const WriterOptions& options, int number)
    : world_(world),
      options_(options),
      number_(number),
      random_(MakeSeededRandom(world.random().Next())),
      clock_(std::make_unique<SkewedClock>(
          world.fibers(), options.skew_max_ms == 0
                              ? 0
                              : static_cast<int64_t>(world.random().Below(
                                    static_cast<uint64_t>(2 * options.skew_max_ms + 1))) -
                                    options.skew_max_ms)),
      runtime_{*clock_, *random_, *executor_, log_, metrics_, memory_, cancellation_},
      format_(world.log().MakeFormat(runtime_)),
      committer_(MakePathCommitter(world.storage())),
      home_{world.root(), world.storage()} {}

void Writer::Run() {
  for (int op = 0; op < options_.ops; ++op) {
    DoOp(DrawOp());
    if (random_->Below(4) == 0)
      world_.fibers().SleepMillis(static_cast<int64_t>(random_->Below(50)));
  }
}

OpKind Writer::DrawOp() {
  int total = 0;
  for (const auto& [kind, weight] : options_.weights) total += weight;
  auto drawn = static_cast<int>(random_->Below(static_cast<uint64_t>(total)));
  for (const auto& [kind, weight] : options_.weights) {
    drawn -= weight;
    if (drawn < 0) return kind;
  }
  return OpKind::kAppend;
}

std::string Writer::DrawPart() {
  return "p" + std::to_string(random_->Below(static_cast<uint64_t>(options_.parts)));
}

void Writer::DoOp(OpKind kind) {
  switch (kind) {
    case OpKind::kCreate:
      return Create();
    case OpKind::kCheckpoint:
      return CheckpointNow();
    case OpKind::kTornPeer:
      return TearCheckpoint();
    case OpKind::kRead:
      return Read();
    default:
      break;
  }
  constexpr int kRunsMax = 4;
  for (int run = 0; run < kRunsMax; ++run) {
    const std::optional<Seen> seen = Look(Newest{});
    if (!seen) {
      // No table yet: whoever needs one makes it.
      const World::Quiet quiet(world_);
      const Result<bool> there = format_->Detect(home_);
      if (there.ok() && *there) continue;
    }
    if (!seen) {
      Create();
      continue;
    }
    auto planned = std::make_unique<Attempt>();
    Attempt& attempt = *planned;
    attempt.writer = number_;
    attempt.kind = kind;
    attempt.base = world_.log().NumberOf(seen->snapshot.version);
    attempt.commit_id = NewUuid(*random_);
    Commit commit;
    commit.id = attempt.commit_id;
    commit.operation.kind = OperationOf(kind);
    commit.engine = "tarn/sim";
    commit.writer = "writer " + std::to_string(number_);
    // Other writers go on while this one plans: only what is to be published is on record.
    if (!Plan(kind, *seen, attempt, commit)) return;
    world_.attempts.push_back(std::move(planned));
    const Outcome outcome = Publish(attempt, seen->snapshot, std::move(commit));
    const bool again = outcome == Outcome::kConflict || outcome == Outcome::kUnavailable;
    if (!again || !options_.reruns_conflicts) return;
  }
}

void Writer::Complain(const Error& error, std::string_view during) {
  // A store that fails, and a table that is not there yet, explain these.
  if (error.code == ErrorCode::kUnavailable || error.code == ErrorCode::kUnknownOutcome) return;
  world_.Violate("writer " + std::to_string(number_) + ", " + std::string(during) + ": " +
                 std::string(ErrorCodeName(error.code)) + ": " + error.ToString());
}

std::optional<Writer::Seen> Writer::Look(const AsOf& as_of) {
  Observation seen;
  seen.writer = number_;
  seen.acknowledged_before = world_.acknowledged;
  seen.newest = std::holds_alternative<Newest>(as_of);
  Result<Snapshot> snapshot = format_->Load(home_, as_of);
  if (!snapshot.ok()) {
    const bool there_before = world_.acknowledged >= 0;
    if (seen.newest && (snapshot.error().code != ErrorCode::kNotFound ||
                        (there_before && seen.acknowledged_before >= 0))) {
      Complain(snapshot.error(), "loading the newest version");
    }
    if (!seen.newest && snapshot.error().code != ErrorCode::kNotFound) {
      Complain(snapshot.error(), "loading an old version");
    }
    return std::nullopt;
  }
  Seen result{std::move(*snapshot), {}};
  const auto complain = [&](const Error& error) {
    // Its log may be cleaned away between the head and the files: retention is a second here.
    if (error.code == ErrorCode::kNotFound && IsCleaned(result.snapshot)) return;
    Complain(error, "reading the files of version " + result.snapshot.version.text);
  };
  Result<std::unique_ptr<FileStream>> stream = format_->Files(home_, result.snapshot, {});
  if (!stream.ok()) {
    complain(stream.error());
    return std::nullopt;
  }
  for (;;) {
    Result<std::optional<FileBatch>> batch = (*stream)->Next();
    if (!batch.ok()) {
      complain(batch.error());
      return std::nullopt;
    }
    if (!batch.value()) break;
    for (int64_t i = 0; i < batch.value()->size; ++i) result.files.push_back(batch.value()->At(i));
  }
  seen.version = world_.log().NumberOf(result.snapshot.version);
  for (const DataFile& file : result.files) {
    LiveFile live{PartOf(file), {}};
    if (!file.deletes.empty()) live.vector = file.deletes[0];
    if (!seen.state.files.emplace(file.path, live).second) {
      world_.Violate("version " + result.snapshot.version.text + " lists " + file.path + " twice");
    }
  }
  for (const auto& [source, position] : result.snapshot.positions) {
    seen.state.positions[source] = std::stoll(position);
  }
  for (const Field& field : result.snapshot.metadata.schema.fields) {
    seen.state.columns.push_back(field.name);
  }
  world_.observations.push_back(std::move(seen));
  return result;
}

bool Writer::IsCleaned(const Snapshot& snapshot) const {
  return snapshot.exists() && world_.truth.whole_from() > 0;
}

bool Writer::HistoryIsGone(int64_t base) {
  if (world_.truth.whole_from() > base + 1) return true;
  if (base < 0) return false;
  const World::Quiet quiet(world_);
  const Result<Snapshot> snapshot = format_->Load(home_, AtVersion{world_.log().NameOf(base)});
  return !snapshot.ok() && snapshot.error().code == ErrorCode::kNotFound;
}

void Writer::AddFile(Attempt& attempt, Commit& commit, const std::string& part,
                     std::vector<Row> rows) {
  DataFile file;
  file.path = "part=" + part + "/" + world_.NextName("f") + ".parquet";
  file.size_bytes = 100;
  file.record_count = static_cast<int64_t>(rows.size());
  file.partition = {Value(part)};
  attempt.added[file.path] = rows;
  world_.rows[file.path] = std::move(rows);
  commit.added.push_back(std::move(file));
}

void Writer::RemoveFiles(Attempt& attempt, Commit& commit, const Seen& seen,
                         const std::optional<std::string>& part) {
  for (const DataFile& file : seen.files) {
    if (part && PartOf(file) != *part) continue;
    attempt.removed.push_back(file.path);
    commit.removed.push_back(file);
  }
}

bool Writer::Plan(OpKind kind, const Seen& seen, Attempt& attempt, Commit& commit) {
  const auto fresh_rows = [&] {
    std::vector<Row> rows(1 + random_->Below(3));
    for (Row& row : rows) row.id = world_.NextRowId();
    return rows;
  };
  attempt.part = DrawPart();
  switch (kind) {
    case OpKind::kAppend:
      for (uint64_t files = 1 + random_->Below(2); files > 0; --files) {
        AddFile(attempt, commit, DrawPart(), fresh_rows());
      }
      return true;
    case OpKind::kOverwritePart:
      RemoveFiles(attempt, commit, seen, attempt.part);
      AddFile(attempt, commit, attempt.part, fresh_rows());
      commit.reads.predicates = {PartIs(attempt.part)};
      return true;
    case OpKind::kOverwriteAll:
      RemoveFiles(attempt, commit, seen, std::nullopt);
      AddFile(attempt, commit, attempt.part, fresh_rows());
      commit.reads.everything = true;
      return true;
    case OpKind::kDeletePart:
      RemoveFiles(attempt, commit, seen, attempt.part);
      commit.reads.predicates = {PartIs(attempt.part)};
      return !commit.removed.empty();
    case OpKind::kCompact:
      RemoveFiles(attempt, commit, seen, attempt.part);
      break;
    case OpKind::kIncrement: {
      attempt.part = "counter" + std::to_string(random_->Below(2));
      int64_t value = 0;
      int64_t id = 0;
      for (const DataFile& file : seen.files) {
        if (PartOf(file) != attempt.part) continue;
        value = world_.rows[file.path].at(0).value;
        id = world_.rows[file.path].at(0).id;
      }
      if (id == 0) id = world_.NextRowId();
      RemoveFiles(attempt, commit, seen, attempt.part);
      AddFile(attempt, commit, attempt.part, {{id, value + 1}});
      commit.reads.predicates = {PartIs(attempt.part)};
      return true;
    }
    case OpKind::kIngest: {
      attempt.source = "source" + std::to_string(random_->Below(2));
      const auto found = seen.snapshot.positions.find(attempt.source);
      const bool known = found != seen.snapshot.positions.end();
      attempt.position_before = known ? std::stoll(found->second) : 0;
      attempt.position_after =
          attempt.position_before + 1 + static_cast<int64_t>(random_->Below(3));
      std::vector<Row> rows;
      for (int64_t at = attempt.position_before; at < attempt.position_after; ++at) {
        rows.push_back({world_.NextRowId(), at});
      }
      AddFile(attempt, commit, attempt.source, std::move(rows));
      commit.positions = {{attempt.source, known ? std::optional(found->second) : std::nullopt,
                           std::to_string(attempt.position_after)}};
      return true;
    }
    case OpKind::kRewriteRow:
    case OpKind::kDeleteRow:
      return PlanChangeOfFile(kind, seen, attempt, commit);
    case OpKind::kAddColumn:
    case OpKind::kSetProperty:
      return PlanAlter(kind, seen, attempt, commit);
    default:
      return false;
  }
  // Compaction: the same live rows in one file.
  if (commit.removed.size() < 2) return false;
  std::vector<Row> kept;
  for (const DataFile& file : commit.removed) {
    commit.reads.locations.push_back(file.location.empty() ? file.path : file.location);
    RowSet deleted;
    Result<RowSet> rows_gone = format_->DeletedRows(home_, seen.snapshot, file);
    if (!rows_gone.ok()) {
      Complain(rows_gone.error(), "reading a deletion vector");
      return false;
    }
    deleted = *std::move(rows_gone);
    const std::vector<Row>& rows = world_.rows[file.path];
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!deleted.Contains(i)) kept.push_back(rows[i]);
    }
  }
  AddFile(attempt, commit, attempt.part, std::move(kept));
  commit.data_change = false;
  return true;
}

bool Writer::PlanChangeOfFile(OpKind kind, const Seen& seen, Attempt& attempt, Commit& commit) {
  std::vector<const DataFile*> candidates;
  for (const DataFile& file : seen.files) {
    if (PartOf(file)[0] == 'p') candidates.push_back(&file);
  }
  if (candidates.empty()) return false;
  const DataFile& file = *candidates[random_->Below(candidates.size())];
  attempt.part = PartOf(file);
  commit.reads.predicates = {PartIs(attempt.part)};
  commit.reads.locations = {file.location.empty() ? file.path : file.location};
  RowSet deleted;
  Result<RowSet> rows_gone = format_->DeletedRows(home_, seen.snapshot, file);
  if (!rows_gone.ok()) {
    Complain(rows_gone.error(), "reading a deletion vector");
    return false;
  }
  deleted = *std::move(rows_gone);
  std::vector<uint64_t> live;
  const std::vector<Row> rows = world_.rows[file.path];
  for (uint64_t i = 0; i < rows.size(); ++i) {
    if (!deleted.Contains(i)) live.push_back(i);
  }
  if (live.empty()) return false;
  const uint64_t chosen = live[random_->Below(live.size())];
  attempt.row_id = rows[chosen].id;
  if (kind == OpKind::kDeleteRow) {
    RowDelete rows_deleted{file, {}};
    rows_deleted.rows.Add(chosen);
    commit.row_deletes.push_back(std::move(rows_deleted));
    return true;
  }
  attempt.removed = {file.path};
  commit.removed = {file};
  std::vector<Row> kept;
  for (const uint64_t i : live) {
    if (i != chosen) kept.push_back(rows[i]);
  }
  if (!kept.empty()) AddFile(attempt, commit, attempt.part, std::move(kept));
  return true;
}

bool Writer::PlanAlter(OpKind kind, const Seen& seen, Attempt& attempt, Commit& commit) {
  TableMetadata wanted = seen.snapshot.metadata;
  if (kind == OpKind::kAddColumn) {
    attempt.column = world_.NextName("c");
    Field field{.id = ++wanted.schema.last_column_id,
                .name = attempt.column,
                .type = Type::Of(TypeKind::kInt64)};
    wanted.schema.fields.push_back(std::move(field));
  } else {
    attempt.property = world_.NextName("sim.");
    wanted.properties[attempt.property] = "x";
  }
  Result<TableMetadata> prepared = format_->Prepare(&seen.snapshot.metadata, std::move(wanted));
  if (!prepared.ok()) {
    Complain(prepared.error(), "preparing metadata");
    return false;
  }
  commit.metadata = std::move(*prepared);
  return true;
}

Outcome Writer::Publish(Attempt& attempt, const Snapshot& base, Commit commit) {
  Transaction transaction(
      runtime_, home_, *format_, *committer_, base, std::move(commit), Isolation::kSerializable,
      {.attempts_max = options_.attempts_max, .wait_first_ms = 1, .wait_max_ms = 20});
  Result<Version> published = transaction.Publish();
  attempt.newest_at_answer = world_.truth.newest();
  attempt.attempts_used_up = transaction.attempts() == options_.attempts_max;
  if (!published.ok()) {
    const Error& error = published.error();
    attempt.message = error.ToString();
    switch (error.code) {
      case ErrorCode::kConflict:
        attempt.history_gone = HistoryIsGone(attempt.base);
        return attempt.outcome = Outcome::kConflict;
      case ErrorCode::kAlreadyExists:
        return attempt.outcome = Outcome::kAlreadyExists;
      case ErrorCode::kUnavailable:
        return attempt.outcome = Outcome::kUnavailable;
      case ErrorCode::kUnknownOutcome:
        return attempt.outcome = Outcome::kUnknown;
      default:
        if (error.code != ErrorCode::kNotFound || !IsCleaned(base)) {
          Complain(error, NameOf(attempt.kind));
        }
        return attempt.outcome = Outcome::kFailed;
    }
  }
  attempt.outcome = Outcome::kLanded;
  attempt.version = world_.log().NumberOf(*published);
  world_.acknowledged = std::max(world_.acknowledged, attempt.version);
  if (random_->Below(100) < static_cast<uint64_t>(options_.upkeep_percent)) {
    RunUpkeepAfter(runtime_, home_, *format_, *committer_, *published);
  }
  return attempt.outcome;
}

void Writer::Create() {
  TableMetadata metadata = FirstMetadata();
  metadata.properties = options_.table_properties;
  Result<TableMetadata> prepared = format_->Prepare(nullptr, std::move(metadata));
  if (!prepared.ok()) return Complain(prepared.error(), "preparing the first metadata");
  world_.attempts.push_back(std::make_unique<Attempt>());
  Attempt& attempt = *world_.attempts.back();
  attempt.writer = number_;
  attempt.kind = OpKind::kCreate;
  attempt.commit_id = NewUuid(*random_);
  Commit commit;
  commit.id = attempt.commit_id;
  commit.operation.kind = OperationKind::kCreate;
  commit.engine = "tarn/sim";
  commit.metadata = std::move(*prepared);
  Publish(attempt, Snapshot::Empty(), std::move(commit));
}

void Writer::CheckpointNow() {
  const Result<Snapshot> snapshot = format_->Load(home_, Newest{});
  if (!snapshot.ok()) return;
  const Result<Upkeep> upkeep = format_->PlanUpkeep(home_, *snapshot, UpkeepWish::kCheckpointNow);
  if (!upkeep.ok()) {
    // Its commits may have been cleaned away under it.
    if (upkeep.error().code != ErrorCode::kNotFound)
      Complain(upkeep.error(), "planning a checkpoint");
    return;
  }
  (void)committer_->RunUpkeep(home_, *upkeep);
  // Days pass, so that there is something to clean.
  if (random_->Below(3) == 0) world_.fibers().AdvanceMillis(int64_t{30} * 3600 * 1000);
}

// Another engine wrote the first of two parts of a checkpoint of the newest version, without what
// the last commits added, and died. Its hint may be there: that engine wrote it too early.
void Writer::TearCheckpoint() {
  const World::Quiet quiet(world_);
  const int64_t newest = world_.truth.newest();
  if (newest < 2) return;
  const int64_t older = std::max(*world_.truth.present().begin(),
                                 newest - 1 - static_cast<int64_t>(random_->Below(3)));
  const Result<Snapshot> snapshot = format_->Load(home_, AtVersion{std::to_string(older)});
  if (!snapshot.ok()) return;
  const Result<Upkeep> upkeep = format_->PlanUpkeep(home_, *snapshot, UpkeepWish::kCheckpointNow);
  if (!upkeep.ok() || upkeep->put.empty()) return;
  const std::string digits = std::to_string(newest);
  const std::string name = "_delta_log/" + std::string(20 - digits.size(), '0') + digits +
                           ".checkpoint.0000000001.0000000002.parquet";
  (void)world_.storage().Put(home_.root / name, upkeep->put[0].bytes);
  if (random_->Below(2) == 0) {
    (void)world_.storage().Put(home_.root / "_delta_log/_last_checkpoint",
                               "{\"version\":" + digits + ",\"size\":9,\"parts\":2}");
  }
}

void Writer::Read() {
  if (world_.truth.newest() >= 0 && random_->Below(3) == 0) {
    const auto version = random_->Below(static_cast<uint64_t>(world_.truth.newest()) + 1);
    (void)Look(AtVersion{world_.log().NameOf(static_cast<int64_t>(version))});
  } else {
    (void)Look(Newest{});
  }
}

}  // namespace tarn::sim
