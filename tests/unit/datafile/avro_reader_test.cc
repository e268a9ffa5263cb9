#include "tarn/datafile/avro_reader.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/avro_bytes.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::AvroBlockBytes;
using testing::AvroHeaderBytes;
using testing::AvroLong;
using testing::AvroText;
using testing::Col;
using testing::RowsText;
using Rows = std::vector<std::string>;

const char* const kSchema =
    R"({"type":"record","name":"r","fields":[)"
    R"({"name":"id","type":"long","field-id":1},)"
    R"({"name":"text","type":["null","string"],"default":null,"field-id":2},)"
    R"({"name":"bounds","type":{"type":"array","logicalType":"map","items":{"type":"record",)"
    R"("name":"k3_v4","fields":[{"name":"key","type":"int","field-id":3},)"
    R"({"name":"value","type":"bytes","field-id":4}]}},"field-id":5}]})";

std::string Row(int64_t id) {
  std::string row = AvroLong(id);
  row += id % 3 == 0 ? AvroLong(0) : AvroLong(1) + AvroText("t" + std::to_string(id));
  return row + AvroLong(1) + AvroLong(id * 10) + AvroText("b") + AvroLong(0);
}

// Rows 0, 1, …, in blocks of so many.
std::string FileOf(const std::vector<int>& blocks) {
  std::string bytes = AvroHeaderBytes(kSchema);
  int64_t id = 0;
  for (const int rows : blocks) {
    std::string block;
    for (int i = 0; i < rows; ++i) block += Row(id++);
    bytes += AvroBlockBytes(rows, block);
  }
  return bytes;
}

class AvroReaderTest : public ::testing::Test {
 protected:
  static AvroFile Open(std::string bytes) {
    auto file = AvroFile::Open(std::make_shared<testing::BytesObject>(std::move(bytes)), "f.avro");
    EXPECT_OK(file);
    return std::move(file).value();
  }

  testing::FakeRuntime fake;
};

TEST_F(AvroReaderTest, ReadsAsTheFileSays) {
  const AvroFile file = Open(FileOf({2, 0, 1}));
  EXPECT_EQ(*file.header().Find("avro.codec"), "null");
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(fake.runtime, {}));
  EXPECT_EQ(stream->schema()->ToString(),
            "id: int64 not null\ntext: string\nbounds: map<int32, binary> not null");
  EXPECT_EQ(RowsText(*stream),
            (Rows{"0|NULL|map<int32, binary>[{key:int32 = 0, value:binary = b}]",
                  "1|t1|map<int32, binary>[{key:int32 = 10, value:binary = b}]",
                  "2|t2|map<int32, binary>[{key:int32 = 20, value:binary = b}]"}));
}

TEST_F(AvroReaderTest, BatchesHaveTheRowsAskedFor) {
  const AvroFile file = Open(FileOf({5, 1, 9}));
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(fake.runtime, {.batch_rows = 4}));
  int64_t rows = 0;
  while (true) {
    ASSERT_OK_AND_ASSIGN(const auto batch, stream->Next());
    if (batch == nullptr) break;
    ASSERT_TRUE(batch->ValidateFull().ok());
    EXPECT_LE(batch->num_rows(), 4);
    const auto& ids = static_cast<const arrow::Int64Array&>(*batch->column(0));
    for (int64_t i = 0; i < batch->num_rows(); ++i) EXPECT_EQ(ids.Value(i), rows++);
  }
  EXPECT_EQ(rows, 15);
}

TEST_F(AvroReaderTest, BlocksOnSeveralThreadsKeepTheirOrder) {
  const AvroFile file = Open(FileOf(std::vector<int>(500, 7)));
  const auto pool = MakeThreadPool(4);
  Runtime threaded{fake.clock,  *fake.random,     *pool, fake.log, fake.metrics,
                   fake.memory, fake.cancellation};
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(threaded, {.batch_rows = 50}));
  int64_t rows = 0;
  while (true) {
    ASSERT_OK_AND_ASSIGN(const auto batch, stream->Next());
    if (batch == nullptr) break;
    const auto& ids = static_cast<const arrow::Int64Array&>(*batch->column(0));
    for (int64_t i = 0; i < batch->num_rows(); ++i) ASSERT_EQ(ids.Value(i), rows++);
  }
  EXPECT_EQ(rows, 3500);
}

TEST_F(AvroReaderTest, ColumnsOfATableByIdAndName) {
  const AvroFile file = Open(FileOf({2, 2}));
  FileReadOptions options;
  Field bounds = Col(5, "b", "map<int, binary>");
  bounds.type.fields[0].id = 3;
  bounds.type.fields[1].id = 4;
  Field fresh = Col(8, "fresh", "int");
  fresh.initial_default = Value(int64_t{42});
  options.schema.fields = {bounds, Col(1, "renamed", "bigint"), Col(9, "gone", "string"), fresh};
  options.match = ColumnMatch::kById;
  RowSet skipped;
  skipped.Add(0);
  skipped.Add(3);
  options.skip_rows = &skipped;
  options.row_positions = true;
  ASSERT_OK_AND_ASSIGN(auto stream, file.ReadColumns(fake.runtime, options));
  EXPECT_EQ(RowsText(*stream),
            (Rows{"map<int32, binary>[{key:int32 = 10, value:binary = b}]|1|NULL|42|1",
                  "map<int32, binary>[{key:int32 = 20, value:binary = b}]|2|NULL|42|2"}));

  ASSERT_OK_AND_ASSIGN(
      stream, file.ReadColumns(fake.runtime, {.schema = {.fields = {Col(0, "ID", "double")}}}));
  EXPECT_EQ(RowsText(*stream), Rows{"error: column 'ID': expected double, got int64"});
  ASSERT_OK_AND_ASSIGN(
      stream, file.ReadColumns(fake.runtime, {.schema = {.fields = {Col(0, "TEXT", "string")}}}));
  EXPECT_EQ(RowsText(*stream), (Rows{"NULL", "t1", "t2", "NULL"}));
}

TEST_F(AvroReaderTest, NoColumnsAreCountedOnly) {
  const AvroFile file = Open(FileOf({3, 4}));
  ASSERT_OK_AND_ASSIGN(auto stream, file.ReadColumns(fake.runtime, {}));
  int64_t rows = 0;
  while (true) {
    ASSERT_OK_AND_ASSIGN(const auto batch, stream->Next());
    if (batch == nullptr) break;
    EXPECT_EQ(batch->num_columns(), 0);
    rows += batch->num_rows();
  }
  EXPECT_EQ(rows, 7);
}

TEST_F(AvroReaderTest, ItsColumnsAsATable) {
  ASSERT_OK_AND_ASSIGN(const Schema schema, Open(FileOf({})).ReadSchema());
  EXPECT_EQ(SchemaToDdl(schema),
            "id: int64 not null, text: string, bounds: map<int32, binary not null> not null");
  EXPECT_EQ(schema.fields[1].id, 2);
  EXPECT_EQ(schema.fields[2].type.fields[1].id, 4);
}

TEST_F(AvroReaderTest, SchemasThatAreNoRecord) {
  const AvroFile file =
      Open(AvroHeaderBytes("\"string\"") + AvroBlockBytes(2, AvroText("a") + AvroText("b")));
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(fake.runtime, {}));
  EXPECT_EQ(stream->schema()->ToString(), "value: string not null");
  EXPECT_EQ(RowsText(*stream), (Rows{"a", "b"}));
  ASSERT_OK_AND_ASSIGN(
      stream, file.ReadColumns(fake.runtime, {.schema = {.fields = {Col(0, "value", "string")}}}));
  EXPECT_EQ(RowsText(*stream), (Rows{"a", "b"}));
}

TEST_F(AvroReaderTest, DamageNamesFileBlockAndField) {
  std::string good;
  for (int64_t id = 0; id < 3; ++id) good += Row(id);
  const std::string head = AvroHeaderBytes(kSchema) + AvroBlockBytes(3, good);
  const AvroFile file = Open(head + AvroBlockBytes(1, AvroLong(1) + AvroLong(7) + AvroLong(0)));
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(fake.runtime, {}));
  const auto failed = stream->Next();
  EXPECT_ERROR(failed, ErrorCode::kCorrupt);
  EXPECT_EQ(failed.error().message, "avro: f.avro: block 1 at " + std::to_string(head.size()) +
                                        ": field 'text', byte 1: expected one of 2 branches, got "
                                        "branch 7");
  EXPECT_ERROR(stream->Next(), ErrorCode::kCorrupt);  // and stays so

  const AvroFile cut = Open(head.substr(0, head.size() - 1));
  ASSERT_OK_AND_ASSIGN(stream, cut.Read(fake.runtime, {}));
  EXPECT_ERROR(stream->Next(), ErrorCode::kCorrupt);
}

TEST_F(AvroReaderTest, StopsWhenCancelled) {
  const AvroFile file = Open(FileOf({1}));
  ASSERT_OK_AND_ASSIGN(auto stream, file.Read(fake.runtime, {}));
  fake.cancellation.Cancel();
  EXPECT_ERROR(stream->Next(), ErrorCode::kCancelled);
}

}  // namespace
}  // namespace tarn
