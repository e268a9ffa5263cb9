#include "tarn/engine/read_builder.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(ReadBuilder, KeepsWhatWasAskedAndRunsIt) {
  int runs = 0;
  ReadBuilder read(
      [&](const ReadBuilder& asked) -> Result<std::unique_ptr<BatchStream>> {
        ++runs;
        EXPECT_EQ(asked.table(), "t");
        EXPECT_EQ(asked.options().size(), 2u);
        EXPECT_EQ(asked.version(), "3");
        return NotFound("no table");
      },
      "t");
  read.Option("a", "1").Option("b", "2").AsOf(3).Columns({"a"}).Where("c > 1");
  EXPECT_EQ(runs, 0);
  EXPECT_ERROR(read.Batches(), ErrorCode::kNotFound);
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(read.columns().size(), 1u);
  EXPECT_EQ(read.where(), "c > 1");
}

}  // namespace
}  // namespace tarn
