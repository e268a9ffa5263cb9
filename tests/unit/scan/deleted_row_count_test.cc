#include "tarn/scan/deleted_row_count.h"

#include <gtest/gtest.h>

#include "tarn/storage/memory.h"
#include "tests/support/fake_format.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(DeletedRowCountTest, OnlyAVectorIsTakenAtItsWord) {
  testing::FakeRuntime fake;
  const auto storage = MakeMemoryStorage(fake.clock, *fake.random);
  const TableHome home{Path(), *storage, {}, {}};
  testing::FakeFormat format;
  format.deleted_rows["keys"].Add(1);
  format.deleted_rows["positions"].Add(1);
  format.deleted_rows["positions"].Add(5);
  const auto count = [&](std::vector<DeleteFile> deletes) {
    DataFile file;
    file.deletes = std::move(deletes);
    return *DeletedRowCount(format, home, Snapshot::Empty(), file);
  };
  EXPECT_EQ(count({}), 0);
  EXPECT_EQ(count({{.kind = DeleteKind::kDeletionVector, .location = "dv", .row_count = 7}}), 7);
  EXPECT_EQ(format.deleted_rows_calls, 0);
  // A file of keys says how many keys it has, one of positions how many it names in all files.
  const DeleteFile keys{.kind = DeleteKind::kEqualityDeletes, .location = "keys", .row_count = 9};
  const DeleteFile positions{
      .kind = DeleteKind::kPositionDeletes, .location = "positions", .row_count = 20};
  EXPECT_EQ(count({keys}), 1);
  EXPECT_EQ(count({keys, positions}), 2) << "a row may be deleted twice";
}

}  // namespace
}  // namespace tarn
