#include <gtest/gtest.h>

#include "tarn/datafile/file_format.h"
#include "tarn/storage/memory.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::Col;
using testing::RowsText;
using testing::SchemaOf;
using Rows = std::vector<std::string>;

class OrcWriterTest : public ::testing::Test {
 protected:
  testing::FakeRuntime fake;
  std::unique_ptr<FileFormat> format = MakeOrcFormat("iceberg");
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  const Path path = *Path::Make("f.orc");
};

TEST_F(OrcWriterTest, WritesNoRows) {
  const Schema schema = SchemaOf({Col(1, "a", "int")});
  FileWriteOptions options;
  options.schema = schema;
  ASSERT_OK(testing::WriteFile(*format, *storage, path, {}, options));
  EXPECT_EQ(RowsText(testing::ReadFile(*format, *storage, path, {.schema = schema})), Rows{});
}

TEST_F(OrcWriterTest, RefusesOtherCompressions) {
  FileWriteOptions options;
  options.schema = SchemaOf({Col(1, "a", "int")});
  options.compression = "brotli";
  const auto refused = testing::WriteFile(*format, *storage, path, {}, options);
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_EQ(refused.error().message,
            "orc: no compression 'brotli'; known: zstd, snappy, gzip, lz4, none");
}

}  // namespace
}  // namespace tarn
