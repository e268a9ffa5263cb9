#include <gtest/gtest.h>

#include <arrow/api.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/writer.h>

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

class IpcTest : public ::testing::Test {
 protected:
  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeIpcFormat(fake.runtime);
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.arrow");
  const Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "s", "struct<x: string>")});
};

TEST_F(IpcTest, WritesTheFileFormatAndReadsItBack) {
  FileWriteOptions options;
  options.schema = schema;
  ASSERT_OK_AND_ASSIGN(const DataFile file,
                       testing::WriteFile(*format, *storage, path,
                                          {BatchOf(schema, R"([[1, ["u"]], [2, null]])"),
                                           BatchOf(schema, "[[3, [null]]]")},
                                          options));
  EXPECT_EQ(file.record_count, 3);
  EXPECT_EQ(file.format, "arrow");
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenReader(path));
  ASSERT_OK_AND_ASSIGN(const Schema in_file, format->ReadSchema(*object));
  EXPECT_EQ(in_file.fields, schema.fields);
  EXPECT_EQ(RowsText(testing::ReadFile(*format, *storage, path, {.schema = schema})),
            (Rows{"1|{x:string = u}", "2|NULL", "3|{x:string = null}"}));
  RowSet deleted;
  deleted.Add(1);
  EXPECT_EQ(RowsText(testing::ReadFile(*format, *storage, path,
                                       {.schema = SchemaOf({Col(1, "a", "bigint")}),
                                        .match = ColumnMatch::kById,
                                        .skip_rows = &deleted,
                                        .row_positions = true})),
            (Rows{"1|0", "3|2"}));
}

TEST_F(IpcTest, ReadsStreams) {
  const auto sink = *arrow::io::BufferOutputStream::Create();
  const auto batch = BatchOf(schema, R"([[1, ["u"]], [2, null]])");
  const auto writer = *arrow::ipc::MakeStreamWriter(sink, batch->schema());
  ASSERT_TRUE(writer->WriteRecordBatch(*batch).ok());
  ASSERT_TRUE(writer->Close().ok());
  ASSERT_OK(storage->Put(path, (*sink->Finish())->ToString()));
  EXPECT_EQ(RowsText(testing::ReadFile(*format, *storage, path, {.schema = schema})).size(), 2U);
}

TEST_F(IpcTest, DamageIsAnError) {
  ASSERT_OK(storage->Put(path, "ARROW1 but nothing more"));
  EXPECT_FALSE(testing::ReadFile(*format, *storage, path, {.schema = schema}).ok());
  ASSERT_OK(storage->Put(path, "nonsense"));
  EXPECT_FALSE(testing::ReadFile(*format, *storage, path, {.schema = schema}).ok());
}

}  // namespace
}  // namespace tarn
