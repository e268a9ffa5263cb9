#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tarn/storage/disk.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

using testing::P;

class PosixDiskTest : public ::testing::TestWithParam<Nameless> {
 protected:
  testing::TempFolder folder_;
  std::unique_ptr<Disk> disk_ = std::move(MakePosixDisk(folder_.path(), GetParam())).value();
};

INSTANTIATE_TEST_SUITE_P(EachRoad, PosixDiskTest,
                         ::testing::Values(Nameless::kWherePossible, Nameless::kNever),
                         [](const auto& info) {
                           return info.param == Nameless::kNever ? "temporary_name" : "unnamed";
                         });

TEST_P(PosixDiskTest, FileHasNoNameUntilGivenOne) {
  ASSERT_OK_AND_ASSIGN(const auto file, disk_->OpenUnnamed(Path()));
  ASSERT_OK(file->Append("one "));
  ASSERT_OK(file->Append("two"));
  ASSERT_OK(file->SyncData());
  EXPECT_TRUE(disk_->ReadFolder(Path(), "")->empty());
  EXPECT_EQ(file->NameIfAbsent(P("a")).value(), PutOutcome::kCreated);
  EXPECT_EQ(disk_->ReadFolder(Path(), "")->size(), 1u);
  EXPECT_EQ(disk_->Stat(P("a"))->size_bytes, 7);
  ASSERT_OK(disk_->SyncFolder(Path()));
}

TEST_P(PosixDiskTest, DroppedFileLeavesNothing) {
  {
    ASSERT_OK_AND_ASSIGN(const auto file, disk_->OpenUnnamed(Path()));
    ASSERT_OK(file->Append("never named"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
}

TEST_P(PosixDiskTest, NameIfAbsentRefusesAndNameReplacingReplaces) {
  std::ofstream(folder_.path() + "/a") << "old";
  ASSERT_OK_AND_ASSIGN(const auto file, disk_->OpenUnnamed(Path()));
  ASSERT_OK(file->Append("new!"));
  EXPECT_EQ(file->NameIfAbsent(P("a")).value(), PutOutcome::kAlreadyExists);
  EXPECT_EQ(disk_->Stat(P("a"))->size_bytes, 3);
  ASSERT_OK(file->NameReplacing(P("a")));
  EXPECT_EQ(disk_->Stat(P("a"))->size_bytes, 4);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 1);
}

TEST_P(PosixDiskTest, FoldersAreMadeOneByOne) {
  EXPECT_ERROR(disk_->MakeFolder(P("a/b")), ErrorCode::kNotFound);
  EXPECT_TRUE(disk_->MakeFolder(P("a")).value());
  EXPECT_FALSE(disk_->MakeFolder(P("a")).value());
  EXPECT_TRUE(disk_->MakeFolder(P("a/b")).value());
  EXPECT_ERROR(disk_->OpenUnnamed(P("x")), ErrorCode::kNotFound);
  std::ofstream(folder_.path() + "/file") << "x";
  EXPECT_ERROR(disk_->MakeFolder(P("file")), ErrorCode::kInvalid);
}

TEST_P(PosixDiskTest, ReadFolderTellsFoldersAndLeavesOutTheRest) {
  std::filesystem::create_directory(folder_.path() + "/sub");
  std::ofstream(folder_.path() + "/file") << "x";
  std::ofstream(folder_.path() + "/.tarn-tmp-1") << "x";
  std::filesystem::create_symlink("nowhere", folder_.path() + "/dangling");
  std::filesystem::create_symlink("sub", folder_.path() + "/link");
  mkfifo((folder_.path() + "/pipe").c_str(), 0600);
  ASSERT_OK_AND_ASSIGN(const auto entries, disk_->ReadFolder(Path(), ""));
  std::map<std::string, bool> found;
  for (const DiskEntry& entry : entries) found[entry.name] = entry.is_folder;
  EXPECT_EQ(found, (std::map<std::string, bool>{{"sub", true}, {"file", false}, {"link", true}}));
}

TEST_P(PosixDiskTest, ReadFolderLeavesOutFilesThatWereSeen) {
  std::filesystem::create_directory(folder_.path() + "/a");
  for (const char* name : {"b", "c", "d"}) std::ofstream(folder_.path() + "/" + name) << "x";
  std::filesystem::create_symlink("b", folder_.path() + "/b2");
  std::filesystem::create_symlink("d", folder_.path() + "/d2");
  ASSERT_OK_AND_ASSIGN(const auto entries, disk_->ReadFolder(Path(), "c"));
  std::set<std::string> found;
  for (const DiskEntry& entry : entries) found.insert(entry.name);
  EXPECT_EQ(found, (std::set<std::string>{"a", "d", "d2"}));
}

TEST_P(PosixDiskTest, RenameRefusesToReplace) {
  std::ofstream(folder_.path() + "/a") << "a";
  std::ofstream(folder_.path() + "/b") << "b";
  EXPECT_EQ(disk_->RenameIfAbsent(P("a"), P("b")).value(), PutOutcome::kAlreadyExists);
  EXPECT_EQ(disk_->RenameIfAbsent(P("a"), P("c")).value(), PutOutcome::kCreated);
  EXPECT_ERROR(disk_->RenameIfAbsent(P("a"), P("d")), ErrorCode::kNotFound);
  EXPECT_ERROR(disk_->RenameIfAbsent(P("b"), P("x/y")), ErrorCode::kNotFound);
}

TEST_P(PosixDiskTest, ReaderKeepsTheFileItOpened) {
  std::ofstream(folder_.path() + "/a") << "0123456789";
  ASSERT_OK_AND_ASSIGN(const auto reader, disk_->OpenFile(P("a")));
  EXPECT_TRUE(disk_->Remove(P("a")).value());
  EXPECT_FALSE(disk_->Remove(P("a")).value());
  char bytes[4] = {};
  ASSERT_OK(reader->ReadAt(3, 4, bytes));
  EXPECT_EQ(std::string_view(bytes, 4), "3456");
  EXPECT_ERROR(reader->ReadAt(8, 4, bytes), ErrorCode::kInvalid);
  EXPECT_ERROR(reader->ReadAt(-1, 1, bytes), ErrorCode::kInvalid);
  EXPECT_ERROR(disk_->OpenFile(P("a")), ErrorCode::kNotFound);
}

TEST_P(PosixDiskTest, EtagFollowsTheBytesAndIdentityTheFile) {
  std::ofstream(folder_.path() + "/a") << "1";
  const DiskStat before = disk_->Stat(P("a")).value();
  std::ofstream(folder_.path() + "/a", std::ios::app) << "2";
  const DiskStat after = disk_->Stat(P("a")).value();
  EXPECT_NE(before.etag, after.etag);
  EXPECT_EQ(before.identity, after.identity);
}

}  // namespace
}  // namespace tarn
