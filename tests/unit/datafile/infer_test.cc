#include "tarn/datafile/infer.h"

#include <gtest/gtest.h>

#include "tarn/datafile/infer_json.h"
#include "tarn/datafile/text_source_blocks.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

ObservedText Observe(std::string_view text) { return ObserveJson(TextBlock::Of(text).text()); }

std::string Infer(std::string_view text, InferOptions options = {}) {
  options.sources = {"a.jsonl"};
  ColumnEvidence root;
  root.Merge(Observe(text).root, 0, 0);
  const Result<InferredSchema> schema = MakeSchema(root, options);
  return schema.ok() ? SchemaToDdl(schema->schema) : schema.error().message;
}

TEST(InferTest, FindsTypesInOrderOfAppearance) {
  EXPECT_EQ(Infer(R"({"z":null,"a":1,"s":"x","b":true,"f":1.5,"d":"2026-01-01"}
{"z":[1],"l":[],"o":{"p":{"q":1}},"t":"2026-01-01T00:00:00+01:00"})"),
            "z: list<int64>, a: int64, s: string, b: boolean, f: double, d: date, l: list<string>, "
            "o: struct<p: struct<q: int64>>, t: timestamp");
}

TEST(InferTest, NumbersWidenExactly) {
  EXPECT_EQ(Infer("{\"a\":1}\n{\"a\":9223372036854775808}"), "a: decimal(20,0)");
  EXPECT_EQ(Infer("{\"a\":18446744073709551615}"), "a: decimal(20,0)");
  EXPECT_EQ(Infer("{\"a\":123456789012345678901234567890}"), "a: decimal(38,0)");
  EXPECT_EQ(Infer("{\"a\":1}\n{\"a\":1.0}"), "a: double");
  EXPECT_EQ(Infer("{\"a\":1.5}\n{\"a\":9007199254740993}"),
            "a.jsonl:2: column a: number 9007199254740993 is no exact double, and others have "
            "fractions; declare the column as decimal, or as double to let it round");
  EXPECT_TRUE(Infer("{\"a\":1" + std::string(40, '0') + "}").starts_with("a.jsonl:1: column a:"));
}

TEST(InferTest, TimesNeedEveryValue) {
  EXPECT_EQ(Infer("{\"t\":\"2026-01-01\"}\n{\"t\":\"2026-01-01 10:00:00\"}"), "t: timestamp");
  EXPECT_EQ(Infer("{\"t\":\"2026-01-01\"}\n{\"t\":\"2026-02-30\"}"), "t: string");
  EXPECT_EQ(Infer("{\"t\":\"2026-01-01\"}", {.times = false}), "t: string");
}

TEST(InferTest, EmptyObjectsStayTellable) {
  EXPECT_EQ(Infer("{\"o\":{}}\n{\"o\":null}"), "o: map<string, string>");
  EXPECT_EQ(Infer("{\"o\":{}}\n{\"o\":{\"x\":1}}"), "o: struct<x: int64>");
}

TEST(InferTest, MixedKindsNameBothPlaces) {
  EXPECT_EQ(Infer("{\"v\":7}\n\n{\"v\":\"seven\"}"),
            "a.jsonl:3: column v: expected int64 as at a.jsonl:1 (number 7), got string \"seven\"");
  EXPECT_EQ(Infer("{\"o\":{\"x\":[]}}\n{\"o\":{\"x\":{}}}"),
            "a.jsonl:2: column o.x: expected list as at a.jsonl:1 (list), got object");
  EXPECT_EQ(Infer("{\"v\":7}\n{\"v\":\"seven\"}", {.mixed = MixedKinds::kText}), "v: string");
  EXPECT_EQ(Infer("{\"V\":7}\n{\"v\":\"seven\"}", {.known = {"v"}}), "V: string");
}

TEST(InferTest, NamesThatDifferByCase) {
  const std::string apart = "{\"Status\":1}\n{\"status\":2}\n";
  const std::string together = apart + "{\"status\":3,\"Status\":4}\n";
  const InferOptions keep{.variants = NameVariants::kKeepApart};
  EXPECT_EQ(Infer(apart), "Status: int64");
  EXPECT_EQ(Infer(apart, keep), "Status: int64");
  EXPECT_EQ(Infer(together, keep), "Status: int64, status: int64");
}

TEST(InferTest, ColumnsWithoutValuesAreLeftOut) {
  const Result<InferredSchema> schema =
      MakeSchema(Observe("{\"a\":null,\"o\":{\"x\":1,\"y\":null}}").root, {});
  ASSERT_OK(schema);
  EXPECT_EQ(SchemaToDdl(schema->schema), "o: struct<x: int64>");
  EXPECT_EQ(schema->without_values, (std::vector<std::string>{"a", "o.y"}));
}

TEST(InferTest, PartsMergeAsTheWhole) {
  const std::string first = "{\"a\":1,\"o\":{\"x\":1}}\n{\"a\":2}\n";
  const std::string second = "{\"b\":[1],\"o\":{\"y\":\"s\"}}\n{\"a\":2.5,\"b\":[null,2.5]}\n";
  ColumnEvidence parts, whole;
  parts.Merge(Observe(first).root, 0, 0);
  parts.Merge(Observe(second).root, 0, 2);
  whole.Merge(Observe(first + second).root, 0, 0);
  ASSERT_OK_AND_ASSIGN(const InferredSchema a, MakeSchema(parts, {}));
  ASSERT_OK_AND_ASSIGN(const InferredSchema b, MakeSchema(whole, {}));
  EXPECT_EQ(a.schema, b.schema);
  EXPECT_EQ(SchemaToDdl(a.schema), "a: double, o: struct<x: int64, y: string>, b: list<double>");
}

}  // namespace
}  // namespace tarn
