#include "tarn/datafile/file_format.h"

#include <gtest/gtest.h>

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

class OrcFormatTest : public ::testing::Test {
 protected:
  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeOrcFormat("iceberg");
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.orc");
};

TEST_F(OrcFormatTest, WritesAndReadsBackByIdAndName) {
  const Schema schema = SchemaOf(
      {Col(1, "a", "int", true), Col(2, "s", "struct<x: string, m: map<int, date>>"),
       Col(3, "t", "timestamp"), Col(4, "n", "timestamp_ntz"), Col(5, "d", "decimal(20,3)"),
       Col(6, "u", "uuid"), Col(7, "l", "array<boolean>"), Col(8, "big", "bigint"),
       Col(9, "of_day", "time"), Col(10, "raw", "fixed(3)"), Col(11, "nothing", "void")});
  const auto batch = BatchOf(schema, R"([
      [1, ["u", [[5, 10]]], 1000, 2000, "1.500", "0123456789abcdef", [true, null], 7, 5, "xyz", null],
      [2, null, null, null, null, null, null, null, null, null, null]])");
  const Rows rows = {
      "1|{x:string = u, m:map<int32, date32[day]> = map<int32, date32[day]>[{key:int32 = 5, "
      "value:date32[day] = 1970-01-11}]}|1970-01-01 00:00:00.001000Z|1970-01-01 00:00:00.002000|"
      "1.500|0123456789abcdef|list<element: bool>[true, null]|7|00:00:00.000005|"
      "xyz|NULL",
      "2|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL|NULL"};
  for (const char* compression : {"zstd", "snappy", "gzip", "lz4", "none"}) {
    FileWriteOptions options;
    options.schema = schema;
    options.compression = compression;
    ASSERT_OK_AND_ASSIGN(const DataFile file,
                         testing::WriteFile(*format, *storage, path, {batch}, options));
    EXPECT_EQ(file.record_count, 2);
    EXPECT_EQ(file.format, "orc");
    ASSERT_OK_AND_ASSIGN(auto object, storage->OpenReader(path));
    EXPECT_EQ(file.size_bytes, object->size_bytes());
    ASSERT_OK_AND_ASSIGN(const Schema in_file, format->ReadSchema(*object));
    EXPECT_EQ(in_file.fields[0].id, 1);
    EXPECT_TRUE(in_file.fields[0].required);
    EXPECT_EQ(in_file.fields[1].type.fields[1].type.fields[1].id,
              schema.fields[1].type.fields[1].type.fields[1].id);
    EXPECT_EQ(in_file.fields[5].type.kind, TypeKind::kUuid);
    EXPECT_EQ(in_file.fields[8].type.kind, TypeKind::kTime);
    EXPECT_EQ(in_file.fields[9].type, Type::Fixed(3));
    for (const ColumnMatch match : {ColumnMatch::kByName, ColumnMatch::kById}) {
      EXPECT_EQ(
          RowsText(testing::ReadFile(*format, *storage, path, {.schema = schema, .match = match})),
          rows);
    }
  }
}

}  // namespace
}  // namespace tarn
