#include "tarn/cli/print/table_text.h"

#include <gtest/gtest.h>

namespace tarn::cli {
namespace {

TEST(SchemaText, IndentsWhatIsNested) {
  Type record = Type::Of(TypeKind::kStruct);
  record.fields = {
      Field{.id = 2, .name = "x", .type = Type::Of(TypeKind::kInt64), .required = true}};
  Schema schema;
  schema.fields = {Field{.id = 1, .name = "r", .type = record, .doc = "why"}};
  EXPECT_EQ(SchemaText(schema),
            "id  name  type                comment\n"
            " 1  r     struct              why\n"
            " 2    x   int64   not null\n");
}

TEST(TableFactsText, ListsAFewFilesOfEachPartition) {
  TableFacts facts;
  facts.name = "t";
  facts.format = "delta";
  facts.snapshot.version = {"7"};
  PartitionFacts partition;
  for (int i = 0; i < 8; ++i) {
    partition.files.push_back(
        DataFile{.path = "f" + std::to_string(i), .size_bytes = 1000, .record_count = 5});
  }
  partition.totals = {8, 40, 8000, 0};
  facts.totals = partition.totals;
  facts.partitions = {partition};
  const std::string text = TableFactsText(facts);
  EXPECT_NE(text.find("8 files, 40 rows"), std::string::npos) << text;
  EXPECT_NE(text.find("… 3 more"), std::string::npos) << text;
  EXPECT_NE(text.find("partitioned by  none"), std::string::npos) << text;
  EXPECT_NE(FilesText(facts).find("f7"), std::string::npos);
}

TEST(HistoryText, OneLineEach) {
  Commit commit;
  commit.version = {"1"};
  commit.operation.name = "WRITE";
  commit.operation.parameters = {{"mode", "Append"}};
  commit.engine = "tarn/0.1.0";
  const std::string text = HistoryText({commit});
  EXPECT_NE(text.find("WRITE"), std::string::npos);
  EXPECT_NE(text.find("mode=Append"), std::string::npos);
}

TEST(DiffText, SaysWhatCameAndWent) {
  TableDiff diff;
  diff.from = {"1"};
  diff.to = {"2"};
  diff.schema_changes = {"added column c: date (id 3)"};
  diff.files_added = {DataFile{.path = "z", .size_bytes = 10, .record_count = 4}};
  diff.added = {1, 4, 10, 0};
  const std::string text = DiffText(diff);
  EXPECT_NE(text.find("  added column c"), std::string::npos) << text;
  EXPECT_NE(text.find("+ z  4 rows"), std::string::npos) << text;
}

}  // namespace
}  // namespace tarn::cli
