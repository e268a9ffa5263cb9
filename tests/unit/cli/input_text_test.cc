#include "tarn/cli/input_text.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::cli {
namespace {

TEST(InputText, OfAFileAsItIs) {
  const std::string path = ::testing::TempDir() + "input_text_test.sql";
  const std::string text("a\r\n\0b", 5);
  std::ofstream(path, std::ios::binary) << text;
  ASSERT_OK_AND_ASSIGN(const std::string read, ReadFileOrInput("sql", path));
  EXPECT_EQ(read, text);
}

TEST(InputText, AFileThatIsNotThereIsNamed) {
  const auto read = ReadFileOrInput("lineage", "/no/such.sql");
  EXPECT_ERROR(read, ErrorCode::kNotFound);
  EXPECT_EQ(read.error().message, "lineage: '/no/such.sql' cannot be read");
}

TEST(InputText, AFolderIsNoFile) {
  const auto read = ReadFileOrInput("lineage", ::testing::TempDir());
  EXPECT_ERROR(read, ErrorCode::kInvalid);
  EXPECT_THAT(read.error().message, ::testing::HasSubstr("is a folder; a file is expected"));
}

// It opens, but every read of it fails.
TEST(InputText, AFileThatCannotBeReadIsAnError) {
  EXPECT_ERROR(ReadFileOrInput("sql", "/proc/self/mem"), ErrorCode::kUnavailable);
}

}  // namespace
}  // namespace tarn::cli
