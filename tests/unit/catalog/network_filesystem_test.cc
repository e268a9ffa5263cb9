#include "tarn/catalog/network_filesystem.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

TEST(NetworkFilesystem, KnowsThemByMagic) {
  EXPECT_EQ(NetworkFilesystemName(0x6969), "NFS");
  EXPECT_EQ(NetworkFilesystemName(0xFF534D42), "CIFS");
  EXPECT_EQ(NetworkFilesystemName(static_cast<int32_t>(0xFF534D42)),
            "CIFS");  // f_type may be signed
  EXPECT_EQ(NetworkFilesystemName(0x65735546), "FUSE");
  EXPECT_EQ(NetworkFilesystemName(0xEF53), "");      // ext4
  EXPECT_EQ(NetworkFilesystemName(0x01021994), "");  // tmpfs
}

TEST(NetworkFilesystem, TakesLocalFoldersAndNamesMissingOnes) {
  const testing::TempFolder folder;
  EXPECT_OK(RefuseNetworkFilesystem(folder.path()));
  EXPECT_ERROR(RefuseNetworkFilesystem(folder.path() + "/none"), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace tarn
