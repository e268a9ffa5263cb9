#include "tarn/write/row_sorter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <arrow/api.h>

#include <set>

#include "tarn/write/table_writer.h"
#include "tests/support/matchers.h"
#include "tests/support/table_stand.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using ::testing::HasSubstr;
using testing::SchemaOf;
using testing::TableStand;

TableMetadata Ordered(const std::vector<std::string>& partition = {}) {
  TableMetadata metadata;
  metadata.schema = SchemaOf({Col(1, "k", "bigint"), Col(2, "came", "bigint"), Col(3, "p", "int")});
  metadata.specs = {*IdentitySpec(metadata.schema, partition)};
  metadata.sort_order = {.id = 7, .fields = {{.source_id = 1}}};
  return metadata;
}

// Rows `begin` to `end` in the order they come: k jumps about, with equal ones among them.
std::shared_ptr<arrow::RecordBatch> JumpingRows(int64_t begin, int64_t end) {
  arrow::Int64Builder k, came;
  arrow::Int32Builder p;
  for (int64_t i = begin; i < end; ++i) {
    (void)k.Append(i * 7919 % 5003);
    (void)came.Append(i);
    (void)p.Append(static_cast<int32_t>(i % 3));
  }
  return arrow::RecordBatch::Make(*ToArrow(Ordered().schema), end - begin,
                                  {*k.Finish(), *came.Finish(), *p.Finish()});
}

class RowSorterTest : public ::testing::TestWithParam<int> {
 protected:
  // Every file's rows as (k, came).
  std::vector<std::vector<std::pair<int64_t, int64_t>>> Read(const std::vector<DataFile>& files) {
    std::vector<std::vector<std::pair<int64_t, int64_t>>> all;
    for (const DataFile& file : files) {
      auto& rows = all.emplace_back();
      auto stream =
          testing::ReadFile(**stand.file_formats.Find("parquet"), *stand.storage,
                            *stand.table.home.ObjectOf(file.path), {.schema = Ordered().schema});
      EXPECT_TRUE(stream.ok()) << testing::ErrorText(stream);
      while (true) {
        const auto batch = *(*stream)->Next();
        if (batch == nullptr) break;
        for (int64_t i = 0; i < batch->num_rows(); ++i) {
          rows.emplace_back(static_cast<const arrow::Int64Array&>(*batch->column(0)).Value(i),
                            static_cast<const arrow::Int64Array&>(*batch->column(1)).Value(i));
        }
      }
    }
    return all;
  }

  Result<std::vector<DataFile>> Write(const TableMetadata& metadata, int64_t rows,
                                      TableWriterOptions options = {}) {
    TARN_ASSIGN_OR_RETURN(auto writer,
                          MakeTableWriter(stand.runtime, *stand.storage, stand.table.home,
                                          **stand.file_formats.Find("parquet"), metadata, options));
    for (int64_t i = 0; i < rows; i += 20'000) {
      TARN_RETURN_IF_ERROR(writer->Write(JumpingRows(i, std::min(rows, i + 20'000))));
    }
    EXPECT_EQ(writer->rows_written(), rows);
    return writer->Finish();
  }

  // Each file in order, equal ones as they came; all rows there, once.
  void ExpectSorted(const std::vector<DataFile>& files, int64_t rows) {
    std::set<int64_t> seen;
    for (const auto& file : Read(files)) {
      EXPECT_TRUE(std::is_sorted(file.begin(), file.end()));
      for (const auto& [k, came] : file) EXPECT_TRUE(seen.insert(came).second);
    }
    EXPECT_EQ(seen.size(), static_cast<size_t>(rows));
    for (const DataFile& file : files) EXPECT_EQ(file.sort_order_id, 7);
    EXPECT_EQ(stand.fake.memory.used_bytes(), 0);
  }

  TableStand stand{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Threads, RowSorterTest, ::testing::Values(1, 3));

TEST_P(RowSorterTest, InMemory) {
  ASSERT_OK_AND_ASSIGN(const auto files, Write(Ordered(), 250'000));
  EXPECT_EQ(files.size(), 1U);
  ExpectSorted(files, 250'000);
  EXPECT_EQ(stand.fake.metrics.Snapshot()["write.sort_runs_on_disk"], 0);
}

TEST_P(RowSorterTest, EachPartitionForItself) {
  ASSERT_OK_AND_ASSIGN(const auto files, Write(Ordered({"p"}), 250'000));
  EXPECT_EQ(files.size(), 3U);
  ExpectSorted(files, 250'000);
}

TEST_P(RowSorterTest, FilesOfATableDoNotOverlap) {
  TableWriterOptions options;
  options.ticket.target_file_size_bytes = 400'000;
  ASSERT_OK_AND_ASSIGN(const auto files, Write(Ordered(), 400'000, options));
  ASSERT_GT(files.size(), 1U);
  ExpectSorted(files, 400'000);
  auto all = Read(files);
  std::sort(all.begin(), all.end());
  for (size_t i = 1; i < all.size(); ++i) EXPECT_LE(all[i - 1].back(), all[i].front());
}

TEST_P(RowSorterTest, NoRowsMakeNoFile) {
  ASSERT_OK_AND_ASSIGN(const auto files, Write(Ordered(), 0));
  EXPECT_TRUE(files.empty());
}

TEST_P(RowSorterTest, ARowIsNamedAsItCame) {
  TableMetadata metadata = Ordered();
  metadata.schema.fields[2].required = true;
  ASSERT_OK_AND_ASSIGN(auto writer,
                       MakeTableWriter(stand.runtime, *stand.storage, stand.table.home,
                                       **stand.file_formats.Find("parquet"), metadata, {}));
  ASSERT_OK(writer->Write(BatchOf(metadata.schema, "[[9, 0, 1], [8, 1, 1]]")));
  const Status refused = writer->Write(BatchOf(Ordered().schema, "[[7, 2, 1], [1, 3, null]]"));
  EXPECT_ERROR(refused, ErrorCode::kInvalid);
  EXPECT_THAT(refused.error().message, HasSubstr("row 4"));
}

// Of little memory: the same by way of the disk.
TEST(RowSorterSpillTest, RunsAreMerged) {
  TableStand stand;
  MemoryBudget memory{int64_t{64} << 20};
  Runtime runtime{stand.fake.clock,       *stand.fake.random, *stand.pool,
                  stand.fake.log,         stand.fake.metrics, memory,
                  stand.fake.cancellation};
  constexpr int64_t kRows = 1'200'000;
  ASSERT_OK_AND_ASSIGN(auto writer,
                       MakeTableWriter(runtime, *stand.storage, stand.table.home,
                                       **stand.file_formats.Find("parquet"), Ordered(), {}));
  for (int64_t i = 0; i < kRows; i += 20'000) ASSERT_OK(writer->Write(JumpingRows(i, i + 20'000)));
  EXPECT_GT(stand.fake.metrics.Snapshot()["write.sort_runs_on_disk"], 2);
  ASSERT_OK_AND_ASSIGN(const auto files, writer->Finish());
  EXPECT_EQ(memory.used_bytes(), 0);
  int64_t seen = 0;
  std::pair<int64_t, int64_t> last{-1, -1};
  for (const DataFile& file : files) {
    ASSERT_OK_AND_ASSIGN(
        auto stream,
        testing::ReadFile(**stand.file_formats.Find("parquet"), *stand.storage,
                          *stand.table.home.ObjectOf(file.path), {.schema = Ordered().schema}));
    while (true) {
      ASSERT_OK_AND_ASSIGN(const auto batch, stream->Next());
      if (batch == nullptr) break;
      for (int64_t i = 0; i < batch->num_rows(); ++i) {
        const std::pair row{static_cast<const arrow::Int64Array&>(*batch->column(0)).Value(i),
                            static_cast<const arrow::Int64Array&>(*batch->column(1)).Value(i)};
        ASSERT_LT(last, row);
        EXPECT_EQ(row.first, row.second * 7919 % 5003);
        last = row;
        ++seen;
      }
    }
  }
  EXPECT_EQ(seen, kRows);
}

}  // namespace
}  // namespace tarn
