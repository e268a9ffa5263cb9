#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tarn/storage/memory.h"
#include "tarn/table/committer.h"
#include "tarn/table/table_format.h"
#include "tests/support/fake_runtime.h"

namespace tarn::testing {

// One kind of home with its codec: what the suite of table_test.cc runs on. A stand is made anew
// for each test.
class TableStand {
 public:
  virtual ~TableStand() = default;
  virtual const TableFormat& format() = 0;
  // A writer's own committer.
  virtual std::unique_ptr<Committer> NewCommitter() = 0;
  // A home as a catalog would give it now: with the newest head.
  virtual TableHome Open(const Path& root) = 0;
  // The next answers to `committer`'s revealing step are lost though it happens.
  virtual void LoseAnswers(Committer& committer, int count) = 0;

  FakeRuntime fakes;
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fakes.clock, *fakes.random);
};

struct TableStandKind {
  std::string name;
  std::function<std::unique_ptr<TableStand>()> make;
};

// Delta and Iceberg on a path, Iceberg under a pointer, a toy log on a path, a server, a timeline,
// a mover.
std::vector<TableStandKind> AllTableStands();

}  // namespace tarn::testing
