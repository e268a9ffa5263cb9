#include "tarn/model/partition_key.h"

#include <gtest/gtest.h>

#include <string>

namespace tarn {
namespace {

TEST(PartitionKeyTest, EqualExactlyWhenTheValuesAre) {
  EXPECT_NE(PartitionKey({Value(std::string())}), PartitionKey({Value()}));
  EXPECT_NE(PartitionKey({Value(std::string("a")), Value(std::string("b"))}),
            PartitionKey({Value(std::string("ab")), Value(std::string())}));
  EXPECT_NE(PartitionKey({Value(int64_t{1})}), PartitionKey({Value(true)}));
  EXPECT_EQ(PartitionKey({Value(int64_t{1})}), PartitionKey({Value(int64_t{1})}));
}

TEST(PartitionKeyTest, SpecsAreApart) {
  EXPECT_NE(PartitionKey(1, {Value(int64_t{1})}), PartitionKey(2, {Value(int64_t{1})}));
  EXPECT_NE(PartitionKey(1, {}), PartitionKey(11, {}));
  EXPECT_EQ(PartitionKey(1, {Value(int64_t{1})}), PartitionKey(1, {Value(int64_t{1})}));
}

}  // namespace
}  // namespace tarn
