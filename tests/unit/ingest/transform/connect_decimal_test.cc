#include "tarn/ingest/transform/connect_decimal.h"

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

class ConnectDecimalTest : public testing::TransformFixture {
 protected:
  Lines To(const std::string& from, const std::string& rows, const std::string& to) {
    Lines lines = Run("a " + from, rows, {{.kind = "connect_decimal", .pairs = {{"a", to}}}});
    if (!lines[0].starts_with("error")) lines.erase(lines.begin());
    return lines;
  }
};

TEST_F(ConnectDecimalTest, BigEndianTwosComplement) {
  // 0x7f, 0x80, 0x00 0x80, 0xff 0x7f, and 1 with more zeros in front than a decimal has bytes.
  EXPECT_EQ(To("string",
               R"([["fw=="],["gA=="],["AIA="],["/38="],[null],["AAAAAAAAAAAAAAAAAAAAAAAAAAE="]])",
               "decimal(5,2)"),
            (Lines{"1.27", "-1.28", "1.28", "-1.29", "NULL", "0.01"}));
}

TEST_F(ConnectDecimalTest, WhatIsNoneIsBad) {
  // 0x03e8 is 1000: four digits. Seventeen bytes that are more than their sign.
  EXPECT_EQ(To("string", R"([["A+g="],["A+c="],[""],["?"],["AQAAAAAAAAAAAAAAAAAAAAA="]])",
               "decimal(3,0)"),
            (Lines{"999",
                   "bad 0 a: expected the bytes of a decimal(3,0) in base64, got string \"A+g=\": "
                   "too many digits",
                   "bad 2 a: expected the bytes of a decimal(3,0) in base64, got string \"\": "
                   "no bytes",
                   "bad 3 a: expected the bytes of a decimal(3,0) in base64, got string \"?\": "
                   "no base64",
                   "bad 4 a: expected the bytes of a decimal(3,0) in base64, got string "
                   "\"AQAAAAAAAAAAAAAAAAAAAAA=\": too many digits"}));
  EXPECT_EQ(from_rows, std::vector<int32_t>{1});
}

TEST_F(ConnectDecimalTest, BinaryIsTakenAsItIs) {
  EXPECT_EQ(To("binary", R"([["d"],["~~"]])", "decimal(10,1)"), (Lines{"10.0", "3238.2"}));
}

TEST_F(ConnectDecimalTest, OptionsAreChecked) {
  EXPECT_EQ(To("string", "[]", "int"),
            Lines{"error: connect_decimal: column 'a': expected a decimal, got int32"});
  EXPECT_EQ(To("bigint", "[]", "decimal(5,2)"),
            Lines{"error: connect_decimal: column 'a' is int64, not base64 text or binary"});
  EXPECT_EQ(
      Run("a string", "[]", {{.kind = "connect_decimal", .pairs = {{"price", "decimal(1,0)"}}}}),
      Lines{"error: connect_decimal: no column 'price'; known: a"});
}

}  // namespace
}  // namespace tarn
