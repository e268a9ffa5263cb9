#include "tarn/engine/table_lineage.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TableLineageTest : public testing::EngineTest {
 protected:
  void Sql(const std::string& text) {
    ASSERT_OK_AND_ASSIGN(const auto session, engine_->OpenSession());
    ASSERT_OK(session->Run(text, [](const StatementResult&) { return OkStatus(); }));
  }

  void SetUp() override {
    testing::EngineTest::SetUp();
    Sql("CREATE TABLE orders (id INT, amount DOUBLE, day STRING);"
        "INSERT INTO orders VALUES (1, 10, 'a'), (2, 20, 'b');"
        "CREATE TABLE daily AS SELECT day, sum(amount) AS total FROM orders WHERE id > 0 "
        "GROUP BY day;"
        "CREATE TABLE report AS SELECT total * 2 AS twice FROM daily");
  }

  // A line per step: depth, from, to, kind.
  std::vector<std::string> Walk(const TableLineageRequest& request) {
    const auto walked = WalkTableLineage(*engine_, request);
    if (!walked.ok()) return {"error: " + walked.error().message};
    lineage_ = *walked;
    std::vector<std::string> lines;
    for (const LineageStep& step : walked->steps) {
      const auto place = [](const LineagePlace& at) {
        return at.dataset + "." + (at.column.empty() ? "*" : at.column) + "@" + at.version;
      };
      lines.push_back(std::string(static_cast<size_t>(step.depth), '>') + place(step.to) + " <- " +
                      place(step.from) + " " + KindOf(step) +
                      (step.commits == 1 ? "" : " x" + std::to_string(step.commits)));
    }
    return lines;
  }

  TableLineage lineage_;
};

TEST_F(TableLineageTest, UpThroughTables) {
  EXPECT_THAT(Walk({.table = "report", .column = "TWICE"}),
              ElementsAre("default.report.twice@0 <- default.daily.total@0 TRANSFORMATION",
                          ">default.daily.total@0 <- default.orders.amount@1 AGGREGATION",
                          ">default.daily.*@0 <- default.orders.day@1 GROUP_BY",
                          ">default.daily.*@0 <- default.orders.id@1 FILTER"));
  // VALUES have no source.
  EXPECT_THAT(lineage_.warnings, IsEmpty());
}

TEST_F(TableLineageTest, DownThroughTables) {
  EXPECT_THAT(Walk({.table = "orders", .column = "amount", .direction = LineageDirection::kDown}),
              ElementsAre("default.daily.total@0 <- default.orders.amount@1 AGGREGATION",
                          ">default.report.twice@0 <- default.daily.total@0 TRANSFORMATION"));
  EXPECT_THAT(Walk({.table = "orders", .column = "id", .direction = LineageDirection::kDown}),
              ElementsAre("default.daily.*@0 <- default.orders.id@1 FILTER"));
  EXPECT_THAT(Walk({.table = "orders",
                    .column = "id",
                    .version = "0",
                    .direction = LineageDirection::kDown}),
              IsEmpty());
}

TEST_F(TableLineageTest, ColumnsAreFoundWhateverTheyAreCalledNow) {
  Sql("ALTER TABLE daily SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')");
  Sql("ALTER TABLE daily RENAME COLUMN total TO sum_of_day");
  EXPECT_THAT(Walk({.table = "daily", .column = "sum_of_day"}),
              ElementsAre("default.daily.total@0 <- default.orders.amount@1 AGGREGATION",
                          "default.daily.*@0 <- default.orders.day@1 GROUP_BY",
                          "default.daily.*@0 <- default.orders.id@1 FILTER"));
  Sql("ALTER TABLE daily RENAME TO per_day");
  EXPECT_THAT(Walk({.table = "orders", .column = "amount", .direction = LineageDirection::kDown}),
              ElementsAre("default.per_day.total@0 <- default.orders.amount@1 AGGREGATION",
                          ">default.report.twice@0 <- default.daily.total@0 TRANSFORMATION"));
  EXPECT_THAT(Walk({.table = "report"})[1],
              HasSubstr(">default.per_day.total@0 <- default.orders.amount@1"));
}

TEST_F(TableLineageTest, ARewriteOfTheWholeTableEndsTheWay) {
  Sql("INSERT INTO daily SELECT 'x', id FROM orders");
  Sql("INSERT INTO daily SELECT 'x', id FROM orders");
  EXPECT_THAT(Walk({.table = "daily", .column = "total"}),
              ElementsAre("default.daily.total@2 <- default.orders.id@1 IDENTITY x2",
                          "default.daily.total@0 <- default.orders.amount@1 AGGREGATION",
                          "default.daily.*@0 <- default.orders.day@1 GROUP_BY",
                          "default.daily.*@0 <- default.orders.id@1 FILTER"));
  EXPECT_EQ(lineage_.steps[0].oldest_version, "1");
  Sql("INSERT OVERWRITE daily SELECT day, amount FROM orders");
  EXPECT_THAT(Walk({.table = "daily", .column = "total"}),
              ElementsAre("default.daily.total@3 <- default.orders.amount@1 IDENTITY"));
  // The version before knows nothing of it.
  EXPECT_THAT(Walk({.table = "daily", .column = "total", .version = "0"})[0],
              HasSubstr("AGGREGATION"));
}

// A table that is made of itself does not go round for ever.
TEST_F(TableLineageTest, OfItself) {
  Sql("UPDATE orders SET amount = amount + id WHERE day = 'a'");
  EXPECT_THAT(Walk({.table = "orders", .column = "amount"}),
              ElementsAre("default.orders.amount@2 <- default.orders.amount@1 TRANSFORMATION",
                          "default.orders.amount@2 <- default.orders.id@1 TRANSFORMATION",
                          "default.orders.*@2 <- default.orders.day@1 FILTER"));
}

TEST_F(TableLineageTest, CommitsThatTellNothing) {
  ASSERT_OK(Write("plain", {{1, "x"}}));
  EXPECT_THAT(Walk({.table = "plain"}), IsEmpty());
  EXPECT_THAT(lineage_.warnings, ElementsAre(HasSubstr("default.plain, version 0")));
}

TEST_F(TableLineageTest, ADroppedSource) {
  Sql("DROP TABLE daily");
  EXPECT_THAT(Walk({.table = "report"}),
              ElementsAre("default.report.twice@0 <- default.daily.total@0 TRANSFORMATION"));
  EXPECT_THAT(lineage_.warnings, ElementsAre(HasSubstr("default.daily")));
}

TEST_F(TableLineageTest, Refusals) {
  EXPECT_THAT(Walk({.table = "nothing"}), ElementsAre(HasSubstr("no table")));
  EXPECT_THAT(Walk({.table = "daily", .column = "totl"}), ElementsAre(HasSubstr("total")));
  EXPECT_THAT(Walk({.table = "daily", .version = "9"}), ElementsAre(HasSubstr("9")));
}

TEST_F(TableLineageTest, Drawn) {
  ASSERT_OK_AND_ASSIGN(const TableLineage walked, WalkTableLineage(*engine_, {.table = "report"}));
  EXPECT_THAT(TableLineageDot(walked), HasSubstr("digraph"));
  EXPECT_THAT(TableLineageMermaid(walked), HasSubstr("default.orders"));
}

}  // namespace
}  // namespace tarn
