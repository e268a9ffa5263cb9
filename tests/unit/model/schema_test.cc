#include "tarn/model/schema.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

Schema Parsed(const char* ddl) { return AssignFreshIds(*ParseColumns(ddl)); }

TEST(SchemaTest, IdsCountParentsFirst) {
  const Schema schema = Parsed("a int, s struct<x: int, y: list<string>>, m map<string, double>");
  EXPECT_EQ(schema.FindByPath("a")->id, 1);
  EXPECT_EQ(schema.FindByPath("s")->id, 2);
  EXPECT_EQ(schema.FindByPath("m")->id, 3);
  EXPECT_EQ(schema.FindByPath("s.x")->id, 4);
  EXPECT_EQ(schema.FindByPath("s.y.element")->id, 6);
  EXPECT_EQ(schema.FindByPath("m.value")->id, 8);
  EXPECT_EQ(schema.last_column_id, 8);
}

TEST(SchemaTest, FreshIdsStandAboveTheHighestEverUsed) {
  Schema schema = Parsed("a int, b int");
  schema.last_column_id = 40;
  schema.fields.push_back({.name = "c", .type = Type::Of(TypeKind::kInt32)});
  EXPECT_EQ(AssignFreshIds(schema).fields[2].id, 41);
}

TEST(SchemaTest, NamesMatchExactlyFirstThenIgnoringCase) {
  Schema schema = Parsed("Status int, n int");
  EXPECT_EQ(schema.IndexOf("status"), 0u);
  EXPECT_EQ(schema.IndexOf("STATUS"), 0u);
  EXPECT_FALSE(schema.IndexOf("statu"));
}

TEST(SchemaTest, PathsQuoteDots) {
  Schema schema = Parsed("`a.b` struct<c: int>");
  const Field* field = schema.FindByPath("`a.b`.c");
  ASSERT_NE(field, nullptr);
  EXPECT_EQ(schema.PathOf(field->id), "`a.b`.c");
  EXPECT_EQ(schema.FindByPath("a.b.c"), nullptr);
}

TEST(SchemaTest, DdlRoundTrips) {
  const Schema schema = *ParseColumns("id bigint not null, `odd name` array<int>, d decimal(9,2)");
  const std::string ddl = SchemaToDdl(schema);
  EXPECT_TRUE(*ParseColumns(ddl) == schema) << ddl;
}

TEST(SchemaTest, DoubleNamesAreRefused) {
  EXPECT_FALSE(ParseColumns("a int, A int").ok());
  EXPECT_FALSE(ParseColumns("s struct<x: int, X: int>").ok());
  Schema schema = Parsed("a int, b int");
  schema.fields[1].id = schema.fields[0].id;
  EXPECT_FALSE(ValidateSchema(schema).ok());
}

}  // namespace
}  // namespace tarn
