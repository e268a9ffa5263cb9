#include "tarn/scan/plan.h"

#include <gtest/gtest.h>

#include "tarn/storage/memory.h"
#include "tests/support/fake_format.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/toy_tables.h"

namespace tarn {
namespace {

class PlanTest : public ::testing::Test {
 protected:
  PlanTest() {
    snapshot.version.text = "1";
    snapshot.metadata = testing::EventsMetadata();
    FileBatch batch;
    batch.partition.push_back(ValueColumn::Of(Type::Of(TypeKind::kString)));
    for (const char* day : {"mon", "tue", "mon"}) AppendFile(batch, testing::FileOf(day, "f"));
    format.files = {batch};
  }

  testing::FakeRuntime fake;
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  TableHome home{Path(), *storage, {}, {}};
  testing::FakeFormat format;
  Snapshot snapshot;
};

TEST_F(PlanTest, KeepsWhatMayMatchAndCountsAll) {
  ASSERT_OK_AND_ASSIGN(const ScanPlan plan,
                       PlanScan(format, home, snapshot, {.filter = testing::DayIs("mon")}));
  EXPECT_EQ(plan.files_kept, 2);
  EXPECT_EQ(plan.files_seen, 3);
}

TEST_F(PlanTest, NarrowPrunesWhatIsInMemory) {
  ASSERT_OK_AND_ASSIGN(const ScanPlan plan, PlanScan(format, home, snapshot, {}));
  EXPECT_EQ(plan.files_kept, 3);
  EXPECT_EQ(Narrow(plan, testing::DayIs("tue")).files_kept, 1);
  EXPECT_EQ(Narrow(plan, Expression::False()).files_kept, 0);
  EXPECT_EQ(Narrow(plan, Expression::True()).files_kept, 3);
}

TEST_F(PlanTest, OfGivenFiles) {
  ASSERT_OK_AND_ASSIGN(const ScanPlan all, PlanScan(format, home, snapshot, {}));
  const DataFile file = all.batches[0].At(0);
  const ScanPlan one = PlanOf(snapshot, {file});
  EXPECT_EQ(one.files_kept, 1);
  EXPECT_EQ(one.files_seen, 1);
  ASSERT_EQ(one.batches.size(), 1U);
  EXPECT_EQ(one.batches[0].At(0).path, file.path);
  EXPECT_EQ(one.batches[0].At(0).partition, file.partition);
  EXPECT_TRUE(PlanOf(snapshot, {}).batches.empty());
}

TEST_F(PlanTest, TableThatDoesNotExistHasNoFiles) {
  ASSERT_OK_AND_ASSIGN(const ScanPlan plan, PlanScan(format, home, Snapshot::Empty(), {}));
  EXPECT_EQ(plan.files_seen, 0);
}

}  // namespace
}  // namespace tarn
