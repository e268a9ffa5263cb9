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
  EXPECT_EQ(IsolationOf(metadata), Isolation::kSerializable);
  metadata.properties["delta.isolationLevel"] = "WriteSerializable";
  EXPECT_EQ(IsolationOf(metadata), Isolation::kWriteSerializable);
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
