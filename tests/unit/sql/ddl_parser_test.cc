#include "tarn/sql/ddl_parser.h"

#include <string>

#include <gtest/gtest.h>

#include "tarn/sql/statement_parser.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

template <class Action>
Action Alter(const std::string& rest) {
  auto statements = ParseScript("ALTER TABLE ns.t " + rest);
  EXPECT_TRUE(statements.ok()) << rest << ": "
                               << (statements.ok() ? "" : statements.error().message);
  if (!statements.ok()) return {};
  const auto& alter = std::get<AlterTable>((*statements)[0].body);
  EXPECT_EQ(alter.table.ToText(), "ns.t");
  const auto* action = std::get_if<Action>(&alter.actions.at(0));
  EXPECT_NE(action, nullptr) << rest;
  return action == nullptr ? Action{} : *action;
}

std::string Why(const std::string& sql) {
  const auto statements = ParseScript(sql);
  EXPECT_FALSE(statements.ok()) << sql;
  return statements.ok() ? "" : statements.error().message;
}

TEST(AlterTable, AddsColumns) {
  auto add = Alter<AddColumns>("ADD COLUMN a.b INT COMMENT 'x' AFTER c");
  ASSERT_EQ(add.columns.size(), 1u);
  EXPECT_EQ(add.columns[0].parent, "a");
  EXPECT_EQ(add.columns[0].field.name, "b");
  EXPECT_EQ(add.columns[0].after, "c");
  add = Alter<AddColumns>("ADD COLUMNS (a INT FIRST, b STRING DEFAULT 'x, y')");
  ASSERT_EQ(add.columns.size(), 2u);
  EXPECT_TRUE(add.columns[0].first);
  EXPECT_EQ(add.columns[1].field.write_default_sql, "'x, y'");
  EXPECT_TRUE(Alter<AddColumns>("ADD COLUMN IF NOT EXISTS a INT").if_not_exists);
  EXPECT_EQ(Alter<AddColumns>("ADD a INT").columns.size(), 1u);
}

TEST(AlterTable, DropsRenamesAndBringsBack) {
  EXPECT_EQ(Alter<DropColumns>("DROP COLUMN a.b").paths[0], "a.b");
  EXPECT_EQ(Alter<DropColumns>("DROP COLUMNS (a, b)").paths.size(), 2u);
  EXPECT_TRUE(Alter<DropColumns>("DROP COLUMN IF EXISTS a").if_exists);
  EXPECT_EQ(Alter<RenameColumnTo>("RENAME COLUMN a.b TO c").new_name, "c");
  EXPECT_EQ(Alter<RenameColumnTo>("RENAME a TO c").path, "a");
  EXPECT_EQ(Alter<UndropColumn>("UNDROP COLUMN `a.b`").path, "`a.b`");
  EXPECT_EQ(Alter<UndropColumn>("UNDROP COLUMN a AS b").new_name, "b");
  EXPECT_EQ(Alter<RenameTable>("RENAME TO u").to.ToText(), "u");
}

TEST(AlterTable, ChangesColumns) {
  EXPECT_EQ(Alter<AlterColumnType>("ALTER COLUMN a TYPE BIGINT").type.kind, TypeKind::kInt64);
  EXPECT_EQ(Alter<AlterColumnType>("ALTER a SET DATA TYPE DOUBLE").type.kind, TypeKind::kDouble);
  EXPECT_EQ(Alter<CommentColumn>("ALTER COLUMN a COMMENT 'c'").comment, "c");
  EXPECT_EQ(Alter<SetNotNull>("ALTER COLUMN a SET NOT NULL").path, "a");
  EXPECT_EQ(Alter<DropNotNull>("ALTER COLUMN a DROP NOT NULL").path, "a");
  EXPECT_EQ(Alter<SetDefault>("ALTER COLUMN a SET DEFAULT 1 + 2").sql, "1 + 2");
  EXPECT_FALSE(Alter<SetDefault>("ALTER COLUMN a DROP DEFAULT").sql);
  EXPECT_TRUE(Alter<PlaceColumn>("ALTER COLUMN a FIRST").first);
}

TEST(AlterTable, PropertiesAndConstraints) {
  EXPECT_EQ(Alter<SetProperties>("SET TBLPROPERTIES ('a' = '1', b.c = -2)").properties.at("b.c"),
            "-2");
  EXPECT_EQ(Alter<UnsetProperties>("UNSET TBLPROPERTIES IF EXISTS ('a', b.c)").keys.size(), 2u);
  EXPECT_EQ(Alter<AddConstraint>("ADD CONSTRAINT p CHECK (a > (1))").constraint.check, "a > (1)");
  EXPECT_EQ(Alter<DropConstraint>("DROP CONSTRAINT IF EXISTS p").name, "p");
}

TEST(AlterTable, SeveralActionsAndComments) {
  auto statements = ParseScript("ALTER TABLE t ADD COLUMN a INT, DROP COLUMN b");
  ASSERT_TRUE(statements.ok());
  EXPECT_EQ(std::get<AlterTable>((*statements)[0].body).actions.size(), 2u);
  statements = ParseScript("COMMENT ON COLUMN ns.t.c IS 'x'");
  ASSERT_TRUE(statements.ok());
  const auto& alter = std::get<AlterTable>((*statements)[0].body);
  EXPECT_EQ(alter.table.ToText(), "ns.t");
  EXPECT_EQ(std::get<CommentColumn>(alter.actions[0]).path, "c");
}

TEST(AlterTable, PartitionFields) {
  const auto action = [](const std::string& sql) {
    auto statements = ParseScript(sql);
    EXPECT_TRUE(statements.ok()) << sql;
    return std::get<AlterTable>((*statements)[0].body).actions[0];
  };
  const auto add = std::get<AddPartitionField>(
      action("ALTER TABLE t ADD PARTITION FIELD bucket(16, id) AS shard"));
  EXPECT_EQ(add.item.transform, "bucket");
  EXPECT_EQ(add.item.parameter, 16);
  EXPECT_EQ(add.item.column, "id");
  EXPECT_EQ(add.name, "shard");
  const auto drop =
      std::get<DropPartitionField>(action("ALTER TABLE t DROP PARTITION FIELD days(at.ts)"));
  EXPECT_EQ(drop.item.transform, "day");
  EXPECT_EQ(drop.item.column, "at.ts");
  const auto replace = std::get<ReplacePartitionField>(
      action("ALTER TABLE t REPLACE PARTITION FIELD ts_day WITH hours(ts)"));
  EXPECT_EQ(replace.item.column, "ts_day");
  EXPECT_EQ(replace.with.item.transform, "hour");
  EXPECT_EQ(replace.with.name, "");
  EXPECT_NE(Why("ALTER TABLE t ADD PARTITION FIELD bukket(4, a)").find("did you mean 'bucket'"),
            std::string::npos);
}

TEST(AlterTable, WriteOrders) {
  const auto order = [](const std::string& clause) {
    auto statements = ParseScript("ALTER TABLE t WRITE " + clause);
    EXPECT_TRUE(statements.ok()) << clause;
    return std::get<SetWriteOrder>(std::get<AlterTable>((*statements)[0].body).actions[0]);
  };
  const auto ordered = order("ORDERED BY a, bucket(4, b) DESC, c ASC NULLS LAST");
  ASSERT_EQ(ordered.items.size(), 3u);
  EXPECT_FALSE(ordered.items[0].descending);
  EXPECT_TRUE(ordered.items[0].nulls_first);
  EXPECT_TRUE(ordered.items[1].descending);
  EXPECT_FALSE(ordered.items[1].nulls_first);
  EXPECT_EQ(ordered.items[1].key.parameter, 4);
  EXPECT_FALSE(ordered.items[2].nulls_first);
  EXPECT_EQ(ordered.distribution, "range");
  EXPECT_EQ(order("LOCALLY ORDERED BY a").distribution, std::nullopt);
  EXPECT_EQ(order("DISTRIBUTED BY PARTITION LOCALLY ORDERED BY a").distribution, "hash");
  EXPECT_EQ(order("LOCALLY ORDERED BY (a, b) DISTRIBUTED BY PARTITION").distribution, "hash");
  const auto dealt = order("DISTRIBUTED BY PARTITION");
  EXPECT_TRUE(dealt.keeps_order);
  EXPECT_EQ(dealt.distribution, "hash");
  const auto none = order("UNORDERED");
  EXPECT_TRUE(none.items.empty());
  EXPECT_FALSE(none.keeps_order);
  EXPECT_EQ(none.distribution, "none");
  EXPECT_NE(Why("ALTER TABLE t WRITE").find("ORDERED BY"), std::string::npos);
  EXPECT_NE(Why("ALTER TABLE t WRITE LOCALLY").find("ORDERED BY"), std::string::npos);
  EXPECT_NE(Why("ALTER TABLE t WRITE ORDERED BY a NULLS MIDDLE").find("MIDDLE"), std::string::npos);
}

TEST(AlterTable, Refuses) {
  EXPECT_NE(Why("ALTER TABLE t FLY").find("expected ADD, DROP, RENAME"), std::string::npos);
  EXPECT_NE(Why("ALTER TABLE t ADD COLUMN a INT PRIMARY KEY").find("PRIMARY KEY is not supported"),
            std::string::npos);
  EXPECT_NE(Why("CREATE TABLE t (a INT, UNIQUE (a))").find("only CHECK"), std::string::npos);
  EXPECT_NE(
      Why("CREATE TABLE t (a INT) PARTITIONED BY (bukket(4, a))").find("did you mean 'bucket'"),
      std::string::npos);
  EXPECT_NE(Why("CREATE TABLE t (a INT) TBLPROPERTIES ('a'=1, 'a'=2)").find("given twice"),
            std::string::npos);
}

}  // namespace
}  // namespace tarn::sql
