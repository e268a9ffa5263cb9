#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <parquet/arrow/writer.h>

#include "tarn/datafile/file_format.h"
#include "tarn/storage/local.h"
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
using Rows = std::vector<std::string>;

class ParquetReaderTest : public ::testing::Test {
 protected:
  void Write(const Schema& schema, const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
             int64_t row_group_rows = 1000) {
    FileWriteOptions options;
    options.schema = schema;
    options.row_group_rows = row_group_rows;
    ASSERT_OK(testing::WriteFile(*format, *storage, path, batches, options));
  }
  // What another writer made: Arrow's own, without ids.
  void WriteForeign(const std::shared_ptr<arrow::RecordBatch>& batch, bool int96 = false) {
    const auto table = *arrow::Table::FromRecordBatches({batch});
    auto sink = *arrow::io::BufferOutputStream::Create();
    auto properties = parquet::ArrowWriterProperties::Builder();
    if (int96) properties.enable_deprecated_int96_timestamps();
    ASSERT_TRUE(parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink, 1000,
                                           parquet::default_writer_properties(), properties.build())
                    .ok());
    ASSERT_OK(storage->Put(path, (*sink->Finish())->ToString()));
  }
  Rows Read(FileReadOptions options) {
    return RowsText(testing::ReadFile(*format, *storage, path, options));
  }

  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeParquetFormat(fake.runtime);
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.parquet");
};

TEST_F(ParquetReaderTest, ById_RenamedReorderedAddedWidenedAtEveryDepth) {
  const Schema written = SchemaOf(
      {Col(1, "a", "int"),
       {.id = 2, .name = "s", .type = Type::Struct({Col(3, "x", "int"), Col(4, "y", "string")})},
       {.id = 5,
        .name = "l",
        .type = Type::List(
            {.id = 6, .name = "element", .type = Type::Struct({Col(7, "p", "float")})})}});
  Write(written,
        {BatchOf(written, R"([[1, [10, "u"], [[1.5]]], [2, null, []], [3, [null, "w"], null]])")});
  const Schema wanted =
      SchemaOf({{.id = 5,
                 .name = "items",
                 .type = Type::List(
                     {.id = 6,
                      .name = "element",
                      .type = Type::Struct({Col(8, "new", "string"), Col(7, "price", "double")})})},
                {.id = 2,
                 .name = "s2",
                 .type = Type::Struct(
                     {Col(4, "why", "string"), Col(9, "z", "int"), Col(3, "ex", "bigint")})},
                Col(1, "b", "bigint")});
  EXPECT_EQ(Read({.schema = wanted, .match = ColumnMatch::kById}),
            (Rows{"list<element: struct<new: string, price: double>>[{new:string = null, "
                  "price:double = 1.5}]|{why:string = u, z:int32 = null, ex:int64 = 10}|1",
                  "list<element: struct<new: string, price: double>>[]|NULL|2",
                  "NULL|{why:string = w, z:int32 = null, ex:int64 = null}|3"}));
  // By name nothing of it matches but the types do not meet either.
  EXPECT_EQ(Read({.schema = SchemaOf({Col(50, "b", "bigint")})}), (Rows{"NULL", "NULL", "NULL"}));
}

TEST_F(ParquetReaderTest, ByNameUsesFileNamesIgnoringCase) {
  Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "B", "string")});
  Write(schema, {BatchOf(schema, R"([[1, "x"]])")});
  schema.fields[0].name = "renamed";
  schema.fields[0].source_name = "a";
  schema.fields[1].name = "b";
  EXPECT_EQ(Read({.schema = schema}), (Rows{"1|x"}));
}

TEST_F(ParquetReaderTest, DroppedAndAddedAgainIsNotRevivedById) {
  const Schema written = SchemaOf({Col(1, "id", "int"), Col(2, "tag", "string")});
  Write(written, {BatchOf(written, R"([[1, "old"]])")});
  const Schema now = SchemaOf({Col(1, "id", "int"), Col(3, "tag", "string")});
  EXPECT_EQ(Read({.schema = now, .match = ColumnMatch::kById}), (Rows{"1|NULL"}));
}

TEST_F(ParquetReaderTest, MissingColumnsReadTheirInitialDefault) {
  const Schema written = SchemaOf({Col(1, "id", "int")});
  Write(written, {BatchOf(written, "[[1], [2]]")});
  Schema now = SchemaOf({Col(1, "id", "int"), Col(2, "n", "int"), Col(3, "m", "string")});
  now.fields[1].initial_default = Value(int64_t{42});
  EXPECT_EQ(Read({.schema = now}), (Rows{"1|42|NULL", "2|42|NULL"}));
  Schema only_new = SchemaOf({now.fields[1]});
  EXPECT_EQ(Read({.schema = only_new}), (Rows{"42", "42"}));
  Schema nothing;
  ASSERT_OK_AND_ASSIGN(auto stream,
                       testing::ReadFile(*format, *storage, path, {.schema = nothing}));
  ASSERT_OK_AND_ASSIGN(auto batch, stream->Next());
  EXPECT_EQ(batch->num_rows(), 2);
}

TEST_F(ParquetReaderTest, StructOfWhichNoChildIsThereStillTellsItsNulls) {
  const Schema written = SchemaOf({Col(1, "s", "struct<x: int>")});
  Write(written, {BatchOf(written, "[[[1]], [null]]")});
  EXPECT_EQ(Read({.schema = SchemaOf({Col(1, "s", "struct<other: string>")})}),
            (Rows{"{other:string = null}", "NULL"}));
}

TEST_F(ParquetReaderTest, FileWithoutIdsIsRefusedById) {
  WriteForeign(BatchOf(SchemaOf({Col(1, "c", "int")}), "[[1]]")->ReplaceSchemaMetadata(nullptr));
  const auto no_ids =
      arrow::RecordBatch::Make(arrow::schema({arrow::field("c", arrow::int32())}), 1,
                               {*arrow::MakeArrayFromScalar(*arrow::MakeScalar(int32_t{1}), 1)});
  WriteForeign(no_ids);
  const Schema schema = SchemaOf({Col(1, "c", "int")});
  EXPECT_EQ(Read({.schema = schema}), (Rows{"1"}));
  EXPECT_ERROR(
      testing::ReadFile(*format, *storage, path, {.schema = schema, .match = ColumnMatch::kById}),
      ErrorCode::kCorrupt);
}

TEST_F(ParquetReaderTest, RowGroupsAreSkippedAndPositionsStay) {
  const Schema schema = SchemaOf({Col(1, "n", "int"), Col(2, "s", "string")});
  Write(schema,
        {BatchOf(schema, R"([[1, "a"], [2, "b"], [11, "c"], [12, "d"], [21, null], [22, "f"]])")},
        2);
  const auto n = [](Expression::Op op, int64_t value) {
    return Expression::Compare(op, 1, Value(value));
  };
  FileReadOptions options{
      .schema = schema, .filter = n(Expression::Op::kEqual, 12), .row_positions = true};
  EXPECT_EQ(Read(options), (Rows{"11|c|2", "12|d|3"}));  // rows are not filtered, groups are
  options.filter = n(Expression::Op::kGreater, 20);
  EXPECT_EQ(Read(options), (Rows{"21|NULL|4", "22|f|5"}));
  options.filter = n(Expression::Op::kGreater, 99);
  EXPECT_TRUE(Read(options).empty());
  options.filter = Expression::IsNullOf(2);
  EXPECT_EQ(Read(options), (Rows{"21|NULL|4", "22|f|5"}));
  options.filter = Expression::Compare(Expression::Op::kEqual, 77, Value(int64_t{1}));
  EXPECT_EQ(Read(options).size(), 6U);  // an unknown column proves nothing
}

TEST_F(ParquetReaderTest, NanMayHideAboveTheUpperBound) {
  const Schema schema = SchemaOf({Col(1, "x", "double")});
  arrow::DoubleBuilder builder;
  ASSERT_TRUE(builder.AppendValues(std::vector<double>{1.0, NAN}).ok());
  Write(schema, {arrow::RecordBatch::Make(*ToArrow(schema), 2, {*builder.Finish()})});
  EXPECT_EQ(Read({.schema = schema,
                  .filter = Expression::Compare(Expression::Op::kGreater, 1, Value(100.0))})
                .size(),
            2U);
}

TEST_F(ParquetReaderTest, DeletedRowsAreLeftOut) {
  const Schema schema = SchemaOf({Col(1, "n", "int")});
  Write(schema, {BatchOf(schema, "[[0], [1], [2], [3], [4], [5]]")}, 2);
  RowSet deleted;
  for (const uint64_t row : {0, 3, 4, 5}) deleted.Add(row);
  EXPECT_EQ(Read({.schema = schema, .skip_rows = &deleted, .row_positions = true}),
            (Rows{"1|1", "2|2"}));
  Schema nothing;
  FileReadOptions options{.schema = nothing, .skip_rows = &deleted};
  ASSERT_OK_AND_ASSIGN(auto stream, testing::ReadFile(*format, *storage, path, options));
  int64_t rows = 0;
  while (true) {
    ASSERT_OK_AND_ASSIGN(auto batch, stream->Next());
    if (batch == nullptr) break;
    rows += batch->num_rows();
  }
  EXPECT_EQ(rows, 2);
}

TEST_F(ParquetReaderTest, OrderIsKeptOnManyThreads) {
  const auto pool = MakeThreadPool(4);
  Runtime runtime{fake.clock,  *fake.random,     *pool, fake.log, fake.metrics,
                  fake.memory, fake.cancellation};
  const auto parallel = MakeParquetFormat(runtime);
  const Schema schema = SchemaOf({Col(1, "n", "bigint")});
  std::string rows = "[";
  for (int i = 0; i < 5000; ++i) rows += (i > 0 ? ",[" : "[") + std::to_string(i) + "]";
  Write(schema, {BatchOf(schema, rows + "]")}, 100);
  const Rows read = RowsText(
      testing::ReadFile(*parallel, *storage, path, {.schema = schema, .row_positions = true}));
  ASSERT_EQ(read.size(), 5000U);
  for (int i = 0; i < 5000; ++i) {
    ASSERT_EQ(read[i], std::to_string(i) + "|" + std::to_string(i));
  }
}

TEST_F(ParquetReaderTest, LayoutsOfOtherWriters) {
  const auto arrays = std::vector<std::shared_ptr<arrow::Array>>{
      *arrow::json::ArrayFromJSONString(arrow::int32(), "[-5]"),
      *arrow::json::ArrayFromJSONString(arrow::uint32(), "[4000000000]"),
      *arrow::json::ArrayFromJSONString(arrow::timestamp(arrow::TimeUnit::NANO), "[1000000]"),
      *arrow::json::ArrayFromJSONString(arrow::binary(), R"(["text"])"),
      *arrow::json::ArrayFromJSONString(arrow::decimal128(9, 2), R"(["1.25"])")};
  const auto batch = arrow::RecordBatch::Make(
      arrow::schema({arrow::field("i8", arrow::int32()), arrow::field("u", arrow::uint32()),
                     arrow::field("ts", arrow::timestamp(arrow::TimeUnit::NANO)),
                     arrow::field("s", arrow::binary()),
                     arrow::field("d", arrow::decimal128(9, 2))}),
      1, arrays);
  WriteForeign(batch, /*int96=*/true);
  const Schema schema =
      SchemaOf({Col(1, "i8", "tinyint"), Col(2, "u", "bigint"), Col(3, "ts", "timestamp"),
                Col(4, "s", "string"), Col(5, "d", "decimal(20,3)")});
  EXPECT_EQ(Read({.schema = schema}),
            (Rows{"-5|4000000000|1970-01-01 00:00:00.001000Z|text|1.250"}));
  EXPECT_EQ(Read({.schema = SchemaOf({Col(1, "u", "int")})})[0].substr(0, 17), "error: column 'u'");
}

TEST_F(ParquetReaderTest, IntegersAndFloatsThatWereWidened) {
  const Schema written =
      SchemaOf({Col(1, "b", "tinyint"), Col(2, "i", "int"), Col(3, "f", "float"),
                Col(4, "d", "decimal(5,2)"), Col(5, "day", "date"), Col(6, "j", "int")});
  Write(written, {BatchOf(written, R"([[1, 2, 0.5, "3.25", 0, 9]])")});
  const Schema wide = SchemaOf({Col(1, "b", "int"), Col(2, "i", "double"), Col(3, "f", "double"),
                                Col(4, "d", "decimal(10,4)"), Col(5, "day", "timestamp_ntz"),
                                Col(6, "j", "decimal(12,1)")});
  EXPECT_EQ(Read({.schema = wide}), (Rows{"1|2|0.5|3.2500|1970-01-01 00:00:00.000000|9.0"}));
}

TEST_F(ParquetReaderTest, DamagedFilesAreCorrupt) {
  const Schema schema = SchemaOf({Col(1, "n", "int")});
  Write(schema, {BatchOf(schema, "[[1], [2], [3]]")});
  ASSERT_OK_AND_ASSIGN(const Bytes bytes, storage->Read(path));
  for (const size_t length :
       {size_t{0}, size_t{3}, size_t{12}, bytes.size() / 2, bytes.size() - 1}) {
    ASSERT_OK(storage->Put(path, bytes.substr(0, length)));
    EXPECT_ERROR(testing::ReadFile(*format, *storage, path, {.schema = schema}),
                 ErrorCode::kCorrupt);
  }
  Bytes flipped = bytes;
  for (size_t i = 4; i < 60 && i < flipped.size(); ++i) flipped[i] = static_cast<char>(0xFF);
  ASSERT_OK(storage->Put(path, flipped));
  const Rows rows = Read({.schema = schema});
  EXPECT_EQ(rows.at(0).substr(0, 6), "error:");
}

TEST_F(ParquetReaderTest, OldWritersListsMapsAndTimes) {
  const char* shared = std::getenv("TARN_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "TARN_SHARED is not set";
  const std::string folder =
      std::string(shared) + "/fixtures/delta/golden-parquet-all-types-legacy-format/table";
  ASSERT_OK_AND_ASSIGN(const auto local, MakeLocalStorage(folder, CreateRoot::kNo));
  ASSERT_OK_AND_ASSIGN(const auto files,
                       local->List(Path(), Path(), 100, Storage::Depth::kShallow));
  ASSERT_FALSE(files.empty());
  ASSERT_OK_AND_ASSIGN(auto object, local->OpenReader(files[0].path));
  ASSERT_OK_AND_ASSIGN(const Schema schema, format->ReadSchema(*object));
  ASSERT_OK_AND_ASSIGN(auto stream, format->Read(std::move(object), {.schema = schema}));
  const Rows rows = RowsText(*stream);
  EXPECT_EQ(rows.size(), 200U);
  EXPECT_NE(rows[0].substr(0, 6), "error:") << rows[0];
}

}  // namespace
}  // namespace tarn
