#include "tarn/write/table_writer.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include <map>
#include <set>

#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"
#include "tests/support/table_stand.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::RowsText;
using testing::SchemaOf;
using testing::TableStand;

TableMetadata MetadataOf(Schema schema, const std::vector<std::string>& partition = {}) {
  TableMetadata metadata;
  metadata.schema = std::move(schema);
  metadata.specs = {*IdentitySpec(metadata.schema, partition)};
  return metadata;
}

std::shared_ptr<arrow::RecordBatch> Numbers(int64_t begin, int64_t end) {
  arrow::Int64Builder ids;
  arrow::StringBuilder keys;
  for (int64_t i = begin; i < end; ++i) {
    (void)ids.Append(i);
    (void)keys.Append("k" + std::to_string(i % 7));
  }
  return arrow::RecordBatch::Make(
      *ToArrow(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})), end - begin,
      {*ids.Finish(), *keys.Finish()});
}

class TableWriterTest : public ::testing::TestWithParam<int> {
 protected:
  std::unique_ptr<TableWriter> Make(const TableMetadata& metadata,
                                    TableWriterOptions options = {}) {
    auto writer = MakeTableWriter(stand.runtime, *stand.storage, stand.table.home,
                                  **stand.file_formats.Find("parquet"), metadata, options);
    EXPECT_TRUE(writer.ok()) << testing::ErrorText(writer);
    return std::move(*writer);
  }
  // The ids of all files, and how many rows there are.
  std::map<std::string, std::set<int64_t>> IdsByFolder(const std::vector<DataFile>& files,
                                                       int64_t& rows) {
    std::map<std::string, std::set<int64_t>> ids;
    rows = 0;
    for (const DataFile& file : files) {
      auto stream = testing::ReadFile(**stand.file_formats.Find("parquet"), *stand.storage,
                                      *stand.table.home.ObjectOf(file.path),
                                      {.schema = SchemaOf({Col(1, "id", "bigint")})});
      EXPECT_TRUE(stream.ok()) << testing::ErrorText(stream);
      const size_t slash = file.path.rfind('/');
      const std::string folder = slash == std::string::npos ? "" : file.path.substr(0, slash);
      while (true) {
        const auto batch = *(*stream)->Next();
        if (batch == nullptr) break;
        const auto& column = static_cast<const arrow::Int64Array&>(*batch->column(0));
        for (int64_t i = 0; i < column.length(); ++i) ids[folder].insert(column.Value(i));
        rows += batch->num_rows();
      }
    }
    return ids;
  }

  TableStand stand{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Threads, TableWriterTest, ::testing::Values(1, 3));

TEST_P(TableWriterTest, UnpartitionedRowsAllArriveOnce) {
  const auto writer = Make(MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})));
  for (int64_t i = 0; i < 10; ++i) ASSERT_OK(writer->Write(Numbers(i * 70'000, (i + 1) * 70'000)));
  EXPECT_EQ(writer->rows_written(), 700'000);
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(files.size(), static_cast<size_t>(GetParam()));  // one per thread
  int64_t rows = 0;
  const auto ids = IdsByFolder(files, rows);
  EXPECT_EQ(rows, 700'000);
  EXPECT_EQ(ids.at("").size(), 700'000U);
  EXPECT_EQ(*stand.Files(), [&] {
    std::vector<std::string> paths;
    for (const DataFile& file : files) paths.push_back(file.path);
    return paths;
  }());
  EXPECT_EQ(stand.fake.memory.used_bytes(), 0);
}

TEST_P(TableWriterTest, FewRowsMakeOneFile) {
  const auto writer = Make(MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})));
  ASSERT_OK(writer->Write(Numbers(0, 3)));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_EQ(files[0].record_count, 3);
  EXPECT_EQ(files[0].path.find('/'), std::string::npos);
}

TEST_P(TableWriterTest, NoRowsMakeNoFile) {
  const auto writer = Make(MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})));
  ASSERT_OK(writer->Write(Numbers(0, 0)));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_TRUE(files.empty());
  EXPECT_TRUE(stand.Files()->empty());
}

TEST_P(TableWriterTest, PartitionsGetTheirRowsAndNoOthers) {
  const TableMetadata metadata =
      MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")}), {"k"});
  const auto writer = Make(metadata);
  for (int64_t i = 0; i < 5; ++i) ASSERT_OK(writer->Write(Numbers(i * 30'000, (i + 1) * 30'000)));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(files.size(), 7U);
  for (const DataFile& file : files) {
    EXPECT_EQ(file.path.substr(0, 5), "k=" + std::get<std::string>(file.partition[0]) + "/");
  }
  int64_t rows = 0;
  const auto ids = IdsByFolder(files, rows);
  EXPECT_EQ(rows, 150'000);
  for (int64_t id = 0; id < 150'000; ++id) {
    ASSERT_TRUE(ids.at("k=k" + std::to_string(id % 7)).contains(id));
  }
}

TEST_P(TableWriterTest, OneLargePartitionUsesAllThreads) {
  const TableMetadata metadata =
      MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")}), {"k"});
  const auto writer = Make(metadata);
  const auto one_key = [&](int64_t begin, int64_t end) {
    const auto batch = Numbers(begin, end);
    arrow::StringBuilder keys;
    for (int64_t i = begin; i < end; ++i) (void)keys.Append("same");
    return *batch->SetColumn(1, batch->schema()->field(1), *keys.Finish());
  };
  for (int64_t i = 0; i < 8; ++i) ASSERT_OK(writer->Write(one_key(i * 100'000, (i + 1) * 100'000)));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(files.size(), static_cast<size_t>(GetParam()));
  int64_t rows = 0;
  EXPECT_EQ(IdsByFolder(files, rows).at("k=same").size(), 800'000U);
  EXPECT_EQ(rows, 800'000);
}

TEST_P(TableWriterTest, FilesRollAtTheTargetSize) {
  TableWriterOptions options;
  options.ticket.target_file_size_bytes = 100'000;
  const auto writer =
      Make(MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})), options);
  for (int64_t i = 0; i < 20; ++i)
    ASSERT_OK(writer->Write(Numbers(i * 100'000, (i + 1) * 100'000)));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_GT(files.size(), 3U);
  int64_t rows = 0;
  EXPECT_EQ(IdsByFolder(files, rows).at("").size(), 2'000'000U);
  EXPECT_EQ(rows, 2'000'000);
}

TEST_P(TableWriterTest, MoreOpenPartitionsThanAreAllowed) {
  const TableMetadata metadata =
      MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "bigint")}), {"k"});
  const auto writer = Make(metadata);
  arrow::Int64Builder ids, keys;
  for (int64_t i = 0; i < 4'000; ++i) {
    ASSERT_TRUE(ids.Append(i).ok());
    ASSERT_TRUE(keys.Append(i % 1'000).ok());
  }
  ASSERT_OK(writer->Write(
      arrow::RecordBatch::Make(*ToArrow(metadata.schema), 4'000, {*ids.Finish(), *keys.Finish()})));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(files.size(), 1'000U);
  int64_t rows = 0;
  IdsByFolder(files, rows);
  EXPECT_EQ(rows, 4'000);
}

TEST_P(TableWriterTest, HardPartitionValuesHaveValidPaths) {
  const TableMetadata metadata =
      MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "p", "string")}), {"p"});
  const auto writer = Make(metadata);
  const std::vector<std::string> values = {"a/b",
                                           "50%",
                                           "a%2Fb",
                                           "\xC3\xA9",
                                           "e\xCC\x81",
                                           "😀",
                                           "back\\\\slash",
                                           "dot.",
                                           "..",
                                           "a b",
                                           "x=y",
                                           "plus+",
                                           "q?#",
                                           "[x]",
                                           std::string(600, 'v'),
                                           "__HIVE_DEFAULT_PARTITION__",
                                           "tab\\t"};
  std::string rows = "[";
  for (size_t i = 0; i < values.size(); ++i) {
    rows += (i > 0 ? ",[" : "[") + std::to_string(i) + ",\"" + values[i] + "\"]";
  }
  ASSERT_OK(writer->Write(BatchOf(metadata.schema, rows + ",[99, null]]")));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(files.size(), values.size() + 1);
  int64_t count = 0;
  IdsByFolder(files, count);
  EXPECT_EQ(count, static_cast<int64_t>(values.size()) + 1);
}

TEST_P(TableWriterTest, EmptyTextIsRefusedWhereItWouldBecomeNull) {
  const TableMetadata metadata =
      MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "p", "string")}), {"p"});
  TableWriterOptions options;
  options.traits.tells_empty_from_null = false;
  {
    const auto writer = Make(metadata, options);
    ASSERT_OK(writer->Write(BatchOf(metadata.schema, R"([[1, "a"], [2, ""], [3, null]])")));
    const auto finished = writer->Finish();
    EXPECT_ERROR(finished, ErrorCode::kInvalid);
    EXPECT_NE(finished.error().message.find("partition column 'p' holds the empty string ''"),
              std::string::npos);
  }
  EXPECT_TRUE(stand.Files()->empty());
  const auto writer = Make(metadata);
  ASSERT_OK(writer->Write(BatchOf(metadata.schema, R"([[1, ""], [2, null]])")));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(files.size(), 2U);
}

TEST_P(TableWriterTest, NullInRequiredColumnIsRefusedByRow) {
  const TableMetadata metadata = MetadataOf(SchemaOf({Col(1, "id", "bigint", true)}));
  const auto writer = Make(metadata);
  ASSERT_OK(writer->Write(BatchOf(metadata.schema, "[[1], [2]]")));
  const auto nullable = BatchOf(SchemaOf({Col(1, "id", "bigint")}), "[[3], [null]]");
  const Status refused = writer->Write(nullable);
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_EQ(refused.error().message, "column 'id' is NOT NULL, but row 4 has no value for it");
}

TEST_P(TableWriterTest, AbandonedFilesAreRemoved) {
  TableWriterOptions options;
  options.ticket.target_file_size_bytes = 50'000;
  {
    const auto writer =
        Make(MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})), options);
    for (int64_t i = 0; i < 12; ++i) {
      ASSERT_OK(writer->Write(Numbers(i * 100'000, (i + 1) * 100'000)));
    }
    EXPECT_GT(writer->bytes_written(), 0);
    EXPECT_FALSE(stand.Files()->empty());
  }
  EXPECT_TRUE(stand.Files()->empty());
  EXPECT_EQ(stand.fake.memory.used_bytes(), 0);
}

TEST_P(TableWriterTest, CancelledWriteStops) {
  const auto writer = Make(MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")})));
  stand.fake.cancellation.Cancel();
  EXPECT_ERROR(writer->Write(Numbers(0, 10)), ErrorCode::kCancelled);
}

TEST_P(TableWriterTest, TicketNamesFiles) {
  TableWriterOptions options;
  options.ticket.file_prefix = "part-";
  options.ticket.file_suffix = "-c000";
  options.ticket.hive_folders = false;
  options.folder = "_change_data";
  const TableMetadata metadata =
      MetadataOf(SchemaOf({Col(1, "id", "bigint"), Col(2, "k", "string")}), {"k"});
  const auto writer = Make(metadata, options);
  ASSERT_OK(writer->Write(Numbers(0, 1)));
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  ASSERT_EQ(files.size(), 1U);
  EXPECT_TRUE(files[0].path.starts_with("_change_data/part-")) << files[0].path;
  EXPECT_TRUE(files[0].path.ends_with("-c000.parquet")) << files[0].path;
}

}  // namespace
}  // namespace tarn
