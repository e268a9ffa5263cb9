#include "tarn/format/delta/file_decoder.h"

#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class FileDecoderTest : public LogFixture {
 protected:
  FilePlan Plan(const Expression& filter = {}) {
    PutFirst();
    Result<Snapshot> snapshot = Load();
    EXPECT_OK(snapshot);
    FileRequest request;
    request.filter = filter;
    return FilePlan(home_, *snapshot, request);
  }
};

TEST_F(FileDecoderTest, TuplesAreTestedOnce) {
  const FilePlan plan =
      Plan(Expression::Compare(Expression::Op::kEqual, 1, Value(std::string("x"))));
  PartitionCache cache(plan);
  EXPECT_EQ(cache.Find("k"), nullptr);
  ASSERT_OK_AND_ASSIGN(const PartitionTuple* kept, cache.Add("k", {{"p", "x"}}));
  EXPECT_TRUE(kept->keep);
  ASSERT_OK_AND_ASSIGN(const PartitionTuple* pruned, cache.Add("l", {{"p", "y"}}));
  EXPECT_FALSE(pruned->keep);
  ASSERT_OK_AND_ASSIGN(const PartitionTuple* null, cache.Add("m", {{"q", "x"}}));
  EXPECT_TRUE(IsNull(null->values[0])) << "a column that is not named is NULL";
  EXPECT_TRUE(cache.Find("k")->keep);
}

TEST_F(FileDecoderTest, KeysAreDecodedPaths) {
  std::string scratch;
  EXPECT_EQ(FileKey(home_, "p=1/a.parquet", scratch), "p=1/a.parquet");
  EXPECT_TRUE(scratch.empty()) << "nothing to decode, nothing copied";
  EXPECT_EQ(FileKey(home_, "a%20b", scratch), "a b");
  EXPECT_EQ(FileKey(home_, storage_->root_uri() + "/t/c", scratch), "c");
  EXPECT_EQ(FileKey(home_, "s3://b/c", scratch), std::string(kOutsideMark) + "s3://b/c");
  EXPECT_EQ(FileKey(home_, "../c", scratch), std::string(kOutsideMark) + "../c");
}

TEST_F(FileDecoderTest, LocationsAndDeletesBeginWhereTheyAreNeeded) {
  const FilePlan plan = Plan();
  FileBatch batch = plan.EmptyBatch();
  PartitionTuple tuple;
  tuple.values = {Value(std::string("x"))};
  FileStats stats;
  stats.Reset(0);
  const DeletionVectorDescriptor vector{'u', "v", 1, 36, 2};
  AppendRow(batch, {"a", "a", 1, 2, &tuple, &stats, nullptr});
  EXPECT_TRUE(batch.location.empty());
  EXPECT_TRUE(batch.delete_offsets.empty());
  AppendRow(batch, {"b%20", "b ", 1, 2, &tuple, &stats, &vector});
  AppendRow(batch, {"c", "c", 1, 2, &tuple, &stats, nullptr});
  EXPECT_EQ(batch.At(0).location, "a");
  EXPECT_EQ(batch.At(1).location, "b%20");
  EXPECT_EQ(batch.At(1).deletes.size(), 1U);
  EXPECT_TRUE(batch.At(0).deletes.empty());
  EXPECT_TRUE(batch.At(2).deletes.empty());
  EXPECT_OK(CheckInside(home_, batch));
  std::string scratch;
  AppendRow(batch,
            {"s3://b/c", FileKey(home_, "s3://b/c", scratch), 1, 2, &tuple, &stats, nullptr});
  EXPECT_ERROR(CheckInside(home_, batch), ErrorCode::kInvalid);
}

TEST(Descriptors, RoundTrip) {
  const DeletionVectorDescriptor vector{'p', "file:///x.bin", 7, 36, 2};
  EXPECT_EQ(*ToDescriptor(ToDeleteFile(vector)), vector);
  DeleteFile deletes = ToDeleteFile(vector);
  deletes.offset = int64_t{1} << 40;
  EXPECT_ERROR(ToDescriptor(deletes), ErrorCode::kCorrupt);
  EXPECT_ERROR(ToDescriptor(DeleteFile{}), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn::delta
