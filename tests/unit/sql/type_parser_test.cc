#include "tarn/sql/type_parser.h"

#include <string>

#include <gtest/gtest.h>

#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

Result<Type> Parse(const std::string& sql, PlainTimestamp plain = PlainTimestamp::kInstant) {
  const auto tokens = Tokenize(sql);
  TokenCursor cursor(sql, tokens.value());
  auto type = ParseType(cursor, plain);
  if (type.ok() && !cursor.AtEnd()) return cursor.Expected("the end");
  return type;
}

std::string Text(const std::string& sql) {
  const auto type = Parse(sql);
  return type.ok() ? TypeToText(type.value()) : type.error().message;
}

TEST(TypeParser, ReadsSimpleTypesOfEveryDialect) {
  EXPECT_EQ(Text("BIGINT"), Text("long"));
  EXPECT_EQ(Text("INT"), Text("int32"));
  EXPECT_EQ(Text("tinyint"), Text("BYTE"));
  EXPECT_EQ(Text("VARCHAR(20)"), Text("string"));
  EXPECT_EQ(Text("DOUBLE PRECISION"), Text("double"));
  EXPECT_EQ(Text("BLOB"), Text("binary"));
  EXPECT_EQ(Parse("DECIMAL")->precision, 10);
  EXPECT_EQ(Parse("numeric(38, 18)")->scale, 18);
}

TEST(TypeParser, TimestampIsAnInstantInDdl) {
  EXPECT_EQ(Parse("TIMESTAMP")->kind, TypeKind::kTimestampTz);
  EXPECT_EQ(Parse("TIMESTAMP", PlainTimestamp::kWithoutZone)->kind, TypeKind::kTimestamp);
  EXPECT_EQ(Parse("TIMESTAMP_NTZ")->kind, TypeKind::kTimestamp);
  EXPECT_EQ(Parse("TIMESTAMP WITH TIME ZONE", PlainTimestamp::kWithoutZone)->kind,
            TypeKind::kTimestampTz);
  EXPECT_EQ(Parse("TIMESTAMP WITHOUT TIME ZONE")->kind, TypeKind::kTimestamp);
  EXPECT_EQ(Parse("TIMESTAMP(9)")->kind, TypeKind::kTimestampTzNs);
  EXPECT_EQ(Parse("TIMESTAMP_NS")->kind, TypeKind::kTimestampNs);
  EXPECT_EQ(Parse("TIME")->kind, TypeKind::kTime);
}

TEST(TypeParser, ReadsNestedTypes) {
  const auto type = Parse("STRUCT<a: INT NOT NULL COMMENT 'x', b ARRAY<MAP<STRING, ARRAY<INT>>>>");
  ASSERT_TRUE(type.ok()) << type.error().message;
  ASSERT_EQ(type->fields.size(), 2u);
  EXPECT_TRUE(type->fields[0].required);
  EXPECT_EQ(type->fields[0].doc, "x");
  EXPECT_EQ(type->fields[1].type.kind, TypeKind::kList);
  EXPECT_EQ(Text("STRUCT(a INT, b VARCHAR)[]"), Text("ARRAY<STRUCT<a: INT, b: STRING>>"));
  EXPECT_EQ(Text("MAP(VARCHAR, INT[])"), Text("MAP<STRING, ARRAY<INT>>"));
  EXPECT_EQ(Text("ARRAY<ARRAY<INT>>"), Text("INT[][]"));
  EXPECT_TRUE(Parse("MAP<STRING, INT>")->fields[0].required);
}

TEST(TypeParser, NamesWhatItDoesNotKnow) {
  EXPECT_EQ(Text("strin"),
            "sql: line 1, column 1: expected a type, found 'strin'; did you mean 'string'?");
  EXPECT_NE(Text("INT8").find("TINYINT or BIGINT"), std::string::npos);
  EXPECT_NE(Text("DECIMAL(40, 2)").find("precision of 1 to 38"), std::string::npos);
  EXPECT_FALSE(Parse("ARRAY<INT").ok());
  EXPECT_FALSE(Parse("ARRAY<INT>>").ok());
  EXPECT_FALSE(Parse("STRUCT<>").ok());
  EXPECT_FALSE(Parse("INT[3]").ok());
  EXPECT_FALSE(Parse("").ok());
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "ARRAY<";
  EXPECT_FALSE(Parse(deep).ok());
}

TEST(TypeParser, WritesDuckDb) {
  EXPECT_EQ(TypeToDuckDb(Parse("STRUCT<a: INT, b: ARRAY<STRING>>").value()),
            "STRUCT(\"a\" INTEGER, \"b\" VARCHAR[])");
  EXPECT_EQ(TypeToDuckDb(Parse("MAP<STRING, DECIMAL(9,2)>").value()),
            "MAP(VARCHAR, DECIMAL(9, 2))");
}

}  // namespace
}  // namespace tarn::sql
