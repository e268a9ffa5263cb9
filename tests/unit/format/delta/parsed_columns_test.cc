#include "tarn/format/delta/parsed_columns.h"

#include <gtest/gtest.h>

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/pretty_print.h>
#include <arrow/type.h>

#include <sstream>
#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

// The scalar of fields()[index] for `file`, as Arrow prints it.
std::string Parsed(const ParsedColumns& columns, size_t index, const AddFile& file) {
  std::unique_ptr<arrow::ArrayBuilder> builder;
  EXPECT_TRUE(
      arrow::MakeBuilder(arrow::default_memory_pool(), columns.fields()[index]->type(), &builder)
          .ok());
  EXPECT_OK(columns.Append(index, file, *builder));
  std::shared_ptr<arrow::Array> array;
  EXPECT_TRUE(builder->Finish(&array).ok());
  EXPECT_EQ(array->length(), 1);
  return (*array->GetScalar(0))->ToString();
}

ParsedColumns Make(std::string_view ddl, const std::vector<std::string>& partition) {
  TableMetadata metadata;
  Result<Schema> schema = ParseColumns(ddl);
  EXPECT_OK(schema);
  metadata.schema = AssignFreshIds(*std::move(schema));
  metadata.specs = {*IdentitySpec(metadata.schema, partition)};
  Result<ParsedColumns> columns = ParsedColumns::Make(metadata);
  EXPECT_OK(columns);
  return *std::move(columns);
}

TEST(ParsedColumns, HaveTheTypesOfTheTable) {
  const ParsedColumns columns =
      Make("p date, a bigint, b boolean, s struct<x: decimal(10,2), l array<int>>", {"p"});
  ASSERT_EQ(columns.fields().size(), 2u);
  EXPECT_EQ(columns.fields()[0]->ToString(), "partitionValues_parsed: struct<p: date32[day]>");
  EXPECT_EQ(columns.fields()[1]->ToString(),
            "stats_parsed: struct<numRecords: int64, tightBounds: bool, "
            "minValues: struct<a: int64, s: struct<x: decimal128(10, 2)>>, "
            "maxValues: struct<a: int64, s: struct<x: decimal128(10, 2)>>, "
            "nullCount: struct<a: int64, b: int64, s: struct<x: int64, l: int64>>>");
  EXPECT_EQ(Make("a int", {}).fields().size(), 1u);
}

TEST(ParsedColumns, ParseExactly) {
  const ParsedColumns columns =
      Make("p int, a bigint, c decimal(38,2), t timestamp, d double, n string, f float", {"p"});
  AddFile file;
  file.partition_values = {{"p", "7"}};
  file.stats =
      R"({"numRecords":2,"minValues":{"n":"a\"é","a":9007199254740993,)"
      R"("c":11000000000000000000.19,"t":"2026-08-10T20:04:53.080758Z","d":-1.5e300,"f":0.5}})";
  EXPECT_EQ(Parsed(columns, 0, file), "{p:int32 = 7}");
  const std::string stats = Parsed(columns, 1, file);
  EXPECT_NE(stats.find("numRecords:int64 = 2"), std::string::npos) << stats;
  EXPECT_NE(stats.find("a:int64 = 9007199254740993"), std::string::npos) << stats;
  EXPECT_NE(stats.find("11000000000000000000.19"), std::string::npos) << stats;
  EXPECT_NE(stats.find("2026-08-10 20:04:53.080758"), std::string::npos) << stats;
  EXPECT_NE(stats.find("a\"é"), std::string::npos) << stats;
  EXPECT_NE(stats.find("maxValues:struct<"), std::string::npos) << stats;
}

TEST(ParsedColumns, WhatCannotBeParsedIsNull) {
  const ParsedColumns columns = Make("p int, a int", {"p"});
  AddFile file;
  file.partition_values = {{"p", "seven"}};
  EXPECT_EQ(Parsed(columns, 0, file), "{p:int32 = null}");
  EXPECT_EQ(Parsed(columns, 1, file), "null");
  file.stats = "not json";
  EXPECT_EQ(Parsed(columns, 1, file), "null");
  file.stats = R"({"numRecords":1,"minValues":{"a":"x"},"maxValues":7})";
  const std::string stats = Parsed(columns, 1, file);
  EXPECT_NE(stats.find("numRecords:int64 = 1"), std::string::npos) << stats;
  EXPECT_NE(stats.find("a:int32 = null"), std::string::npos) << stats;
}

}  // namespace
}  // namespace tarn::delta
