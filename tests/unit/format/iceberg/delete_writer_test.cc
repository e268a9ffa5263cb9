#include "tarn/format/iceberg/delete_writer.h"

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

RowDelete Rows(const DataFile& file, std::vector<uint64_t> rows) {
  RowDelete one{file, RowSet()};
  for (const uint64_t row : rows) one.rows.Add(row);
  return one;
}

class DeleteWriterTest : public testing::IcebergWorld {
 protected:
  Result<NewDeletes> Write(int32_t version, const std::vector<RowDelete>& deletes) {
    const Locations locations(home, "memory:/lake/t");
    const DeleteWriterTools tools{parquet.get(), [](const DataFile&) {
                                    RowSet older;
                                    older.Add(100);
                                    return Result<RowSet>(older);
                                  }};
    return WriteDeletes(home, locations, version, "x", deletes, tools);
  }
};

TEST_F(DeleteWriterTest, VersionTwoHasAFilePerPartition) {
  const DataFile a = FileOf("1", "a"), b = FileOf("1", "b"), c = FileOf("2", "c");
  ASSERT_OK_AND_ASSIGN(const NewDeletes made,
                       Write(2, {Rows(b, {5}), Rows(a, {1, 9}), Rows(c, {0})}));
  ASSERT_EQ(made.entries.size(), 2U);
  ASSERT_EQ(made.objects.size(), 2U);
  EXPECT_TRUE(made.replaced.empty());
  const NewDelete& both = made.entries[0];
  EXPECT_EQ(both.file.record_count, 3);
  EXPECT_EQ(both.file.partition, a.partition);
  EXPECT_FALSE(both.referenced_data_file) << "it names two";
  EXPECT_EQ(both.positions, (std::pair<int64_t, int64_t>(1, 9)));
  EXPECT_EQ(both.file.size_bytes, static_cast<int64_t>(made.objects[0].bytes.size()));
  EXPECT_EQ(made.entries[1].referenced_data_file, "memory:/lake/t/day=2/c");
  EXPECT_EQ(made.entries[1].file.location, "memory:/lake/t/data/x-1-deletes.parquet");
}

TEST_F(DeleteWriterTest, VersionThreeHasAVectorPerFileWithWhatWentBefore) {
  DataFile old = FileOf("1", "a");
  old.deletes = {{.kind = DeleteKind::kDeletionVector, .location = "dv", .row_count = 1}};
  const DataFile fresh = FileOf("2", "b");
  ASSERT_OK_AND_ASSIGN(const NewDeletes made, Write(3, {Rows(old, {2}), Rows(fresh, {1, 3})}));
  ASSERT_EQ(made.objects.size(), 1U) << "one file for all";
  ASSERT_EQ(made.entries.size(), 2U);
  EXPECT_EQ(made.entries[0].file.record_count, 2) << "row 2 and row 100";
  EXPECT_EQ(made.entries[1].file.record_count, 2);
  EXPECT_EQ(made.replaced, (std::set<std::string, std::less<>>{"memory:/lake/t/day=1/a"}));
  EXPECT_EQ(made.entries[0].file.format, "puffin");
  EXPECT_GT(*made.entries[1].content_offset, *made.entries[0].content_offset);
}

TEST_F(DeleteWriterTest, VersionOneHasNone) {
  EXPECT_ERROR(Write(1, {Rows(FileOf("1", "a"), {1})}), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn::iceberg
