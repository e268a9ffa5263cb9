#include "tarn/model/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace tarn {
namespace {

using Op = Expression::Op;

class ExpressionTest : public ::testing::Test {
 protected:
  Truth Eval(const Expression& expression) {
    return Evaluate(expression, schema_, [this](int32_t id) -> const Value& { return row_[id]; });
  }
  Schema schema_ = AssignFreshIds(*ParseColumns("n bigint, s string, x double, nothing int"));
  std::map<int32_t, Value> row_ = {
      {1, Value(int64_t{5})}, {2, Value("abc")}, {3, Value(std::nan(""))}, {4, {}}};
  const Expression yes_ = Expression::Compare(Op::kEqual, 1, Value(int64_t{5}));
  const Expression no_ = Expression::Compare(Op::kEqual, 1, Value(int64_t{6}));
  const Expression unknown_ = Expression::Compare(Op::kEqual, 4, Value(int64_t{6}));
};

TEST_F(ExpressionTest, ThreeValuedTables) {
  EXPECT_EQ(Eval(yes_), Truth::kTrue);
  EXPECT_EQ(Eval(no_), Truth::kFalse);
  EXPECT_EQ(Eval(unknown_), Truth::kUnknown);
  EXPECT_EQ(Eval(Expression::And({yes_, unknown_})), Truth::kUnknown);
  EXPECT_EQ(Eval(Expression::And({no_, unknown_})), Truth::kFalse);
  EXPECT_EQ(Eval(Expression::Or({yes_, unknown_})), Truth::kTrue);
  EXPECT_EQ(Eval(Expression::Or({no_, unknown_})), Truth::kUnknown);
  EXPECT_EQ(Eval(Expression::Not(unknown_)), Truth::kUnknown);
  EXPECT_EQ(Eval(Expression::Not(no_)), Truth::kTrue);
}

TEST_F(ExpressionTest, NullsAndIn) {
  EXPECT_EQ(Eval(Expression::IsNullOf(4)), Truth::kTrue);
  EXPECT_EQ(Eval(Expression{Op::kIsNotNull, 4}), Truth::kFalse);
  Expression in{Op::kIn, 1};
  in.literals = {Value(int64_t{1}), Value()};
  EXPECT_EQ(Eval(in), Truth::kUnknown);  // 5 IN (1, NULL)
  in.literals.push_back(Value(int64_t{5}));
  EXPECT_EQ(Eval(in), Truth::kTrue);
  EXPECT_EQ(Eval(Expression::Compare(Op::kEqual, 1, Value())), Truth::kUnknown);
}

TEST_F(ExpressionTest, NaNIsGreaterThanAll) {
  EXPECT_EQ(Eval(Expression::Compare(Op::kGreater, 3, Value(INFINITY))), Truth::kTrue);
  EXPECT_EQ(Eval(Expression::Compare(Op::kEqual, 3, Value(std::nan("")))), Truth::kTrue);
  EXPECT_EQ(Eval(Expression{Op::kIsNan, 3}), Truth::kTrue);
  EXPECT_EQ(Eval(Expression{Op::kIsNan, 1}), Truth::kFalse);
}

TEST_F(ExpressionTest, CombiningFlattens) {
  EXPECT_TRUE(Expression::And({}).IsTrue());
  EXPECT_EQ(Expression::Or({}).op, Op::kFalse);
  EXPECT_TRUE(Expression::And({Expression::True(), yes_}) == yes_);
  EXPECT_EQ(Expression::And({yes_, Expression::And({no_, unknown_})}).args.size(), 3u);
}

TEST_F(ExpressionTest, TextAndIds) {
  const Expression both =
      Expression::And({Expression::Compare(Op::kGreaterEqual, 1, Value(int64_t{5})),
                       Expression::Compare(Op::kEqual, 2, Value("it's"))});
  EXPECT_EQ(ExpressionToText(both, schema_), "n >= 5 AND s = 'it''s'");
  EXPECT_EQ(FieldIds(both), (std::vector<int32_t>{1, 2}));
}

}  // namespace
}  // namespace tarn
