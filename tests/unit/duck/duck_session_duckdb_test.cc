#include "tarn/duck/duck_session.h"

#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::RowsText;

class DuckSessionTest : public ::testing::Test {
 protected:
  Runtime& runtime() { return system_.runtime(); }
  std::vector<std::string> Rows(const std::string& sql) { return RowsText(session_->Query(sql)); }

  SystemRuntime system_{RuntimeOptions{.threads = 2}};
  std::unique_ptr<DuckSession> session_ = *DuckSession::Make(system_.runtime());
};

TEST_F(DuckSessionTest, TypesLeaveAsArrow) {
  const auto stream = session_->Query(
      "SELECT 1::TINYINT a, 2::HUGEINT b, 1.50::DECIMAL(9,2) c, DATE '2024-01-02' d, "
      "TIMESTAMP '2024-01-02 03:04:05.000006' e, TIMESTAMPTZ '2024-01-02 03:04:05+01' f, 'x' g, "
      "{'n': [1, 2]} h, MAP {'k': 1} i, NULL j, 'ab'::BLOB k, "
      "'00000000-0000-0000-0000-000000000001'::UUID l, 'NaN'::DOUBLE m");
  ASSERT_TRUE(stream.ok()) << stream.error().ToString();
  const auto& schema = *(*stream)->schema();
  EXPECT_EQ(schema.field(1)->type()->ToString(), "decimal128(38, 0)");
  EXPECT_EQ(schema.field(4)->type()->ToString(), "timestamp[us]");
  EXPECT_EQ(schema.field(5)->type()->ToString(), "timestamp[us, tz=UTC]");
  EXPECT_EQ(schema.field(6)->type()->ToString(), "string");
  EXPECT_EQ(schema.field(11)->type()->ToString(), "string");
  const auto batch = (*stream)->Next();
  ASSERT_TRUE(batch.ok());
  EXPECT_TRUE((*batch)->ValidateFull().ok());
  EXPECT_EQ(testing::CellText(*(*batch)->column(1), 0), "2");
  EXPECT_EQ(testing::CellText(*(*batch)->column(5), 0), "2024-01-02 02:04:05.000000Z");
}

TEST_F(DuckSessionTest, StreamsManyBatches) {
  auto stream = session_->Query("SELECT i FROM range(1000000) r(i)");
  ASSERT_TRUE(stream.ok());
  int64_t rows = 0;
  int batches = 0;
  while (true) {
    const auto batch = (*stream)->Next();
    ASSERT_TRUE(batch.ok());
    if (*batch == nullptr) break;
    rows += (*batch)->num_rows();
    ++batches;
  }
  EXPECT_EQ(rows, 1000000);
  EXPECT_GT(batches, 5);
}

// Not as one that ended: rows would be missing without a word.
TEST_F(DuckSessionTest, AResultThatALaterStatementEndsFails) {
  for (const bool begun : {false, true}) {
    auto first = *session_->Query("SELECT i FROM range(1000000) r(i)");
    if (begun) {
      ASSERT_TRUE(first->Next().ok());
    }
    ASSERT_EQ(Rows("SELECT 1").size(), 1u);
    const auto rest = first->Next();
    ASSERT_FALSE(rest.ok());
    EXPECT_EQ(rest.error().code, ErrorCode::kInternal);
  }
  auto first = *session_->Query("SELECT i FROM range(1000000) r(i)");
  ASSERT_TRUE(session_->Execute("SELECT 1").ok());
  EXPECT_FALSE(first->Next().ok());
}

TEST_F(DuckSessionTest, ErrorsSayWhatAndWhere) {
  const auto parser = session_->Query("SELECT 1\nFROM WHERE");
  ASSERT_FALSE(parser.ok());
  EXPECT_EQ(parser.error().code, ErrorCode::kInvalid);
  EXPECT_THAT(parser.error().message, HasSubstr("line 2, column 6"));
  const auto binder = session_->Query("SELECT nothing");
  ASSERT_FALSE(binder.ok());
  EXPECT_THAT(binder.error().message, HasSubstr("nothing"));
  EXPECT_EQ(binder.error().message.find('\n'), std::string::npos);
  // One that only shows while rows flow.
  const auto rows = Rows("SELECT CAST(s AS INTEGER) FROM (VALUES ('1'), ('x')) v(s)");
  EXPECT_THAT(rows.back(), HasSubstr("error"));
  EXPECT_THAT(Rows("SELECT 1"), ElementsAre("1"));  // the session goes on
}

TEST_F(DuckSessionTest, CannotReachFilesOrBeUnlocked) {
  EXPECT_FALSE(session_->Query("FROM read_csv('/etc/passwd')").ok());
  EXPECT_FALSE(session_->Execute("SET enable_external_access = true").ok());
  EXPECT_FALSE(session_->Execute("INSTALL httpfs").ok());
}

TEST_F(DuckSessionTest, TimeIsUtc) {
  EXPECT_THAT(Rows("SELECT TIMESTAMPTZ '2024-01-01 00:00:00'::VARCHAR"),
              ElementsAre("2024-01-01 00:00:00+00"));
}

TEST_F(DuckSessionTest, RegisteredBatchesAreReadAgainAndInPart) {
  const auto schema =
      arrow::schema({arrow::field("x", arrow::int64()), arrow::field("y", arrow::int64())});
  arrow::Int64Builder x, y;
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(x.Append(i).ok());
    ASSERT_TRUE(y.Append(i * 10).ok());
  }
  const auto batch = arrow::RecordBatch::Make(schema, 1000, {*x.Finish(), *y.Finish()});
  ASSERT_TRUE(session_->RegisterBatches("b", schema, {batch, batch}).ok());
  // What duckdb_arrow_scan gets wrong: filters, projections, and a second reading.
  EXPECT_THAT(Rows("SELECT count(*) FROM b WHERE x >= 990"), ElementsAre("20"));
  EXPECT_THAT(Rows("SELECT sum(y) FROM b"), ElementsAre("9990000"));
  EXPECT_THAT(Rows("SELECT count(*) FROM b"), ElementsAre("2000"));
  EXPECT_THAT(Rows("SELECT y, x FROM b WHERE x = 5 LIMIT 1"), ElementsAre("50|5"));
  EXPECT_THAT(Rows("SELECT count(*) FROM b a JOIN b c ON a.x = c.x"), ElementsAre("4000"));
  ASSERT_TRUE(session_->RegisterBatches("b", schema, {batch}).ok());
  EXPECT_THAT(Rows("SELECT count(*) FROM b"), ElementsAre("1000"));
  ASSERT_TRUE(session_->DropRegistered("b").ok());
  EXPECT_FALSE(session_->Query("FROM b").ok());
}

TEST_F(DuckSessionTest, AStatementEndsWhenCancelled) {
  std::thread canceller([this] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    runtime().cancellation.Cancel();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto rows = Rows("SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b");
  canceller.join();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0], HasSubstr("interrupted"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
}

TEST(QuoteTest, IdentifiersAndLiterals) {
  EXPECT_EQ(QuoteIdentifier("a \"b\""), "\"a \"\"b\"\"\"");
  EXPECT_EQ(QuoteLiteral("it's"), "'it''s'");
}

}  // namespace
}  // namespace tarn
