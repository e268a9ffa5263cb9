#include "tarn/format/iceberg/puffin.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tarn/datafile/deletion_vector.h"
#include "tests/support/matchers.h"

namespace tarn::iceberg {
namespace {

// The layout, by the Puffin specification: Magic Blob* Footer, Footer = Magic Payload PayloadSize
// Flags Magic.
TEST(PuffinTest, MagicBlobsAndFooter) {
  PuffinVectors vectors;
  RowSet first, second;
  first.Add(3);
  second.AddRange(0, 100'000);
  const auto one = vectors.Add(first, "s3://b/one.parquet");
  const auto two = vectors.Add(second, "two");
  const Bytes bytes = vectors.Finish();
  ASSERT_GT(bytes.size(), 20U);
  EXPECT_EQ(bytes.substr(0, 4), "PFA1");
  EXPECT_EQ(bytes.substr(bytes.size() - 4), "PFA1");
  EXPECT_EQ(bytes.substr(bytes.size() - 8, 4), std::string(4, '\0')) << "no flags";
  uint32_t size = 0;
  for (size_t i = 0; i < 4; ++i) {
    size |= static_cast<uint32_t>(static_cast<uint8_t>(bytes[bytes.size() - 12 + i])) << (8 * i);
  }
  const std::string payload = bytes.substr(bytes.size() - 12 - size, size);
  EXPECT_EQ(bytes.substr(bytes.size() - 16 - size, 4), "PFA1");
  const auto footer = nlohmann::json::parse(payload);
  ASSERT_EQ(footer["blobs"].size(), 2U);
  const auto& blob = footer["blobs"][1];
  EXPECT_EQ(blob["type"], "deletion-vector-v1");
  EXPECT_EQ(blob["snapshot-id"], -1);
  EXPECT_EQ(blob["sequence-number"], -1);
  EXPECT_EQ(blob["properties"]["cardinality"], "100000");
  EXPECT_EQ(blob["properties"]["referenced-data-file"], "two");
  EXPECT_EQ(one.offset, 4);
  EXPECT_EQ(two.offset, one.offset + one.size_bytes);
  EXPECT_EQ(blob["offset"], two.offset);
  EXPECT_EQ(blob["length"], two.size_bytes);
  ASSERT_OK_AND_ASSIGN(const BytesView framed,
                       UnframeDeletionVector(BytesView(bytes).substr(
                           static_cast<size_t>(two.offset), static_cast<size_t>(two.size_bytes))));
  ASSERT_OK_AND_ASSIGN(const RowSet read, DecodeDeletionVector(framed));
  EXPECT_EQ(read, second);
}

}  // namespace
}  // namespace tarn::iceberg
