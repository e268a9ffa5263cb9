#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;
using testing::Warnings;

TEST(BindTargets, ColumnsStandInTheOrderOfTheTarget) {
  const StatementLineage read =
      Statement("insert into d.t select b, a from d.t", R"({"d.t": ["a", "b"]})");
  ASSERT_EQ(read.output_columns.size(), 2U);
  EXPECT_EQ(read.column(read.output_columns[0].column).name, "a");
  EXPECT_EQ(read.output_columns[0].projection, "b");
  EXPECT_EQ(Edges(read), Texts({"a <- d.t.b IDENTITY", "b <- d.t.a IDENTITY"}));
}

TEST(BindTargets, CountsThatDiffer) {
  EXPECT_EQ(Warnings("insert into d.t select a, a, a from d.t", R"({"d.t": ["a", "b"]})"),
            Texts({"column_count"}));
  EXPECT_EQ(Edges("insert into d.t select a, a, a from d.t", R"({"d.t": ["a", "b"]})").size(), 2U);
}

TEST(BindTargets, WhatFollowsAnUnknownStarIsNotBound) {
  const StatementLineage read =
      Statement("insert into d.r select *, 1 as one from d.s", R"({"d.r": ["x", "y", "z"]})");
  EXPECT_EQ(Edges(read), Texts({"* <- d.s.* IDENTITY"}));
}

}  // namespace
}  // namespace tarn::lineage
