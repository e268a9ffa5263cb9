#include "tarn/sql/dialect.h"

#include <gtest/gtest.h>

namespace tarn::sql {
namespace {

TEST(Dialect, IsFoundByNameAndSynonym) {
  EXPECT_EQ(FindDialect("Spark"), &SparkDialect());
  EXPECT_EQ(FindDialect("databricks"), &SparkDialect());
  EXPECT_EQ(FindDialect("presto"), &TrinoDialect());
  EXPECT_EQ(FindDialect("cobol"), nullptr);
  for (const std::string_view name : DialectNames()) {
    ASSERT_NE(FindDialect(name), nullptr);
    EXPECT_EQ(FindDialect(name)->name, name);
  }
}

TEST(Dialect, SaysHowQuotesAreRead) {
  EXPECT_TRUE(HiveDialect().tokens.double_quoted_strings);
  EXPECT_FALSE(TrinoDialect().tokens.double_quoted_strings);
  EXPECT_TRUE(PostgresDialect().arrow_is_json);
}

}  // namespace
}  // namespace tarn::sql
