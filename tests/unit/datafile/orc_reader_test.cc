#include <gtest/gtest.h>

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

class OrcReaderTest : public ::testing::Test {
 protected:
  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeOrcFormat("iceberg");
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.orc");
};

TEST_F(OrcReaderTest, ReadsSomeColumnsAndRows) {
  const Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "b", "string")});
  FileWriteOptions options;
  options.schema = schema;
  ASSERT_OK(testing::WriteFile(
      *format, *storage, path,
      {BatchOf(schema, R"([[1,"x"],[2,"y"]])"), BatchOf(schema, R"([[3,"z"]])")}, options));
  RowSet skipped;
  skipped.Add(1);
  EXPECT_EQ(RowsText(testing::ReadFile(
                *format, *storage, path,
                {.schema = SchemaOf({Col(2, "renamed", "string"), Col(7, "gone", "int")}),
                 .match = ColumnMatch::kById,
                 .skip_rows = &skipped,
                 .row_positions = true})),
            (Rows{"x|NULL|0", "z|NULL|2"}));
  ASSERT_OK_AND_ASSIGN(auto counted, testing::ReadFile(*format, *storage, path, {}));
  ASSERT_OK_AND_ASSIGN(const auto batch, counted->Next());
  EXPECT_EQ(batch->num_rows(), 3);
}

TEST_F(OrcReaderTest, RefusesWhatIsNoOrc) {
  ASSERT_OK(storage->Put(path, std::string(1000, 'x')));
  ASSERT_OK_AND_ASSIGN(auto object, storage->OpenReader(path));
  EXPECT_ERROR(format->ReadSchema(*object), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
