#include "tarn/format/iceberg/single_value.h"

#include <gtest/gtest.h>

namespace tarn::iceberg {
namespace {

std::string Hex(const Bytes& bytes) {
  std::string hex;
  for (const char byte : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    hex += kDigits[static_cast<unsigned char>(byte) >> 4];
    hex += kDigits[static_cast<unsigned char>(byte) & 15];
  }
  return hex;
}

// The specification's layouts: little-endian numbers, big-endian decimals of the fewest bytes.
TEST(SingleValueTest, BytesAreThoseOfTheSpecification) {
  EXPECT_EQ(Hex(ValueToBinary(Type::Of(TypeKind::kInt32), Value(int64_t{34}))), "22000000");
  EXPECT_EQ(Hex(ValueToBinary(Type::Of(TypeKind::kInt64), Value(int64_t{-1}))), "ffffffffffffffff");
  EXPECT_EQ(Hex(ValueToBinary(Type::Of(TypeKind::kBoolean), Value(true))), "01");
  EXPECT_EQ(Hex(ValueToBinary(Type::Of(TypeKind::kFloat), Value(1.0))), "0000803f");
  EXPECT_EQ(Hex(ValueToBinary(Type::Decimal(9, 2), Value(Int128{1420}))), "058c");
  EXPECT_EQ(Hex(ValueToBinary(Type::Decimal(9, 2), Value(Int128{-1}))), "ff");
  EXPECT_EQ(Hex(ValueToBinary(Type::Decimal(9, 2), Value(Int128{128}))), "0080");
  EXPECT_EQ(Hex(ValueToBinary(Type::Decimal(9, 2), Value(Int128{0}))), "00");
}

TEST(SingleValueTest, BinaryRoundTrips) {
  const std::pair<Type, Value> cases[] = {
      {Type::Of(TypeKind::kBoolean), Value(false)},
      {Type::Of(TypeKind::kInt32), Value(int64_t{-7})},
      {Type::Of(TypeKind::kTimestampTz), Value(int64_t{1} << 50)},
      {Type::Of(TypeKind::kDouble), Value(-0.25)},
      {Type::Decimal(38, 3), Value(-(Int128{1} << 100))},
      {Type::Of(TypeKind::kString), Value("é")},
      {Type::Of(TypeKind::kUuid), Value(std::string(16, 'u'))},
  };
  for (const auto& [type, value] : cases) {
    EXPECT_EQ(ValueFromBinary(type, ValueToBinary(type, value)), value) << TypeToText(type);
  }
}

TEST(SingleValueTest, BoundsOfNarrowerTypesAreRead) {
  const Bytes seven = ValueToBinary(Type::Of(TypeKind::kInt32), Value(int64_t{7}));
  EXPECT_EQ(ValueFromBinary(Type::Of(TypeKind::kInt64), seven), Value(int64_t{7}));
  EXPECT_EQ(ValueFromBinary(Type::Of(TypeKind::kTimestamp), seven),
            Value(int64_t{7} * 86'400 * 1'000'000));
  const Bytes half = ValueToBinary(Type::Of(TypeKind::kFloat), Value(0.5));
  EXPECT_EQ(ValueFromBinary(Type::Of(TypeKind::kDouble), half), Value(0.5));
  EXPECT_EQ(ValueFromBinary(Type::Of(TypeKind::kInt64), "abc"), std::nullopt);
}

TEST(SingleValueTest, Texts) {
  EXPECT_EQ(ValueFromText(Type::Of(TypeKind::kDate), "2017-11-16"), Value(int64_t{17486}));
  EXPECT_EQ(ValueFromText(Type::Of(TypeKind::kTime), "22:31:08.5"), Value(int64_t{81068500000}));
  EXPECT_EQ(ValueFromText(Type::Of(TypeKind::kTimestamp), "1969-12-31T23:59:59.999999"),
            Value(int64_t{-1}));
  EXPECT_EQ(ValueFromText(Type::Of(TypeKind::kTimestampTz), "1970-01-01T01:00:00+01:00"),
            Value(int64_t{0}));
  EXPECT_EQ(ValueFromText(Type::Decimal(9, 2), "-14.2"), Value(Int128{-1420}));
  EXPECT_EQ(ValueFromText(Type::Decimal(9, 2), "1.234"), std::nullopt);
  EXPECT_EQ(ValueFromText(Type::Of(TypeKind::kDate), "2017-13-16"), std::nullopt);
  EXPECT_EQ(ValueFromText(Type::Of(TypeKind::kBinary), "0aff"), Value(std::string("\x0A\xFF")));
}

TEST(SingleValueTest, Sql) {
  EXPECT_EQ(ValueToSql(Type::Of(TypeKind::kString), Value("it's")), "'it''s'");
  EXPECT_EQ(ValueToSql(Type::Of(TypeKind::kDate), Value(int64_t{0})), "DATE '1970-01-01'");
  EXPECT_EQ(ValueToSql(Type::Of(TypeKind::kBinary), Value(std::string("\x01\xAB"))),
            "'\\x01\\xab'::BLOB");
}

}  // namespace
}  // namespace tarn::iceberg
