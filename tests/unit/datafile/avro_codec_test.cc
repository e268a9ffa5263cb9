#include "tarn/datafile/avro_codec.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(AvroCodecTest, UnknownCodecsAreNamed) {
  EXPECT_OK(AvroCodecOf("zstandard"));
  const auto other = AvroCodecOf("bzip2");
  EXPECT_ERROR(other, ErrorCode::kUnsupported);
  EXPECT_EQ(other.error().message, "codec 'bzip2'; known: null, deflate, snappy, zstandard");
}

}  // namespace
}  // namespace tarn
