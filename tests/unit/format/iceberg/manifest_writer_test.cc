#include "tarn/format/iceberg/manifest_writer.h"

#include <gtest/gtest.h>

#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class ManifestWriterTest : public testing::IcebergWorld {
 protected:
  ManifestWriterTest() {
    const TableMetadata model = tarn::testing::EventsMetadata();
    metadata.location = "memory:/lake/t";
    metadata.schemas = {model.schema};
    metadata.specs = model.specs;
    shape = *MakeShape(model.specs[0], {Type::Of(TypeKind::kString)}, 2, 77, 5, model.schema);
  }

  std::vector<EntryColumns> ReadBack(const BuiltManifest& built) {
    const Path path = home.root / "m.avro";
    EXPECT_OK(storage->Put(path, built.bytes));
    auto reader = ManifestReader::Make(fakes.runtime, home, path, metadata, metadata.schemas[0],
                                       built.file, {.bounds = true});
    EXPECT_OK(reader);
    std::vector<EntryColumns> all;
    while (reader.ok()) {
      auto entries = reader->Next();
      EXPECT_OK(entries);
      if (!entries.ok() || !*entries) break;
      all.push_back(*std::move(*entries));
    }
    return all;
  }

  Metadata metadata;
  ManifestShape shape;
};

TEST_F(ManifestWriterTest, AddedEntriesInheritTheirSequenceNumber) {
  const Locations locations(home, metadata.location);
  DataFile file = FileOf("é", "a", 3);
  ColumnStatistics day{.field_id = 2};
  day.value_count = 3;
  day.null_count = 0;
  day.lower = Value(std::string(20, 'a'));
  day.upper = Value(std::string(20, 'b'));
  file.statistics = {day};
  file.split_offsets = {4};
  ASSERT_OK_AND_ASSIGN(const EntryBatches batches,
                       AddedEntries(shape, {file}, {{2, MetricsMode()}}, locations));
  ASSERT_OK_AND_ASSIGN(const BuiltManifest built,
                       BuildManifest(fakes.runtime, shape, ManifestContent::kData, batches, "m"));
  EXPECT_EQ(built.file.length, static_cast<int64_t>(built.bytes.size()));
  EXPECT_EQ(built.file.min_sequence_number, 5);
  EXPECT_EQ(built.file.added_rows, 3);
  const auto read = ReadBack(built);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].status[0], EntryStatus::kAdded);
  EXPECT_EQ(read[0].sequence_number[0], 5);
  EXPECT_EQ(read[0].snapshot_id[0], 77);
  EXPECT_EQ(read[0].location.At(0), "memory:/lake/t/day=é/a");
  EXPECT_EQ(read[0].format.At(0), "PARQUET");
  EXPECT_EQ(read[0].partition[0].Get(0), Value("é"));
  const auto [begin, end] = read[0].upper.Entries(0);
  ASSERT_EQ(end - begin, 1);
  EXPECT_EQ(read[0].upper.Key(begin), 2);
  EXPECT_EQ(read[0].upper.Bytes(begin), std::string(15, 'b') + "c") << "cut to 16, rounded up";
}

TEST_F(ManifestWriterTest, RewrittenEntriesKeepWhenTheyCame) {
  const Locations locations(home, metadata.location);
  ASSERT_OK_AND_ASSIGN(
      const EntryBatches batches,
      AddedEntries(shape, {FileOf("1", "a", 3), FileOf("2", "b", 4)}, {}, locations));
  ASSERT_OK_AND_ASSIGN(const BuiltManifest built,
                       BuildManifest(fakes.runtime, shape, ManifestContent::kData, batches, "m"));
  ASSERT_OK(storage->Put(home.root / "m.avro", built.bytes));
  ManifestShape later = shape;
  later.snapshot_id = 88;
  later.sequence_number = 9;
  const auto rewrite = [&](const ManifestFile& manifest) {
    return RewriteEntries(fakes.runtime, home, home.root / "m.avro", later, manifest,
                          [](std::string_view location, std::optional<std::string_view>) {
                            return location.ends_with("/b") ? Fate::kDeleted : Fate::kKept;
                          });
  };
  ASSERT_OK_AND_ASSIGN(const RewrittenEntries entries, rewrite(built.file));
  EXPECT_EQ(entries.deleted, 1);
  ASSERT_OK_AND_ASSIGN(
      const BuiltManifest again,
      BuildManifest(fakes.runtime, later, ManifestContent::kData, entries.batches, "m2"));
  EXPECT_EQ(again.file.existing_files, 1);
  EXPECT_EQ(again.file.deleted_files, 1);
  EXPECT_EQ(again.file.min_sequence_number, 5);
  const auto read = ReadBack(again);
  ASSERT_EQ(read.size(), 1U);
  EXPECT_EQ(read[0].status,
            (std::vector<EntryStatus>{EntryStatus::kExisting, EntryStatus::kDeleted}));
  EXPECT_EQ(read[0].snapshot_id, (std::vector<int64_t>{77, 88}));
  EXPECT_EQ(read[0].sequence_number, (std::vector<int64_t>{5, 5}));
  // What an earlier commit deleted is not carried on.
  ASSERT_OK_AND_ASSIGN(const RewrittenEntries last, rewrite(again.file));
  ASSERT_EQ(last.batches.size(), 1U);
  EXPECT_EQ(last.deleted, 0);
}

TEST_F(ManifestWriterTest, AListComesBack) {
  ManifestFile manifest;
  manifest.location = "memory:/lake/t/m.avro";
  manifest.length = 12;
  manifest.spec_id = 3;
  manifest.content = ManifestContent::kDeletes;
  manifest.sequence_number = 4;
  manifest.min_sequence_number = 2;
  manifest.added_snapshot_id = 77;
  manifest.added_files = manifest.existing_files = manifest.deleted_files = 1;
  manifest.added_rows = manifest.existing_rows = manifest.deleted_rows = 10;
  manifest.partitions = {{.contains_null = false, .contains_nan = true, .lower = "a", .upper = "b"},
                         {.contains_null = true}};
  manifest.key_metadata = "key";
  ASSERT_OK_AND_ASSIGN(const Bytes bytes,
                       BuildManifestList(fakes.runtime, {.snapshot_id = 77}, {manifest}));
  ASSERT_OK(storage->Put(home.root / "l.avro", bytes));
  SnapshotEntry snapshot;
  snapshot.manifest_list = "memory:/lake/t/l.avro";
  const Locations locations(home, "memory:/lake/t");
  ASSERT_OK_AND_ASSIGN(const auto back, ReadManifests(fakes.runtime, home, locations, snapshot));
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0], manifest);
}

}  // namespace
}  // namespace tarn::iceberg
