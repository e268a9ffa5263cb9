#include <gtest/gtest.h>

#include "tarn/storage/memory.h"
#include "tarn/table/transaction.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/toy_format.h"
#include "tests/support/toy_tables.h"

namespace tarn {
namespace {

using testing::P;

// Always has something to keep up.
class BusyFormat final : public testing::ToyFormat {
 public:
  explicit BusyFormat(testing::CommitVault& vault) : ToyFormat(vault), log_(vault) {}
  Upkeep upkeep;

  std::string_view name() const override { return log_.name(); }
  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    return log_.Encode(home, base, commit);
  }
  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    return log_.Load(home, as_of);
  }
  Result<Upkeep> PlanUpkeep(const TableHome&, const Snapshot&, UpkeepWish) const override {
    return upkeep;
  }

 protected:
  Result<std::vector<Commit>> AllCommits(const TableHome&) const override {
    return std::vector<Commit>();
  }

 private:
  testing::LogFormat log_;
};

class UpkeepTest : public ::testing::Test {
 protected:
  void SetUp() override {
    Transaction transaction(fakes_.runtime, home_, format_, *committer_, Snapshot::Empty(),
                            testing::CreateEvents("create"), Isolation::kSerializable);
    ASSERT_OK(transaction.Publish());
  }

  testing::FakeRuntime fakes_;
  std::unique_ptr<MemoryStorage> storage_ = MakeMemoryStorage(fakes_.clock, *fakes_.random);
  testing::CommitVault vault_;
  BusyFormat format_{vault_};
  std::unique_ptr<Committer> committer_ = MakePathCommitter(*storage_);
  TableHome home_{P("t"), *storage_};
};

TEST_F(UpkeepTest, DoesWhatTheCodecPlanned) {
  format_.upkeep = {.put = {{P("t/_log/checkpoint"), "c"}}, .remove = {P("t/old")}};
  ASSERT_OK(storage_->Put(P("t/old"), "x"));
  RunUpkeepAfter(fakes_.runtime, home_, format_, *committer_, {"0"});
  EXPECT_EQ(storage_->Read(P("t/_log/checkpoint")).value(), "c");
  EXPECT_ERROR(storage_->Read(P("t/old")), ErrorCode::kNotFound);
  EXPECT_TRUE(fakes_.log.lines().empty());
  EXPECT_EQ(fakes_.metrics.Snapshot().at("table.upkeeps"), 1);
}

TEST_F(UpkeepTest, FailureIsLoggedOnly) {
  format_.upkeep = {.put = {{P("t/_log/checkpoint"), "c"}}};
  storage_->SetBeforeCall([&](std::string_view operation, const Path&) {
    storage_->SetFaults({.fail_before = operation == "put" ? 1000 : 0});
  });
  RunUpkeepAfter(fakes_.runtime, home_, format_, *committer_, {"0"});
  ASSERT_EQ(fakes_.log.lines().size(), 1u);
  EXPECT_NE(fakes_.log.lines()[0].find("unavailable"), std::string::npos);
}

TEST_F(UpkeepTest, NothingDueCostsNothing) {
  RunUpkeepAfter(fakes_.runtime, home_, format_, *committer_, {"0"});
  EXPECT_FALSE(fakes_.metrics.Snapshot().contains("table.upkeeps"));
}

}  // namespace
}  // namespace tarn
