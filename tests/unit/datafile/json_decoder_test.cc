#include "tarn/datafile/json_decoder.h"

#include <gtest/gtest.h>

#include <arrow/record_batch.h>

#include "tarn/datafile/text_source_blocks.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using Rows = std::vector<std::string>;

struct Outcome {
  Rows rows;
  Rows bad;
  std::vector<int32_t> lines;
  Rows unknown;
  int64_t line_count = 0;
};

Outcome Decode(const Schema& schema, std::string_view text, bool inferred = false) {
  auto decoder = JsonDecoder::Make(
      schema, {std::vector<bool>(schema.fields.size(), inferred), /*bad_rows_max=*/100});
  EXPECT_OK(decoder);
  const TextBlock block = TextBlock::Of(text);
  auto decoded = (*decoder)->Decode(block.text());
  EXPECT_OK(decoded);
  EXPECT_TRUE(decoded->batch->ValidateFull().ok()) << decoded->batch->ValidateFull().ToString();
  Outcome outcome;
  for (int64_t row = 0; row < decoded->batch->num_rows(); ++row) {
    std::string line;
    for (int i = 0; i < decoded->batch->num_columns(); ++i) {
      line += (i > 0 ? "|" : "") + testing::CellText(*decoded->batch->column(i), row);
    }
    outcome.rows.push_back(line);
  }
  for (const BadRow& bad : decoded->bad_rows) {
    outcome.bad.push_back(std::to_string(bad.line) + ": " + bad.ToText());
  }
  for (const UnknownColumn& column : decoded->unknown_columns) {
    outcome.unknown.push_back(column.path + "@" + std::to_string(column.line));
  }
  outcome.lines = decoded->row_lines;
  outcome.line_count = decoded->lines;
  return outcome;
}

Outcome Decode(const std::string& ddl, std::string_view text, bool inferred = false) {
  return Decode(*ParseColumns(ddl), text, inferred);
}

TEST(JsonDecoderTest, ReadsEveryKindOfScalar) {
  const Outcome outcome = Decode(
      "b boolean, i8 tinyint, i bigint, f float, d double, m decimal(5,2), day date, t timestamp, "
      "s "
      "string, x binary, u uuid",
      R"({"b":true,"i8":-128,"i":42,"f":0.5,"d":-0.25,"m":"12.5","day":"2026-11-30",)"
      R"("t":"1970-01-01T05:30:00+05:30","s":"a\"b\u00e9\ud83d\ude00\n","x":"AfQ=",)"
      R"("u":"00000000-0000-0000-0000-000000000001"})"
      "\n");
  EXPECT_EQ(outcome.bad, Rows{});
  ASSERT_EQ(outcome.rows.size(), 1u);
  EXPECT_TRUE(
      outcome.rows[0].starts_with("true|-128|42|0.5|-0.25|12.50|2026-11-30|1970-01-01 "
                                  "00:00:00"))
      << outcome.rows[0];
  EXPECT_NE(outcome.rows[0].find("a\"bé😀\n"), std::string::npos);
}

TEST(JsonDecoderTest, LinesAreCountedAndBlankOnesPassedOver) {
  const Outcome outcome = Decode("id bigint", "{\"id\":1}\r\n\r\n  \n{\"id\":2}\n\n{\"id\":3}");
  EXPECT_EQ(outcome.rows, (Rows{"1", "2", "3"}));
  EXPECT_EQ(outcome.lines, (std::vector<int32_t>{1, 4, 6}));
  EXPECT_EQ(outcome.line_count, 6);
}

TEST(JsonDecoderTest, NumbersCountByValueAndExactly) {
  const Outcome outcome = Decode("id bigint",
                                 "{\"id\":9007199254740993}\n{\"id\":9223372036854775807}\n"
                                 "{\"id\":-9223372036854775808}\n{\"id\":9223372036854775808}\n"
                                 "{\"id\":18446744073709551615}\n{\"id\":1e3}\n{\"id\":1.0}\n"
                                 "{\"id\":1.5}\n{\"id\":\"12\"}\n{\"id\":\"x\"}\n");
  EXPECT_EQ(outcome.rows, (Rows{"9007199254740993", "9223372036854775807", "-9223372036854775808",
                                "1000", "1", "12"}));
  EXPECT_EQ(outcome.bad,
            (Rows{"4: column id: expected int64, got 9223372036854775808: out of range",
                  "5: column id: expected int64, got 18446744073709551615: out of range",
                  "8: column id: expected int64, got 1.5: not an integer",
                  "10: column id: expected int64, got string \"x\""}));
}

TEST(JsonDecoderTest, InferredColumnsTakeOnlyWhatInferenceSaw) {
  const Outcome outcome = Decode("id bigint, x double",
                                 "{\"id\":1,\"x\":1.5}\n{\"id\":1.0}\n{\"id\":\"1\"}\n"
                                 "{\"x\":3}\n{\"x\":9007199254740993}\n",
                                 /*inferred=*/true);
  EXPECT_EQ(outcome.rows, (Rows{"1|1.5", "NULL|3"}));
  EXPECT_EQ(outcome.bad.size(), 3u);
}

TEST(JsonDecoderTest, NullMissingAndEmptyStayApart) {
  const Outcome outcome = Decode(
      "tags array<string>, o struct<x: bigint, y: array<array<bigint>>>, m map<string, bigint>",
      "{\"tags\":null,\"o\":null,\"m\":null}\n{\"tags\":[],\"o\":{},\"m\":{}}\n{}\n"
      "{\"tags\":[\"a\",null],\"o\":{\"y\":[[1],[]]},\"m\":{\"k\":1,\"l\":null}}\n");
  EXPECT_EQ(outcome.bad, Rows{});
  ASSERT_EQ(outcome.rows.size(), 4u);
  EXPECT_EQ(outcome.rows[0], "NULL|NULL|NULL");
  EXPECT_EQ(outcome.rows[2], "NULL|NULL|NULL");
  EXPECT_EQ(outcome.rows[1].find("NULL"), std::string::npos) << outcome.rows[1];
}

TEST(JsonDecoderTest, ABadRowLeavesNoTrace) {
  const Outcome outcome =
      Decode("a bigint, o struct<s: string, l: array<struct<n: bigint>>>, z string",
             "{\"a\":1,\"o\":{\"s\":\"x\",\"l\":[{\"n\":1}]},\"z\":\"1\"}\n"
             "{\"a\":2,\"o\":{\"s\":\"y\",\"l\":[{\"n\":1},{\"n\":\"bad\"}]},\"z\":\"2\"}\n"
             "{\"z\":\"3\",\"o\":{\"l\":[{\"n\":7}],\"s\":\"w\"},\"a\":3}\n");
  EXPECT_EQ(outcome.bad, Rows{"2: column o.l.element.n: expected int64, got string \"bad\""});
  ASSERT_EQ(outcome.rows.size(), 2u);
  EXPECT_TRUE(outcome.rows[1].starts_with("3|"));
  EXPECT_TRUE(outcome.rows[1].ends_with("|3"));
}

TEST(JsonDecoderTest, NamesMatchExactlyThenIgnoringCase) {
  const Outcome outcome = Decode("Status string, n bigint",
                                 "{\"Status\":\"a\",\"n\":1}\n{\"status\":\"b\",\"N\":2}\n"
                                 "{\"Status\":\"x\",\"status\":\"y\"}\n{\"n\":1,\"n\":2}\n"
                                 "{\"\\u0053tatus\":\"c\"}\n");
  EXPECT_EQ(outcome.rows, (Rows{"a|1", "b|2", "c|NULL"}));
  EXPECT_EQ(outcome.bad,
            (Rows{"3: column Status: ambiguous: two members of the object mean this column, the "
                  "second is \"status\"",
                  "4: column n: the object has \"n\" twice"}));
  // Columns that differ by case are told apart when both are there.
  Schema both = *ParseColumns("id bigint, id2 bigint");
  both.fields[1].name = "ID";
  EXPECT_EQ(Decode(both, "{\"ID\":1,\"id\":2}\n").rows, Rows{"2|1"});
}

TEST(JsonDecoderTest, UnknownMembersAreReported) {
  const Outcome outcome = Decode("a bigint, o struct<x: bigint>",
                                 "{\"a\":1}\n{\"a\":2,\"extra\":{\"deep\":[1,{\"b\":null}]}}\n"
                                 "{\"o\":{\"x\":1,\"new\":2},\"extra\":1}\n");
  EXPECT_EQ(outcome.rows.size(), 3u);
  EXPECT_EQ(outcome.unknown, (Rows{"extra@2", "o.new@3"}));
}

TEST(JsonDecoderTest, BrokenLinesAreToldOneByOne) {
  const Outcome outcome = Decode(
      "id bigint, name string",
      "{\"id\":1,\"name\":\"Ana\"}\r\n{\"id\":2,\"name\":\"Bo\"\r\n\r\n"
      "{\"id\":3,\"name\":\"C\xFF\xFE\"}\r\n{\"id\":4}\r\n[1,2,3]\r\n"
      "{\"id\":5,\"name\":\"E\\u0000F\"}\r\n{\"id\":6,\"name\":}\r\n{\"id\":7,\"name\":\"last\"}");
  EXPECT_EQ(outcome.lines, (std::vector<int32_t>{1, 5, 7, 9}));
  ASSERT_EQ(outcome.bad.size(), 4u);
  EXPECT_EQ(outcome.bad[0], "2: invalid JSON: the line is cut off");
  EXPECT_EQ(outcome.bad[1], "4: invalid JSON: invalid UTF-8");
  EXPECT_EQ(outcome.bad[2], "6: expected an object, got list");
  EXPECT_EQ(outcome.bad[3], "8: invalid JSON: unexpected '}'");
  EXPECT_EQ(outcome.rows[2], std::string("5|E\0F", 5));
}

TEST(JsonDecoderTest, WhatIsNoJsonIsRefused) {
  for (const char* line : {"{\"a\":1} x",
                           "{\"a\":1}{\"a\":2}",
                           "{\"a\":01}",
                           "{\"a\":1.}",
                           "{\"a\":.5}",
                           "{\"a\":+1}",
                           "{\"a\":1,}",
                           "{\"a\" 1}",
                           "{a:1}",
                           "{\"a\":nul}",
                           "{\"a\":nulll}",
                           "{\"a\":tru}",
                           "{,}",
                           "{\"a\":1 2}",
                           "{\"s\":\"abc\"def}",
                           "{\"s\":\"abc}",
                           "{\"s\":\"\\x\"}",
                           "{\"s\":\"\\u12\"}",
                           "{\"s\":\"\\ud800\"}",
                           "{\"s\":\"\\ud800\\u0041\"}",
                           "{\"s\":\"\t\"}",
                           "{\"a\":1]",
                           "[{\"a\":1}]",
                           "\"a\"",
                           "1",
                           "null",
                           "{",
                           "}",
                           "{\"u\":[1,}",
                           "{\"u\":{\"k\":1,}}",
                           "{\"u\":[1 2]}",
                           "{\"u\":[}",
                           "{\"u\":{]}",
                           "{\"u\":\"x\" \"y\"}",
                           "{\"a\":1\x01}"}) {
    const Outcome outcome = Decode("a bigint, s string", std::string(line) + "\n{\"a\":7}\n");
    EXPECT_EQ(outcome.rows, Rows{"7|NULL"}) << line;
    EXPECT_EQ(outcome.bad.size(), 1u) << line;
  }
  // NULs are no white space.
  EXPECT_EQ(Decode("a bigint", std::string_view("{\"a\":1\0}\n", 9)).bad.size(), 1u);
  // An object may not go on in the next line.
  const Outcome split = Decode("a bigint, s string", "{\"a\":1,\n\"s\":\"x\"}\n{\"a\":2}\n");
  EXPECT_EQ(split.rows, Rows{"2|NULL"});
  EXPECT_EQ(split.bad.size(), 2u);
}

TEST(JsonDecoderTest, RequiredColumnsMustBeThere) {
  const Outcome outcome = Decode("a bigint not null", "{\"a\":1}\n{\"a\":null}\n{}\n");
  EXPECT_EQ(outcome.bad, (Rows{"2: column a: NULL in a column that is NOT NULL",
                               "3: column a: missing, but the column is NOT NULL"}));
}

TEST(JsonDecoderTest, ManyBlocksThroughOneDecoder) {
  auto decoder = JsonDecoder::Make(*ParseColumns("id bigint, s string"), {});
  ASSERT_OK(decoder);
  std::string text;
  for (int i = 0; i < 20'000; ++i) {  // several pieces of the index
    text += "{\"id\":" + std::to_string(i) + ",\"s\":\"" +
            std::string(static_cast<size_t>(i % 50), 'x') + "\"}\n";
  }
  const TextBlock block = TextBlock::Of(text);
  for (int round = 0; round < 3; ++round) {
    auto decoded = (*decoder)->Decode(block.text());
    ASSERT_OK(decoded);
    ASSERT_EQ(decoded->batch->num_rows(), 20'000);
    EXPECT_TRUE(decoded->batch->ValidateFull().ok());
    EXPECT_EQ(testing::CellText(*decoded->batch->column(0), 19'999), "19999");
    EXPECT_EQ(decoded->row_lines.back(), 20'000);
  }
}

TEST(JsonDecoderTest, MapsRefuseKeysTwice) {
  std::string many = "{\"m\":{";
  for (int i = 0; i < 40; ++i) many += "\"k" + std::to_string(i) + "\":1,";
  const Outcome outcome =
      Decode("m map<string, bigint>", many + "\"k3\":2}}\n" + many + "\"z\":2}}\n");
  EXPECT_EQ(outcome.bad, Rows{"1: column m: the object has \"k3\" twice"});
  EXPECT_EQ(outcome.rows.size(), 1u);
}

TEST(JsonDecoderTest, MapsNeedStringsAsKeys) {
  EXPECT_ERROR(JsonDecoder::Make(*ParseColumns("m map<bigint, string>"), {}),
               ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn
