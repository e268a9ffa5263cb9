#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarn/table/transaction.h"
#include "tests/sim/world.h"

namespace tarn::sim {

// What writers do and how often (relative weights).
struct WriterOptions {
  std::map<OpKind, int> weights;
  int ops = 8;
  int parts = 3;
  std::map<std::string, std::string> table_properties;
  int64_t skew_max_ms = 0;  // a writer's clock is wrong by up to this
  int attempts_max = 12;
  bool reruns_conflicts = true;  // and outages, as a client does
  int upkeep_percent = 100;      // commits after which upkeep runs
};

// One process that writes and reads the table: its own clock, ids, codec and committer. Run is the
// body of a fiber.
class Writer {
 public:
  Writer(World& world, const WriterOptions& options, int number);
  void Run();

 private:
  struct Seen {
    Snapshot snapshot;
    std::vector<DataFile> files;
  };

  void DoOp(OpKind kind);
  OpKind DrawOp();
  std::string DrawPart();

  // The table as it is read now; nothing when the store was down or there is no table.
  std::optional<Seen> Look(const AsOf& as_of);
  // Whether the log no longer has all commits that made the snapshot.
  bool IsCleaned(const Snapshot& snapshot) const;
  // Whether what happened since `base` can no longer be told: decoding it takes the base's schema.
  bool HistoryIsGone(int64_t base);
  void Complain(const Error& error, std::string_view during);

  // Fills attempt and commit for `kind` on `seen`; false when there is nothing to do.
  bool Plan(OpKind kind, const Seen& seen, Attempt& attempt, Commit& commit);
  bool PlanChangeOfFile(OpKind kind, const Seen& seen, Attempt& attempt, Commit& commit);
  bool PlanAlter(OpKind kind, const Seen& seen, Attempt& attempt, Commit& commit);
  void AddFile(Attempt& attempt, Commit& commit, const std::string& part, std::vector<Row> rows);
  void RemoveFiles(Attempt& attempt, Commit& commit, const Seen& seen,
                   const std::optional<std::string>& part);
  Outcome Publish(Attempt& attempt, const Snapshot& base, Commit commit);

  void Create();
  void CheckpointNow();
  void TearCheckpoint();
  void Read();

  World& world_;
  const WriterOptions& options_;
  const int number_;
  std::unique_ptr<Random> random_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<Executor> executor_ = MakeInlineExecutor();
  testing::ListLogger log_;
  Metrics metrics_;
  MemoryBudget memory_{int64_t{1} << 30};
  Cancellation cancellation_;
  Runtime runtime_;
  std::unique_ptr<TableFormat> format_;
  std::unique_ptr<Committer> committer_;
  TableHome home_;
};

}  // namespace tarn::sim
