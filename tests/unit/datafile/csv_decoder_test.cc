#include "tarn/datafile/csv_decoder.h"

#include <gtest/gtest.h>

#include <arrow/record_batch.h>

#include "tarn/datafile/infer.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using Rows = std::vector<std::string>;

Rows Decode(const std::string& ddl, const Rows& names, std::string_view text, Rows* bad,
            bool inferred = false) {
  const Schema schema = *ParseColumns(ddl);
  auto decoder =
      CsvDecoder::Make(schema, {',', std::vector<bool>(schema.fields.size(), inferred), 100});
  EXPECT_OK(decoder);
  EXPECT_OK((*decoder)->SetHeader(names));
  auto decoded = (*decoder)->Decode(text);
  EXPECT_OK(decoded);
  EXPECT_TRUE(decoded->batch->ValidateFull().ok());
  bad->clear();
  for (const BadRow& row : decoded->bad_rows) {
    bad->push_back(std::to_string(row.line) + ": " + row.ToText() + " <" + row.raw + ">");
  }
  Rows rows;
  for (int64_t row = 0; row < decoded->batch->num_rows(); ++row) {
    std::string line;
    for (int i = 0; i < decoded->batch->num_columns(); ++i) {
      line += (i > 0 ? "|" : "") + testing::CellText(*decoded->batch->column(i), row);
    }
    rows.push_back(line);
  }
  return rows;
}

TEST(CsvDecoderTest, ReadsTypesByName) {
  Rows bad;
  EXPECT_EQ(
      Decode("id bigint, x double, m decimal(5,2), b boolean, s string, gone date",
             {"s", "ID", "x", "m", "b", "new"},
             "\"a\nb\",+007,NaN,1.5,TRUE,?\n\"\",1,-0.0,,false,\n,,Infinity,0.10,,\n", &bad),
      (Rows{"7|nan|1.50|true|a\nb|NULL", "1|-0|NULL|false||NULL", "NULL|inf|0.10|NULL|NULL|NULL"}));
  EXPECT_EQ(bad, Rows{});
}

TEST(CsvDecoderTest, NamesTheLineTheColumnAndTheBytes) {
  Rows bad;
  EXPECT_EQ(Decode("id bigint, s string", {"id", "s"},
                   "1,\"two\nlines\"\nseven,x\r\n1,2,3\n4,\xFF\n5,ok\n6\n", &bad),
            (Rows{"1|two\nlines", "5|ok"}));
  EXPECT_EQ(bad, (Rows{"3: column id: expected int64, got string \"seven\" <seven,x>",
                       "4: expected 2 fields, got 3 <1,2,3>", "5: invalid UTF-8 <4,\xFF>",
                       "7: expected 2 fields, got 1 <6>"}));
}

TEST(CsvDecoderTest, InferredColumnsTakeOnlyWhatInferenceSaw) {
  Rows bad;
  EXPECT_EQ(Decode("a bigint, b double", {"a", "b"}, "1,1.5\n007,1\n1.0,2\n2,2e3\n", &bad, true),
            (Rows{"1|1.5", "2|2000"}));
  EXPECT_EQ(bad.size(), 2u);
}

TEST(CsvDecoderTest, HeadersMustBeClear) {
  ASSERT_OK_AND_ASSIGN(const CsvHeader header, ReadCsvHeader("\n\"id\",\"a\nb\"\r\n1,2\n", ','));
  EXPECT_EQ(header.names, (Rows{"id", "a\nb"}));
  EXPECT_EQ(header.lines, 3);
  EXPECT_EQ(header.bytes, 13u);
  EXPECT_ERROR(ReadCsvHeader("id,,b\n", ','), ErrorCode::kInvalid);
  EXPECT_ERROR(ReadCsvHeader("id,id\n", ','), ErrorCode::kInvalid);
  EXPECT_EQ(CsvNamesByPosition("1,2,3\n", ','), (Rows{"column0", "column1", "column2"}));
  auto decoder = CsvDecoder::Make(*ParseColumns("id bigint not null, n bigint"), {});
  ASSERT_OK(decoder);
  EXPECT_ERROR((*decoder)->SetHeader({"id", "ID"}), ErrorCode::kInvalid);
  EXPECT_ERROR((*decoder)->SetHeader({"n"}), ErrorCode::kInvalid);
  ASSERT_OK((*decoder)->SetHeader({"id", "other"}));
  EXPECT_EQ((*decoder)->unknown_names(), Rows{"other"});
  EXPECT_ERROR(CsvDecoder::Make(*ParseColumns("l array<bigint>"), {}), ErrorCode::kUnsupported);
}

TEST(ObserveCsvTest, SeesTypes) {
  ObservedText observed =
      ObserveCsv("1,007,a,1.5,2026-01-01,true,\n2,8,\"\",NaN,2026-01-02T00:00:00Z,FALSE,\n",
                 {"i", "code", "s", "f", "t", "b", "none"}, ',');
  EXPECT_EQ(observed.lines, 2);
  InferOptions options;
  options.mixed = MixedKinds::kText;
  ASSERT_OK_AND_ASSIGN(const InferredSchema schema, MakeSchema(observed.root, options));
  EXPECT_EQ(SchemaToDdl(schema.schema),
            "i: int64, code: string, s: string, f: double, t: timestamp, b: boolean");
  EXPECT_EQ(schema.without_values, Rows{"none"});
}

}  // namespace
}  // namespace tarn
