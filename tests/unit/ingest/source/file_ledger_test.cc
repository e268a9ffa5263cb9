#include "tarn/ingest/source/file_ledger.h"

#include <gtest/gtest.h>

#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

class FileLedgerTest : public ::testing::Test {
 protected:
  using Files = std::map<std::string, LedgerEntry>;

  Result<FileLedger> Now() { return FileLedger::Load(*storage, root, position); }
  void Add(const Files& files, FileLedger::Extend how = FileLedger::Extend::kAdd) {
    ASSERT_OK_AND_ASSIGN(const FileLedger ledger, Now());
    ASSERT_OK_AND_ASSIGN(const auto extension, ledger.Plan(*storage, root, files, how));
    EXPECT_EQ(extension.move.before, position);
    EXPECT_EQ(*storage->PutIfAbsent(extension.object, extension.json), PutOutcome::kCreated);
    position = extension.move.after;
  }
  size_t Objects() { return storage->List(root, Path(), 10'000, Storage::Depth::kAll)->size(); }

  testing::FakeRuntime fake;
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  Path root = *Path::Make("t");
  std::optional<std::string> position;
};

TEST_F(FileLedgerTest, RemembersWhatWasLoaded) {
  EXPECT_EQ(Now()->size(), 0u);
  Add({{"/a", {1, 2, "f"}}, {"/b\xFF", {3, 4, "g"}}});
  Add({{"/c", {5, 6, "h"}}});
  ASSERT_OK_AND_ASSIGN(const FileLedger ledger, Now());
  EXPECT_EQ(ledger.size(), 3u);
  ASSERT_NE(ledger.Find("/a"), nullptr);
  EXPECT_EQ(*ledger.Find("/a"), (LedgerEntry{1, 2, "f"}));
  EXPECT_NE(ledger.Find("/b\xFF"), nullptr);
  EXPECT_EQ(ledger.Find("/d"), nullptr);
}

TEST_F(FileLedgerTest, ReplacingForgets) {
  Add({{"/a", {}}});
  Add({{"/b", {}}}, FileLedger::Extend::kReplace);
  ASSERT_OK_AND_ASSIGN(const FileLedger ledger, Now());
  EXPECT_EQ(ledger.Find("/a"), nullptr);
  EXPECT_NE(ledger.Find("/b"), nullptr);
}

TEST_F(FileLedgerTest, NamesOfKilledRunsStayTaken) {
  Add({{"/a", {}}});
  ASSERT_OK_AND_ASSIGN(const FileLedger ledger, Now());
  ASSERT_OK_AND_ASSIGN(const auto killed,
                       ledger.Plan(*storage, root, {{"/x", {}}}, FileLedger::Extend::kAdd));
  EXPECT_OK(storage->PutIfAbsent(killed.object, killed.json));  // no commit follows
  Add({{"/b", {}}});
  EXPECT_EQ(*position, "3");
  EXPECT_EQ(Now()->Find("/x"), nullptr);
  EXPECT_EQ(Now()->size(), 2u);
}

TEST_F(FileLedgerTest, ChainsAreFoldedNowAndThen) {
  int64_t bytes = 0;
  for (int i = 0; i < 400; ++i) {
    Add({{"/file " + std::to_string(i), {i, i, "x"}}});
  }
  ASSERT_OK_AND_ASSIGN(const FileLedger ledger, Now());
  EXPECT_EQ(ledger.size(), 400u);
  const auto objects = storage->List(root, Path(), 10'000, Storage::Depth::kAll);
  for (const ObjectInfo& object : *objects) bytes += object.size_bytes;
  EXPECT_EQ(Objects(), 400u);
  // Whole rewrites each time would be about 6.5 MB.
  EXPECT_LT(bytes, 400'000);
}

TEST_F(FileLedgerTest, BrokenObjectsAreCorrupt) {
  Add({{"/a", {}}});
  Add({{"/b", {}}});
  const Path first = root / "_tarn/ledger/00000000000000000001.json";
  for (const char* text : {"", "[]", "{\"version\":1}", "{\"version\":1,\"files\":[1]}",
                           "{\"version\":1,\"before\":5,\"files\":[]}"}) {
    EXPECT_OK(storage->Put(first, text));
    EXPECT_ERROR(Now(), ErrorCode::kCorrupt);
  }
  EXPECT_OK(storage->Put(first, "{\"version\":2,\"files\":[]}"));
  EXPECT_ERROR(Now(), ErrorCode::kUnsupported);
  EXPECT_OK(storage->Remove(first));
  EXPECT_ERROR(Now(), ErrorCode::kCorrupt);
  position = "x";
  EXPECT_ERROR(Now(), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn
