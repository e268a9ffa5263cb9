#include "tarn/duck/batch_sql.h"

#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tarn/datafile/arrow_schema.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using ::testing::HasSubstr;

class BatchSqlTest : public ::testing::Test {
 protected:
  Runtime& runtime() { return system_.runtime(); }

  // Rows (i, "v" + i) for i in [begin, end).
  static std::shared_ptr<arrow::RecordBatch> Batch(const Schema& schema, int64_t begin,
                                                   int64_t end) {
    arrow::Int64Builder ids;
    arrow::StringBuilder values;
    for (int64_t i = begin; i < end; ++i) {
      EXPECT_TRUE(ids.Append(i).ok());
      EXPECT_TRUE(values.Append("v" + std::to_string(i)).ok());
    }
    return arrow::RecordBatch::Make(*ToArrow(schema), end - begin,
                                    {*ids.Finish(), *values.Finish()});
  }

  SystemRuntime system_{RuntimeOptions{.threads = 2}};
  Schema schema_ = AssignFreshIds(*ParseColumns("id bigint, v string"));
};

TEST_F(BatchSqlTest, ComputesAndFilters) {
  auto sql = BatchSql::Make(runtime(), schema_, "*, id * 2 AS twice", "id >= 3");
  ASSERT_TRUE(sql.ok()) << sql.error().ToString();
  ASSERT_EQ((*sql)->output().fields.size(), 3U);
  EXPECT_EQ((*sql)->output().fields[0].id, 1);  // columns that pass through keep their id
  EXPECT_EQ((*sql)->output().fields[2].name, "twice");
  const auto result = (*sql)->Apply(Batch(schema_, 0, 6));
  ASSERT_TRUE(result.ok()) << result.error().ToString();
  ASSERT_EQ((*result)->num_rows(), 3);
  EXPECT_EQ(testing::CellText(*(*result)->column(1), 0), "v3");
  EXPECT_EQ(testing::CellText(*(*result)->column(2), 2), "10");
}

TEST_F(BatchSqlTest, RowsKeepTheirOrderInLargeBatches) {
  auto sql = BatchSql::Make(runtime(), schema_, "id", "id % 2 = 0");
  ASSERT_TRUE(sql.ok());
  const auto result = (*sql)->Apply(Batch(schema_, 0, 300000));
  ASSERT_TRUE(result.ok());
  ASSERT_EQ((*result)->num_rows(), 150000);
  const auto& ids = static_cast<const arrow::Int64Array&>(*(*result)->column(0));
  for (int64_t row = 0; row < ids.length(); ++row) ASSERT_EQ(ids.Value(row), row * 2);
}

TEST_F(BatchSqlTest, QuestionsOfNamesAreAnsweredBeforeTheFirstRow) {
  const auto sql = BatchSql::Make(runtime(), schema_, "nothing + 1", "");
  ASSERT_FALSE(sql.ok());
  EXPECT_EQ(sql.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(sql.error().ToString(), HasSubstr("nothing"));
}

TEST_F(BatchSqlTest, MayNotReachFiles) {
  const auto sql =
      BatchSql::Make(runtime(), schema_, "(SELECT content FROM read_text('/etc/hostname'))", "");
  ASSERT_FALSE(sql.ok());
}

TEST_F(BatchSqlTest, ManyThreadsAtOnce) {
  auto sql = BatchSql::Make(runtime(), schema_, "sum(id) AS s", "");
  ASSERT_TRUE(sql.ok());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) {
        const auto result = (*sql)->Apply(Batch(schema_, t, t + 2));
        ASSERT_TRUE(result.ok());
        EXPECT_EQ(testing::CellText(*(*result)->column(0), 0), std::to_string(2 * t + 1));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(BatchSqlTest, ConstraintsNameTheRowThatBreaksThem) {
  const auto checker =
      ConstraintChecker::Make(runtime(), schema_, {{"positive", "id > 0"}, {"known", "v <> 'v7'"}});
  ASSERT_TRUE(checker.ok()) << checker.error().ToString();
  EXPECT_TRUE((*checker)->Check(Batch(schema_, 1, 7)).ok());
  const Status broken = (*checker)->Check(Batch(schema_, 5, 9));
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(broken.error().message, HasSubstr("'known' (v <> 'v7')"));
  EXPECT_THAT(broken.error().message, HasSubstr("id = 7, v = v7"));
}

TEST_F(BatchSqlTest, AConstraintThatIsNullIsBroken) {
  const auto checker =
      ConstraintChecker::Make(runtime(), schema_, {{"c", "CASE WHEN id < 2 THEN true END"}});
  ASSERT_TRUE(checker.ok());
  EXPECT_TRUE((*checker)->Check(Batch(schema_, 0, 2)).ok());
  EXPECT_FALSE((*checker)->Check(Batch(schema_, 0, 3)).ok());
}

TEST_F(BatchSqlTest, ConstraintsInSparksSpelling) {
  const auto checker = ConstraintChecker::Make(runtime(), schema_, {{"c", "`id` == 1L"}});
  ASSERT_TRUE(checker.ok()) << checker.error().ToString();
  EXPECT_TRUE((*checker)->Check(Batch(schema_, 1, 2)).ok());
  EXPECT_FALSE((*checker)->Check(Batch(schema_, 2, 3)).ok());
}

}  // namespace
}  // namespace tarn
