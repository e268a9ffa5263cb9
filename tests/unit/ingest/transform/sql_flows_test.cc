#include "tarn/ingest/transform/sql_flows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using lineage::EdgeKind;
using Inputs = std::vector<FlowInput>;

Schema Columns() { return *ParseColumns("Amount bigint, who string, at timestamp"); }

TEST(SqlFlowsTest, OfSelectItems) {
  const auto inputs = InputsOfSelect(Columns(),
                                     "(amount * 2) AS a, (md5(\"who\")) AS b, (1) AS c, "
                                     "(CASE WHEN at > now() THEN Amount ELSE 0 END) AS d");
  ASSERT_EQ(inputs.size(), 4U);
  EXPECT_EQ(inputs[0], (Inputs{{{"Amount"}, EdgeKind::kTransformation}}));
  EXPECT_EQ(inputs[1], (Inputs{{{"who"}, EdgeKind::kTransformation, true}}));
  EXPECT_EQ(inputs[2], Inputs{});
  EXPECT_EQ(inputs[3],
            (Inputs{{{"Amount"}, EdgeKind::kTransformation}, {{"at"}, EdgeKind::kConditional}}));
}

TEST(SqlFlowsTest, OfConditions) {
  EXPECT_EQ(InputsOfCondition(Columns(), "amount > 1 OR who = 'x' AND amount < 9"),
            (Inputs{{{"Amount"}, EdgeKind::kFilter}, {{"who"}, EdgeKind::kFilter}}));
  EXPECT_EQ(InputsOfCondition(Columns(), "true"), Inputs{});
}

TEST(SqlFlowsTest, WhatCannotBeReadHasNoInputs) {
  EXPECT_EQ(InputsOfCondition(Columns(), "((("), Inputs{});
}

}  // namespace
}  // namespace tarn
