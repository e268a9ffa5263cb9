#include "tarn/engine/sql_text.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(SqlText, AsksForMoreUntilTheSemicolon) {
  EXPECT_TRUE(IsIncompleteSql("SELECT 1"));
  EXPECT_TRUE(IsIncompleteSql("SELECT ';"));
  EXPECT_FALSE(IsIncompleteSql("SELECT 1;"));
}

}  // namespace
}  // namespace tarn
