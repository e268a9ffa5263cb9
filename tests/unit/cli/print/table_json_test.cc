#include "tarn/cli/print/table_json.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TableFacts Facts() {
  TableFacts facts;
  facts.name = "default.t";
  facts.snapshot.version = {"3"};
  TableMetadata& metadata = facts.snapshot.metadata;
  Field day{.id = 2, .name = "day", .type = Type::Of(TypeKind::kDate)};
  Type record = Type::Of(TypeKind::kStruct);
  record.fields = {
      Field{.id = 4, .name = "x", .type = Type::Of(TypeKind::kInt64), .required = true}};
  metadata.schema.fields = {day, Field{.id = 3, .name = "r", .type = record, .doc = "why"}};
  metadata.schema.last_column_id = 4;
  metadata.specs[0].fields = {PartitionField{.source_id = 2, .field_id = 1000, .name = "day"}};
  DataFile file{.path = "day=x/a.parquet", .size_bytes = 100, .record_count = 10};
  // The delete file names rows of other files as well.
  file.deletes.push_back(DeleteFile{.kind = DeleteKind::kPositionDeletes, .row_count = 20});
  facts.partitions = {
      PartitionFacts{0, {std::nullopt}, {1, 8, 100, 2}, {file}, {{"day=x/a.parquet", 2}}}};
  facts.totals = {1, 8, 100, 2};
  return facts;
}

TEST(TableJson, ShowHasColumnsWithIdsAndPartitionsWithFiles) {
  const auto json = TableFactsJson(Facts());
  EXPECT_EQ(json["version"], 3);
  EXPECT_EQ(json["columns"][1]["fields"][0]["id"], 4);
  EXPECT_EQ(json["columns"][1]["doc"], "why");
  EXPECT_EQ(json["partition_columns"][0]["name"], "day");
  EXPECT_TRUE(json["partitions"][0]["partition"]["day"].is_null());
  EXPECT_EQ(json["partitions"][0]["data_files"][0]["deleted_rows"], 2);
  EXPECT_EQ(json["rows"], 8);
}

TEST(TableJson, FilesAndSchema) {
  const auto files = FilesJson(Facts());
  EXPECT_EQ(files["files"][0]["path"], "day=x/a.parquet");
  EXPECT_EQ(files["files"][0]["records"], 10);
  const auto schema = SchemaJson(Facts());
  EXPECT_EQ(schema["last_column_id"], 4);
  EXPECT_EQ(schema["columns"].size(), 2u);
}

TEST(TableJson, HistoryAndDiff) {
  Commit commit;
  commit.version = {"1"};
  commit.operation.name = "WRITE";
  const auto history = HistoryJson("t", {commit});
  EXPECT_EQ(history["commits"][0]["operation"], "WRITE");
  TableDiff diff;
  diff.from = {"1"};
  diff.to = {"2"};
  diff.added.rows = -1;
  EXPECT_TRUE(DiffJson("t", diff)["added"]["rows"].is_null());
}

}  // namespace
}  // namespace tarn::cli
