#include "tarn/cli/print/cell.h"

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_decimal.h>
#include <arrow/array/builder_nested.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/array/builder_time.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

template <class Builder, class Value>
std::shared_ptr<arrow::Array> One(Builder&& builder, const Value& value) {
  EXPECT_TRUE(builder.Append(value).ok());
  return builder.Finish().ValueOrDie();
}

std::string Json(const arrow::Array& array, int64_t row = 0) {
  std::string out;
  AppendCellJson(array, row, out);
  return out;
}

TEST(Cell, IntegersAreExact) {
  EXPECT_EQ(CellText(*One(arrow::Int64Builder(), INT64_MIN), 0), "-9223372036854775808");
  EXPECT_EQ(CellText(*One(arrow::UInt64Builder(), UINT64_MAX), 0), "18446744073709551615");
  EXPECT_EQ(Json(*One(arrow::Int8Builder(), int8_t{-5})), "-5");
  EXPECT_EQ(Json(*One(arrow::BooleanBuilder(), true)), "true");
}

TEST(Cell, FloatsReadBackEqual) {
  const auto text = [](double value) { return CellText(*One(arrow::DoubleBuilder(), value), 0); };
  EXPECT_EQ(text(1), "1.0");
  EXPECT_EQ(text(0.1), "0.1");
  EXPECT_EQ(text(-0.0), "-0.0");
  EXPECT_EQ(text(1e300), "1e+300");
  EXPECT_EQ(text(std::nan("")), "NaN");
  EXPECT_EQ(text(-INFINITY), "-Infinity");
  EXPECT_EQ(CellText(*One(arrow::FloatBuilder(), 0.1F), 0), "0.1");
  EXPECT_EQ(Json(*One(arrow::DoubleBuilder(), std::nan(""))), "\"NaN\"");
  EXPECT_EQ(Json(*One(arrow::DoubleBuilder(), 1.5)), "1.5");
}

TEST(Cell, DecimalsAreExact) {
  const auto text = [](const char* digits, int32_t scale) {
    arrow::Decimal128Builder builder(arrow::decimal128(38, scale));
    return Json(*One(builder, arrow::Decimal128(digits)));
  };
  EXPECT_EQ(text("1230", 2), "12.30");
  EXPECT_EQ(text("-5", 2), "-0.05");
  EXPECT_EQ(text("-1", 10), "-0.0000000001");
  EXPECT_EQ(text("0", 3), "0.000");
  EXPECT_EQ(text("12345678901234567890123456789012345678", 0),
            "12345678901234567890123456789012345678");
}

TEST(Cell, DatesAndTimesAreIso8601) {
  EXPECT_EQ(CellText(*One(arrow::Date32Builder(), 20787), 0), "2026-11-30");
  EXPECT_EQ(CellText(*One(arrow::Date32Builder(), -719162), 0), "0001-01-01");
  EXPECT_EQ(CellText(*One(arrow::Date32Builder(), 2932897), 0), "+10000-01-01");
  const auto stamp = [](int64_t ticks, arrow::TimeUnit::type unit, const char* zone) {
    arrow::TimestampBuilder builder(arrow::timestamp(unit, zone), arrow::default_memory_pool());
    return CellText(*One(builder, ticks), 0);
  };
  EXPECT_EQ(stamp(1, arrow::TimeUnit::MICRO, "UTC"), "1970-01-01T00:00:00.000001Z");
  EXPECT_EQ(stamp(-1, arrow::TimeUnit::MICRO, ""), "1969-12-31T23:59:59.999999");
  EXPECT_EQ(stamp(1500, arrow::TimeUnit::MILLI, "UTC"), "1970-01-01T00:00:01.500Z");
  EXPECT_EQ(stamp(1000000000, arrow::TimeUnit::NANO, ""), "1970-01-01T00:00:01");
  arrow::Time64Builder time(arrow::time64(arrow::TimeUnit::MICRO), arrow::default_memory_pool());
  EXPECT_EQ(CellText(*One(time, int64_t{3600000001}), 0), "01:00:00.000001");
  EXPECT_EQ(Json(*One(arrow::Date32Builder(), 0)), "\"1970-01-01\"");
}

TEST(Cell, BinaryIsHexOrBase64) {
  const auto array = One(arrow::BinaryBuilder(), std::string("\x00\xFF", 2));
  EXPECT_EQ(CellText(*array, 0), "00ff");
  EXPECT_EQ(Json(*array), "\"AP8=\"");
}

TEST(Cell, NestedValuesAreJson) {
  auto values = std::make_shared<arrow::Int32Builder>();
  arrow::ListBuilder lists(arrow::default_memory_pool(), values);
  ASSERT_TRUE(lists.Append().ok() && values->Append(1).ok() && values->AppendNull().ok());
  ASSERT_TRUE(lists.AppendEmptyValue().ok() && lists.AppendNull().ok());
  const auto list = lists.Finish().ValueOrDie();
  EXPECT_EQ(CellText(*list, 0), "[1,null]");
  EXPECT_EQ(CellText(*list, 1), "[]");
  EXPECT_EQ(Json(*list, 2), "null");

  const auto type =
      arrow::struct_({arrow::field("a\"b", arrow::int32()), arrow::field("s", arrow::utf8())});
  const auto record =
      arrow::StructArray::Make({One(arrow::Int32Builder(), 7), One(arrow::StringBuilder(), "x\ny")},
                               type->fields())
          .ValueOrDie();
  EXPECT_EQ(Json(*record), "{\"a\\\"b\":7,\"s\":\"x\\ny\"}");

  auto keys = std::make_shared<arrow::StringBuilder>();
  auto items = std::make_shared<arrow::Int32Builder>();
  arrow::MapBuilder maps(arrow::default_memory_pool(), keys, items);
  ASSERT_TRUE(maps.Append().ok() && keys->Append("k").ok() && items->Append(1).ok());
  EXPECT_EQ(Json(*maps.Finish().ValueOrDie()), "{\"k\":1}");

  auto numbers = std::make_shared<arrow::Int32Builder>();
  arrow::MapBuilder by_number(arrow::default_memory_pool(), numbers, items);
  ASSERT_TRUE(by_number.Append().ok() && numbers->Append(5).ok() && items->AppendNull().ok());
  EXPECT_EQ(Json(*by_number.Finish().ValueOrDie()), "[{\"key\":5,\"value\":null}]");
}

}  // namespace
}  // namespace tarn::cli
