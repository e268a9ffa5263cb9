// What every Storage must do, run on each: disk, memory, and the disk's protocol over a fake disk.

#include "tarn/storage/storage.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tarn/storage/local.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_disk.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

using testing::P;

// A store under test and what it stands on.
struct Stand {
  testing::TempFolder folder;
  testing::FakeRuntime fakes;
  std::unique_ptr<Storage> storage;
};

struct Implementer {
  std::string name;
  void (*make)(Stand& stand);
};

void MakeLocal(Stand& stand) {
  stand.storage = std::move(MakeLocalStorage(stand.folder.path(), CreateRoot::kNo)).value();
}
void MakeLocalWithTemporaryNames(Stand& stand) {
  stand.storage = MakeLocalStorage(
      std::move(MakePosixDisk(stand.folder.path(), Nameless::kNever)).value(), stand.folder.path());
}
void MakeMemory(Stand& stand) {
  stand.storage = MakeMemoryStorage(stand.fakes.clock, *stand.fakes.random);
}
void MakeFakeDisk(Stand& stand) {
  stand.storage = MakeLocalStorage(std::make_unique<testing::FakeDisk>(), "/");
}

class StorageContract : public ::testing::TestWithParam<Implementer> {
 protected:
  StorageContract() { GetParam().make(stand_); }

  std::vector<std::string> List(std::string_view prefix, std::string_view after = "",
                                int32_t limit = 1000, Storage::Depth depth = Storage::Depth::kAll) {
    std::vector<std::string> names;
    const auto listed = storage().List(P(prefix), P(after), limit, depth);
    EXPECT_TRUE(listed.ok());
    if (!listed.ok()) return names;
    for (const ObjectInfo& object : *listed) names.push_back(object.path.str());
    return names;
  }

  Storage& storage() { return *stand_.storage; }

 private:
  Stand stand_;
};

using Names = std::vector<std::string>;

TEST_P(StorageContract, ReadsWhatWasPut) {
  const std::string bytes("\0\xFF binary", 9);
  ASSERT_OK(storage().Put(P("a/b"), bytes));
  EXPECT_EQ(storage().Read(P("a/b")).value(), bytes);
  ASSERT_OK(storage().Put(P("a/b"), ""));
  EXPECT_EQ(storage().Read(P("a/b")).value(), "");
  const std::string large(5'000'000, 'x');
  ASSERT_OK(storage().Put(P("a/b"), large));
  EXPECT_EQ(storage().Read(P("a/b")).value(), large);
}

TEST_P(StorageContract, WhatIsNotThereIsNotFound) {
  ASSERT_OK(storage().Put(P("folder/a"), "x"));
  for (const char* const name : {"none", "folder", "folder/none", "none/none", "folder/a/below"}) {
    EXPECT_ERROR(storage().Read(P(name)), ErrorCode::kNotFound);
    EXPECT_ERROR(storage().ReadRange(P(name), {0, 1}), ErrorCode::kNotFound);
    EXPECT_ERROR(storage().Stat(P(name)), ErrorCode::kNotFound);
    EXPECT_ERROR(storage().OpenReader(P(name)), ErrorCode::kNotFound);
    EXPECT_ERROR(storage().MoveIfAbsent(P(name), P("target")), ErrorCode::kNotFound);
  }
}

TEST_P(StorageContract, RangesAreExact) {
  ASSERT_OK(storage().Put(P("a"), "0123456789"));
  EXPECT_EQ(storage().ReadRange(P("a"), {2, 3}).value(), "234");
  EXPECT_EQ(storage().ReadRange(P("a"), {10, 0}).value(), "");
  EXPECT_EQ(storage().ReadRange(P("a"), {0, 10}).value(), "0123456789");
  for (const ByteRange bad : {ByteRange{8, 3}, ByteRange{11, 0}, ByteRange{-1, 2}, ByteRange{0, -1},
                              ByteRange{INT64_MAX, INT64_MAX}}) {
    EXPECT_ERROR(storage().ReadRange(P("a"), bad), ErrorCode::kInvalid);
  }
}

TEST_P(StorageContract, ReaderReadsAnywhere) {
  ASSERT_OK(storage().Put(P("a"), "0123456789"));
  ASSERT_OK_AND_ASSIGN(const auto reader, storage().OpenReader(P("a")));
  EXPECT_EQ(reader->size_bytes(), 10);
  char bytes[10] = {};
  ASSERT_OK(reader->ReadAt(7, 3, bytes));
  EXPECT_EQ(std::string_view(bytes, 3), "789");
  EXPECT_ERROR(reader->ReadAt(8, 3, bytes), ErrorCode::kInvalid);
  // It keeps the object it opened.
  ASSERT_OK(storage().Put(P("a"), "replaced"));
  ASSERT_OK(reader->ReadAt(0, 2, bytes));
  EXPECT_EQ(std::string_view(bytes, 2), "01");
}

TEST_P(StorageContract, StatTellsSizeAndEtag) {
  ASSERT_OK(storage().Put(P("a"), "123"));
  ASSERT_OK_AND_ASSIGN(const ObjectInfo before, storage().Stat(P("a")));
  EXPECT_EQ(before.path, P("a"));
  EXPECT_EQ(before.size_bytes, 3);
  ASSERT_OK(storage().Put(P("a"), "124"));
  ASSERT_OK_AND_ASSIGN(const ObjectInfo after, storage().Stat(P("a")));
  if (!before.etag.empty()) {
    EXPECT_NE(before.etag, after.etag);
  }
}

TEST_P(StorageContract, ListsInTheByteOrderOfWholePaths) {
  for (const char* const name : {"a/x", "a-b/x", "a.json", "a/b/c", "B", "b", "\xC3\xA9", "a0"}) {
    ASSERT_OK(storage().Put(P(name), "x"));
  }
  EXPECT_EQ(List(""), (Names{"B", "a-b/x", "a.json", "a/b/c", "a/x", "a0", "b", "\xC3\xA9"}));
  EXPECT_EQ(List("a"), (Names{"a/b/c", "a/x"}));
  EXPECT_EQ(List("a/b"), (Names{"a/b/c"}));
  EXPECT_EQ(List("b"), (Names{"b"}));
  EXPECT_EQ(List("none"), Names());
  EXPECT_EQ(List("b/none"), Names());
  EXPECT_EQ(List("", "", 1000, Storage::Depth::kShallow),
            (Names{"B", "a.json", "a0", "b", "\xC3\xA9"}));
  EXPECT_EQ(List("a", "", 1000, Storage::Depth::kShallow), (Names{"a/x"}));
}

TEST_P(StorageContract, PagesStartAfterTheLast) {
  Names all;
  for (int i = 0; i < 57; ++i) {
    const std::string name =
        "d" + std::to_string(i % 5) + "/e" + std::to_string(i % 3) + "-/f" + std::to_string(i);
    ASSERT_OK(storage().Put(P(name), "x"));
    all.push_back(name);
  }
  std::sort(all.begin(), all.end());
  for (const int32_t limit : {1, 2, 7, 57, 100}) {
    Names paged;
    std::string after;
    for (;;) {
      const Names page = List("", after, limit);
      if (page.empty()) break;
      ASSERT_LE(page.size(), static_cast<size_t>(limit));
      paged.insert(paged.end(), page.begin(), page.end());
      after = page.back();
    }
    EXPECT_EQ(paged, all) << limit;
  }
  EXPECT_EQ(List("d1", "d1/e0-/f36").front(), "d1/e0-/f51");
  EXPECT_EQ(List("d1", "d0/zzz").size(), List("d1").size());
  EXPECT_EQ(List("d1", "d2"), Names());
  EXPECT_EQ(List("", "d1/e"), [&] {
    Names rest;
    std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
                 [](const std::string& name) { return name > "d1/e"; });
    return rest;
  }());
}

TEST_P(StorageContract, PutIfAbsentNeverReplaces) {
  EXPECT_EQ(storage().PutIfAbsent(P("a/b"), "one").value(), PutOutcome::kCreated);
  EXPECT_EQ(storage().PutIfAbsent(P("a/b"), "two").value(), PutOutcome::kAlreadyExists);
  EXPECT_EQ(storage().Read(P("a/b")).value(), "one");
  ASSERT_OK(storage().Remove(P("a/b")));
  EXPECT_EQ(storage().PutIfAbsent(P("a/b"), "two").value(), PutOutcome::kCreated);
}

TEST_P(StorageContract, OfManyCreatorsExactlyOneWins) {
  constexpr int kThreads = 8;
  for (int round = 0; round < 20; ++round) {
    const Path path = P("race/" + std::to_string(round));
    std::atomic<int> winners = 0;
    std::atomic<int> winner = -1;
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        const auto outcome = storage().PutIfAbsent(path, std::to_string(t));
        if (outcome.ok() && *outcome == PutOutcome::kCreated) {
          ++winners;
          winner = t;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(winners, 1);
    EXPECT_EQ(storage().Read(path).value(), std::to_string(winner));
  }
}

TEST_P(StorageContract, WriterShowsNothingBeforeFinish) {
  ASSERT_OK(storage().Put(P("d/a"), "old"));
  ASSERT_OK_AND_ASSIGN(const auto writer, storage().OpenWriter(P("d/a")));
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    const std::string piece(static_cast<size_t>(i * 137), static_cast<char>('a' + i % 26));
    ASSERT_OK(writer->Append(piece));
    expected += piece;
  }
  EXPECT_EQ(storage().Read(P("d/a")).value(), "old");
  ASSERT_OK_AND_ASSIGN(const ObjectInfo info, writer->Finish());
  EXPECT_EQ(info.path, P("d/a"));
  EXPECT_EQ(info.size_bytes, static_cast<int64_t>(expected.size()));
  EXPECT_EQ(storage().Read(P("d/a")).value(), expected);
}

TEST_P(StorageContract, WriterThatIsDroppedLeavesNothing) {
  {
    ASSERT_OK_AND_ASSIGN(const auto writer, storage().OpenWriter(P("d/a")));
    ASSERT_OK(writer->Append(std::string(1'000'000, 'x')));
  }
  EXPECT_EQ(List(""), Names());
}

TEST_P(StorageContract, MoveGivesTheNameOnlyIfItIsFree) {
  ASSERT_OK(storage().Put(P("from/a"), "one"));
  EXPECT_EQ(storage().MoveIfAbsent(P("from/a"), P("to/deep/a")).value(), PutOutcome::kCreated);
  EXPECT_EQ(storage().Read(P("to/deep/a")).value(), "one");
  EXPECT_EQ(List(""), (Names{"to/deep/a"}));
  ASSERT_OK(storage().Put(P("from/b"), "two"));
  EXPECT_EQ(storage().MoveIfAbsent(P("from/b"), P("to/deep/a")).value(),
            PutOutcome::kAlreadyExists);
  EXPECT_EQ(storage().Read(P("from/b")).value(), "two");
  EXPECT_EQ(storage().Read(P("to/deep/a")).value(), "one");
}

TEST_P(StorageContract, RemoveMayBeRepeated) {
  ASSERT_OK(storage().Put(P("a/b"), "x"));
  ASSERT_OK(storage().Remove(P("a/b")));
  ASSERT_OK(storage().Remove(P("a/b")));
  ASSERT_OK(storage().Remove(P("none/none")));
  EXPECT_ERROR(storage().Read(P("a/b")), ErrorCode::kNotFound);
}

TEST_P(StorageContract, TheRootIsNoObject) {
  EXPECT_ERROR(storage().Put(Path(), "x"), ErrorCode::kInvalid);
  EXPECT_ERROR(storage().PutIfAbsent(Path(), "x"), ErrorCode::kInvalid);
  EXPECT_ERROR(storage().OpenWriter(Path()), ErrorCode::kInvalid);
  EXPECT_ERROR(storage().Remove(Path()), ErrorCode::kInvalid);
  EXPECT_ERROR(storage().Read(Path()), ErrorCode::kNotFound);
  EXPECT_EQ(List(""), Names());
}

TEST_P(StorageContract, OddNamesAreNames) {
  for (const char* const name : {"a b", "a%20b", "d=1/x", "\xE2\x82\xAC", "quote'\"", "back\\slash",
                                 "line\nbreak", "-dash", "~", "a:b", "*?[", "..."}) {
    ASSERT_OK(storage().PutIfAbsent(P(name), name));
    EXPECT_EQ(storage().Read(P(name)).value(), name);
  }
  EXPECT_EQ(List("").size(), 12u);
}

INSTANTIATE_TEST_SUITE_P(
    Each, StorageContract,
    ::testing::Values(Implementer{"local", MakeLocal},
                      Implementer{"local_temporary_names", MakeLocalWithTemporaryNames},
                      Implementer{"memory", MakeMemory}, Implementer{"fake_disk", MakeFakeDisk}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tarn
