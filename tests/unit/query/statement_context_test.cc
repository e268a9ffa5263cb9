#include "tests/support/fake_format.h"
#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(StatementContextTest, IsolationIsSerializableUnlessTheTableAsksForLess) {
  TableMetadata metadata;
  testing::FakeFormat format;
  format.isolation = {{OperationKind::kDelete, "write.delete.isolation-level", "snapshot"},
                      {OperationKind::kOther, "toy.isolation", "Relaxed"}};
  const auto of = [&](OperationKind kind) { return IsolationOf(format, metadata, kind); };
  EXPECT_EQ(of(OperationKind::kDelete), Isolation::kSerializable);
  metadata.properties["delta.isolationLevel"] = "WriteSerializable";  // another format's
  metadata.properties["write.delete.isolation-level"] = "SNAPSHOT";
  EXPECT_EQ(of(OperationKind::kDelete), Isolation::kWriteSerializable);
  EXPECT_EQ(of(OperationKind::kUpdate), Isolation::kSerializable);
  metadata.properties["toy.isolation"] = "relaxed";
  EXPECT_EQ(of(OperationKind::kUpdate), Isolation::kWriteSerializable);
}

TEST(StatementContextTest, CountsForPeople) {
  EXPECT_EQ(CountedRows(1), "1 row");
  EXPECT_EQ(CountedRows(12000), "12,000 rows");
  EXPECT_EQ(*InDuckWords("`a b` == 1"), "\"a b\" = 1");
}

TEST(StatementContextTest, OnlyWhatReadsIsRunAgain) {
  QueryWorld world;
  int runs = 0;
  const auto conflict_twice = [&](bool reads) {
    return [&runs, reads](bool& reads_itself) -> Result<StatementResult> {
      reads_itself = reads;
      if (++runs < 3) return Conflict("another");
      return StatementResult{.message = "third time"};
    };
  };
  EXPECT_EQ(RerunIfItReads(world.context(), conflict_twice(true))->message, "third time");
  runs = 0;
  EXPECT_FALSE(RerunIfItReads(world.context(), conflict_twice(false)).ok());
  EXPECT_EQ(runs, 1);
}

}  // namespace
}  // namespace tarn
