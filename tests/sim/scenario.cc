#include "tests/sim/scenario.h"

#include "tests/sim/judge.h"

namespace tarn::sim {
namespace {

using enum OpKind;

const MemoryFaults kRough = {.fail_before = 15, .lose_answer = 40, .unknown_not_done = 20};

// The same dangers for path tables of Iceberg: writers die, and answers are lost, between
// manifests, manifest list, metadata and hint; manifests are merged all the time.
void AddIceberg(std::vector<Scenario>& all) {
  const auto add = [&](Scenario scenario) {
    scenario.world.format = SimFormat::kIceberg;
    scenario.writer.table_properties["commit.manifest.min-count-to-merge"] = "3";
    all.push_back(std::move(scenario));
  };
  Scenario appends{.name = "iceberg_appends",
                   .about = "many append, answers are lost, writers die"};
  appends.reborn_max = 2;
  appends.world = {.faults = {.fail_before = 20, .lose_answer = 80, .unknown_not_done = 40},
                   .kill_per_mille = 2};
  appends.writer.weights = {{kAppend, 8}, {kRead, 2}};
  appends.writer.ops = 4;
  add(appends);

  Scenario changes{.name = "iceberg_changes",
                   .about = "overwrites, deletes, rewrites, columns and positions"};
  changes.reborn_max = 2;
  changes.world = {.faults = kRough, .kill_per_mille = 2};
  changes.writer.weights = {
      {kAppend, 3},  {kOverwritePart, 4}, {kOverwriteAll, 1}, {kDeletePart, 2}, {kRewriteRow, 3},
      {kCompact, 2}, {kIncrement, 4},     {kIngest, 3},       {kAddColumn, 1},  {kRead, 2}};
  changes.writer.parts = 2;
  changes.writer.ops = 6;
  add(changes);

  Scenario upkeep{.name = "iceberg_upkeep",
                  .about = "old metadata files removed under readers and writers"};
  upkeep.reborn_max = 2;
  upkeep.world = {.faults = {.fail_before = 4, .lose_answer = 20, .unknown_not_done = 10},
                  .kill_per_mille = 3};
  upkeep.writer.weights = {
      {kAppend, 5}, {kOverwritePart, 2}, {kIngest, 1}, {kRead, 4}, {kCheckpoint, 2}};
  upkeep.writer.table_properties = {{"write.metadata.delete-after-commit.enabled", "true"},
                                    {"write.metadata.previous-versions-max", "20"}};
  upkeep.writer.ops = 6;
  add(upkeep);

  Scenario power{.name = "iceberg_power", .about = "a disk that forgets what was not synced"};
  power.power_cuts_max = 3;
  power.writers_max = 4;
  power.world = {.on_disk = true, .kill_per_mille = 1};
  power.writer.weights = {{kAppend, 5}, {kOverwritePart, 2}, {kIngest, 2}, {kRead, 1}};
  power.writer.ops = 4;
  add(power);
}

std::vector<Scenario> MakeScenarios() {
  std::vector<Scenario> all;

  Scenario appends{.name = "appends", .about = "many append, answers are lost, writers die"};
  appends.writers_max = 8;
  appends.reborn_max = 2;
  appends.world = {.faults = {.fail_before = 20, .lose_answer = 80, .unknown_not_done = 40},
                   .kill_per_mille = 2};
  appends.writer.weights = {{kAppend, 8}, {kRead, 2}};
  appends.writer.ops = 6;
  all.push_back(appends);

  Scenario overwrites{.name = "overwrites",
                      .about = "overwrites, deletes and appends of the same partitions"};
  overwrites.world = {.faults = kRough};
  overwrites.writer.weights = {{kAppend, 4},     {kOverwritePart, 6}, {kOverwriteAll, 1},
                               {kDeletePart, 2}, {kRewriteRow, 3},    {kCompact, 2},
                               {kRead, 2}};
  overwrites.writer.parts = 2;
  all.push_back(overwrites);

  Scenario vectors{.name = "vectors",
                   .about = "rows deleted by vectors, files rewritten meanwhile"};
  vectors.world = {.faults = {.fail_before = 5, .lose_answer = 20}};
  vectors.writer.weights = {
      {kAppend, 3}, {kDeleteRow, 6}, {kRewriteRow, 2}, {kCompact, 2}, {kRead, 1}};
  vectors.writer.table_properties = {{"delta.enableDeletionVectors", "true"}};
  vectors.writer.parts = 1;
  vectors.writer.ops = 6;
  all.push_back(vectors);

  Scenario counters{.name = "counters", .about = "each reads a counter and writes it one higher"};
  counters.world = {.faults = kRough};
  counters.writer.weights = {{kIncrement, 8}, {kAppend, 2}, {kRead, 1}};
  all.push_back(counters);

  Scenario positions{.name = "positions",
                     .about = "several runs of one source, killed and restarted"};
  positions.reborn_max = 4;
  positions.world = {.faults = kRough, .kill_per_mille = 6};
  positions.writer.weights = {{kIngest, 8}, {kAppend, 1}, {kRead, 1}};
  all.push_back(positions);

  Scenario columns{.name = "columns", .about = "columns and properties change under writers"};
  columns.world = {.faults = kRough};
  columns.writer.weights = {
      {kAppend, 5}, {kAddColumn, 3}, {kSetProperty, 3}, {kOverwritePart, 2}, {kRead, 2}};
  all.push_back(columns);

  Scenario upkeep{.name = "upkeep",
                  .about =
                      "checkpoints at every turn, the log cleaned under readers and writers, "
                      "checkpoints of others torn"};
  upkeep.reborn_max = 2;
  upkeep.world = {.faults = {.fail_before = 4, .lose_answer = 20, .unknown_not_done = 10},
                  .kill_per_mille = 3};
  upkeep.writer.weights = {{kAppend, 5},     {kOverwritePart, 2}, {kIngest, 1},   {kRead, 4},
                           {kCheckpoint, 3}, {kTornPeer, 1},      {kAddColumn, 1}};
  upkeep.writer.table_properties = {{"delta.checkpointInterval", "3"},
                                    {"delta.logRetentionDuration", "interval 1 second"}};
  all.push_back(upkeep);

  Scenario skew{.name = "skew", .about = "clocks of writers differ by seconds"};
  skew.world = {.faults = {.lose_answer = 20}};
  skew.writer.weights = {{kAppend, 5}, {kOverwritePart, 2}, {kIngest, 1}, {kRead, 1}};
  skew.writer.skew_max_ms = 5000;
  all.push_back(skew);

  Scenario power{.name = "power", .about = "a disk that forgets what was not synced"};
  power.power_cuts_max = 3;
  power.writers_max = 4;
  power.world = {.on_disk = true, .kill_per_mille = 1};
  power.writer.weights = {{kAppend, 5}, {kOverwritePart, 2}, {kIngest, 2}, {kRead, 1}};
  power.writer.table_properties = {{"delta.checkpointInterval", "3"}};
  power.writer.ops = 5;
  all.push_back(power);

  AddIceberg(all);
  return all;
}

class Run {
 public:
  Run(const Scenario& scenario, uint64_t seed, bool trace)
      : scenario_(scenario), world_(seed, scenario.world) {
    world_.trace = trace;
  }

  RunResult Go() {
    StartWriters();
    const uint64_t cuts =
        scenario_.power_cuts_max == 0
            ? 0
            : 1 + world_.random().Below(static_cast<uint64_t>(scenario_.power_cuts_max));
    if (cuts > 0) world_.fibers().Spawn([this, cuts] { CutPower(cuts); });
    constexpr int64_t kTurnsMax = 2'000'000;
    if (!world_.fibers().Run(kTurnsMax)) world_.Violate("the run does not come to an end");
    Judge(world_);
    return Sum();
  }

 private:
  void StartWriters() {
    const auto spread = static_cast<uint64_t>(scenario_.writers_max - scenario_.writers_min + 1);
    const int writers = scenario_.writers_min + static_cast<int>(world_.random().Below(spread));
    for (int i = 0; i < writers; ++i) StartWriter();
  }

  void StartWriter() {
    const int number = ++writers_;
    world_.fibers().Spawn([this, number] {
      try {
        Writer(world_, scenario_.writer, number).Run();
      } catch (const Killed&) {
        if (reborn_++ < scenario_.reborn_max) StartWriter();
        throw;
      }
    });
  }

  void CutPower(uint64_t cuts) {
    for (uint64_t cut = 0; cut < cuts; ++cut) {
      // Mostly soon, while all are busy.
      for (uint64_t turns = 1 + world_.random().Below(300); turns > 0; --turns)
        world_.fibers().Yield();
      world_.PowerCut();
      StartWriters();
    }
  }

  RunResult Sum() {
    RunResult result;
    result.violations = world_.violations();
    result.commits = world_.truth.newest() + 1;
    result.deaths = world_.deaths;
    result.reads = static_cast<int64_t>(world_.observations.size());
    for (const auto& attempt : world_.attempts) {
      result.acknowledged += attempt->outcome == Outcome::kLanded ? 1 : 0;
      result.conflicts += attempt->outcome == Outcome::kConflict ? 1 : 0;
      result.unknown += attempt->outcome == Outcome::kUnknown ? 1 : 0;
    }
    return result;
  }

  const Scenario& scenario_;
  World world_;
  int writers_ = 0;
  int reborn_ = 0;
};

}  // namespace

const std::vector<Scenario>& Scenarios() {
  static const std::vector<Scenario> all = MakeScenarios();
  return all;
}

RunResult RunScenario(const Scenario& scenario, uint64_t seed, bool trace) {
  return Run(scenario, seed, trace).Go();
}

}  // namespace tarn::sim
