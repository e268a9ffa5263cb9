#include "tarn/format/delta/checkpoint_heads.h"

#include <gtest/gtest.h>

#include "tarn/format/delta/log_paths.h"
#include "tests/support/matchers.h"
#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class CheckpointHeadsTest : public LogFixture {
 protected:
  void SetUp() override {
    PutFirst();
    for (int version = 1; version <= 9; ++version) {
      PutCommit(version, {R"({"txn":{"appId":"a","version":)" + std::to_string(version) + "}}"});
    }
  }

  CheckpointObjects Checkpoint(int64_t version) {
    CheckpointObjects objects;
    objects.version = version;
    objects.parts = {*storage_->Stat(ClassicCheckpointPath(home_.root, version))};
    return objects;
  }

  CheckpointHeads heads_;
};

TEST_F(CheckpointHeadsTest, IsReadOnce) {
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  PutCheckpoint(snapshot);
  const CheckpointObjects objects = Checkpoint(9);
  ASSERT_OK_AND_ASSIGN(const auto first, heads_.Read(home_, objects));
  EXPECT_EQ(first->head.txns.at("a").version, 9);
  ASSERT_OK(storage_->Remove(objects.parts.front().path));
  ASSERT_OK_AND_ASSIGN(const auto again, heads_.Read(home_, objects));
  EXPECT_EQ(again, first);
}

TEST_F(CheckpointHeadsTest, AnotherObjectOfTheNameIsReadAnew) {
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  PutCheckpoint(snapshot);
  const CheckpointObjects objects = Checkpoint(9);
  ASSERT_OK_AND_ASSIGN(const auto first, heads_.Read(home_, objects));
  const Path path = objects.parts.front().path;
  ASSERT_OK_AND_ASSIGN(const Bytes bytes, storage_->Read(path));
  ASSERT_OK(storage_->Put(path, BytesView(bytes).substr(0, bytes.size() / 2)));
  EXPECT_ERROR(heads_.Read(home_, Checkpoint(9)), ErrorCode::kCorrupt);
  CheckpointObjects touched = objects;
  touched.parts.front().modified_ms += 1;
  EXPECT_ERROR(heads_.Read(home_, touched), ErrorCode::kCorrupt);
  EXPECT_OK(heads_.Read(home_, objects));
}

TEST_F(CheckpointHeadsTest, KeepsTheLastUsed) {
  ASSERT_OK_AND_ASSIGN(const Snapshot snapshot, Load());
  PutCheckpoint(snapshot);
  const CheckpointObjects objects = Checkpoint(9);
  ASSERT_OK_AND_ASSIGN(const auto first, heads_.Read(home_, objects));
  CheckpointObjects other = objects;
  for (size_t i = 0; i < CheckpointHeads::kKeptMax; ++i) {
    other.parts.front().modified_ms += 1;
    EXPECT_OK(heads_.Read(home_, other));
    if (i + 1 < CheckpointHeads::kKeptMax) {
      EXPECT_EQ(*heads_.Read(home_, objects), first);
    }
  }
  for (size_t i = 1; i < CheckpointHeads::kKeptMax; ++i) {
    other.parts.front().modified_ms += 1;
    EXPECT_OK(heads_.Read(home_, other));
  }
  EXPECT_NE(*heads_.Read(home_, objects), first);
}

}  // namespace
}  // namespace tarn::delta
