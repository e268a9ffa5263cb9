#include <gtest/gtest.h>

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
using testing::SchemaOf;

TEST(ParquetFormatTest, EveryTypeComesBackEqual) {
  testing::FakeRuntime fake;
  const auto format = MakeParquetFormat(fake.runtime);
  const auto storage = MakeMemoryStorage(fake.clock, *fake.random);
  Schema schema =
      SchemaOf({Col(1, "b", "boolean"), Col(2, "i8", "tinyint"), Col(3, "i64", "bigint"),
                Col(4, "f", "float"), Col(5, "d9", "decimal(9,2)"), Col(6, "d18", "decimal(18,0)"),
                Col(7, "d38", "decimal(38,10)"), Col(8, "day", "date"), Col(9, "ts", "timestamp"),
                Col(10, "ntz", "timestamp_ntz"), Col(11, "s", "string"), Col(12, "bin", "binary"),
                Col(13, "st", "struct<a: int, m: map<string, array<decimal(5,1)>>>"),
                Col(14, "req", "bigint", true)});
  schema.fields.push_back({0, "fx", Type::Fixed(3)});
  schema.fields.push_back({0, "ns", Type::Of(TypeKind::kTimestampNs)});
  schema = AssignFreshIds(schema);
  const auto batch = BatchOf(schema, R"([
    [true, -128, 9223372036854775807, 1.5, "-1234567.89", "999999999999999999",
     "1234567890123456789012345678.0123456789", -719162, -62135596800000000, 253402300799999999,
     "é\u0000😀", "xyz", [1, [["k", ["1.5", null]], ["", []]]], 1, "abc", 1],
    [null, null, null, null, null, null, null, null, null, null, null, null, null, 2, null, null],
    [false, 127, -9223372036854775808, -0.0, "0.00", "-1", "0.0000000000", 2932896, 0, 0,
     "", "", [null, null], 3, "\u0000\u0000\u0000", -1]])");
  FileWriteOptions options;
  options.schema = schema;
  for (const std::string compression : {"zstd", "snappy", "none"}) {
    options.compression = compression;
    const Path path = *Path::Make(compression);
    ASSERT_OK(testing::WriteFile(*format, *storage, path, {batch, batch}, options));
    ASSERT_OK_AND_ASSIGN(auto object, storage->OpenReader(path));
    ASSERT_OK_AND_ASSIGN(const Schema in_file, format->ReadSchema(*object));
    EXPECT_EQ(in_file.fields, schema.fields);  // ids, names, types and nullability
    ASSERT_OK_AND_ASSIGN(auto stream, format->Read(std::move(object), {.schema = schema}));
    std::vector<std::shared_ptr<arrow::RecordBatch>> read;
    while (true) {
      ASSERT_OK_AND_ASSIGN(auto next, stream->Next());
      if (next == nullptr) break;
      read.push_back(next);
    }
    const auto back = *arrow::Table::FromRecordBatches(read);
    const auto there = *arrow::Table::FromRecordBatches({batch, batch});
    EXPECT_TRUE(back->Equals(*there, /*check_metadata=*/false)) << back->ToString();
  }
}

}  // namespace
}  // namespace tarn
