#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;
using testing::Warnings;

TEST(ResolveColumns, WarningsSayWhere) {
  constexpr std::string_view kSql = "select a, nope from d.s";
  const StatementLineage read = Statement(kSql, R"({"d.s": ["a"]})");
  ASSERT_EQ(read.warnings.size(), 1U);
  EXPECT_EQ(read.warnings[0].code, WarningCode::kUnknownColumn);
  EXPECT_EQ(kSql.substr(read.warnings[0].where.begin, read.warnings[0].where.size()), "nope");
}

TEST(ResolveColumns, AStructOfTheOnlyTableWithoutSchemaIsAGuess) {
  EXPECT_EQ(Warnings("select st.f from d.s"), Texts({"unknown_table", "guessed_column"}));
  EXPECT_EQ(Edges("select st.f from d.s"), Texts({"f <- d.s.st TRANSFORMATION"}));
}

TEST(ResolveColumns, AnAliasIsNoColumnOfATableWithoutSchema) {
  EXPECT_EQ(Edges("select p + 1 as q, q * 2 as z from d.s"),
            Texts({"q <- d.s.p TRANSFORMATION", "z <- d.s.p TRANSFORMATION"}));
  // Hive has no such aliases: there it can only be a column.
  EXPECT_EQ(Edges("select p + 1 as q, q * 2 as z from d.s", "{}", "hive"),
            Texts({"q <- d.s.p TRANSFORMATION", "z <- d.s.q TRANSFORMATION"}));
}

}  // namespace
}  // namespace tarn::lineage
