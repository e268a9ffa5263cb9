#include "tarn/storage/buffer_writer.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(BufferWriterTest, AppendsToWhatIsThere) {
  Bytes bytes = "a";
  const std::unique_ptr<ObjectWriter> writer = MakeBufferWriter(bytes);
  ASSERT_OK(writer->Append("b"));
  ASSERT_OK(writer->Append("cd"));
  ASSERT_OK_AND_ASSIGN(const ObjectInfo info, writer->Finish());
  EXPECT_EQ(bytes, "abcd");
  EXPECT_EQ(info.size_bytes, 4);
}

}  // namespace
}  // namespace tarn
