#include "tarn/datafile/avro_encoder_internal.h"

#include <gtest/gtest.h>

#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include "tests/support/avro_bytes.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::AvroLong;
using testing::AvroText;

std::shared_ptr<arrow::RecordBatch> Batch(const std::vector<std::shared_ptr<arrow::Field>>& fields,
                                          const std::string& rows) {
  const auto structs = *arrow::json::ArrayFromJSONString(arrow::struct_(fields), rows);
  return arrow::RecordBatch::Make(arrow::schema(fields), structs->length(),
                                  static_cast<const arrow::StructArray&>(*structs).fields());
}

std::string EncodedBatch(const std::string& fields, const arrow::RecordBatch& batch) {
  auto encoder = AvroEncoder::Make(
      *ParseAvroSchema(R"({"type":"record","name":"r","fields":[)" + fields + "]}"));
  if (!encoder.ok()) return "error: " + encoder.error().message;
  Status bound = (*encoder)->Bind(batch);
  if (!bound.ok()) return "error: " + bound.error().message;
  AvroBuffer out;
  const auto next = (*encoder)->Encode(0, SIZE_MAX, out);
  if (!next.ok()) return "error: " + next.error().message;
  EXPECT_EQ(*next, batch.num_rows());
  return std::string(out.view());
}

std::string Encoded(const std::string& type, const std::shared_ptr<arrow::DataType>& arrow_type,
                    const std::string& rows) {
  return EncodedBatch(R"({"name":"f","type":)" + type + "}",
                      *Batch({arrow::field("f", arrow_type)}, rows));
}

TEST(AvroEncoderTest, Values) {
  EXPECT_EQ(Encoded("\"long\"", arrow::int64(), "[[5],[-1]]"), AvroLong(5) + AvroLong(-1));
  EXPECT_EQ(Encoded("\"boolean\"", arrow::boolean(), "[[true],[false]]"),
            std::string("\x01\x00", 2));
  EXPECT_EQ(Encoded("\"float\"", arrow::float32(), "[[1.5]]"), std::string("\0\0\xC0\x3F", 4));
  EXPECT_EQ(Encoded("\"string\"", arrow::utf8(), R"([["a"],[""]])"), AvroText("a") + AvroText(""));
  EXPECT_EQ(Encoded(R"(["null","string"])", arrow::utf8(), R"([["a"],[null]])"),
            AvroLong(1) + AvroText("a") + AvroLong(0));
  EXPECT_EQ(Encoded(R"(["string","null"])", arrow::utf8(), R"([[null]])"), AvroLong(1));
  EXPECT_EQ(
      Encoded(R"({"type":"enum","name":"e","symbols":["A","B"]})", arrow::utf8(), R"([["B"]])"),
      AvroLong(1));
  EXPECT_EQ(
      Encoded(R"({"type":"array","items":"int"})", arrow::list(arrow::int32()), "[[[1,2]],[[]]]"),
      AvroLong(2) + AvroLong(1) + AvroLong(2) + AvroLong(0) + AvroLong(0));
  EXPECT_EQ(Encoded(R"({"type":"map","values":"int"})", arrow::map(arrow::utf8(), arrow::int32()),
                    R"([[[["k",1]]]])"),
            AvroLong(1) + AvroText("k") + AvroLong(1) + AvroLong(0));
}

TEST(AvroEncoderTest, Decimals) {
  const std::string text = R"({"type":"bytes","logicalType":"decimal","precision":6,"scale":2})";
  // The fewest bytes: 1.27 is 7F, 1.28 is 0080, -1.28 is 80, -1.29 is FF7F.
  EXPECT_EQ(
      Encoded(text, arrow::decimal128(6, 2), R"([["1.27"],["1.28"],["-1.28"],["-1.29"],["0.00"]])"),
      AvroText("\x7F") + AvroText(std::string("\0\x80", 2)) + AvroText("\x80") +
          AvroText("\xFF\x7F") + AvroText(std::string(1, '\0')));
  const std::string fixed =
      R"({"type":"fixed","name":"d","size":4,"logicalType":"decimal","precision":6,"scale":2})";
  EXPECT_EQ(Encoded(fixed, arrow::decimal128(6, 2), R"([["-1.29"],["9999.99"]])"),
            std::string("\xFF\xFF\xFF\x7F\x00\x0F\x42\x3F", 8));
}

TEST(AvroEncoderTest, OtherRepresentations) {
  EXPECT_EQ(Encoded("\"string\"", arrow::large_utf8(), R"([["a"]])"), AvroText("a"));
  EXPECT_EQ(Encoded("\"string\"", arrow::dictionary(arrow::int8(), arrow::utf8()), R"([["a"]])"),
            AvroText("a"));
  EXPECT_EQ(Encoded("\"long\"", arrow::int16(), "[[7]]"), AvroLong(7));
  EXPECT_EQ(Encoded(R"({"type":"long","logicalType":"timestamp-micros"})",
                    arrow::timestamp(arrow::TimeUnit::MILLI), "[[7]]"),
            AvroLong(7000));
  EXPECT_EQ(
      Encoded(R"({"type":"array","items":"int"})", arrow::large_list(arrow::int32()), "[[[1]]]"),
      AvroLong(1) + AvroLong(1) + AvroLong(0));
  // A list of pairs is taken for a map.
  const auto pairs = arrow::list(
      arrow::struct_({arrow::field("key", arrow::utf8()), arrow::field("value", arrow::int32())}));
  EXPECT_EQ(Encoded(R"({"type":"map","values":"int"})", pairs, R"([[[["k",1]]]])"),
            AvroLong(1) + AvroText("k") + AvroLong(1) + AvroLong(0));
}

TEST(AvroEncoderTest, SlicesAndNestedNulls) {
  const auto type = arrow::struct_(
      {arrow::field("x", arrow::int32()), arrow::field("l", arrow::list(arrow::utf8()))});
  const auto batch =
      Batch({arrow::field("f", type)}, R"([[[1,["a"]]],[null],[[3,["b","c"]]],[[4,[]]]])");
  const std::string schema =
      R"({"name":"f","type":["null",{"type":"record","name":"s","fields":[)"
      R"({"name":"l","type":{"type":"array","items":"string"}},{"name":"x","type":"int"}]}]})";
  const std::string third =
      AvroLong(1) + AvroLong(2) + AvroText("b") + AvroText("c") + AvroLong(0) + AvroLong(3);
  EXPECT_EQ(EncodedBatch(schema, *batch->Slice(1, 2)), AvroLong(0) + third);
}

TEST(AvroEncoderTest, UnionsOfSeveralTypes) {
  const auto type = arrow::struct_(
      {arrow::field("member0", arrow::int32()), arrow::field("member1", arrow::utf8())});
  const std::string schema = R"(["int","null","string"])";
  EXPECT_EQ(Encoded(schema, type, R"([[[7,null]],[null],[[null,"x"]]])"),
            AvroLong(0) + AvroLong(7) + AvroLong(1) + AvroLong(2) + AvroText("x"));
  EXPECT_EQ(
      Encoded(schema, type, R"([[[7,"x"]]])"),
      "error: avro: row 0 of the batch: field 'f': expected one member to be set, got several");
  EXPECT_EQ(Encoded(schema, type, R"([[[null,null]]])"),
            "error: avro: row 0 of the batch: field 'f': expected one member to be set, got none");
}

TEST(AvroEncoderTest, DefaultsOfFieldsThatTheBatchLacks) {
  const auto batch = Batch({arrow::field("a", arrow::int32())}, "[[1],[2]]");
  EXPECT_EQ(EncodedBatch(R"({"name":"n","type":"string","default":"x"},{"name":"a","type":"int"},)"
                         R"({"name":"z","type":["null","int"],"default":null})",
                         *batch),
            AvroText("x") + AvroLong(1) + AvroLong(0) + AvroText("x") + AvroLong(2) + AvroLong(0));
  EXPECT_EQ(EncodedBatch(R"({"name":"a","type":"int"},{"name":"z","type":"int"})", *batch),
            "error: avro: field 'z': the batch lacks it, and it has no default");
}

TEST(AvroEncoderTest, RefusesWhatDoesNotFit) {
  EXPECT_EQ(Encoded("\"long\"", arrow::int64(), "[[1],[null]]"),
            "error: avro: row 1 of the batch: field 'f': is required, got NULL");
  EXPECT_EQ(Encoded("\"int\"", arrow::utf8(), R"([["1"]])"),
            "error: avro: field 'f': expected int, got string");
  EXPECT_EQ(Encoded("\"float\"", arrow::float64(), "[[1]]"),
            "error: avro: field 'f': expected float, got double");
  EXPECT_EQ(Encoded(R"({"type":"enum","name":"e","symbols":["A"]})", arrow::utf8(), R"([["C"]])"),
            "error: avro: row 0 of the batch: field 'f': the enum has no symbol 'C'");
  EXPECT_EQ(
      Encoded(R"({"type":"array","items":"int"})", arrow::list(arrow::utf8()), R"([[["a"]]])"),
      "error: avro: field 'f.element': expected int, got string");
  EXPECT_EQ(EncodedBatch(
                R"({"name":"a","type":"int"})",
                *Batch({arrow::field("a", arrow::int32()), arrow::field("extra", arrow::int32())},
                       "[[1,2]]")),
            "error: avro: the schema has no field 'extra', which the batch has");
  EXPECT_EQ(Encoded("\"int\"", arrow::int64(), "[[3000000000]]").substr(0, 24),
            "error: avro: field 'f': ");
}

}  // namespace
}  // namespace tarn
