#include "tarn/engine/read_sql.h"

#include <gtest/gtest.h>

#include "tarn/engine/read_builder.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

ReadBuilder Read() {
  return ReadBuilder(
      [](const ReadBuilder&) -> Result<std::unique_ptr<BatchStream>> { return Internal(""); }, "t");
}

TEST(ReadSql, QuotesEverything) {
  ASSERT_OK_AND_ASSIGN(
      const std::string sql,
      ReadToSql(Read().Columns({"a", "b\"c"}).Option("day", "it's").Where("x > 1 -- why").AsOf(3),
                {.parts = {"default", "t"}}));
  EXPECT_EQ(sql,
            "SELECT \"a\", \"b\"\"c\" FROM \"default\".\"t\" VERSION AS OF '3' WHERE \"day\" = "
            "'it''s' AND "
            "(x > 1 -- why\n)");
}

TEST(ReadSql, PathsAndTimes) {
  ASSERT_OK_AND_ASSIGN(std::string sql,
                       ReadToSql(Read().AsOfTimestamp("2026-01-01"), {.path = "a/b"}));
  EXPECT_EQ(sql, "SELECT * FROM 'a/b' TIMESTAMP AS OF '2026-01-01'");
  EXPECT_ERROR(ReadToSql(Read().AsOf(1).AsOfTimestamp("x"), {.path = "a/b"}), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
