#include <gtest/gtest.h>

#include <string>

#include "tarn/lineage/name_pool_internal.h"

namespace tarn::lineage {
namespace {

TEST(NamePool, EqualNamesHaveEqualIds) {
  NamePool names(sql::SparkDialect());
  EXPECT_EQ(names.Fold("Abc"), names.Fold("aBC"));
  EXPECT_NE(names.Intern("Abc"), names.Intern("abc"));
  EXPECT_EQ(names.Intern(""), kNoName);
  EXPECT_EQ(names.Text(names.Fold("Some_Column_Name")), "some_column_name");
}

TEST(NamePool, QuotedNamesByDialect) {
  NamePool spark(sql::SparkDialect());
  NamePool postgres(sql::PostgresDialect());
  EXPECT_EQ(spark.Text(spark.Fold(sql::tree::Identifier{.text = "`A``b`"})), "a`b");
  EXPECT_EQ(postgres.Text(postgres.Fold(sql::tree::Identifier{.text = "\"A\""})), "A");
  EXPECT_EQ(postgres.Text(postgres.Fold(sql::tree::Identifier{.text = "A"})), "a");
}

TEST(NamePool, GrowsWithoutForgetting) {
  NamePool names(sql::SparkDialect());
  std::vector<NameId> ids;
  for (int index = 0; index < 10'000; ++index)
    ids.push_back(names.Intern("n" + std::to_string(index)));
  for (int index = 0; index < 10'000; ++index) {
    EXPECT_EQ(names.Intern("n" + std::to_string(index)), ids[static_cast<size_t>(index)]);
  }
}

}  // namespace
}  // namespace tarn::lineage
