#include "tarn/engine/sql_report.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(SqlReport, LaysOutAndNamesWhatCannotBeRead) {
  const auto report = FormatSqlText("select 1; selct 2;", "spark");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->text, "SELECT 1;\nselct 2;\n");
  EXPECT_EQ(report->statement_count, 2);
  ASSERT_EQ(report->errors.size(), 1u);
  EXPECT_EQ(report->errors[0], "line 1, column 11: expected a statement, found 'selct'");
}

TEST(SqlReport, PrintsTrees) {
  const auto report = SqlTextTree("use d;\nuse", "hive");
  ASSERT_TRUE(report.ok());
  EXPECT_EQ(report->text,
            "-- statement 1 at line 1, column 1\n"
            "Use name=d\n"
            "-- statement 2 at line 2, column 1\n"
            "cannot be read: line 2, column 4: expected a name, found the end\n");
}

TEST(SqlReport, RefusesAnUnknownDialect) {
  const auto report = FormatSqlText("select 1", "sparc");
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().message, "sql: no dialect 'sparc'; did you mean 'spark'?");
  EXPECT_EQ(SqlDialectNames().size(), 6u);
}

}  // namespace
}  // namespace tarn
