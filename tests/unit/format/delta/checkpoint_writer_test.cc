#include "tarn/format/delta/checkpoint_writer.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tarn/format/delta/log_head.h"
#include "tarn/format/delta/parquet_leaf.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

class CheckpointWriterTest : public ::testing::Test {
 protected:
  CheckpointWriterTest() : storage_(MakeMemoryStorage(fake_.clock, *fake_.random)) {
    Result<Schema> schema =
        ParseColumns("p string, a bigint, s struct<x: decimal(10,2)>, t timestamp");
    EXPECT_OK(schema);
    metadata_.schema = AssignFreshIds(*std::move(schema));
    metadata_.specs = {*IdentitySpec(metadata_.schema, {"p"})};
  }

  std::unique_ptr<CheckpointWriter> Make(const TableProperties& properties = {}) {
    Result<std::unique_ptr<CheckpointWriter>> writer =
        CheckpointWriter::Make(metadata_, properties);
    EXPECT_OK(writer);
    return *std::move(writer);
  }
  std::unique_ptr<CheckpointParquet> Open(CheckpointWriter& writer) {
    Result<Bytes> bytes = writer.Finish();
    EXPECT_OK(bytes);
    EXPECT_OK(storage_->Put(path_, *bytes));
    Result<std::unique_ptr<ObjectReader>> reader = storage_->OpenReader(path_);
    EXPECT_OK(reader);
    Result<std::unique_ptr<CheckpointParquet>> file =
        CheckpointParquet::Open(*std::move(reader), "checkpoint");
    EXPECT_OK(file);
    return *std::move(file);
  }
  // The texts of one leaf, row by row; "-" where there is none.
  static std::string Texts(const CheckpointParquet& file,
                           std::initializer_list<std::string_view> path) {
    std::string out;
    const int leaf = file.Leaf(path);
    if (leaf < 0) return "no such leaf";
    for (int group = 0; group < file.row_groups(); ++group) {
      Result<LeafCursor> cursor = file.Cursor(group, leaf);
      EXPECT_OK(cursor);
      while (cursor->Next()) {
        out += (out.empty() ? "" : " ");
        out += cursor->has_value() ? std::string(cursor->bytes()) : "-";
      }
      EXPECT_OK(cursor->status());
    }
    return out;
  }

  testing::FakeRuntime fake_;
  std::unique_ptr<MemoryStorage> storage_;
  const Path path_ = *Path::Make("c.parquet");
  TableMetadata metadata_;
};

TEST_F(CheckpointWriterTest, TheHeadIsReadBackAsItWas) {
  const Protocol protocol{3, 7, {"timestampNtz"}, {"appendOnly", "timestampNtz"}};
  MetadataAction metadata;
  metadata.id = "id";
  metadata.schema_string = "{}";
  metadata.partition_columns = {"p", "q"};
  metadata.configuration = {{"a", "1"}, {"b", ""}};
  metadata.created_time_ms = 4;
  const std::unique_ptr<CheckpointWriter> writer = Make();
  ASSERT_OK(writer->Write(protocol));
  ASSERT_OK(writer->Write(metadata));
  ASSERT_OK(writer->Write(Txn{"app", 7, std::nullopt}));
  ASSERT_OK(writer->Write(Txn{"bpp", 8, 9}));
  ASSERT_OK(writer->Write(DomainMetadata{"d", "{}", false}));
  const auto file = Open(*writer);
  EXPECT_EQ(writer->actions(), 5);
  ASSERT_OK_AND_ASSIGN(const LogHead head, ReadParquetHead(*file, nullptr));
  EXPECT_EQ(head.protocol, protocol);
  EXPECT_EQ(head.metadata, metadata);
  EXPECT_EQ(head.txns.at("app"), (Txn{"app", 7, std::nullopt}));
  EXPECT_EQ(head.txns.at("bpp"), (Txn{"bpp", 8, 9}));
  EXPECT_EQ(head.domains.at("d"), (DomainMetadata{"d", "{}", false}));
}

// Rows of one kind are null in the columns of all others, however the kinds follow one another.
TEST_F(CheckpointWriterTest, KindsMayAlternate) {
  const std::unique_ptr<CheckpointWriter> writer = Make();
  ASSERT_OK(writer->Write(Txn{"app", 1, std::nullopt}));
  AddFile add;
  add.path = "a";
  ASSERT_OK(writer->Write(add));
  ASSERT_OK(writer->Write(Txn{"bpp", 2, std::nullopt}));
  RemoveFile remove;
  remove.path = "r";
  ASSERT_OK(writer->Write(remove));
  add.path = "b";
  ASSERT_OK(writer->Write(add));
  const auto file = Open(*writer);
  EXPECT_EQ(Texts(*file, {"txn", "appId"}), "app - bpp - -");
  EXPECT_EQ(Texts(*file, {"add", "path"}), "- a - - b");
  EXPECT_EQ(Texts(*file, {"remove", "path"}), "- - - r -");
}

TEST_F(CheckpointWriterTest, WithoutActionsItIsAFileWithoutRows) {
  const auto file = Open(*Make());
  EXPECT_EQ(file->row_groups(), 0);
  EXPECT_GE(file->Leaf({"add", "path"}), 0);
}

// What is small stays uncompressed: the same text a hundred times shows which it was.
TEST_F(CheckpointWriterTest, OnlyManyRowsAreCompressed) {
  const auto size_of = [&](int files) -> size_t {
    const std::unique_ptr<CheckpointWriter> writer = Make();
    AddFile add;
    add.path = "a";
    add.stats = std::string(1000, 'x');
    for (int i = 0; i < files; ++i) EXPECT_OK(writer->Write(add));
    return writer->Finish()->size();
  };
  EXPECT_GT(size_of(60), size_t{60'000});
  EXPECT_LT(size_of(600), size_t{60'000});
}

TEST_F(CheckpointWriterTest, OldProtocolsHaveNoLists) {
  const std::unique_ptr<CheckpointWriter> writer = Make();
  ASSERT_OK(writer->Write(Protocol{1, 2, {}, {}}));
  const auto file = Open(*writer);
  ASSERT_OK_AND_ASSIGN(const LogHead head, ReadParquetHead(*file, nullptr));
  EXPECT_EQ(head.protocol, (Protocol{1, 2, {}, {}}));
}

TEST_F(CheckpointWriterTest, ManyFilesGoIntoRowGroupsOfBoundedSize) {
  const std::unique_ptr<CheckpointWriter> writer = Make();
  ASSERT_OK(writer->Write(Protocol{1, 2, {}, {}}));
  AddFile file;
  for (int i = 0; i < 70000; ++i) {
    file.path = "f" + std::to_string(i);
    ASSERT_OK(writer->Write(file));
  }
  const auto checkpoint = Open(*writer);
  EXPECT_EQ(writer->add_files(), 70000);
  EXPECT_EQ(checkpoint->row_groups(), 3);
  const int path = checkpoint->Leaf({"add", "path"});
  int64_t found = 0;
  for (int group = 0; group < checkpoint->row_groups(); ++group) {
    ASSERT_OK_AND_ASSIGN(LeafCursor cursor, checkpoint->Cursor(group, path));
    while (cursor.Next()) {
      if (!cursor.has_value()) continue;
      ASSERT_EQ(cursor.bytes(), "f" + std::to_string(found));
      ++found;
    }
  }
  EXPECT_EQ(found, 70000);
}

TEST_F(CheckpointWriterTest, StatisticsStandAsTextOrInColumnsAsTheTableAsks) {
  AddFile file;
  file.path = "x";
  file.partition_values = {{"p", "v"}};
  file.stats = R"({"numRecords":3,"minValues":{"a":1,"s":{"x":1.25}},"nullCount":{"a":0}})";
  {
    const std::unique_ptr<CheckpointWriter> writer = Make();
    ASSERT_OK(writer->Write(file));
    const auto checkpoint = Open(*writer);
    EXPECT_EQ(Texts(*checkpoint, {"add", "stats"}), *file.stats);
    EXPECT_LT(checkpoint->Leaf({"add", "stats_parsed", "numRecords"}), 0);
  }
  TableProperties properties;
  properties.stats_as_json = false;
  properties.stats_as_struct = true;
  const std::unique_ptr<CheckpointWriter> writer = Make(properties);
  ASSERT_OK(writer->Write(file));
  const auto checkpoint = Open(*writer);
  EXPECT_LT(checkpoint->Leaf({"add", "stats"}), 0);
  EXPECT_EQ(Texts(*checkpoint, {"add", "partitionValues_parsed", "p"}), "v");
  EXPECT_GE(checkpoint->Leaf({"add", "stats_parsed", "minValues", "s", "x"}), 0);
}

TEST_F(CheckpointWriterTest, FilesOfAllKindsKeepTheirMembers) {
  AddFile add;
  add.path = "x%20y";
  add.tags = {{"k", "v"}};
  add.deletion_vector = DeletionVectorDescriptor{'u', "abc", 1, 2, 3};
  RemoveFile remove;
  remove.path = "gone";
  remove.deletion_timestamp_ms = 5;
  remove.deletion_vector = DeletionVectorDescriptor{'i', "xyz", std::nullopt, 2, 3};
  const std::unique_ptr<CheckpointWriter> writer = Make();
  ASSERT_OK(writer->Write(add));
  ASSERT_OK(writer->Write(remove));
  ASSERT_OK(writer->Write(add));
  const auto checkpoint = Open(*writer);
  EXPECT_EQ(Texts(*checkpoint, {"add", "path"}), "x%20y - x%20y");
  EXPECT_EQ(Texts(*checkpoint, {"add", "deletionVector", "pathOrInlineDv"}), "abc - abc");
  EXPECT_EQ(Texts(*checkpoint, {"remove", "path"}), "- gone -");
  EXPECT_EQ(Texts(*checkpoint, {"remove", "deletionVector", "storageType"}), "- i -");
}

}  // namespace
}  // namespace tarn::delta
