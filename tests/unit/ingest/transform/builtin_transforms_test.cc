#include <gtest/gtest.h>

#include "tarn/ingest/transform/transform.h"

namespace tarn {
namespace {

TEST(BuiltinTransformsTest, HasEveryStepOfTheManual) {
  EXPECT_EQ(
      BuiltinTransforms().names(),
      (std::vector<std::string>{"cast", "compute", "connect_decimal", "drop", "filter", "flatten",
                                "partition_from", "rename", "select", "snake_case"}));
}

}  // namespace
}  // namespace tarn
