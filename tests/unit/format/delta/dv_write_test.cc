#include "tarn/format/delta/dv_write.h"

#include <gtest/gtest.h>

#include "tarn/base/text.h"
#include "tarn/datafile/deletion_vector.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/row_set_of.h"

namespace tarn::delta {
namespace {

using testing::RowSetOf;

TEST(EncodeZ85, KnowsTheSpecificationsExample) {
  EXPECT_EQ(EncodeZ85(*HexDecode("864fd26fb559f75b")), "HelloWorld");
  EXPECT_EQ(EncodeZ85(""), "");
}

TEST(EncodeDeletionVector, IsWhatPeersWrite) {
  // The rows of PROTOCOL.md's "JSON Example 3 — Inline" as delta-kernel-rs spells them in its
  // tests; the specification's own text has the magic number of an older framing.
  const Bytes bytes = EncodeDeletionVector(RowSetOf({3, 4, 7, 11, 18, 29}));
  EXPECT_EQ(bytes.size(), 44u);
  EXPECT_EQ(EncodeZ85(bytes), "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L");
}

TEST(EncodeDeletionVector, WritesBitmapsForFullChunksAndBucketsAbove32Bits) {
  RowSet rows;
  rows.AddRange(0, 5000);             // a bitmap container: 8,192 bytes
  rows.Add((uint64_t{1} << 32) + 1);  // a second bucket with one value
  const Bytes bytes = EncodeDeletionVector(rows);
  constexpr size_t kHeader = 4 + 8;
  constexpr size_t kBucketHeader = 4 + 8 + 4 + 4;  // key, cookie and count, keys, offsets
  EXPECT_EQ(bytes.size(), kHeader + 2 * kBucketHeader + 8192 + 2);
}

TEST(DeletionVectorWriter, KeepsSmallOnesInTheLog) {
  testing::FakeRuntime fake;
  DeletionVectorWriter writer(fake.runtime);
  ASSERT_OK_AND_ASSIGN(const DeletionVectorDescriptor descriptor,
                       writer.Add(RowSetOf({3, 4, 7, 11, 18, 29})));
  EXPECT_EQ(descriptor, (DeletionVectorDescriptor{
                            'i', "^Bg9^0rr910000000000iXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L",
                            std::nullopt, 44, 6}));
  EXPECT_TRUE(writer.TakeFile().empty());
}

TEST(DeletionVectorWriter, PutsTheOthersIntoOneFile) {
  testing::FakeRuntime fake;
  DeletionVectorWriter writer(fake.runtime);
  RowSet many;
  for (uint64_t row = 0; row < 200; row += 2) many.Add(row);
  ASSERT_OK_AND_ASSIGN(const DeletionVectorDescriptor first, writer.Add(many));
  ASSERT_OK_AND_ASSIGN(const DeletionVectorDescriptor second, writer.Add(many));
  EXPECT_EQ(first.storage_type, 'u');
  EXPECT_EQ(first.path_or_inline.size(), 20u);
  EXPECT_EQ(first.offset, 1);
  EXPECT_EQ(first.cardinality, 100);
  EXPECT_EQ(second.offset, 1 + 4 + first.size_bytes + 4);
  const Bytes vector = EncodeDeletionVector(many);
  const Bytes file = writer.TakeFile();
  EXPECT_EQ(file[0], 1);
  EXPECT_EQ(file.substr(5, vector.size()), vector);
  EXPECT_EQ(file.size(), 1 + 2 * (vector.size() + 8));
  EXPECT_TRUE(writer.file_name().starts_with("deletion_vector_"));
  EXPECT_TRUE(writer.file_name().ends_with(".bin"));
}

}  // namespace
}  // namespace tarn::delta
