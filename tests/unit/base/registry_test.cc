#include "tarn/base/registry.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(RegistryTest, FindsByNameOrNamesTheNearest) {
  Registry<int> numbers;
  numbers.Add("one", std::make_unique<int>(1));
  numbers.Add("three", std::make_unique<int>(3));
  EXPECT_EQ(**numbers.Find("three"), 3);
  const auto missing = numbers.Find("tree");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().message, "no 'tree' here; did you mean 'three'?");
  EXPECT_EQ(numbers.names(), (std::vector<std::string>{"one", "three"}));
}

}  // namespace
}  // namespace tarn
