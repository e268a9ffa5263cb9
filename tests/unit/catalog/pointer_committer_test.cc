#include "tarn/catalog/pointer_committer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/memory_pointers.h"

namespace tarn {
namespace {

class PointerCommitterTest : public ::testing::Test {
 protected:
  // A commit whose head says `text`.
  EncodedCommit Commit(const std::string& text) {
    EncodedCommit commit;
    commit.staged = {{home_.root / "metadata" / (text + ".avro"), "manifest"}};
    commit.head = [folder = home_.root / "metadata", text](std::string_view name) {
      return NewObject{folder / (std::string(name) + ".metadata.json"), text};
    };
    return commit;
  }

  Result<PublishOutcome> Publish(const std::string& text) {
    TARN_RETURN_IF_ERROR(committer_->Guard(home_));
    return committer_->Publish(home_, Commit(text));
  }

  std::string Pointer() { return pointers_->Find(key_).value().value_or(""); }

  std::vector<std::string> Objects() {
    std::vector<std::string> names;
    const auto page = storage_->List(home_.root, Path(), 100, Storage::Depth::kAll);
    for (const ObjectInfo& object : *page) names.emplace_back(object.path.name());
    return names;
  }

  testing::FakeRuntime fakes_;
  std::unique_ptr<MemoryStorage> storage_ = MakeMemoryStorage(fakes_.clock, *fakes_.random);
  TableHome home_{*Path::Make("lake/ns/t"), *storage_, Head{.authoritative = true}};
  const PointerKey key_{"tarn", "ns", "t"};
  const std::shared_ptr<testing::MemoryPointers> pointers_ =
      std::make_shared<testing::MemoryPointers>();
  const std::unique_ptr<Committer> committer_ =
      MakePointerCommitter(*storage_, *fakes_.random, pointers_, key_);
};

TEST_F(PointerCommitterTest, WritesAFileOfItsOwnAndSwapsThePointer) {
  ASSERT_OK_AND_ASSIGN(const PublishOutcome first, Publish("one"));
  const std::string version = std::get<Published>(first).version.text;
  EXPECT_TRUE(version.starts_with("00000-")) << version;
  EXPECT_EQ(Pointer(), "memory:/lake/ns/t/metadata/" + version + ".metadata.json");
  ASSERT_OK_AND_ASSIGN(const PublishOutcome second, Publish("two"));
  EXPECT_TRUE(std::get<Published>(second).version.text.starts_with("00001-"));
  ASSERT_OK(committer_->Guard(home_));
  EXPECT_EQ(home_.head.name, Pointer());
}

TEST_F(PointerCommitterTest, KeepsTheSpellingOfThePointerBefore) {
  ASSERT_OK(pointers_->Swap(key_, std::nullopt, "/lake/ns/t/metadata/00007-x.metadata.json"));
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, Publish("one"));
  EXPECT_EQ(Pointer(),
            "/lake/ns/t/metadata/" + std::get<Published>(outcome).version.text + ".metadata.json");
  EXPECT_TRUE(std::get<Published>(outcome).version.text.starts_with("00008-"));
}

TEST_F(PointerCommitterTest, WhoComesSecondHasLostAndLeavesNoMetadata) {
  ASSERT_OK(Publish("one"));
  pointers_->before_swap = [this] {
    ASSERT_OK_AND_ASSIGN(const bool theirs, pointers_->Swap(key_, Pointer(), "theirs"));
    ASSERT_TRUE(theirs);
  };
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, Publish("two"));
  EXPECT_TRUE(std::holds_alternative<LostRace>(outcome));
  EXPECT_EQ(Pointer(), "theirs");
  for (const std::string& name : Objects()) EXPECT_FALSE(name.starts_with("00001-")) << name;
}

TEST_F(PointerCommitterTest, ALostAnswerIsNoLostRace) {
  pointers_->answers_to_lose = 1;
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, Publish("one"));
  EXPECT_TRUE(std::holds_alternative<NoAnswer>(outcome));
  EXPECT_NE(Pointer(), "");
  EXPECT_EQ(Objects().size(), 2U) << "what may be live stays";
}

TEST_F(PointerCommitterTest, ADroppedTableIsNotMadeAgain) {
  ASSERT_OK(Publish("one"));
  ASSERT_OK(committer_->Guard(home_));
  pointers_->Drop(key_);
  const auto guard = committer_->Guard(home_);
  EXPECT_ERROR(guard, ErrorCode::kNotFound);
  EXPECT_NE(guard.error().message.find("'ns.t' was dropped"), std::string::npos);
  // Dropped after the look.
  ASSERT_OK_AND_ASSIGN(const PublishOutcome outcome, committer_->Publish(home_, Commit("two")));
  EXPECT_TRUE(std::holds_alternative<LostRace>(outcome));
  EXPECT_EQ(Pointer(), "");
}

TEST_F(PointerCommitterTest, NamesCountOnFromAnyName) {
  Random& random = *fakes_.random;
  EXPECT_EQ(NextMetadataName("", random).substr(0, 6), "00000-");
  EXPECT_EQ(NextMetadataName("s3://b/t/metadata/00003-a.metadata.json", random).substr(0, 6),
            "00004-");
  EXPECT_EQ(NextMetadataName("/t/metadata/v9.metadata.json", random).substr(0, 6), "00010-");
  EXPECT_EQ(NextMetadataName("/t/metadata/99999-a.metadata.json", random).substr(0, 7), "100000-");
  EXPECT_EQ(NextMetadataName("/t/metadata/7up.metadata.json", random).substr(0, 6), "00000-");
  EXPECT_EQ(NextMetadataName("/t/metadata/x", random).size(), 42U);
}

}  // namespace
}  // namespace tarn
