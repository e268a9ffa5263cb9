#include "tarn/format/delta/checkpoint_files.h"

#include <gtest/gtest.h>

#include "tests/unit/format/delta/log_fixture.h"

namespace tarn::delta {
namespace {

class CheckpointFilesTest : public LogFixture {
 protected:
  void SetUp() override {
    PutFirst();
    std::vector<std::string> lines;
    for (int file = 1; file < 50; ++file) {
      lines.push_back(AddLine("f" + std::to_string(file), file % 2 == 0 ? "x" : "y", file * 10));
    }
    PutCommit(1, lines);
    ASSERT_OK_AND_ASSIGN(snapshot_, Load());
    PutCheckpoint(snapshot_);
    ASSERT_OK_AND_ASSIGN(std::shared_ptr<ObjectReader> object,
                         storage_->OpenReader(ClassicCheckpointPath(home_.root, 1)));
    ASSERT_OK_AND_ASSIGN(auto file, CheckpointParquet::Open(std::move(object), "checkpoint"));
    file_ = std::move(file);
  }

  // Paths kept, decoding `rows` at a time.
  size_t Count(const Expression& filter, const SeenFiles& seen, int64_t rows) {
    FileRequest request;
    request.filter = filter;
    const FilePlan plan(home_, snapshot_, request);
    size_t kept = 0;
    for (int row_group = 0; row_group < file_->row_groups(); ++row_group) {
      auto cursor = CheckpointRows::Open(plan, file_, row_group, seen);
      EXPECT_OK(cursor);
      while (true) {
        auto batch = (*cursor)->Next(rows);
        EXPECT_OK(batch);
        if (!batch.ok() || !batch->has_value()) break;
        kept += static_cast<size_t>((*batch)->size);
      }
      seen_ += (*cursor)->files_seen();
    }
    return kept;
  }

  Snapshot snapshot_;
  std::shared_ptr<const CheckpointParquet> file_;
  int64_t seen_ = 0;
};

TEST_F(CheckpointFilesTest, AnyNumberOfRowsAtATime) {
  for (const int64_t rows : {1, 7, 50, 1000}) {
    seen_ = 0;
    EXPECT_EQ(Count({}, {}, rows), 50U);
    EXPECT_EQ(seen_, 50);
  }
}

TEST_F(CheckpointFilesTest, PrunesByPartitionAndStatistics) {
  const auto y = Expression::Compare(Expression::Op::kEqual, 1, Value(std::string("y")));
  EXPECT_EQ(Count(y, {}, 9), 25U);
  EXPECT_EQ(seen_, 50) << "pruned ones were seen too";
  const auto low = Expression::Compare(Expression::Op::kLess, 2, Value(int64_t{100}));
  EXPECT_EQ(Count(low, {}, 9), 10U);
  EXPECT_EQ(Count(Expression::And({y, low}), {}, 9), 5U);
}

TEST_F(CheckpointFilesTest, WhatTheTailSpokeForIsGone) {
  SeenFiles seen;
  seen.ClaimAdd("f1", "");
  seen.ClaimRemove("f2", "");
  seen.ClaimRemove("f3", "another vector");
  EXPECT_EQ(Count({}, seen, 1000), 48U);
  EXPECT_EQ(seen_, 48);
}

}  // namespace
}  // namespace tarn::delta
