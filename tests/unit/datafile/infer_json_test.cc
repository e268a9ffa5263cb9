#include "tarn/datafile/infer_json.h"

#include <gtest/gtest.h>

#include "tarn/datafile/text_source_blocks.h"

namespace tarn {
namespace {

TEST(ObserveJsonTest, CountsLinesAndPassesOverBrokenOnes) {
  const TextBlock block = TextBlock::Of("{\"a\":1}\n\n[1]\n{\"a\":\n{\"b\":\"x\"}\n{\"c\":tru}");
  ObservedText observed = ObserveJson(block.text());
  EXPECT_EQ(observed.lines, 6);
  EXPECT_TRUE(observed.root.Member("a").Has(ValueKind::kInteger));
  EXPECT_TRUE(observed.root.Member("b").Has(ValueKind::kText));
}

TEST(ObserveJsonTest, EscapedNamesAreTheirText) {
  const TextBlock block = TextBlock::Of("{\"\\u0061\":1}\n{\"a\":\"x\"}\n");
  ObservedText observed = ObserveJson(block.text());
  EXPECT_TRUE(observed.root.Member("a").Has(ValueKind::kInteger));
  EXPECT_TRUE(observed.root.Member("a").Has(ValueKind::kText));
}

}  // namespace
}  // namespace tarn
