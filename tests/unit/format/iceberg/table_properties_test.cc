#include "tarn/format/iceberg/table_properties.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

TEST(TablePropertiesTest, DefaultsAreIcebergs) {
  ASSERT_OK_AND_ASSIGN(const WriteProperties properties, ParseWriteProperties({}));
  EXPECT_EQ(properties.target_file_size_bytes, 536'870'912);
  EXPECT_EQ(properties.manifests_min_to_merge, 100);
  EXPECT_TRUE(properties.merge_manifests);
  EXPECT_EQ(properties.previous_versions_max, 100);
}

TEST(TablePropertiesTest, Given) {
  ASSERT_OK_AND_ASSIGN(const WriteProperties properties,
                       ParseWriteProperties({{"write.target-file-size-bytes", "1000"},
                                             {"commit.manifest-merge.enabled", "FALSE"},
                                             {"write.metadata.compression-codec", "gzip"},
                                             {"write.parquet.compression-codec", "uncompressed"}}));
  EXPECT_EQ(properties.target_file_size_bytes, 1000);
  EXPECT_FALSE(properties.merge_manifests);
  EXPECT_TRUE(properties.gzip_metadata);
  EXPECT_EQ(properties.compression, "none");
}

// Each data format has a codec of its own, by its own property; those of others say nothing.
TEST(TablePropertiesTest, DataFormats) {
  const auto parsed = [](std::map<std::string, std::string> properties) {
    const auto result = ParseWriteProperties(properties);
    EXPECT_OK(result);
    return result->file_format + " " + result->compression;
  };
  EXPECT_EQ(parsed({}), "parquet zstd");
  EXPECT_EQ(parsed({{"write.format.default", "AVRO"}}), "avro gzip");
  EXPECT_EQ(parsed({{"write.format.default", "orc"}}), "orc gzip");
  EXPECT_EQ(parsed({{"write.format.default", "orc"},
                    {"write.orc.compression-codec", "zlib"},
                    {"write.parquet.compression-codec", "brotli"}}),
            "orc gzip");
  EXPECT_EQ(
      parsed({{"write.format.default", "avro"}, {"write.avro.compression-codec", "uncompressed"}}),
      "avro none");
  EXPECT_ERROR(ParseWriteProperties(
                   {{"write.format.default", "avro"}, {"write.avro.compression-codec", "lz4"}}),
               ErrorCode::kUnsupported);
}

TEST(TablePropertiesTest, RetriesAsTheTableSays) {
  const RetryPolicy otherwise{.attempts_max = 7, .wait_first_ms = 1, .wait_max_ms = 2};
  ASSERT_OK_AND_ASSIGN(const RetryPolicy unsaid, ParseRetryPolicy({}, otherwise));
  EXPECT_EQ(unsaid.attempts_max, 7);
  ASSERT_OK_AND_ASSIGN(const RetryPolicy said,
                       ParseRetryPolicy({{"commit.retry.num-retries", "0"},
                                         {"commit.retry.min-wait-ms", "10"},
                                         {"commit.retry.max-wait-ms", "20"},
                                         {"commit.retry.total-timeout-ms", "30"}},
                                        otherwise));
  EXPECT_EQ(said.attempts_max, 1) << "the first try and no other";
  EXPECT_EQ(said.wait_first_ms, 10);
  EXPECT_EQ(said.wait_max_ms, 20);
  EXPECT_EQ(said.total_ms, 30);
  EXPECT_ERROR(ParseRetryPolicy({{"commit.retry.num-retries", "often"}}, otherwise),
               ErrorCode::kInvalid);
}

TEST(TablePropertiesTest, RefusedByName) {
  EXPECT_ERROR(ParseWriteProperties({{"write.target-file-size-bytes", "-1"}}), ErrorCode::kInvalid);
  EXPECT_ERROR(ParseWriteProperties({{"commit.manifest-merge.enabled", "yes"}}),
               ErrorCode::kInvalid);
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"write.format.default", "csv"},
                                          {"write.parquet.compression-codec", "brotli"},
                                          {"write.data.path", "s3://b/d"},
                                          {"write.object-storage.enabled", "true"},
                                          {"write.metadata.path", "s3://b/m"}}) {
    EXPECT_ERROR(ParseWriteProperties({{name, value}}), ErrorCode::kUnsupported);
  }
  EXPECT_OK(ParseWriteProperties({{"write.object-storage.enabled", "false"}}));
}

}  // namespace
}  // namespace tarn::iceberg
