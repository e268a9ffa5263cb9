#include "tarn/cli/common_options.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::cli {
namespace {

TEST(MemoryLimit, ReadsUnits) {
  const auto bytes = [](const char* text) {
    const auto parsed = ParseMemoryLimit(text);
    return parsed.ok() ? *parsed : -1;
  };
  EXPECT_EQ(bytes("512MB"), 512'000'000);
  EXPECT_EQ(bytes("512 mib"), int64_t{512} << 20);
  EXPECT_EQ(bytes("2GiB"), int64_t{2} << 30);
  EXPECT_EQ(bytes("1.5G"), 1'500'000'000);
  EXPECT_EQ(bytes("100000000"), 100'000'000);
  for (const char* text : {"", "MB", "-1GB", "1XB", "10MB", "1e30GB", "nan"})
    EXPECT_EQ(bytes(text), -1) << text;
}

TEST(Relocation, SplitsAtTheFirstEquals) {
  ASSERT_OK_AND_ASSIGN(const auto pair, ParseRelocation("/old=/new=x"));
  EXPECT_EQ(pair.first, "/old");
  EXPECT_EQ(pair.second, "/new=x");
  for (const char* text : {"", "=", "a=", "=b", "ab"})
    EXPECT_ERROR(ParseRelocation(text), ErrorCode::kInvalid);
}

TEST(RuntimeOptions, AreMadeOfThem) {
  CommonOptions options;
  options.memory_limit = "128MB";
  options.threads = 3;
  options.log_format = "json";
  ASSERT_OK_AND_ASSIGN(const RuntimeOptions made, MakeRuntimeOptions(options));
  EXPECT_EQ(made.memory_limit_bytes, 128'000'000);
  EXPECT_EQ(made.threads, 3);
  EXPECT_EQ(made.log_format, RuntimeOptions::LogFormat::kJson);
  options.log_format = "jsn";
  EXPECT_ERROR(MakeRuntimeOptions(options), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn::cli
