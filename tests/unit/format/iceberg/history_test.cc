#include "tarn/format/iceberg/history.h"

#include <gtest/gtest.h>

#include "tarn/format/iceberg/snapshot_state.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class HistoryTest : public testing::IcebergWorld {
 protected:
  std::vector<Commit> Commits(const std::string& after, HistoryDetail detail) {
    Result<History> history = format->Commits(home, Version{after}, std::nullopt, detail);
    EXPECT_OK(history);
    if (!history.ok()) return {};
    auto* commits = std::get_if<std::vector<Commit>>(&*history);
    EXPECT_NE(commits, nullptr);
    return commits == nullptr ? std::vector<Commit>() : std::move(*commits);
  }
};

TEST_F(HistoryTest, PeopleSeeSnapshots) {
  ASSERT_OK(Create());
  EXPECT_EQ(Commits("", HistoryDetail::kPeople).at(0).operation.kind, OperationKind::kCreate);
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
  ASSERT_OK(Append("c2", {FileOf("2", "b", 4)}));
  const std::vector<Commit> commits = Commits("", HistoryDetail::kPeople);
  ASSERT_EQ(commits.size(), 2U);
  EXPECT_EQ(commits[1].id, "c2");
  EXPECT_EQ(commits[1].operation.name, "append");
  EXPECT_EQ(commits[1].operation.metrics.at("added-records"), "4");
  EXPECT_EQ(Load(AtVersion{commits[0].version.text}).timestamp_ms, commits[0].timestamp_ms);
}

TEST_F(HistoryTest, SinceASnapshot) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
  const std::string first = Commits("", HistoryDetail::kPeople).at(0).version.text;
  ASSERT_OK(Append("c2", {FileOf("2", "b", 4)}));
  const std::vector<Commit> since = Commits(first, HistoryDetail::kConflicts);
  ASSERT_EQ(since.size(), 1U);
  ASSERT_EQ(since[0].added.size(), 1U);
  EXPECT_EQ(since[0].added[0].path, "day=2/b");
}

TEST_F(HistoryTest, AFileOfTheLogThatIsGoneIsAGap) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  ASSERT_OK(Append("c2", {FileOf("1", "b")}));
  ASSERT_OK(storage->Remove(home.root / "metadata" / "v2.metadata.json"));
  ASSERT_OK_AND_ASSIGN(const History history, format->Commits(home, Version{"v1"}, std::nullopt,
                                                              HistoryDetail::kConflicts));
  ASSERT_TRUE(std::holds_alternative<HistoryGap>(history));
  EXPECT_EQ(std::get<HistoryGap>(history), HistoryGap::kGone);
}

}  // namespace
}  // namespace tarn::iceberg
