#include "tarn/duck/expression_duckdb.h"

#include <gtest/gtest.h>

#include "duckdb/parser/parser.hpp"
#include "duckdb/planner/operator/logical_filter.hpp"
#include "duckdb/planner/operator/logical_get.hpp"
#include "duckdb/planner/planner.hpp"

#include "tarn/base/runtime.h"
#include "tarn/duck/duck_session.h"

namespace tarn {
namespace {

class ExpressionTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(session_
                    ->Execute("CREATE TABLE t (i INTEGER, s VARCHAR, x DOUBLE, b BOOLEAN, "
                              "n STRUCT(m INTEGER))")
                    .ok());
  }

  // The WHERE clause as planned without optimising.
  Expression Convert(const std::string& where) {
    duckdb::ClientContext& context = *session_->connection().context;
    std::vector<Expression> terms;
    context.RunFunctionInTransaction([&] {
      duckdb::Parser parser(context.GetParserOptions());
      parser.ParseQuery("SELECT 1 FROM t WHERE " + where);
      duckdb::Planner planner(context);
      planner.CreatePlan(std::move(parser.statements[0]));
      const auto& filter = *planner.plan->children[0];
      const auto& get = filter.children[0]->Cast<duckdb::LogicalGet>();
      for (const auto& term : filter.expressions) {
        terms.push_back(FromDuckExpression(
            context, *term, [&](const duckdb::ColumnBinding& binding) -> const Field* {
              return &schema_.fields[get.GetColumnIds()[binding.column_index].GetPrimaryIndex()];
            }));
      }
    });
    return Expression::And(std::move(terms));
  }
  std::string Text(const std::string& where) { return ExpressionToText(Convert(where), schema_); }

  SystemRuntime system_{RuntimeOptions{.threads = 1}};
  std::unique_ptr<DuckSession> session_ = *DuckSession::Make(system_.runtime());
  Schema schema_ =
      AssignFreshIds(*ParseColumns("i int, s string, x double, b boolean, n struct<m: int>"));
};

using Op = Expression::Op;

TEST_F(ExpressionTest, ComparisonsEitherWayRound) {
  EXPECT_EQ(Convert("i < 3"), Expression::Compare(Op::kLess, 1, Value(int64_t{3})));
  EXPECT_EQ(Convert("3 < i"), Expression::Compare(Op::kGreater, 1, Value(int64_t{3})));
  EXPECT_EQ(Convert("i = 1 + 2"), Expression::Compare(Op::kEqual, 1, Value(int64_t{3})));
  EXPECT_EQ(Convert("s <> 'a'"), Expression::Compare(Op::kNotEqual, 2, Value(std::string("a"))));
  EXPECT_EQ(Convert("n.m >= 5"), Expression::Compare(Op::kGreaterEqual, 6, Value(int64_t{5})));
}

TEST_F(ExpressionTest, ConstantsOfWiderTypesOnlyWhereTheyFit) {
  EXPECT_EQ(Convert("i = 3::BIGINT"), Expression::Compare(Op::kEqual, 1, Value(int64_t{3})));
  EXPECT_EQ(Convert("i = 5000000000").op, Op::kOpaque);
  EXPECT_EQ(Convert("i = 1.5").op, Op::kOpaque);
}

TEST_F(ExpressionTest, TheRestOfTheVocabulary) {
  EXPECT_EQ(Convert("i IS NULL"), Expression::IsNullOf(1));
  EXPECT_EQ(Convert("b"), Expression::Compare(Op::kEqual, 4, Value(true)));
  EXPECT_EQ(Convert("isnan(x)").op, Op::kIsNan);
  EXPECT_EQ(Convert("i IN (1, 2)").op, Op::kIn);
  EXPECT_EQ(Convert("i NOT IN (1, NULL)").op, Op::kNot);
  EXPECT_EQ(Convert("s LIKE 'ab%'"),
            Expression::Compare(Op::kStartsWith, 2, Value(std::string("ab"))));
  EXPECT_EQ(Convert("s LIKE 'a_%'").op, Op::kOpaque);
  EXPECT_EQ(Convert("i BETWEEN 1 AND 2").op, Op::kAnd);
  EXPECT_EQ(Convert("i = 1 OR length(s) = 2").op, Op::kOr);
  EXPECT_EQ(Convert("i IS NOT DISTINCT FROM NULL"), Expression::IsNullOf(1));
}

TEST_F(ExpressionTest, WhatItCannotSayIsOpaque) {
  EXPECT_EQ(Convert("length(s) = 2").op, Op::kOpaque);
  EXPECT_EQ(Convert("i = random()").op, Op::kOpaque);
  EXPECT_EQ(Convert("i = cast(s AS INTEGER)").op, Op::kOpaque);
}

}  // namespace
}  // namespace tarn
