#include <gtest/gtest.h>

#include <cmath>

#include <arrow/api.h>

#include "tarn/datafile/file_format.h"
#include "tarn/storage/memory.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::RowsText;
using testing::SchemaOf;

class ParquetWriterTest : public ::testing::Test {
 protected:
  DataFile Write(const Schema& schema,
                 const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                 FileWriteOptions options = {}) {
    options.schema = schema;
    if (options.statistics_ids.empty()) {
      ForEachField(schema, [&](const Field& field, const std::string&) {
        if (!field.type.IsNested()) options.statistics_ids.push_back(field.id);
      });
    }
    auto file = testing::WriteFile(*format, *storage, *Path::Make("f"), batches, options);
    EXPECT_TRUE(file.ok()) << testing::ErrorText(file);
    return file.ok() ? *file : DataFile{};
  }
  ColumnStatistics Stats(const std::string& type, const std::string& rows) {
    const Schema schema = SchemaOf({Col(1, "c", type)});
    return Write(schema, {BatchOf(schema, rows)}).statistics.at(0);
  }
  std::vector<std::string> Read(const Schema& schema) {
    return RowsText(testing::ReadFile(*format, *storage, *Path::Make("f"), {.schema = schema}));
  }

  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeParquetFormat(fake.runtime);
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
};

Value Text(const std::string& text) { return Value(text); }

TEST_F(ParquetWriterTest, CountsAndBoundsOfEachType) {
  const ColumnStatistics ints = Stats("int", "[[3], [null], [-7]]");
  EXPECT_EQ(ints.value_count, 3);
  EXPECT_EQ(ints.null_count, 1);
  EXPECT_EQ(ints.lower, Value(int64_t{-7}));
  EXPECT_EQ(ints.upper, Value(int64_t{3}));
  EXPECT_GT(ints.size_bytes, 0);
  EXPECT_FALSE(ints.nan_count.has_value());

  EXPECT_EQ(Stats("boolean", "[[false], [true]]").upper, Value(true));
  EXPECT_EQ(Stats("date", "[[-1], [2]]").lower, Value(int64_t{-1}));
  EXPECT_EQ(Stats("timestamp", "[[1], [999999]]").upper, Value(int64_t{999999}));
  EXPECT_EQ(Stats("decimal(9,2)", R"([["-1.05"], ["2.00"]])").lower, Value(Int128{-105}));
  EXPECT_EQ(Stats("decimal(18,2)", R"([["-1.05"], ["2.00"]])").lower, Value(Int128{-105}));
  const ColumnStatistics wide =
      Stats("decimal(38,2)", R"([["-999999999999999999999999999999999999.99"], ["1.00"]])");
  EXPECT_EQ(ValueToText(Type::Decimal(38, 2), *wide.lower),
            "-999999999999999999999999999999999999.99");
  EXPECT_EQ(wide.upper, Value(Int128{100}));
  EXPECT_EQ(Stats("tinyint", "[[-128], [127]]").lower, Value(int64_t{-128}));
  EXPECT_EQ(Stats("binary", R"([["a"], ["b"]])").upper, Text("b"));
}

TEST_F(ParquetWriterTest, OnlyNullsHaveCountsButNoBounds) {
  const ColumnStatistics none = Stats("string", "[[null], [null]]");
  EXPECT_EQ(none.null_count, 2);
  EXPECT_FALSE(none.lower.has_value());
  EXPECT_FALSE(none.upper.has_value());
  const ColumnStatistics empty = Stats("string", "[]");
  EXPECT_EQ(empty.value_count, 0);
  EXPECT_EQ(empty.null_count, 0);
}

TEST_F(ParquetWriterTest, NanIsCountedAndInNoBound) {
  const Schema schema = SchemaOf({Col(1, "c", "double"), Col(2, "s", "struct<f: float>")});
  arrow::DoubleBuilder doubles;
  for (const double value : std::vector<double>{1.0, NAN, -INFINITY})
    ASSERT_TRUE(doubles.Append(value).ok());
  arrow::FloatBuilder floats;
  for (const float value : std::vector<float>{NAN, NAN, 2.5F})
    ASSERT_TRUE(floats.Append(value).ok());
  const auto arrow_schema = *ToArrow(schema);
  // The second struct is NULL: its NaN is not there.
  const auto structs = arrow::MakeArray(arrow::ArrayData::Make(
      arrow_schema->field(1)->type(), 3, {arrow::Buffer::FromString(std::string(1, '\5'))},
      {(*floats.Finish())->data()}, 1));
  const auto batch = arrow::RecordBatch::Make(arrow_schema, 3, {*doubles.Finish(), structs});
  const DataFile file = Write(schema, {batch});
  const ColumnStatistics& c = file.statistics.at(0);
  EXPECT_EQ(c.nan_count, 1);
  EXPECT_EQ(c.lower, Value(-INFINITY));
  EXPECT_EQ(c.upper, Value(1.0));
  const ColumnStatistics& f = file.statistics.at(1);
  EXPECT_EQ(f.nan_count, 1);
  EXPECT_EQ(f.null_count, 1);
  EXPECT_EQ(f.lower, Value(2.5));
  EXPECT_EQ(f.upper, Value(2.5));
}

TEST_F(ParquetWriterTest, OnlyNanAndZeros) {
  const Schema schema = SchemaOf({Col(1, "c", "double")});
  const auto column = [&](std::vector<double> values) {
    arrow::DoubleBuilder builder;
    EXPECT_TRUE(builder.AppendValues(values).ok());
    return arrow::RecordBatch::Make(*ToArrow(schema), static_cast<int64_t>(values.size()),
                                    {*builder.Finish()});
  };
  const ColumnStatistics nans = Write(schema, {column({NAN, NAN})}).statistics.at(0);
  EXPECT_EQ(nans.nan_count, 2);
  EXPECT_FALSE(nans.lower.has_value());
  for (const double zero : {0.0, -0.0}) {
    const ColumnStatistics zeros = Write(schema, {column({zero})}).statistics.at(0);
    EXPECT_TRUE(std::signbit(std::get<double>(*zeros.lower)));
    EXPECT_FALSE(std::signbit(std::get<double>(*zeros.upper)));
  }
}

TEST_F(ParquetWriterTest, LongTextIsCutAtCodePointsAndRoundedUp) {
  const Schema schema = SchemaOf({Col(1, "c", "string")});
  const std::string long_text = [] {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "é";
    return text;
  }();
  const ColumnStatistics stats =
      Write(schema, {BatchOf(schema, "[[\"" + long_text + "\"]]")}).statistics.at(0);
  EXPECT_EQ(std::get<std::string>(*stats.lower), long_text.substr(0, 64));
  EXPECT_FALSE(stats.lower_exact);
  EXPECT_FALSE(stats.upper_exact);
  EXPECT_GT(std::get<std::string>(*stats.upper), long_text);
  const ColumnStatistics short_text =
      Write(schema, {BatchOf(schema, R"([["a"], ["b"]])")}).statistics.at(0);
  EXPECT_TRUE(short_text.lower_exact);
  EXPECT_TRUE(short_text.upper_exact);
}

TEST_F(ParquetWriterTest, TextOver4096BytesLeavesBoundsUnknown) {
  const Schema schema = SchemaOf({Col(1, "c", "string")});
  const ColumnStatistics stats =
      Write(schema, {BatchOf(schema, "[[\"a\"], [\"" + std::string(5000, 'z') + "\"]]")})
          .statistics.at(0);
  EXPECT_EQ(stats.null_count, 0);
  EXPECT_FALSE(stats.lower.has_value());
  EXPECT_FALSE(stats.upper.has_value());
}

TEST_F(ParquetWriterTest, BoundsSpanRowGroups) {
  const Schema schema = SchemaOf({Col(1, "c", "int"), Col(2, "s", "string")});
  FileWriteOptions options;
  options.row_group_rows = 2;
  const DataFile file = Write(schema,
                              {BatchOf(schema, R"([[5, "m"], [6, null], [null, null]])"),
                               BatchOf(schema, R"([[null, null], [-1, "z"]])")},
                              options);
  EXPECT_EQ(file.record_count, 5);
  EXPECT_EQ(file.split_offsets.size(), 3U);
  EXPECT_EQ(file.statistics.at(0).lower, Value(int64_t{-1}));
  EXPECT_EQ(file.statistics.at(0).upper, Value(int64_t{6}));
  EXPECT_EQ(file.statistics.at(0).null_count, 2);
  EXPECT_EQ(file.statistics.at(1).null_count, 3);
  EXPECT_EQ(file.statistics.at(1).upper, Text("z"));
  EXPECT_EQ(Read(schema),
            (std::vector<std::string>{"5|m", "6|NULL", "NULL|NULL", "NULL|NULL", "-1|z"}));
}

TEST_F(ParquetWriterTest, NestedLeavesInStructsHaveStatisticsInListsNot) {
  const Schema schema = SchemaOf({Col(1, "s", "struct<x: int>"), Col(2, "l", "array<int>")});
  const DataFile file =
      Write(schema, {BatchOf(schema, "[[[4], [1, 2]], [null, null], [[null], []]]")});
  ASSERT_EQ(file.statistics.size(), 2U);
  EXPECT_EQ(file.statistics[0].null_count, 2);  // one of them by the struct
  EXPECT_EQ(file.statistics[0].value_count, 3);
  EXPECT_EQ(file.statistics[0].upper, Value(int64_t{4}));
  EXPECT_FALSE(file.statistics[1].null_count.has_value());
  EXPECT_FALSE(file.statistics[1].lower.has_value());
}

TEST_F(ParquetWriterTest, StatisticsOnlyWhereAsked) {
  const Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "b", "int")});
  FileWriteOptions options;
  options.statistics_ids = {2};
  const DataFile file = Write(schema, {BatchOf(schema, "[[1, 2]]")}, options);
  ASSERT_EQ(file.statistics.size(), 1U);
  EXPECT_EQ(file.statistics[0].field_id, 2);
}

TEST_F(ParquetWriterTest, GroupEndsWhenAsked) {
  const Schema schema = SchemaOf({Col(1, "c", "bigint"), Col(2, "s", "string")});
  FileWriteOptions options;
  options.schema = schema;
  options.statistics_ids = {1};
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenWriter(*Path::Make("f")));
  ASSERT_OK_AND_ASSIGN(auto writer, format->Write(std::move(object), options));
  ASSERT_OK(writer->Write(*BatchOf(schema, R"([[1, "a"], [2, "b"]])")));
  ASSERT_OK(writer->EndGroup());
  ASSERT_OK(writer->EndGroup());  // nothing more: no empty group
  ASSERT_OK(writer->Write(*BatchOf(schema, R"([[3, null]])")));
  ASSERT_OK(writer->Write(*BatchOf(schema, R"([[4, "d"]])")));
  ASSERT_OK_AND_ASSIGN(const DataFile file, writer->Finish());
  EXPECT_EQ(file.record_count, 4);
  EXPECT_EQ(file.split_offsets.size(), 2U);
  EXPECT_EQ(file.statistics.at(0).upper, Value(int64_t{4}));
  EXPECT_EQ(Read(schema), (std::vector<std::string>{"1|a", "2|b", "3|NULL", "4|d"}));
}

TEST_F(ParquetWriterTest, EmptyFileAndUnknownCompression) {
  const Schema schema = SchemaOf({Col(1, "c", "bigint")});
  EXPECT_EQ(Write(schema, {}).record_count, 0);
  EXPECT_TRUE(Read(schema).empty());
  FileWriteOptions options;
  options.schema = schema;
  options.compression = "brotli9";
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenWriter(*Path::Make("g")));
  EXPECT_ERROR(format->Write(std::move(object), options), ErrorCode::kInvalid);
}

TEST_F(ParquetWriterTest, AbandonedFileWasNeverThere) {
  const Schema schema = SchemaOf({Col(1, "c", "bigint")});
  FileWriteOptions options;
  options.schema = schema;
  {
    ASSERT_OK_AND_ASSIGN(auto object, storage->OpenWriter(*Path::Make("gone")));
    ASSERT_OK_AND_ASSIGN(auto writer, format->Write(std::move(object), options));
    ASSERT_OK(writer->Write(*BatchOf(schema, "[[1]]")));
    EXPECT_GT(writer->buffered_bytes(), 0);
    EXPECT_GT(writer->size_bytes(), 0);
  }
  EXPECT_ERROR(storage->Stat(*Path::Make("gone")), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tarn
