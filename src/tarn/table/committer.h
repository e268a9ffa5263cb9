#pragma once

#include <memory>
#include <string_view>
#include <variant>

#include "tarn/base/result.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn {

struct Published {
  Version version;
};
struct LostRace {};
struct NoAnswer {};  // it may have happened
using PublishOutcome = std::variant<Published, LostRace, NoAnswer>;

// A lock held while a commit is prepared and published, where the home needs one. Released when
// destroyed.
class CommitGuard {
 public:
  virtual ~CommitGuard() = default;
};

// The one step that reveals a commit. Each kind of home has one: create an object (paths), swap a
// pointer (SQL catalogs), post requirements and changes (REST: the server writes the head), write
// a completed instant under the table's lock (Hudi), move files and register partitions (Hive).
// Thread-safe.
class Committer {
 public:
  virtual ~Committer() = default;
  // Refreshes home.head. May return null where no lock is needed.
  virtual Result<std::unique_ptr<CommitGuard>> Guard(TableHome& home) = 0;
  // Stages, then reveals. A storage's kUnknownOutcome in the revealing step becomes NoAnswer.
  virtual Result<PublishOutcome> Publish(TableHome& home, const EncodedCommit& commit) = 0;
  // Shows a ticket's objects before the first data file, runs upkeep afterwards.
  virtual Status ShowFirst(TableHome& home, const WriteTicket& ticket) = 0;
  virtual Status RunUpkeep(TableHome& home, const Upkeep& upkeep) = 0;
};

// For tables whose commits are objects created on the store, one name per version (Delta).
// `storage` outlives it.
std::unique_ptr<Committer> MakePathCommitter(Storage& storage);

}  // namespace tarn
