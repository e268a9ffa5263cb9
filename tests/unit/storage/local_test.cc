#include "tarn/storage/local.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/fake_disk.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

using testing::FakeDisk;
using testing::TempFolder;

using testing::P;

class LocalStorageTest : public ::testing::Test {
 protected:
  std::string File(const std::string& name) const { return folder_.path() + "/" + name; }

  TempFolder folder_;
  std::unique_ptr<Storage> storage_ =
      std::move(MakeLocalStorage(folder_.path(), CreateRoot::kNo)).value();
};

TEST_F(LocalStorageTest, WantsAnAbsoluteRootThatExists) {
  EXPECT_ERROR(MakeLocalStorage("a/b", CreateRoot::kYes), ErrorCode::kInvalid);
  EXPECT_ERROR(MakeLocalStorage("", CreateRoot::kNo), ErrorCode::kInvalid);
  EXPECT_ERROR(MakeLocalStorage(File("none"), CreateRoot::kNo), ErrorCode::kNotFound);
  EXPECT_OK(MakeLocalStorage(File("made/deep"), CreateRoot::kYes));
  EXPECT_TRUE(std::filesystem::is_directory(File("made/deep")));
  std::ofstream(File("file")) << "x";
  EXPECT_ERROR(MakeLocalStorage(File("file"), CreateRoot::kNo), ErrorCode::kNotFound);
  EXPECT_ERROR(MakeLocalStorage(File("file"), CreateRoot::kYes), ErrorCode::kInvalid);
}

TEST_F(LocalStorageTest, RootOfTheMachineGivesAbsoluteNames) {
  ASSERT_OK_AND_ASSIGN(const auto machine, MakeLocalStorage("/", CreateRoot::kNo));
  EXPECT_EQ(machine->root_uri(), "file:///");
  const Path path = P(File("x/y").substr(1));
  ASSERT_OK(machine->Put(path, "bytes"));
  EXPECT_EQ(machine->NativeName(path), File("x/y"));
  EXPECT_EQ(storage_->Read(P("x/y")).value(), "bytes");
  EXPECT_EQ(storage_->root_uri(), "file://" + folder_.path());
}

TEST_F(LocalStorageTest, LinksMayNotLeaveTheRoot) {
  TempFolder outside;
  std::ofstream(outside.path() + "/secret") << "secret";
  std::filesystem::create_symlink(outside.path(), File("out"));
  std::filesystem::create_symlink("../" + outside.path().substr(outside.path().rfind('/') + 1),
                                  File("out_relative"));
  std::filesystem::create_symlink(outside.path() + "/secret", File("secret"));
  for (const char* const name : {"out/secret", "out_relative/secret", "secret"}) {
    EXPECT_ERROR(storage_->Read(P(name)), ErrorCode::kInvalid);
    EXPECT_ERROR(storage_->Stat(P(name)), ErrorCode::kInvalid);
    EXPECT_ERROR(storage_->OpenReader(P(name)), ErrorCode::kInvalid);
  }
  for (const char* const name : {"out/new", "out_relative/new", "out/deep/new"}) {
    EXPECT_ERROR(storage_->Put(P(name), "x"), ErrorCode::kInvalid);
    EXPECT_ERROR(storage_->PutIfAbsent(P(name), "x"), ErrorCode::kInvalid);
    EXPECT_ERROR(storage_->OpenWriter(P(name)), ErrorCode::kInvalid);
  }
  EXPECT_ERROR(storage_->Remove(P("out/secret")), ErrorCode::kInvalid);
  EXPECT_TRUE(storage_->List(Path(), Path(), 100, Storage::Depth::kAll)->empty());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(outside.path()), {}), 1);
}

TEST_F(LocalStorageTest, LinksInsideTheRootAreFollowed) {
  ASSERT_OK(storage_->Put(P("real/a"), "bytes"));
  std::filesystem::create_symlink("real", File("relative"));
  std::filesystem::create_symlink(File("real"), File("absolute"));
  std::filesystem::create_symlink("..", File("real/loop"));
  EXPECT_EQ(storage_->Read(P("relative/a")).value(), "bytes");
  EXPECT_EQ(storage_->Read(P("absolute/a")).value(), "bytes");
  ASSERT_OK(storage_->Put(P("absolute/b"), "more"));
  EXPECT_EQ(storage_->Read(P("real/b")).value(), "more");
  // A ring of links ends.
  ASSERT_OK_AND_ASSIGN(const auto listed,
                       storage_->List(P("real"), Path(), 100, Storage::Depth::kAll));
  EXPECT_LE(listed.size(), 8u);
}

TEST_F(LocalStorageTest, HidesTemporaryFilesAndRefusesTheirNames) {
  std::ofstream(File(".tarn-tmp-0123")) << "left by a crash";
  ASSERT_OK(storage_->Put(P("a"), "x"));
  ASSERT_OK_AND_ASSIGN(const auto listed,
                       storage_->List(Path(), Path(), 100, Storage::Depth::kAll));
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].path.str(), "a");
  EXPECT_ERROR(storage_->Put(P("d/.tarn-tmp-1"), "x"), ErrorCode::kInvalid);
}

TEST_F(LocalStorageTest, LeavesNothingBehind) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_OK(storage_->Put(P("d/a"), std::string(1000, 'x')));
    ASSERT_OK(storage_->PutIfAbsent(P("d/b"), "y"));
  }
  {
    ASSERT_OK_AND_ASSIGN(const auto writer, storage_->OpenWriter(P("d/c")));
    ASSERT_OK(writer->Append("never finished"));
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(File("d")), {}), 2);
}

TEST_F(LocalStorageTest, RemovesEmptyFoldersOnly) {
  ASSERT_OK(storage_->Put(P("d/e/a"), "x"));
  ASSERT_OK(storage_->Remove(P("d")));
  EXPECT_EQ(storage_->Read(P("d/e/a")).value(), "x");
  ASSERT_OK(storage_->Remove(P("d/e/a")));
  ASSERT_OK(storage_->Remove(P("d/e")));
  EXPECT_FALSE(std::filesystem::exists(File("d/e")));
  // A folder that went away is made again.
  ASSERT_OK(storage_->Put(P("d/e/a"), "y"));
  std::filesystem::remove_all(File("d"));
  ASSERT_OK(storage_->Put(P("d/e/a"), "z"));
}

TEST_F(LocalStorageTest, FilesInTheWayAreNamed) {
  ASSERT_OK(storage_->Put(P("a"), "x"));
  EXPECT_ERROR(storage_->Put(P("a/b"), "y"), ErrorCode::kInvalid);
  EXPECT_ERROR(storage_->Read(P("a/b")), ErrorCode::kNotFound);
  ASSERT_OK(storage_->Put(P("d/x"), "x"));
  EXPECT_ERROR(storage_->Put(P("d"), "y"), ErrorCode::kInvalid);
  EXPECT_ERROR(storage_->Put(P(std::string(300, 'n')), "y"), ErrorCode::kInvalid);
}

TEST_F(LocalStorageTest, NoPermissionSaysSo) {
  if (geteuid() == 0) GTEST_SKIP() << "root may do everything";
  ASSERT_OK(storage_->Put(P("d/a"), "x"));
  chmod(File("d").c_str(), 0500);
  const Status refused = storage_->Put(P("d/b"), "y");
  chmod(File("d").c_str(), 0700);
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_NE(refused.error().message.find("permission denied"), std::string::npos);
}

// Whether this process may mount from now on, seen by nobody else.
bool EnterOwnMounts() {
  if (unshare(CLONE_NEWNS) == 0) {
    return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }
  const uid_t user = geteuid();
  if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
  std::ofstream("/proc/self/uid_map") << "0 " << user << " 1";
  return true;
}

// A disk of 64 kB, mounted in a namespace of its own; where that is not allowed the test is
// skipped.
TEST(LocalStorageDeathTest, FullDiskSaysSoAndLeavesNothing) {
  constexpr int kSkipped = 3;
  const TempFolder folder;
  const auto fill = [&]() -> int {
    if (!EnterOwnMounts()) return kSkipped;
    if (mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) return kSkipped;
    const auto storage = MakeLocalStorage(folder.path(), CreateRoot::kNo);
    if (!storage.ok()) return 1;
    const auto created = (*storage)->PutIfAbsent(P("d/a"), std::string(1'000'000, 'x'));
    if (created.ok() || created.error().code != ErrorCode::kUnavailable) return 1;
    if (created.error().message.find("no space left") == std::string::npos) return 1;
    if (!(*storage)->List(Path(), Path(), 10, Storage::Depth::kAll)->empty()) return 1;
    return (*storage)->Put(P("d/a"), "small").ok() ? 0 : 1;
  };
  const pid_t child = fork();
  if (child == 0) _exit(fill());
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  ASSERT_TRUE(WIFEXITED(state));
  if (WEXITSTATUS(state) == kSkipped) GTEST_SKIP() << "no namespaces here";
  EXPECT_EQ(WEXITSTATUS(state), 0);
}

// Rounds × threads: exactly one winner each, and no reader ever sees part of its bytes.
TEST_F(LocalStorageTest, OfManyCreatorsOneWinsAndNothingIsHalfVisible) {
  constexpr int kRounds = 60;
  constexpr int kThreads = 8;
  const std::string payload_tail(20'000, 'p');
  std::atomic<int> round_open = -1;
  std::atomic<int> torn = 0;
  std::atomic<bool> over = false;
  std::thread reader([&] {
    while (!over) {
      const int round = round_open;
      if (round < 0) continue;
      const auto read = storage_->Read(P("r/" + std::to_string(round)));
      if (read.ok() && read->size() != payload_tail.size() + 1) ++torn;
    }
  });
  for (int round = 0; round < kRounds; ++round) {
    round_open = round;
    std::atomic<int> winner = -1;
    std::atomic<int> winners = 0;
    std::vector<std::thread> writers;
    for (int t = 0; t < kThreads; ++t) {
      writers.emplace_back([&, t] {
        const auto outcome = storage_->PutIfAbsent(P("r/" + std::to_string(round)),
                                                   std::to_string(t) + payload_tail);
        ASSERT_TRUE(outcome.ok());
        if (*outcome == PutOutcome::kCreated) {
          ++winners;
          winner = t;
        }
      });
    }
    for (std::thread& writer : writers) writer.join();
    ASSERT_EQ(winners, 1);
    EXPECT_EQ(storage_->Read(P("r/" + std::to_string(round)))->front(), '0' + winner);
  }
  over = true;
  reader.join();
  EXPECT_EQ(torn, 0);
}

TEST_F(LocalStorageTest, ReplacingIsAllOrNothing) {
  ASSERT_OK(storage_->Put(P("a"), std::string(50'000, '0')));
  std::atomic<bool> over = false;
  std::atomic<int> torn = 0;
  std::thread reader([&] {
    while (!over) {
      const auto read = storage_->Read(P("a"));
      if (!read.ok() || read->size() != 50'000 || read->front() != read->back()) ++torn;
    }
  });
  for (int i = 1; i <= 100; ++i) {
    ASSERT_OK(storage_->Put(P("a"), std::string(50'000, static_cast<char>('0' + i % 10))));
  }
  over = true;
  reader.join();
  EXPECT_EQ(torn, 0);
}

// Whatever a power cut forgets of what was not synced, a success stays, whole.
TEST(LocalStorageOnFakeDiskTest, SuccessSurvivesAPowerCut) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const std::unique_ptr<Random> random = MakeSeededRandom(seed);
    auto owned = std::make_unique<FakeDisk>();
    FakeDisk& disk = *owned;
    const std::unique_ptr<Storage> storage = MakeLocalStorage(std::move(owned), "/");
    ASSERT_OK(storage->Put(P("t/_log/0"), "zero"));
    ASSERT_OK(storage->PutIfAbsent(P("t/_log/1"), "one"));
    ASSERT_OK(storage->Put(P("t/_log/0"), "replaced"));
    ASSERT_OK_AND_ASSIGN(const auto writer, storage->OpenWriter(P("t/d=1/e=2/data")));
    ASSERT_OK(writer->Append("rows"));
    ASSERT_OK(writer->Finish());
    ASSERT_OK(storage->Put(P("gone"), "x"));
    ASSERT_OK(storage->Remove(P("gone")));
    ASSERT_OK(storage->Put(P("staged/a"), "moved"));
    ASSERT_OK(storage->MoveIfAbsent(P("staged/a"), P("final/deep/a")));
    disk.PowerCut(*random);
    EXPECT_EQ(storage->Read(P("t/_log/0")).value(), "replaced");
    EXPECT_EQ(storage->Read(P("t/_log/1")).value(), "one");
    EXPECT_EQ(storage->Read(P("t/d=1/e=2/data")).value(), "rows");
    EXPECT_EQ(storage->Read(P("final/deep/a")).value(), "moved");
    EXPECT_ERROR(storage->Read(P("gone")), ErrorCode::kNotFound);
    EXPECT_ERROR(storage->Read(P("staged/a")), ErrorCode::kNotFound);
  }
}

// A cut at any call leaves each object whole or absent.
TEST(LocalStorageOnFakeDiskTest, PowerCutAtAnyCallLeavesNothingTorn) {
  struct Died {};
  for (int at_call = 0; at_call < 40; ++at_call) {
    const std::unique_ptr<Random> random = MakeSeededRandom(static_cast<uint64_t>(at_call));
    auto owned = std::make_unique<FakeDisk>();
    FakeDisk& disk = *owned;
    const std::unique_ptr<Storage> storage = MakeLocalStorage(std::move(owned), "/");
    int calls = 0;
    int done = 0;
    disk.before_call = [&](std::string_view, const Path&) {
      if (calls++ == at_call) throw Died();
    };
    try {
      ASSERT_OK(storage->PutIfAbsent(P("t/_log/0"), "zero"));
      ++done;
      ASSERT_OK(storage->PutIfAbsent(P("t/_log/1"), "one"));
      ++done;
    } catch (const Died&) {
    }
    disk.before_call = nullptr;
    disk.PowerCut(*random);
    const auto zero = storage->Read(P("t/_log/0"));
    const auto one = storage->Read(P("t/_log/1"));
    if (done >= 1) {
      EXPECT_TRUE(zero.ok()) << at_call;
    }
    if (done >= 2) {
      EXPECT_TRUE(one.ok()) << at_call;
    }
    if (zero.ok()) {
      EXPECT_EQ(*zero, "zero");
    }
    if (one.ok()) {
      EXPECT_EQ(*one, "one");
    }
  }
}

// Whoever dies between name and sync: a later commit must not survive one that it was made upon.
TEST(LocalStorageOnFakeDiskTest, WhatWasSeenIsDurableBeforeWhatIsMadeOfIt) {
  struct Died {};
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const std::unique_ptr<Random> random = MakeSeededRandom(seed);
    auto owned = std::make_unique<FakeDisk>();
    FakeDisk& disk = *owned;
    const std::unique_ptr<Storage> storage = MakeLocalStorage(std::move(owned), "/");
    ASSERT_OK(storage->PutIfAbsent(P("t/_log/0"), "zero"));
    for (const char* const name : {"t/_log/1", "t/_log/2"}) {
      bool named = false;
      disk.before_call = [&](std::string_view operation, const Path&) {
        if (named && operation == "sync folder") throw Died();
        named |= operation == "name";
      };
      EXPECT_THROW((void)storage->PutIfAbsent(P(name), "x"), Died);
      disk.before_call = nullptr;
    }
    disk.PowerCut(*random);
    if (storage->Stat(P("t/_log/2")).ok()) {
      EXPECT_OK(storage->Stat(P("t/_log/1")));
    }
  }
}

// Another writer made the folder a moment ago and has not synced its name yet.
TEST(LocalStorageOnFakeDiskTest, SyncsFoldersThatOthersMade) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const std::unique_ptr<Random> random = MakeSeededRandom(seed);
    auto owned = std::make_unique<FakeDisk>();
    FakeDisk& disk = *owned;
    const std::unique_ptr<Storage> storage = MakeLocalStorage(std::move(owned), "/");
    ASSERT_OK(disk.MakeFolder(P("t")));
    ASSERT_OK(disk.MakeFolder(P("t/_log")));
    ASSERT_OK(storage->PutIfAbsent(P("t/_log/0"), "zero"));
    disk.PowerCut(*random);
    EXPECT_EQ(storage->Read(P("t/_log/0")).value(), "zero");
  }
}

}  // namespace
}  // namespace tarn
