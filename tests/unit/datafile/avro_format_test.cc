#include <gtest/gtest.h>

#include "tarn/datafile/avro_reader.h"
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
using Rows = std::vector<std::string>;

class AvroFormatTest : public ::testing::Test {
 protected:
  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeAvroFormat(fake.runtime, "iceberg");
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.avro");
};

TEST_F(AvroFormatTest, WritesAndReadsBackByIdAndName) {
  const Schema schema = SchemaOf(
      {Col(1, "a b", "int", true), Col(2, "s", "struct<x: string, m: map<int, date>>"),
       Col(3, "t", "timestamp"), Col(4, "d", "decimal(20,3)"), Col(5, "u", "uuid"),
       Col(6, "l", "array<boolean>"), Col(7, "small", "smallint"), Col(8, "nothing", "void")});
  const auto batch =
      BatchOf(schema, R"([[1, ["u", [[5, 10]]], 1000, "1.500", null, [true, null], 7, null],
                  [2, null, null, null, null, null, null, null]])");
  for (const char* compression : {"zstd", "snappy", "gzip", "none"}) {
    FileWriteOptions options;
    options.schema = schema;
    options.compression = compression;
    ASSERT_OK_AND_ASSIGN(const DataFile file,
                         testing::WriteFile(*format, *storage, path, {batch}, options));
    EXPECT_EQ(file.record_count, 2);
    EXPECT_EQ(file.format, "avro");
    ASSERT_OK_AND_ASSIGN(auto object, storage->OpenReader(path));
    EXPECT_EQ(file.size_bytes, object->size_bytes());
    ASSERT_OK_AND_ASSIGN(const Schema in_file, format->ReadSchema(*object));
    EXPECT_EQ(SchemaToDdl(in_file),
              "`a b`: int32 not null, s: struct<x: string, m: map<int32, date>>, t: timestamp, "
              "d: decimal(20,3), u: uuid, l: list<boolean>, small: int32");
    EXPECT_EQ(in_file.fields[1].id, 2);
    EXPECT_EQ(in_file.fields[1].type.fields[0].id, schema.fields[1].type.fields[0].id);
    for (const ColumnMatch match : {ColumnMatch::kByName, ColumnMatch::kById}) {
      EXPECT_EQ(
          RowsText(testing::ReadFile(*format, *storage, path, {.schema = schema, .match = match})),
          (Rows{"1|{x:string = u, m:map<int32, date32[day]> = map<int32, date32[day]>[{key:int32 = "
                "5, value:date32[day] = 1970-01-11}]}|1970-01-01 00:00:00.001000Z|1.500|NULL|"
                "list<element: bool>[true, null]|7|NULL",
                "2|NULL|NULL|NULL|NULL|NULL|NULL|NULL"}));
    }
  }
}

TEST_F(AvroFormatTest, RefusesOtherFilesAndCompressions) {
  FileWriteOptions options;
  options.schema = SchemaOf({Col(1, "a", "int")});
  options.compression = "lz4";
  const auto refused = testing::WriteFile(*format, *storage, path, {}, options);
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_EQ(refused.error().message, "avro: no compression 'lz4'; known: zstd, snappy, gzip, none");
  ASSERT_OK(storage->Put(path, "no such file"));
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenReader(path));
  EXPECT_ERROR(format->ReadSchema(*object), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
