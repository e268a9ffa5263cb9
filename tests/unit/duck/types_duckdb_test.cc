#include "tarn/duck/types_duckdb.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tarn {
namespace {

using ::testing::HasSubstr;

TEST(TypesDuckDbTest, TypesThereAndBack) {
  const Schema schema = AssignFreshIds(*ParseColumns(
      "a boolean, b tinyint, c smallint, d int, e bigint, f float, g double, h decimal(38,10), i "
      "date, "
      "j timestamp, k timestamp_ntz, l string, m binary, n struct<x: int, y: array<string>>, "
      "o map<string, bigint>"));
  for (const Field& field : schema.fields) {
    const auto back = FromDuckType(ToDuckType(field.type));
    ASSERT_TRUE(back.ok()) << field.name;
    EXPECT_EQ(TypeToText(*back), TypeToText(field.type)) << field.name;
  }
  EXPECT_EQ(ToDuckType(Type::Of(TypeKind::kVariant)), VariantTextType());
  EXPECT_EQ(TypeToText(*FromDuckType(duckdb::LogicalType::HUGEINT)), "decimal(38,0)");
  EXPECT_EQ(TypeToText(*FromDuckType(duckdb::LogicalType::UBIGINT)), "decimal(20,0)");
  EXPECT_EQ(FromDuckType(duckdb::LogicalType::INTERVAL).error().code, ErrorCode::kUnsupported);
}

TEST(TypesDuckDbTest, ValuesThereAndBack) {
  const auto same = [](const Type& type, const Value& value) {
    const duckdb::Value duck = ToDuckValue(type, value);
    EXPECT_EQ(duck.type(), ToDuckType(type));
    const auto back = FromDuckValue(type, duck);
    return back && *back == value;
  };
  EXPECT_TRUE(same(Type::Of(TypeKind::kBoolean), Value(true)));
  EXPECT_TRUE(same(Type::Of(TypeKind::kInt8), Value(int64_t{-128})));
  EXPECT_TRUE(same(Type::Of(TypeKind::kInt64), Value(INT64_MIN)));
  EXPECT_TRUE(same(Type::Of(TypeKind::kDouble), Value(-0.1)));
  EXPECT_TRUE(same(Type::Of(TypeKind::kDate), Value(int64_t{-40000})));
  EXPECT_TRUE(same(Type::Of(TypeKind::kTimestampTz), Value(int64_t{1700000000000001})));
  EXPECT_TRUE(same(Type::Of(TypeKind::kTimestamp), Value(int64_t{-1})));
  EXPECT_TRUE(same(Type::Of(TypeKind::kString), Value(std::string("ü"))));
  EXPECT_TRUE(same(Type::Of(TypeKind::kBinary), Value(std::string("\0\xff'\\x", 5))));
  EXPECT_TRUE(same(Type::Of(TypeKind::kString), Value()));
  for (const int32_t precision : {4, 9, 18, 38}) {
    EXPECT_TRUE(same(Type::Decimal(precision, 2), Value(Int128{-1234})));
  }
  Int128 large = 1;
  for (int i = 0; i < 37; ++i) large *= 10;
  EXPECT_TRUE(same(Type::Decimal(38, 0), Value(-large)));
}

TEST(TypesDuckDbTest, WhatIsNotExactlyOfTheTypeSaysNothing) {
  EXPECT_FALSE(FromDuckValue(Type::Of(TypeKind::kInt32), duckdb::Value::BIGINT(1)));
  EXPECT_FALSE(
      FromDuckValue(Type::Of(TypeKind::kDate), duckdb::Value::DATE(duckdb::date_t::infinity())));
}

TEST(TypesDuckDbTest, ErrorsAreOneLine) {
  const Error error =
      ToError(duckdb::ErrorData(duckdb::ExceptionType::BINDER, "first\nsecond"), {});
  EXPECT_EQ(error.code, ErrorCode::kInvalid);
  EXPECT_EQ(error.message, "sql: first");
  EXPECT_EQ(ToError(duckdb::ErrorData(duckdb::ExceptionType::INTERRUPT, "x"), {}).code,
            ErrorCode::kCancelled);
  EXPECT_EQ(ToError(duckdb::ErrorData(duckdb::ExceptionType::INTERNAL, "x"), {}).code,
            ErrorCode::kInternal);
}

}  // namespace
}  // namespace tarn
