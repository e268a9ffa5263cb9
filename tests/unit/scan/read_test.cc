#include "tarn/scan/read.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tarn/storage/memory.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/fake_format.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/row_set_of.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::RowsText;
using testing::SchemaOf;
using Rows = std::vector<std::string>;

// A table (id, day, v) partitioned by day, its files written before columns changed.
class ReadTest : public ::testing::TestWithParam<int> {
 protected:
  ReadTest() {
    file_formats.Add("parquet", MakeParquetFormat(runtime));
    snapshot.version.text = "1";
    snapshot.metadata.schema =
        SchemaOf({Col(1, "id", "bigint"), Col(2, "day", "string"), Col(3, "v", "double")});
    snapshot.metadata.specs = {*IdentitySpec(snapshot.metadata.schema, {"day"})};
    plan.snapshot = snapshot;
  }

  void AddFile(const std::string& name, const Value& day, const Schema& written,
               const std::string& rows, std::vector<DeleteFile> deletes = {}) {
    FileWriteOptions options;
    options.schema = written;
    auto file = testing::WriteFile(**file_formats.Find("parquet"), *storage, home.root / name,
                                   {BatchOf(written, rows)}, options);
    ASSERT_OK(file);
    file->path = name;
    file->partition = {day};
    file->deletes = std::move(deletes);
    if (plan.batches.empty()) {
      plan.batches.emplace_back();
      plan.batches[0].partition.push_back(ValueColumn::Of(Type::Of(TypeKind::kString)));
    }
    AppendFile(plan.batches[0], *file);
  }

  Rows Read(const ReadOptions& options = {}) {
    return RowsText(ReadPlan(runtime, format, home, file_formats, plan, options));
  }

  testing::FakeRuntime fake;
  std::unique_ptr<Executor> pool = MakeThreadPool(GetParam());
  Runtime runtime{fake.clock,  *fake.random,     *pool, fake.log, fake.metrics,
                  fake.memory, fake.cancellation};
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  TableHome home{*Path::Make("t"), *storage, {}, {}};
  testing::FakeFormat format;
  Registry<FileFormat> file_formats;
  Snapshot snapshot;
  ScanPlan plan;
  const Schema old_schema = SchemaOf({Col(1, "id", "int")});
  const Schema new_schema = SchemaOf({Col(1, "id", "bigint"), Col(3, "v", "float")});
};

INSTANTIATE_TEST_SUITE_P(Threads, ReadTest, ::testing::Values(1, 4));

TEST_P(ReadTest, PartitionValuesMissingColumnsAndWidening) {
  AddFile("a", Value(std::string("mon")), old_schema, "[[1], [2]]");
  AddFile("b", Value(), new_schema, "[[3, 1.5]]");
  EXPECT_EQ(Read(), (Rows{"1|mon|NULL", "2|mon|NULL", "3|NULL|1.5"}));
  EXPECT_EQ(Read({.field_ids = {3, 2}}), (Rows{"NULL|mon", "NULL|mon", "1.5|NULL"}));
  EXPECT_EQ(Read({.field_ids = {2}}), (Rows{"mon", "mon", "NULL"}));
  EXPECT_ERROR(ReadPlan(runtime, format, home, file_formats, plan, {.field_ids = {9}}),
               ErrorCode::kNotFound);
}

TEST_P(ReadTest, DeletesAreApplied) {
  format.deleted_rows["dv1"].Add(0);
  format.deleted_rows["dv2"].Add(2);
  AddFile("a", Value(std::string("mon")), old_schema, "[[1], [2], [3]]",
          {{.location = "dv1"}, {.location = "dv2"}});
  EXPECT_EQ(Read({.field_ids = {1}, .with_file = true}), (Rows{"2|a|1"}));
}

TEST_P(ReadTest, PickedRowsLeftOutOrAlone) {
  AddFile("a", Value(std::string("mon")), old_schema, "[[1], [2], [3]]");
  AddFile("b", Value(std::string("tue")), old_schema, "[[4], [5]]");
  std::map<std::string, RowSet> picked;
  picked["a"].Add(1);
  ReadOptions options{.field_ids = {1}, .picked_rows = &picked};
  EXPECT_EQ(Read(options), (Rows{"1", "3", "4", "5"}));
  options.picked = ReadOptions::Picked::kOnly;
  EXPECT_EQ(Read(options), (Rows{"2", "4", "5"}));
  options.with_file = true;
  EXPECT_EQ(Read(options)[0], "2|a|1");
}

TEST_P(ReadTest, ManyFilesKeepTheirOrder) {
  for (int i = 0; i < 40; ++i) {
    AddFile("f" + std::to_string(i), Value(std::string("d")), old_schema,
            "[[" + std::to_string(i) + "]]");
  }
  const Rows rows = Read({.field_ids = {1}});
  ASSERT_EQ(rows.size(), 40U);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(rows[i], std::to_string(i));
}

TEST_P(ReadTest, ErrorsNameTheFile) {
  AddFile("a", Value(), old_schema, "[[1]]");
  ASSERT_OK(storage->Put(home.root / "a", "no parquet here at all"));
  const Rows rows = Read();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].substr(0, 18), "error: a: parquet:");
  ASSERT_OK(storage->Remove(home.root / "a"));
  EXPECT_EQ(Read()[0].substr(0, 9), "error: a:");
}

TEST_P(ReadTest, DeletesThatCannotBeReadAreNotIgnored) {
  AddFile("a", Value(), old_schema, "[[1]]", {{.kind = DeleteKind::kEqualityDeletes}});
  auto stream = ReadPlan(runtime, format, home, file_formats, plan, {});
  ASSERT_OK(stream);
  EXPECT_ERROR((*stream)->Next(), ErrorCode::kNotFound);
}

TEST_P(ReadTest, EmptyPlanHasASchemaAndNoRows) {
  ASSERT_OK_AND_ASSIGN(auto stream,
                       ReadPlan(runtime, format, home, file_formats, plan, {.with_file = true}));
  EXPECT_EQ(stream->schema()->num_fields(), 5);
  ASSERT_OK_AND_ASSIGN(auto batch, stream->Next());
  EXPECT_EQ(batch, nullptr);
}

TEST_P(ReadTest, LineageIsTheFilesOrFollowsFromThePlaceInIt) {
  const std::vector<Field> lineage = {Col(77, "row_number", "bigint"),
                                      Col(78, "changed_by", "bigint")};
  Schema moved = old_schema;
  moved.fields.insert(moved.fields.end(), lineage.begin(), lineage.end());
  AddFile("plain", Value(std::string("mon")), old_schema, "[[1], [2], [3]]");
  AddFile("moved", Value(std::string("mon")), moved, "[[4, 7, 2], [5, null, null], [6, 9, null]]");
  AddFile("older", Value(std::string("mon")), old_schema, "[[7]]");
  plan.batches[0].first_row_id = {100, 200, -1};
  plan.batches[0].sequence_number = {3, 4, 1};
  const std::map<std::string, RowSet> gone = {{"plain", testing::RowSetOf({0})}};
  EXPECT_EQ(Read({.field_ids = {1}, .row_lineage = lineage, .picked_rows = &gone}),
            (Rows{"2|101|3", "3|102|3", "4|7|2", "5|201|4", "6|9|4", "7|NULL|NULL"}));
}

}  // namespace
}  // namespace tarn
