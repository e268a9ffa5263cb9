#include "tarn/format/delta/invariants.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tarn/format/delta/schema_json.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A schema as a log spells it; `%` stands for an invariant's metadata.
Schema SchemaOf(std::string json, const std::string& sql) {
  const std::string invariant =
      R"({"delta.invariants":"{\"expression\": {\"expression\": \")" + sql + R"(\"} }"})";
  const size_t at = json.find('%');
  if (at != std::string::npos) json.replace(at, 1, invariant);
  Result<Schema> schema = SchemaFromJson(json, {}, ColumnMapping::kNone);
  EXPECT_OK(schema);
  return *std::move(schema);
}

// The example of the specification.
TEST(ColumnInvariants, AreReadFromTheSchema) {
  const Schema schema = SchemaOf(
      R"({"type":"struct","fields":[{"name":"x","type":"integer","nullable":true,"metadata":%}]})",
      "x > 3");
  ASSERT_OK_AND_ASSIGN(const auto invariants, ColumnInvariants(schema));
  EXPECT_THAT(invariants, ElementsAre(CheckConstraint{"invariant of x", "x > 3"}));
}

TEST(ColumnInvariants, OfMembersOfStructs) {
  const Schema schema =
      SchemaOf(R"({"type":"struct","fields":[{"name":"s","type":{"type":"struct","fields":[)"
               R"({"name":"x","type":"integer","nullable":true,"metadata":%}]},)"
               R"("nullable":true,"metadata":{}}]})",
               "s.x > 3");
  ASSERT_OK_AND_ASSIGN(const auto invariants, ColumnInvariants(schema));
  EXPECT_THAT(invariants, ElementsAre(CheckConstraint{"invariant of s.x", "s.x > 3"}));
}

TEST(ColumnInvariants, NoneAreNone) {
  const Schema schema = SchemaOf(
      R"({"type":"struct","fields":[{"name":"x","type":"integer","nullable":true,"metadata":{}}]})",
      "");
  ASSERT_OK_AND_ASSIGN(const auto invariants, ColumnInvariants(schema));
  EXPECT_TRUE(invariants.empty());
}

TEST(ColumnInvariants, InsideAListTheyAreRefused) {
  const Schema schema = SchemaOf(
      R"({"type":"struct","fields":[{"name":"l","type":{"type":"array","elementType":)"
      R"({"type":"struct","fields":[{"name":"x","type":"integer","nullable":true,"metadata":%}]},)"
      R"("containsNull":true},"nullable":true,"metadata":{}}]})",
      "x > 3");
  const auto refused = ColumnInvariants(schema);
  EXPECT_ERROR(refused, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("'l.element.x'"));
}

TEST(ColumnInvariants, WhatIsNoSuchTextIsRefused) {
  for (const char* annotation : {"1", "\"x > 3\"", "\"{}\"", R"("{\"expression\":{}}")",
                                 R"("{\"expression\":{\"expression\":1}}")", "{}", "\"\""}) {
    Schema schema;
    schema.fields.push_back({1, "x", Type::Of(TypeKind::kInt32)});
    schema.fields[0].annotations["delta.invariants"] = annotation;
    const auto refused = ColumnInvariants(schema);
    EXPECT_ERROR(refused, ErrorCode::kUnsupported);
    EXPECT_THAT(refused.error().message, HasSubstr("'x'")) << annotation;
  }
}

}  // namespace
}  // namespace tarn::delta
