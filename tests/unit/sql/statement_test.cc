#include "tarn/sql/statement.h"

#include <gtest/gtest.h>

namespace tarn::sql {
namespace {

TEST(TableName, QuotesPartsThatNeedIt) {
  EXPECT_EQ((TableName{.parts = {"a", "b"}}).ToText(), "a.b");
  EXPECT_EQ((TableName{.parts = {"a b", "1"}}).ToText(), "\"a b\".\"1\"");
  EXPECT_EQ((TableName{.path = "it's/x"}).ToText(), "'it''s/x'");
  EXPECT_EQ((TableName{.path = "x/y", .format = "delta"}).ToText(), "delta.`x/y`");
}

}  // namespace
}  // namespace tarn::sql
