#include "tarn/lineage/schema_file.h"

#include <gtest/gtest.h>

namespace tarn::lineage {
namespace {

TEST(SchemaFile, ListsAndTypes) {
  const auto schema = ParseSchemaFile(R"({"d.t": ["B", "a"], "d.u": {"x": "int", "y": "string"}})");
  ASSERT_TRUE(schema.ok());
  const TableSchema* table = schema->Find("D.T");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->columns.size(), 2U);
  EXPECT_EQ(schema->Find("d.u")->columns[1], (ColumnSchema{"y", "string"}));
  EXPECT_EQ(schema->Find("d.v"), nullptr);
}

TEST(SchemaFile, ShorterNamesAnswerForLongerOnes) {
  const auto schema = ParseSchemaFile(R"({"t": ["a"], "d.u": ["b"], "`x.y`": ["c"]})");
  ASSERT_TRUE(schema.ok());
  EXPECT_NE(schema->Find("d.t"), nullptr);
  EXPECT_NE(schema->Find("c.d.u"), nullptr);
  EXPECT_EQ(schema->Find("e.u"), nullptr);
  EXPECT_NE(schema->Find("d.`x.y`"), nullptr);
  EXPECT_EQ(schema->Find("x.y"), nullptr);
}

TEST(SchemaFile, TheLongForm) {
  const auto schema = ParseSchemaFile(
      R"({"schema": {"d.t": ["dt", "a"]}, "partition_columns": {"d.t": ["dt"]},
          "types": {"d.t.a": "array<int>"}, "views": {"d.v": "select 1"}})");
  ASSERT_TRUE(schema.ok()) << schema.error().message;
  const TableSchema* table = schema->Find("d.t");
  EXPECT_EQ(table->columns.back().name, "dt");
  EXPECT_EQ(table->columns.front().type, "array<int>");
  EXPECT_EQ(table->partition_columns, 1U);
  EXPECT_EQ(schema->Find("d.v")->view_sql, "select 1");
}

TEST(SchemaFile, WhatIsWrongIsNamed) {
  EXPECT_EQ(ParseSchemaFile("[").error().code, ErrorCode::kInvalid);
  EXPECT_NE(ParseSchemaFile(R"({"d.t": 5})").error().message.find("'d.t'"), std::string::npos);
  EXPECT_NE(ParseSchemaFile(R"({"d.t": [1]})").error().message.find("'d.t'"), std::string::npos);
  EXPECT_FALSE(ParseSchemaFile(R"({"schema": {}, "partition_columns": {"d.t": ["a"]}})").ok());
}

}  // namespace
}  // namespace tarn::lineage
