#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/runtime.h"
#include "tarn/storage/memory.h"
#include "tarn/storage/storage.h"
#include "tests/sim/fibers.h"
#include "tests/sim/log_truth.h"
#include "tests/sim/table_log.h"
#include "tests/support/fake_disk.h"
#include "tests/support/fake_runtime.h"

namespace tarn::sim {

// One row of a data file. Data files themselves are not written: what stands in a file is known
// here, by its path.
struct Row {
  int64_t id = 0;  // unique over the run, kept when a row is copied to another file
  int64_t value = 0;
};

enum class OpKind : uint8_t {
  kCreate,
  kAppend,
  kOverwritePart,
  kOverwriteAll,
  kDeletePart,
  kRewriteRow,  // copy-on-write: a file without one of its rows
  kDeleteRow,   // the same by a deletion vector
  kIncrement,   // reads a counter, writes it one higher
  kCompact,
  kAddColumn,
  kSetProperty,
  kIngest,      // appends and moves a position
  kCheckpoint,  // no commit
  kTornPeer,    // no commit: another engine dies while it writes a checkpoint in parts
  kRead,        // no commit
};
std::string_view NameOf(OpKind kind);

enum class Outcome : uint8_t {
  kPending,  // its writer died
  kLanded,
  kConflict,
  kAlreadyExists,
  kUnavailable,
  kUnknown,
  kFailed,  // an error that nothing in the run explains
};

// One transaction: what it was meant to do on what it saw, and what its writer was told.
struct Attempt {
  int writer = 0;
  OpKind kind = OpKind::kAppend;
  std::string commit_id;
  int64_t base = -1;  // the version it was made on; -1: no table
  std::string part;
  std::map<std::string, std::vector<Row>> added;  // by path
  std::vector<std::string> removed;               // paths
  int64_t row_id = 0;                             // kRewriteRow, kDeleteRow
  std::string column;
  std::string property;
  std::string source;
  int64_t position_before = 0;  // 0: none
  int64_t position_after = 0;
  Outcome outcome = Outcome::kPending;
  int64_t version = -1;           // kLanded
  std::string message;            // the error
  int64_t newest_at_answer = -1;  // of the log, when the answer came
  bool history_gone = false;      // the base, or a commit after it, when a refusal came
  bool attempts_used_up = false;
};

// What a reader was given.
struct Observation {
  int writer = 0;
  int64_t version = 0;
  int64_t acknowledged_before = -1;  // the newest version acknowledged to anybody before it began
  bool newest = false;               // asked for the newest
  TableState state;
};

enum class SimFormat : uint8_t { kDelta, kIceberg };

struct WorldOptions {
  SimFormat format = SimFormat::kDelta;
  bool on_disk =
      false;  // LocalStorage over a disk that power cuts make forget, else a faulty store
  MemoryFaults faults;
  int32_t kill_per_mille = 0;  // at each call of the store, its writer dies
};

// The store, the clock and the record of one run.
class World {
 public:
  World(uint64_t seed, const WorldOptions& options);
  ~World();

  Random& random() { return *random_; }
  Fibers& fibers() { return *fibers_; }
  Storage& storage();
  const Path& root() const { return root_; }
  TableLog& log() { return *log_; }

  // While it lives, calls neither fail nor yield: the judge looks, nobody notices.
  class Quiet {
   public:
    explicit Quiet(World& world);
    ~Quiet();

   private:
    World& world_;
    const bool before_;
  };

  // All writers die, the disk forgets. What was acknowledged must still be there.
  void PowerCut();

  // The run has shown that `invariant` does not hold.
  void Violate(std::string invariant);
  const std::vector<std::string>& violations() const { return violations_; }

  int64_t NextRowId() { return ++rows_made_; }
  std::string NextName(std::string_view prefix);

  LogTruth truth;
  std::map<std::string, std::vector<Row>> rows;  // by path of the data file
  std::vector<std::unique_ptr<Attempt>> attempts;
  std::vector<Observation> observations;
  int64_t acknowledged = -1;  // the newest version acknowledged to anybody
  bool trace = false;         // prints each call of the store
  int64_t deaths = 0;
  int64_t power_cuts = 0;

 private:
  class RecordingStorage;

  void BeforeCall(std::string_view operation, const Path& path);
  void RecordNewVersions();
  void AfterWrite(const Path& path);
  void JudgeObservations();

  const WorldOptions options_;
  std::unique_ptr<Random> random_;
  std::unique_ptr<Fibers> fibers_;
  std::unique_ptr<Clock> clock_;
  std::unique_ptr<MemoryStorage> memory_;
  testing::FakeDisk* disk_ = nullptr;  // owned by local_
  std::unique_ptr<Storage> local_;
  std::unique_ptr<Storage> recording_;
  const Path root_;
  const std::unique_ptr<TableLog> log_;
  bool quiet_ = false;
  int64_t rows_made_ = 0;
  int64_t names_made_ = 0;
  std::vector<std::string> violations_;
};

// Whether the observation is the state of its version in `truth`; else what differs.
std::optional<std::string> Differs(const Observation& seen, const LogTruth& truth);

}  // namespace tarn::sim
