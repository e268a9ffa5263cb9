#include "tarn/datafile/avro_decoder_internal.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/datafile/avro_packer_internal.h"
#include "tests/support/avro_bytes.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::AvroLong;
using testing::AvroText;
using testing::CellText;

std::string RecordOfOne(const std::string& type) {
  return R"({"type":"record","name":"r","fields":[{"name":"f","type":)" + type + "}]}";
}

// The rows of one block, or why it is refused.
std::vector<std::string> Decoded(const std::string& writer, const std::string& reader, int64_t rows,
                                 std::string bytes) {
  const auto plan =
      MakeAvroPlan(*ParseAvroSchema(writer), *ParseAvroSchema(reader), ColumnMatch::kByName);
  if (!plan.ok()) return {"plan: " + plan.error().message};
  AvroDecoder decoder(*plan);
  const size_t size = bytes.size();
  bytes.append(AvroBuffer::kPadding, '\0');
  Status status = decoder.Begin(BytesView(bytes).substr(0, size), rows);
  if (status.ok()) status = decoder.Decode(1 << 20);
  if (!status.ok()) return {status.error().message};
  const auto batch = decoder.Finish();
  if (!batch.ok()) return {batch.error().message};
  EXPECT_TRUE((*batch)->ValidateFull().ok()) << (*batch)->ValidateFull();
  std::vector<std::string> out;
  for (int64_t row = 0; row < (*batch)->num_rows(); ++row) {
    std::string text;
    for (int i = 0; i < (*batch)->num_columns(); ++i) {
      text += (i == 0 ? "" : "|") + CellText(*(*batch)->column(i), row);
    }
    out.push_back(text);
  }
  return out;
}

std::vector<std::string> Values(const std::string& type, int64_t rows, const std::string& bytes) {
  return Decoded(RecordOfOne(type), RecordOfOne(type), rows, bytes);
}

using Rows = std::vector<std::string>;

TEST(AvroDecoderTest, Numbers) {
  EXPECT_EQ(Values("\"long\"", 3, AvroLong(0) + AvroLong(INT64_MIN) + AvroLong(INT64_MAX)),
            (Rows{"0", "-9223372036854775808", "9223372036854775807"}));
  EXPECT_EQ(Values("\"int\"", 1, AvroLong(-2147483648)), Rows{"-2147483648"});
  EXPECT_EQ(Values("\"int\"", 1, AvroLong(2147483648)),
            Rows{"field 'f', byte 0: expected int, got 2147483648"});
  EXPECT_EQ(Values("\"boolean\"", 2, std::string("\x01\x00", 2)), (Rows{"true", "false"}));
  EXPECT_EQ(Values("\"boolean\"", 1, "\x02"),
            Rows{"field 'f', byte 0: expected boolean, got byte 2"});
  EXPECT_EQ(Values("\"double\"", 1, std::string("\0\0\0\0\0\0\xF8\x3F", 8)), Rows{"1.5"});
  EXPECT_EQ(Values("\"long\"", 1, std::string(11, '\xFF')),
            Rows{"field 'f', byte 0: expected long, got a number of more than 64 bits"});
}

TEST(AvroDecoderTest, Texts) {
  const std::string longer(1000, 'x');
  EXPECT_EQ(Values("\"string\"", 3, AvroText("a") + AvroText("") + AvroText(longer)),
            (Rows{"a", "", longer}));
  EXPECT_EQ(Values("\"string\"", 1, AvroText("abc").substr(0, 3)),
            Rows{"field 'f', byte 0: expected a length within the block, got 3"});
  EXPECT_EQ(Values("\"string\"", 1, AvroLong(-1)),
            Rows{"field 'f', byte 0: expected a length within the block, got -1"});
  // Both are UTF-8 only together.
  EXPECT_EQ(Values("\"string\"", 2, AvroText("\xC3") + AvroText("\xA9")),
            Rows{"field 'f': expected text in UTF-8, got other bytes"});
  EXPECT_EQ(Values("\"string\"", 1, AvroText("\xC3\xA9")), Rows{"\xC3\xA9"});
  EXPECT_EQ(
      Values(R"({"type":"enum","name":"e","symbols":["A","B"]})", 2, AvroLong(1) + AvroLong(0)),
      (Rows{"B", "A"}));
  EXPECT_EQ(Values(R"({"type":"enum","name":"e","symbols":["A","B"]})", 1, AvroLong(2)),
            Rows{"field 'f', byte 0: expected one of 2 symbols, got symbol 2"});
}

TEST(AvroDecoderTest, Decimals) {
  const std::string decimal = R"({"type":"bytes","logicalType":"decimal","precision":4,"scale":2})";
  EXPECT_EQ(Values(decimal, 3, AvroText("\x27\x0F") + AvroText("\xD8\xF1") + AvroText("")),
            (Rows{"99.99", "-99.99", "0.00"}));
  EXPECT_EQ(Values(decimal, 1, AvroText("\x27\x10")),
            Rows{"field 'f', byte 0: expected a decimal of 4 digits, got a larger number"});
  // Twenty bytes of which four only repeat the sign.
  EXPECT_EQ(Values(decimal, 1, AvroText(std::string(19, '\xFF') + "\xFE")), Rows{"-0.02"});
  EXPECT_EQ(Values(decimal, 1, AvroText("\x01" + std::string(19, '\0'))),
            Rows{"field 'f', byte 0: expected a decimal of 4 digits, got a larger number"});
  EXPECT_EQ(Values(R"({"type":"fixed","name":"f","size":3,"logicalType":"decimal","precision":5})",
                   2, std::string("\xFF\xFF\xFF\x00\x00\x07", 6)),
            (Rows{"-1", "7"}));
}

TEST(AvroDecoderTest, Unions) {
  EXPECT_EQ(Values(R"(["null","long"])", 3,
                   AvroLong(1) + AvroLong(5) + AvroLong(0) + AvroLong(1) + AvroLong(6)),
            (Rows{"5", "NULL", "6"}));
  EXPECT_EQ(Values(R"(["string","null"])", 2, AvroLong(1) + AvroLong(0) + AvroText("x")),
            (Rows{"NULL", "x"}));
  // The branch in two bytes: allowed, if unusual.
  EXPECT_EQ(Values(R"(["null","long"])", 2, std::string("\x82\x00\x0A\x80\x00", 5)),
            (Rows{"5", "NULL"}));
  EXPECT_EQ(Values(R"(["null","long"])", 1, AvroLong(2)),
            Rows{"field 'f', byte 0: expected one of 2 branches, got branch 2"});
  EXPECT_EQ(Values(R"(["int","null","string"])", 1, AvroLong(3)),
            Rows{"field 'f', byte 0: expected one of 3 branches, got branch 3"});
  EXPECT_EQ(Values(R"(["int","null","long"])", 3,
                   AvroLong(0) + AvroLong(1) + AvroLong(1) + AvroLong(2) + AvroLong(1LL << 40)),
            (Rows{"1", "NULL", "1099511627776"}));
  EXPECT_EQ(Values(R"(["int","null","string"])", 3,
                   AvroLong(0) + AvroLong(1) + AvroLong(1) + AvroLong(2) + AvroText("x")),
            (Rows{"{member0:int32 = 1, member1:string = null}", "NULL",
                  "{member0:int32 = null, member1:string = x}"}));
  // A branch that the reader does not have is at fault only where it is met.
  const std::string writer = RecordOfOne(R"(["int","string"])"), reader = RecordOfOne("\"int\"");
  EXPECT_EQ(Decoded(writer, reader, 1, AvroLong(0) + AvroLong(7)), Rows{"7"});
  EXPECT_EQ(Decoded(writer, reader, 2, AvroLong(0) + AvroLong(7) + AvroLong(1) + AvroText("x")),
            Rows{"field 'f', byte 3: field 'f': expected int, got string"});
  EXPECT_EQ(Decoded(RecordOfOne(R"(["null","int"])"), reader, 1, AvroLong(0)),
            Rows{"field 'f', byte 1: field 'f': expected int, got null"});
}

TEST(AvroDecoderTest, ListsInBlocksOfBothKinds) {
  const std::string list = R"({"type":"array","items":["null","int"]})";
  const std::string items = AvroLong(1) + AvroLong(8) + AvroLong(0);
  const std::string bytes =
      AvroLong(2) + items + AvroLong(-2) + AvroLong(3) + items + AvroLong(0) + AvroLong(0);
  EXPECT_EQ(Values(list, 2, bytes),
            (Rows{"list<element: int32>[8, null, 8, null]", "list<element: int32>[]"}));
  EXPECT_EQ(Values(list, 1, AvroLong(1000) + AvroLong(0)),
            Rows{"field 'f', byte 0: says 1000 items, more than the block can hold"});
  // Items of no bytes cannot be counted by bytes.
  EXPECT_EQ(Values(R"({"type":"array","items":"null"})", 1, AvroLong(1LL << 40) + AvroLong(0)),
            Rows{"field 'f', byte 0: says 1099511627776 items, more than the block can hold"});
  EXPECT_EQ(Values(R"({"type":"array","items":"null"})", 1, AvroLong(3) + AvroLong(0)),
            Rows{"list<element: null>[null, null, null]"});
}

TEST(AvroDecoderTest, NullStructsAndMaps) {
  const std::string type =
      R"(["null",{"type":"record","name":"s","fields":[{"name":"x","type":"int"},)"
      R"({"name":"m","type":{"type":"map","values":"string"}},)"
      R"({"name":"l","type":["null",{"type":"array","items":"long"}]}]}])";
  const std::string map = AvroLong(1) + AvroText("k") + AvroText("v") + AvroLong(0);
  EXPECT_EQ(
      Values(type, 3,
             AvroLong(0) + AvroLong(1) + AvroLong(4) + map + AvroLong(0) + AvroLong(1) +
                 AvroLong(5) + AvroLong(0) + AvroLong(1) + AvroLong(1) + AvroLong(9) + AvroLong(0)),
      (Rows{"NULL",
            "{x:int32 = 4, m:map<string, string> = map<string, string>[{key:string = "
            "k, value:string = v}], l:list<element: int64 not null> = null}",
            "{x:int32 = 5, m:map<string, string> = map<string, string>[], "
            "l:list<element: int64 not null> = list<element: int64 not null>[9]}"}));
}

TEST(AvroDecoderTest, SkipsAndDefaults) {
  const std::string writer =
      R"({"type":"record","name":"r","fields":[
        {"name":"a","type":["null",{"type":"record","name":"s","fields":[
           {"name":"l","type":{"type":"array","items":{"type":"map","values":"string"}}},
           {"name":"d","type":"double"}]}]},
        {"name":"b","type":["null","string","long"]},
        {"name":"c","type":{"type":"array","items":"double"}},
        {"name":"d","type":{"type":"array","items":"string"}},
        {"name":"kept","type":"int"}]})";
  const std::string reader =
      R"({"type":"record","name":"r","fields":[{"name":"kept","type":"long"},
        {"name":"new","type":{"type":"array","items":"int"},"default":[3,4]},
        {"name":"text","type":"string","default":"t"}]})";
  const std::string eight(8, '\x01');
  const std::string map = AvroLong(1) + AvroText("k") + AvroText("v") + AvroLong(0);
  const std::string full = AvroLong(1) + AvroLong(2) + map + AvroLong(0) + AvroLong(0) + eight +
                           AvroLong(1) + AvroText("b") + AvroLong(2) + eight + eight + AvroLong(0) +
                           AvroLong(-2) + AvroLong(4) + AvroText("x") + AvroText("y") +
                           AvroLong(0) + AvroLong(11);
  const std::string empty = AvroLong(0) + AvroLong(0) + AvroLong(0) + AvroLong(0) + AvroLong(12);
  EXPECT_EQ(Decoded(writer, reader, 2, full + empty),
            (Rows{"11|list<element: int32 not null>[3, 4]|t",
                  "12|list<element: int32 not null>[3, 4]|t"}));
  for (size_t cut = 0; cut < full.size(); ++cut) {
    const Rows got = Decoded(writer, reader, 1, full.substr(0, cut));
    EXPECT_TRUE(got.size() == 1 && got[0].find("11|") == std::string::npos) << cut;
  }
}

TEST(AvroDecoderTest, RowsAndBytesMustAgree) {
  EXPECT_EQ(Values("\"int\"", 1, AvroLong(1) + AvroLong(2)),
            Rows{"its rows end at byte 1, but it has 2"});
  EXPECT_EQ(Values("\"int\"", 3, AvroLong(1) + AvroLong(2)),
            Rows{"says 3 rows, but its 2 bytes hold at most 2"});
  EXPECT_EQ(Values("\"null\"", 1LL << 50, ""),
            Rows{"says 1125899906842624 rows, but its 0 bytes hold at most 1048576"});
  EXPECT_EQ(Values("\"null\"", 2, ""), (Rows{"NULL", "NULL"}));
}

TEST(AvroDecoderTest, TimesBecomeFiner) {
  const auto at = [](const char* name) {
    return RecordOfOne(R"({"type":"long","logicalType":")" + std::string(name) + "\"}");
  };
  EXPECT_EQ(Decoded(at("timestamp-millis"), at("timestamp-nanos"), 1, AvroLong(-1)),
            Rows{"1969-12-31 23:59:59.999000000Z"});
  EXPECT_EQ(Decoded(at("timestamp-millis"), at("timestamp-nanos"), 1, AvroLong(1LL << 60)),
            Rows{"field 'f', byte 0: expected a time within range, got 1152921504606846976"});
}

TEST(AvroDecoderTest, TimesAreOfOneDay) {
  const auto time = [](const char* kind, const char* name) {
    return RecordOfOne(R"({"type":")" + std::string(kind) + R"(","logicalType":")" + name + "\"}");
  };
  const std::string millis = time("int", "time-millis"), micros = time("long", "time-micros");
  EXPECT_EQ(Decoded(millis, millis, 2, AvroLong(0) + AvroLong(86'399'999)),
            (Rows{"00:00:00.000", "23:59:59.999"}));
  EXPECT_EQ(Decoded(millis, micros, 1, AvroLong(86'399'999)), Rows{"23:59:59.999000"});
  EXPECT_EQ(Decoded(micros, micros, 1, AvroLong(86'399'999'999)), Rows{"23:59:59.999999"});
  const auto refused = [](const std::string& got) {
    return Rows{"field 'f', byte 0: expected a time of day, got " + got};
  };
  EXPECT_EQ(Decoded(millis, millis, 1, AvroLong(86'400'000)), refused("86400000"));
  EXPECT_EQ(Decoded(millis, micros, 1, AvroLong(-1)), refused("-1"));
  EXPECT_EQ(Decoded(micros, micros, 1, AvroLong(86'400'000'000)), refused("86400000000"));
}

}  // namespace
}  // namespace tarn
