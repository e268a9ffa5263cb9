#include "tarn/format/delta/type_changes.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

Schema MakeSchema(std::string_view ddl) {
  Result<Schema> schema = ParseColumns(ddl);
  EXPECT_OK(schema);
  return AssignFreshIds(*std::move(schema));
}

std::string Recorded(const Schema& schema, std::string_view column) {
  const Field* field = schema.FindByPath(column);
  const auto found = field->annotations.find("delta.typeChanges");
  return found == field->annotations.end() ? "" : found->second;
}

TEST(RecordTypeChanges, RecordsAtTheNearestStructField) {
  const Schema before =
      MakeSchema("a int, l array<int>, m map<int, array<float>>, s struct<x: date>");
  Schema after = MakeSchema(
      "a bigint, l array<bigint>, m map<bigint, array<double>>, s struct<x: timestamp_ntz>");
  ASSERT_OK(RecordTypeChanges(before, after, true));
  EXPECT_EQ(Recorded(after, "a"), R"([{"fromType":"integer","toType":"long"}])");
  EXPECT_EQ(Recorded(after, "l"),
            R"([{"fieldPath":"element","fromType":"integer","toType":"long"}])");
  EXPECT_EQ(Recorded(after, "m"),
            R"([{"fieldPath":"key","fromType":"integer","toType":"long"},)"
            R"({"fieldPath":"value.element","fromType":"float","toType":"double"}])");
  EXPECT_EQ(Recorded(after, "s"), "");
  EXPECT_EQ(Recorded(after, "s.x"), R"([{"fromType":"date","toType":"timestamp_ntz"}])");
}

TEST(RecordTypeChanges, KeepsEarlierChanges) {
  const Schema before = MakeSchema("a int");
  Schema after = MakeSchema("a bigint");
  after.fields[0].annotations["delta.typeChanges"] = R"([{"fromType":"short","toType":"integer"}])";
  ASSERT_OK(RecordTypeChanges(before, after, true));
  EXPECT_EQ(Recorded(after, "a"),
            R"([{"fromType":"short","toType":"integer"},{"fromType":"integer","toType":"long"}])");
}

TEST(RecordTypeChanges, KnowsDeltasTable) {
  const auto change = [](std::string_view from, std::string_view to) {
    Schema after = MakeSchema("a " + std::string(to));
    return RecordTypeChanges(MakeSchema("a " + std::string(from)), after, true);
  };
  EXPECT_OK(change("int", "decimal(12,2)"));
  EXPECT_OK(change("bigint", "decimal(20,0)"));
  EXPECT_OK(change("decimal(10,2)", "decimal(12,4)"));
  EXPECT_OK(change("int", "double"));
  EXPECT_ERROR(change("int", "decimal(11,2)"), ErrorCode::kUnsupported);
  EXPECT_ERROR(change("bigint", "double"), ErrorCode::kUnsupported);
  EXPECT_ERROR(change("bigint", "int"), ErrorCode::kUnsupported);
  EXPECT_ERROR(change("decimal(10,2)", "decimal(11,4)"), ErrorCode::kUnsupported);
  EXPECT_ERROR(change("string", "int"), ErrorCode::kUnsupported);
  EXPECT_ERROR(change("int", "struct<x: int>"), ErrorCode::kUnsupported);
}

TEST(RecordTypeChanges, AsksForThePropertyFirst) {
  Schema after = MakeSchema("a bigint");
  const Status status = RecordTypeChanges(MakeSchema("a int"), after, false);
  EXPECT_ERROR(status, ErrorCode::kUnsupported);
  EXPECT_NE(status.error().message.find("delta.enableTypeWidening"), std::string::npos);
  Schema same = MakeSchema("a int, b string");
  EXPECT_OK(RecordTypeChanges(MakeSchema("a int"), same, false));
}

TEST(RecordTypeChanges, LetsAColumnWithoutATypeBecomeAnything) {
  Schema before = MakeSchema("a int");
  before.fields[0].type = Type::Of(TypeKind::kVoid);
  Schema after = MakeSchema("a string");
  ASSERT_OK(RecordTypeChanges(before, after, false));
  EXPECT_EQ(Recorded(after, "a"), "");
}

}  // namespace
}  // namespace tarn::delta
