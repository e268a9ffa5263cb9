#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

TEST(QualifyNames, DefaultDatabaseWithACatalog) {
  const ScriptLineage script = testing::Lineage(
      "create table r as select a from db2.t; create table c.x.q as select a from t", "{}", "trino",
      {.default_db = "cat.db"});
  EXPECT_EQ(script.statements[0].datasets[0].name, "cat.db2.t");
  EXPECT_EQ(script.statements[0].datasets[1].name, "cat.db.r");
  EXPECT_EQ(script.statements[1].datasets[0].name, "cat.db.t");
  EXPECT_EQ(script.statements[1].datasets[1].name, "c.x.q");
}

TEST(QualifyNames, VariablesOfTheCaller) {
  const ScriptLineage script = testing::Lineage("select a from ${env}_ods.t", "{}", "hive",
                                                {.variables = {{"env", "prod"}}});
  EXPECT_EQ(script.statements[0].datasets[0].name, "prod_ods.t");
  EXPECT_EQ(testing::Lineage("select a from ${env}.t", "{}", "hive").statements[0].datasets[0].name,
            "${env}.t");
}

TEST(QualifyNames, UseChangesWhatFollows) {
  const ScriptLineage script = testing::Lineage("select a from t; use other; select a from t");
  EXPECT_EQ(script.statements[0].datasets[0].name, "default.t");
  EXPECT_EQ(script.statements[1].operation, Operation::kSession);
  EXPECT_EQ(script.statements[2].datasets[0].name, "other.t");
}

}  // namespace
}  // namespace tarn::lineage
