#include "tarn/format/iceberg/deleted_rows.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/datafile/deletion_vector.h"
#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class DeletedRowsTest : public testing::IcebergWorld {
 protected:
  void SetUp() override {
    ASSERT_OK(Create());
    snapshot = Load();
  }

  // A Parquet file of these columns, ids and all.
  void Write(const std::string& path, const Schema& schema,
             const std::vector<std::shared_ptr<arrow::Array>>& columns) {
    ASSERT_OK_AND_ASSIGN(auto object, storage->OpenWriter(*home.root.Join(path)));
    ASSERT_OK_AND_ASSIGN(auto writer, parquet->Write(std::move(object), {.schema = schema}));
    arrow::FieldVector fields;
    for (size_t i = 0; i < columns.size(); ++i) {
      fields.push_back(arrow::field(schema.fields[i].name, columns[i]->type()));
    }
    ASSERT_OK(writer->Write(
        *arrow::RecordBatch::Make(arrow::schema(fields), columns[0]->length(), columns)));
    ASSERT_OK(writer->Finish());
  }

  static std::shared_ptr<arrow::Array> Strings(const std::vector<std::string>& values) {
    arrow::StringBuilder builder;
    EXPECT_TRUE(builder.AppendValues(values).ok());
    return *builder.Finish();
  }
  static std::shared_ptr<arrow::Array> Longs(const std::vector<int64_t>& values) {
    arrow::Int64Builder builder;
    EXPECT_TRUE(builder.AppendValues(values).ok());
    return *builder.Finish();
  }

  static Schema PositionSchema() {
    Schema schema;
    schema.fields = {{.id = 2147483546, .name = "file_path", .type = Type::Of(TypeKind::kString)},
                     {.id = 2147483545, .name = "pos", .type = Type::Of(TypeKind::kInt64)}};
    return schema;
  }

  std::vector<uint64_t> Deleted(std::vector<DeleteFile> deletes, const std::string& path) {
    DataFile file;
    file.path = path;
    file.partition = {Value("1")};
    file.deletes = std::move(deletes);
    const auto rows = reader.Read(home, snapshot, file);
    EXPECT_OK(rows);
    std::vector<uint64_t> all;
    if (rows.ok()) rows->ForEach([&](uint64_t row) { all.push_back(row); });
    return all;
  }

  Snapshot snapshot;
  DeletedRowsReader reader{FileFormats{{"parquet", parquet.get()}}};
};

using RowNumbers = std::vector<uint64_t>;

TEST_F(DeletedRowsTest, PositionsByTheObjectTheyName) {
  Write("d.parquet", PositionSchema(),
        {Strings({"memory:/lake/t/a", "other://x/lake/t/a", "memory:/lake/t/b", "s3://no/where"}),
         Longs({3, 5, 7, 9})});
  const DeleteFile deletes{.kind = DeleteKind::kPositionDeletes,
                           .location = "memory:/lake/t/d.parquet",
                           .format = "parquet"};
  EXPECT_EQ(Deleted({deletes}, "a"), RowNumbers({3, 5})) << "whatever the scheme";
  EXPECT_EQ(Deleted({deletes}, "b"), RowNumbers({7}));
  EXPECT_EQ(Deleted({deletes}, "c"), RowNumbers{});
  ASSERT_OK(storage->Remove(home.root / "d.parquet"));
  EXPECT_EQ(Deleted({deletes}, "b"), RowNumbers({7})) << "kept: delete files never change";
}

TEST_F(DeletedRowsTest, EqualityAgainstTheDataItself) {
  const Schema schema = snapshot.metadata.schema;
  // "day" partitions the table, and this file does not repeat it.
  Schema only_id;
  only_id.fields = {schema.fields[0]};
  Write("day=1/a", only_id, {Longs({10, 11, 12, 11})});
  Write("e.parquet", only_id, {Longs({11, 99})});
  Write("e2.parquet", schema, {Longs({12, 10}), Strings({"1", "2"})});
  const DeleteFile by_id{.kind = DeleteKind::kEqualityDeletes,
                         .location = "memory:/lake/t/e.parquet",
                         .equality_ids = {1},
                         .format = "parquet"};
  const DeleteFile by_both{.kind = DeleteKind::kEqualityDeletes,
                           .location = "memory:/lake/t/e2.parquet",
                           .equality_ids = {1, 2},
                           .format = "parquet"};
  EXPECT_EQ(Deleted({by_id}, "day=1/a"), RowNumbers({1, 3}));
  EXPECT_EQ(Deleted({by_both}, "day=1/a"), RowNumbers({2})) << "the partition's value counts";
  EXPECT_EQ(Deleted({by_id, by_both}, "day=1/a"), RowNumbers({1, 2, 3}));
}

TEST_F(DeletedRowsTest, VectorsInTheirPlace) {
  RowSet rows;
  rows.Add(2);
  rows.Add(70'000);
  Bytes file = "PFA1";
  FrameDeletionVector(EncodeDeletionVector(rows), file);
  ASSERT_OK(storage->Put(home.root / "x.puffin", file));
  DeleteFile vector{.kind = DeleteKind::kDeletionVector,
                    .location = "memory:/lake/t/x.puffin",
                    .offset = 4,
                    .size_bytes = static_cast<int64_t>(file.size()) - 4,
                    .row_count = 2,
                    .format = "puffin"};
  EXPECT_EQ(Deleted({vector}, "a"), RowNumbers({2, 70'000}));
  vector.row_count = 3;
  DataFile data;
  data.path = "a";
  data.deletes = {vector};
  EXPECT_ERROR(reader.Read(home, snapshot, data), ErrorCode::kCorrupt);
  data.deletes[0].size_bytes += 10;
  EXPECT_ERROR(reader.Read(home, snapshot, data), ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace tarn::iceberg
