#include "tarn/base/writer_name.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(WriterNameTest, HasAUserAndAHost) {
  const std::string name = WriterName();
  const size_t at = name.find('@');
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(at, 0u);
  EXPECT_LT(at + 1, name.size());
}

}  // namespace
}  // namespace tarn
