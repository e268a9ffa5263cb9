#include "tarn/model/prune.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tarn {
namespace {

using Op = Expression::Op;

// Columns: 1 p bigint (identity partition), 2 d date (month partition), 3 n bigint, 4 x double,
// 5 s string.
class PruneTest : public ::testing::Test {
 protected:
  using Row = std::vector<Value>;  // by id - 1

  PruneTest() {
    schema_ = AssignFreshIds(*ParseColumns("p bigint, d date, n bigint, x double, s string"));
    spec_.fields = {
        {.source_id = 1, .field_id = 1000, .name = "p"},
        {.source_id = 2, .field_id = 1001, .name = "d_month", .transform = TransformKind::kMonth},
        {.source_id = 5,
         .field_id = 1002,
         .name = "s_trunc",
         .transform = TransformKind::kTruncate,
         .parameter = 1}};
  }

  Value RandomValue(int32_t id) {
    if (Pick(6) == 0) return {};
    switch (id) {
      case 4: {
        const double choices[] = {-1.5, -0.0, 0.0, 2.5, INFINITY, -INFINITY, std::nan("")};
        return choices[Pick(7)];
      }
      case 5: {
        const char* choices[] = {"", "a", "ab", "abc", "b", "\xC3\xA9", "\xF0\x9F\x98\x80"};
        return choices[Pick(7)];
      }
      case 2:
        return static_cast<int64_t>(Pick(90)) - 45;
      default:
        return static_cast<int64_t>(Pick(6)) - 2;
    }
  }

  // Rows of one partition, and the file as a writer would describe it.
  std::vector<Row> RandomRows() {
    std::vector<Row> rows;
    const Value p = RandomValue(1), d = RandomValue(2), s = RandomValue(5);
    const size_t count = 1 + Pick(4);
    for (size_t i = 0; i < count; ++i) rows.push_back({p, d, RandomValue(3), RandomValue(4), s});
    return rows;
  }

  DataFile Describe(const std::vector<Row>& rows) {
    DataFile file;
    file.path = "f";
    file.record_count = static_cast<int64_t>(rows.size());
    for (const PartitionField& field : spec_.fields) {
      file.partition.push_back(ApplyTransform(field, schema_.FindById(field.source_id)->type,
                                              rows[0][static_cast<size_t>(field.source_id - 1)]));
    }
    for (int32_t id = 2; id <= 5; ++id) {
      if (Pick(5) == 0) continue;  // statistics may be missing
      const Type& type = schema_.FindById(id)->type;
      ColumnStatistics column{.field_id = id, .null_count = 0, .nan_count = 0};
      for (const Row& row : rows) {
        const Value& value = row[static_cast<size_t>(id - 1)];
        if (IsNull(value)) {
          ++*column.null_count;
          continue;
        }
        const auto* number = std::get_if<double>(&value);
        if (number != nullptr && std::isnan(*number)) {
          ++*column.nan_count;
          continue;
        }
        if (!column.lower || CompareValues(type, value, *column.lower) < 0) column.lower = value;
        if (!column.upper || CompareValues(type, value, *column.upper) > 0) column.upper = value;
      }
      if (Pick(5) == 0) column.null_count.reset();
      if (Pick(3) == 0) column.nan_count.reset();
      if (Pick(5) == 0) column.lower.reset();
      file.statistics.push_back(column);
    }
    return file;
  }

  Expression RandomExpression(int depth) {
    if (depth > 0 && Pick(2) == 0) {
      std::vector<Expression> args = {RandomExpression(depth - 1), RandomExpression(depth - 1)};
      if (Pick(3) == 0) return Expression::Not(std::move(args[0]));
      return Pick(2) == 0 ? Expression::And(std::move(args)) : Expression::Or(std::move(args));
    }
    const auto id = static_cast<int32_t>(1 + Pick(5));
    constexpr Op kOps[] = {Op::kEqual,   Op::kNotEqual,     Op::kLess,      Op::kLessEqual,
                           Op::kGreater, Op::kGreaterEqual, Op::kIsNull,    Op::kIsNotNull,
                           Op::kIn,      Op::kIsNan,        Op::kStartsWith};
    Expression leaf{kOps[Pick(11)], id};
    if (leaf.op == Op::kIsNan) leaf.field_id = 4;
    if (leaf.op == Op::kStartsWith) leaf.field_id = 5;
    const size_t literals = leaf.op == Op::kIn ? 1 + Pick(3) : 1;
    for (size_t i = 0; i < literals; ++i) leaf.literals.push_back(RandomValue(leaf.field_id));
    return leaf;
  }

  size_t Pick(size_t bound) { return random_() % bound; }

  Schema schema_;
  PartitionSpec spec_;
  std::mt19937_64 random_{11};
};

TEST_F(PruneTest, NeverHidesARowNorClaimsOneTooMany) {
  int pruned = 0, proven = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::vector<Row> rows = RandomRows();
    const DataFile file = Describe(rows);
    const Expression filter = RandomExpression(2);
    bool some_true = false, all_true = true;
    for (const Row& row : rows) {
      const Truth truth = Evaluate(filter, schema_, [&](int32_t id) -> const Value& {
        return row[static_cast<size_t>(id - 1)];
      });
      some_true |= truth == Truth::kTrue;
      all_true &= truth == Truth::kTrue;
    }
    const bool may = MayMatch(filter, schema_, spec_, file);
    const bool must = MustMatch(filter, schema_, spec_, file);
    EXPECT_TRUE(may || !some_true) << ExpressionToText(filter, schema_) << " round " << round;
    EXPECT_TRUE(!must || all_true) << ExpressionToText(filter, schema_) << " round " << round;
    pruned += !may;
    proven += must;
  }
  // The test would be empty if everything were kept.
  EXPECT_GT(pruned, 3'000);
  EXPECT_GT(proven, 500);
}

TEST_F(PruneTest, AFileWithNaNMayHoldTheGreatest) {
  DataFile file = Describe({{Value(int64_t{1}), {}, {}, Value(1.0), {}}});
  file.statistics = {
      {.field_id = 4, .null_count = 0, .nan_count = 1, .lower = Value(1.0), .upper = Value(3.0)}};
  const Expression above = Expression::Compare(Op::kGreater, 4, Value(100.0));
  EXPECT_TRUE(MayMatch(above, schema_, spec_, file));
  file.statistics[0].nan_count.reset();
  EXPECT_TRUE(MayMatch(above, schema_, spec_, file));
  file.statistics[0].nan_count = 0;
  EXPECT_FALSE(MayMatch(above, schema_, spec_, file));
}

TEST_F(PruneTest, UnknownStatisticsKeepTheFile) {
  DataFile file;
  file.partition = {Value(int64_t{1}), {}, {}};
  EXPECT_TRUE(
      MayMatch(Expression::Compare(Op::kEqual, 3, Value(int64_t{9})), schema_, spec_, file));
  EXPECT_FALSE(
      MayMatch(Expression::Compare(Op::kEqual, 1, Value(int64_t{2})), schema_, spec_, file));
  EXPECT_TRUE(MayMatch(Expression::Opaque("f(p)"), schema_, spec_, file));
  EXPECT_FALSE(MustMatch(Expression::Opaque("f(p)"), schema_, spec_, file));
  EXPECT_TRUE(MustMatch(Expression::True(), schema_, spec_, file));
}

TEST_F(PruneTest, BoundsAreNotAskedForPartitionColumns) {
  const Expression both = Expression::And({Expression::Compare(Op::kEqual, 1, Value(int64_t{2})),
                                           Expression::Compare(Op::kEqual, 2, Value(int64_t{2})),
                                           Expression::Compare(Op::kEqual, 3, Value(int64_t{2}))});
  EXPECT_EQ(BoundsNeeded(both, spec_), (std::vector<int32_t>{2, 3}));
}

}  // namespace
}  // namespace tarn
