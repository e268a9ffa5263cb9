#include "tarn/format/iceberg/expire.h"

#include <arrow/api.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;
using Texts = std::vector<std::string>;

class ExpireTest : public testing::IcebergWorld {
 protected:
  // Three appends, a second apart; the ids of their snapshots.
  Texts ThreeSnapshots(std::map<std::string, std::string> properties = {}) {
    EXPECT_OK(Create(std::move(properties)));
    for (const char* name : {"a", "b", "c"}) EXPECT_OK(Append(name, {FileOf("1", name, 1)}));
    Texts ids;
    const auto state = State();  // lives as long as its entries are looked at
    for (const SnapshotEntry& entry : state->metadata->snapshots) {
      ids.push_back(SnapshotIdText(entry.id));
    }
    return ids;
  }
  std::shared_ptr<const IcebergState> State() {
    return std::dynamic_pointer_cast<const IcebergState>(Load().state);
  }
  Texts Planned(const ExpiryRequest& request) {
    const Result<Expiry> expiry = format->PlanExpiry(home, Load(), request);
    EXPECT_OK(expiry);
    return expiry.ok() ? expiry->versions : Texts();
  }
  Status Refer(ReferenceChange change) {
    Commit commit;
    commit.operation.kind = OperationKind::kAlter;
    commit.references.push_back(std::move(change));
    return Publish(std::move(commit)).status();
  }
  ExpiryRequest Now() { return {.older_than_ms = fakes.clock.NowMicros() / 1000 + 1}; }
};

TEST_F(ExpireTest, BranchesKeepTheirNewestAndTagsWhatTheyName) {
  const Texts ids = ThreeSnapshots();
  EXPECT_EQ(Planned({}), Texts()) << "five days unless the table says otherwise";
  EXPECT_EQ(Planned(Now()), (Texts{ids[0], ids[1]}));
  ExpiryRequest two = Now();
  two.keep_min = 2;
  EXPECT_EQ(Planned(two), (Texts{ids[0]}));
  ASSERT_OK(Refer({.kind = ReferenceChange::Kind::kTag, .name = "t", .version = ids[0]}));
  EXPECT_EQ(Planned(Now()), (Texts{ids[1]}));
  ASSERT_OK(Refer({.name = "b", .version = ids[1], .keep_versions_min = 2}));
  EXPECT_EQ(Planned(Now()), Texts());
}

TEST_F(ExpireTest, AReferenceGoesWhenItsTimeIsOverButNotMain) {
  const Texts ids = ThreeSnapshots({{"history.expire.max-ref-age-ms", "1"}});
  ASSERT_OK(Refer({.kind = ReferenceChange::Kind::kTag, .name = "t", .version = ids[0]}));
  fakes.clock.AdvanceMillis(1000);
  ASSERT_OK_AND_ASSIGN(const Expiry expiry, format->PlanExpiry(home, Load(), Now()));
  ASSERT_EQ(expiry.references.size(), 1U);
  EXPECT_EQ(expiry.references[0].name, "t");
  EXPECT_TRUE(expiry.references[0].version.empty());
  EXPECT_EQ(expiry.versions, (Texts{ids[0], ids[1]}));
}

TEST_F(ExpireTest, WhatCannotGoIsRefused) {
  const Texts ids = ThreeSnapshots();
  EXPECT_ERROR(format->PlanExpiry(home, Load(), {.versions = {ids[2]}}), ErrorCode::kInvalid);
  EXPECT_ERROR(format->PlanExpiry(home, Load(), {.versions = {"7"}}), ErrorCode::kNotFound);
  EXPECT_ERROR(format->PlanExpiry(home, Load(), {.keep_min = 0}), ErrorCode::kInvalid);
  home.root = *Path::Make("lake/other");
  ThreeSnapshots({{"gc.enabled", "false"}});
  EXPECT_ERROR(format->PlanExpiry(home, Load(), Now()), ErrorCode::kInvalid);
  EXPECT_ERROR(format->ExpiredObjects(home, Load()), ErrorCode::kInvalid);
}

TEST_F(ExpireTest, ObjectsOfForgottenSnapshotsComeFilesFirst) {
  const Texts ids = ThreeSnapshots();
  Commit removal;
  removal.id = "removal";
  removal.operation.kind = OperationKind::kDelete;
  removal.removed = {Files(Load()).at(0)};
  const DataFile gone = removal.removed[0];
  ASSERT_OK(storage->Put(*home.ObjectOf(gone.path), "rows"));
  ASSERT_OK(Publish(removal));
  ASSERT_OK_AND_ASSIGN(const auto nothing, format->ExpiredObjects(home, Load()));
  EXPECT_TRUE(nothing.empty());
  Commit expiry;
  expiry.operation.kind = OperationKind::kAlter;
  expiry.expired = ids;
  ASSERT_OK(Publish(expiry));
  ASSERT_OK_AND_ASSIGN(const auto objects, format->ExpiredObjects(home, Load()));
  ASSERT_GE(objects.size(), 5U);
  EXPECT_EQ(objects.front(), *home.ObjectOf(gone.path));
  EXPECT_TRUE(objects.back().name().starts_with("snap-")) << objects.back().str();
  EXPECT_EQ(Files(Load()).size(), 2U);
  for (const Path& object : objects) ASSERT_OK(storage->Remove(object));
  EXPECT_EQ(Files(Load()).size(), 2U);
  ASSERT_OK_AND_ASSIGN(const auto after, format->ExpiredObjects(home, Load()));
  EXPECT_TRUE(after.empty());
}

TEST_F(ExpireTest, ASnapshotThatWasNamedMeanwhileDoesNotGo) {
  const Texts ids = ThreeSnapshots();
  ASSERT_OK(Refer({.kind = ReferenceChange::Kind::kTag, .name = "t", .version = ids[0]}));
  Commit expiry;
  expiry.operation.kind = OperationKind::kAlter;
  expiry.expired = {ids[0]};
  EXPECT_ERROR(Publish(expiry), ErrorCode::kConflict);
}

}  // namespace
}  // namespace tarn::iceberg
