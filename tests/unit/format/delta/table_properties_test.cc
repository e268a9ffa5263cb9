#include "tarn/format/delta/table_properties.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

constexpr int64_t kDayMs = TableProperties::kDayMs;

TEST(ParseIntervalMs, ReadsSparkSpellings) {
  EXPECT_EQ(ParseIntervalMs("interval 30 days"), 30 * kDayMs);
  EXPECT_EQ(ParseIntervalMs("INTERVAL 1 WEEK"), 7 * kDayMs);
  EXPECT_EQ(ParseIntervalMs("1 day 12 hours"), kDayMs + 12 * 3600 * 1000);
  EXPECT_EQ(ParseIntervalMs("interval 90 minutes"), 90 * 60 * 1000);
  EXPECT_EQ(ParseIntervalMs("interval 0 seconds"), 0);
  EXPECT_EQ(ParseIntervalMs("1500 microseconds"), 1);
}

TEST(ParseIntervalMs, RefusesWhatIsNone) {
  for (const char* text : {"", "interval", "30", "days 30", "interval 1 month", "interval -1 days",
                           "interval 1.5 days", "99999999999999999 weeks"}) {
    EXPECT_EQ(ParseIntervalMs(text), std::nullopt) << text;
  }
}

TEST(ParseSizeBytes, ReadsUnits) {
  EXPECT_EQ(ParseSizeBytes("104857600"), 104857600);
  EXPECT_EQ(ParseSizeBytes("100mb"), 100 << 20);
  EXPECT_EQ(ParseSizeBytes("1 G"), 1 << 30);
  EXPECT_EQ(ParseSizeBytes("4KiB"), 4096);
  EXPECT_EQ(ParseSizeBytes("7b"), 7);
  for (const char* text : {"", "mb", "1.5g", "10 parsecs", "-1", "9999999999999t"}) {
    EXPECT_EQ(ParseSizeBytes(text), std::nullopt) << text;
  }
}

TEST(ParseTableProperties, HasDeltasDefaults) {
  ASSERT_OK_AND_ASSIGN(const TableProperties properties, ParseTableProperties({}));
  EXPECT_FALSE(properties.append_only);
  EXPECT_EQ(properties.checkpoint_interval, 10);
  EXPECT_EQ(properties.log_retention_ms, 30 * kDayMs);
  EXPECT_EQ(properties.deleted_file_retention_ms, 7 * kDayMs);
  EXPECT_EQ(properties.transaction_retention_ms, std::nullopt);
  EXPECT_TRUE(properties.stats_as_json);
  EXPECT_FALSE(properties.stats_as_struct);
  EXPECT_EQ(properties.compression, "zstd");
}

TEST(ParseTableProperties, ReadsAll) {
  ASSERT_OK_AND_ASSIGN(
      const TableProperties properties,
      ParseTableProperties({{"delta.appendOnly", "TRUE"},
                            {"delta.enableDeletionVectors", "true"},
                            {"delta.checkpointInterval", "3"},
                            {"delta.logRetentionDuration", "interval 2 days"},
                            {"delta.setTransactionRetentionDuration", "interval 1 hour"},
                            {"delta.targetFileSize", "64mb"},
                            {"delta.dataSkippingNumIndexedCols", "-1"},
                            {"delta.dataSkippingStatsColumns", "a,b"},
                            {"delta.parquet.compression.codec", "SNAPPY"},
                            {"delta.checkpointPolicy", "v2"},
                            {"delta.isolationLevel", "WriteSerializable"},
                            {"someone.elses", "x"}}));
  EXPECT_TRUE(properties.append_only);
  EXPECT_TRUE(properties.deletion_vectors);
  EXPECT_EQ(properties.checkpoint_interval, 3);
  EXPECT_EQ(properties.log_retention_ms, 2 * kDayMs);
  EXPECT_EQ(properties.transaction_retention_ms, 3600 * 1000);
  EXPECT_EQ(properties.target_file_size_bytes, 64 << 20);
  EXPECT_EQ(properties.indexed_columns, -1);
  EXPECT_EQ(properties.stats_columns, "a,b");
  EXPECT_EQ(properties.compression, "snappy");
  EXPECT_TRUE(properties.v2_checkpoints);
  EXPECT_EQ(properties.isolation_level, "WriteSerializable");
}

TEST(ParseTableProperties, NamesWhatItCannotRead) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"delta.appendOnly", "yes"},
                                          {"delta.checkpointInterval", "0"},
                                          {"delta.logRetentionDuration", "30"},
                                          {"delta.targetFileSize", "big"},
                                          {"delta.dataSkippingNumIndexedCols", "-2"},
                                          {"delta.parquet.compression.codec", "brotli9"},
                                          {"delta.checkpointPolicy", "v3"},
                                          {"delta.isolationLevel", "None"}}) {
    const Result<TableProperties> parsed = ParseTableProperties({{name, value}});
    EXPECT_ERROR(parsed, ErrorCode::kInvalid);
    EXPECT_NE(parsed.error().message.find(name), std::string::npos) << parsed.error().message;
    EXPECT_NE(parsed.error().message.find(value), std::string::npos) << parsed.error().message;
  }
}

TEST(SuspectProperty, FindsMisspelledNames) {
  EXPECT_EQ(SuspectProperty("delta.appendonly"),
            "delta: no engine is known to read the table property 'delta.appendonly'; did you mean "
            "'delta.appendOnly'?");
  EXPECT_TRUE(SuspectProperty("Delta.appendOnly"));
  EXPECT_EQ(SuspectProperty("delta.zzzzzzzzzzzzzzzzzzzz"),
            "delta: no engine is known to read the table property 'delta.zzzzzzzzzzzzzzzzzzzz'");
  for (const char* name : {"delta.appendOnly", "delta.columnMapping.mode", "delta.feature.x",
                           "delta.constraints.c", "tarn.schemaIds", "owner", "deltaish", ""}) {
    EXPECT_EQ(SuspectProperty(name), std::nullopt) << name;
  }
}

}  // namespace
}  // namespace tarn::delta
