#include "tarn/base/counted.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(Counted, OneIsOne) {
  EXPECT_EQ(Counted(1, "row"), "1 row");
  EXPECT_EQ(Counted(0, "row"), "0 rows");
  EXPECT_EQ(Counted(2000, "file"), "2,000 files");
}

}  // namespace
}  // namespace tarn
