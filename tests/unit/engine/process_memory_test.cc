#include "tarn/engine/process_memory.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace tarn {
namespace {

TEST(ProcessMemoryTest, AChoiceIsKept) {
  const char* const before = std::getenv("ARROW_DEFAULT_MEMORY_POOL");
  const std::string kept = before == nullptr ? "" : before;
  unsetenv("ARROW_DEFAULT_MEMORY_POOL");
  PrepareProcessMemory();
  EXPECT_STREQ(std::getenv("ARROW_DEFAULT_MEMORY_POOL"), "system");
  setenv("ARROW_DEFAULT_MEMORY_POOL", "mimalloc", 1);
  PrepareProcessMemory();
  EXPECT_STREQ(std::getenv("ARROW_DEFAULT_MEMORY_POOL"), "mimalloc");
  if (before == nullptr) {
    unsetenv("ARROW_DEFAULT_MEMORY_POOL");
  } else {
    setenv("ARROW_DEFAULT_MEMORY_POOL", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace tarn
