#include "tarn/ingest/ingest.h"

#include <gtest/gtest.h>

#include "tarn/ingest/source/file_ledger.h"
#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

using Rows = std::vector<std::string>;

class IngestTest : public testing::IngestFixture {};

TEST_F(IngestTest, LoadsEachFileOnce) {
  Put("a.jsonl", "{\"id\":1}\n{\"id\":2}\n");
  ASSERT_OK_AND_ASSIGN(const IngestSummary first, Load({"*.jsonl"}));
  EXPECT_EQ(first.rows, 2);
  EXPECT_EQ(first.files_loaded, 1);
  Put("b.jsonl", "{\"id\":3}\n");
  ASSERT_OK_AND_ASSIGN(const IngestSummary second, Load({"*.jsonl"}));
  EXPECT_EQ(second.rows, 1);
  EXPECT_EQ(second.files_skipped, 1);
  const std::string version = VersionNow();
  // By another pattern too.
  ASSERT_OK_AND_ASSIGN(const IngestSummary third, Load({"a.jsonl", "b.jsonl"}));
  EXPECT_EQ(third.files_loaded, 0);
  EXPECT_EQ(third.files_skipped, 2);
  EXPECT_EQ(third.version, "");
  EXPECT_EQ(VersionNow(), version);
  EXPECT_EQ(Table(), (Rows{"1", "2", "3"}));
}

TEST_F(IngestTest, AFileThatChangedIsRefused) {
  const std::string path = Put("a.jsonl", "{\"id\":1}\n");
  ASSERT_OK(Load({"a.jsonl"}));
  // Touched: the same.
  std::filesystem::last_write_time(
      path, std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  ASSERT_OK_AND_ASSIGN(const IngestSummary touched, Load({"a.jsonl"}));
  EXPECT_EQ(touched.files_skipped, 1);
  Put("a.jsonl", "{\"id\":1}\n{\"id\":2}\n");
  EXPECT_EQ(Refused({"a.jsonl"}),
            "a.jsonl: was loaded before and has changed since (9 B, now 18 B); give new rows a new "
            "file name, or load all again with --mode overwrite");
  pipeline.mode = IngestMode::kOverwrite;
  ASSERT_OK(Load({"a.jsonl"}));
  EXPECT_EQ(Table(), (Rows{"1", "2"}));
  pipeline.mode = IngestMode::kAppend;
  ASSERT_OK_AND_ASSIGN(const IngestSummary after, Load({"a.jsonl"}));
  EXPECT_EQ(after.files_skipped, 1);
}

TEST_F(IngestTest, OverwriteForgetsWhatWasLoaded) {
  Put("a.jsonl", "{\"id\":1}\n");
  Put("b.jsonl", "{\"id\":2}\n");
  ASSERT_OK(Load({"a.jsonl"}));
  pipeline.mode = IngestMode::kOverwrite;
  ASSERT_OK(Load({"b.jsonl"}));
  EXPECT_EQ(Table(), Rows{"2"});
  pipeline.mode = IngestMode::kAppend;
  ASSERT_OK(Load({"*.jsonl"}));
  EXPECT_EQ(Table(), (Rows{"1", "2"}));
}

TEST_F(IngestTest, NewColumnsAreAdded) {
  Put("1.jsonl", "{\"id\":1,\"o\":{\"x\":1}}\n");
  Put("2.jsonl", "{\"id\":2,\"o\":{\"x\":2,\"y\":\"n\"},\"extra\":true,\"none\":null}\n");
  ASSERT_OK(Load({"1.jsonl"}));
  ASSERT_OK_AND_ASSIGN(const IngestSummary summary, Load({"2.jsonl"}));
  EXPECT_EQ(summary.columns_added, (Rows{"o.y", "extra"}));
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_EQ(summary.warnings[0],
            "column none has no value yet: it is added when the first one comes");
  EXPECT_EQ(Columns(), "id: int64, o: struct<x: int64, y: string>, extra: boolean");
}

TEST_F(IngestTest, FreezeRefusesNewColumnsWithTheirLine) {
  Put("1.jsonl", "{\"id\":1}\n");
  Put("2.jsonl", "{\"id\":2}\n{\"id\":3,\"extra\":1}\n");
  ASSERT_OK(Load({"1.jsonl"}));
  pipeline.contract = SchemaContract::kFreeze;
  EXPECT_EQ(Refused({"2.jsonl"}),
            "2.jsonl:2: column extra is not in the table, and the contract is freeze");
  EXPECT_EQ(Table(), Rows{"1"});
}

TEST_F(IngestTest, ImpossibleValuesAreRefusedWithTheirLine) {
  Put("a.jsonl", "{\"id\":1,\"v\":7}\n{\"id\":2,\"v\":8}\n");
  Put("b.jsonl", "{\"id\":3,\"v\":\"seven\"}\n{\"id\":4,\"v\":9}\n");
  ASSERT_OK(Load({"a.jsonl"}));
  EXPECT_EQ(Refused({"*.jsonl"}), "b.jsonl:1: column v: expected int64, got string \"seven\"");
  EXPECT_EQ(VersionNow(), "0");
  // Nothing is left behind: no data file, no ledger object.
  EXPECT_EQ(stand.Files()->size(), 1u);
  const auto ledgers =
      stand.storage->List(*Path::Make("t/_tarn"), Path(), 100, Storage::Depth::kAll);
  EXPECT_EQ(ledgers->size(), 1u);
}

TEST_F(IngestTest, TypesComeFromAllRowsThoughTheFirstShowLess) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) {  // many blocks: the beginning shows integers and no tail
    text += i == 190'000 ? "{\"v\":1.5,\"tail\":\"x\",\"late\":[1]}\n"
                         : "{\"v\":" + std::to_string(i) +
                               ",\"late\":null,\"pad\":\"0123456789012345678901234567890\"}\n";
  }
  Put("a.jsonl", text);
  ASSERT_OK_AND_ASSIGN(const IngestSummary summary, Load({"a.jsonl"}));
  EXPECT_EQ(summary.rows, 200'000);
  EXPECT_EQ(Columns(), "v: double, late: list<int64>, pad: string, tail: string");
}

TEST_F(IngestTest, ErrorsTellTheLineFarIntoAFile) {
  std::string text;
  for (int i = 0; i < 150'000; ++i) {
    text += i == 140'000 ? "{\"v\":\n"
                         : "{\"v\":1,\"pad\":\"0123456789012345678901234567890123456789\"}\n";
  }
  Put("a.jsonl", text);
  EXPECT_EQ(Refused({"a.jsonl"}), "a.jsonl:140001: invalid JSON: the line is cut off");
}

TEST_F(IngestTest, NamesThatDifferByCase) {
  Put("case.jsonl",
      "{\"Status\":\"a\",\"n\":1}\n{\"status\":\"b\",\"n\":2}\n{\"STATUS\":\"c\",\"N\":3}\n");
  Put("dup.jsonl", "{\"Status\":\"x\",\"status\":\"y\"}\n");
  ASSERT_OK(Load({"case.jsonl"}));
  EXPECT_EQ(Columns(), "Status: string, n: int64");
  EXPECT_EQ(Table(), (Rows{"a|1", "b|2", "c|3"}));
  EXPECT_EQ(
      Refused({"dup.jsonl"}),
      "dup.jsonl:1: column Status: ambiguous: two members of the object mean this column, the "
      "second is \"status\"");
}

TEST_F(IngestTest, PartitionsByADayOfATimestamp) {
  Put("a.jsonl",
      "{\"id\":1,\"at\":\"2026-01-01T23:30:00-01:00\"}\n{\"id\":2,\"at\":\"2026-01-01T10:00:00Z\"}"
      "\n");
  pipeline.partition_by = {"date"};
  EXPECT_EQ(Refused({"a.jsonl"}).substr(0, 0), "");
  pipeline.transforms = {{.kind = "partition_from", .options = {{"column", "at"}}}};
  ASSERT_OK(Load({"a.jsonl"}));
  EXPECT_EQ(Columns(), "id: int64, at: timestamp, date: date");
  const Rows rows = Table();
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_TRUE(rows[0].ends_with("|2026-01-02")) << rows[0];
  EXPECT_TRUE(rows[1].ends_with("|2026-01-01")) << rows[1];
  // Another partitioning than the table's is refused.
  Put("b.jsonl", "{\"id\":3,\"at\":\"2026-01-01T10:00:00Z\"}\n");
  pipeline.partition_by = {"id"};
  EXPECT_EQ(Refused({"b.jsonl"}),
            "the table is partitioned by date, not by id; leave the partitioning out");
}

TEST_F(IngestTest, TypesOfTheTableReachTheSourceThroughRenames) {
  Put("a.jsonl", "{\"userId\":1,\"x\":{\"n\":1.5}}\n");
  Put("b.jsonl", "{\"userId\":2,\"x\":{\"n\":2}}\n");
  Put("c.jsonl", "\n{\"userId\":\"two\"}\n");
  pipeline.transforms = {{.kind = "snake_case"}, {.kind = "flatten"}};
  ASSERT_OK(Load({"a.jsonl"}));
  EXPECT_EQ(Columns(), "user_id: int64, x_n: double");
  ASSERT_OK(Load({"b.jsonl"}));  // alone, n would be an integer
  EXPECT_EQ(Table(), (Rows{"1|1.5", "2|2"}));
  EXPECT_EQ(Refused({"c.jsonl"}), "c.jsonl:2: column userId: expected int64, got string \"two\"");
}

TEST_F(IngestTest, CsvParquetAndArrowComeTogether) {
  Put("a.csv", "id,s\n1,x\n2,\n");
  Put("b.jsonl", "{\"id\":3,\"s\":\"y\",\"more\":1}\n");
  ASSERT_OK(Load({"*"}));
  EXPECT_EQ(Columns(), "id: int64, s: string, more: int64");
  EXPECT_EQ(Table(), (Rows{"1|x|NULL", "2|NULL|NULL", "3|y|1"}));
  // A data file of the table itself as a source.
  const auto parquet = stand.Files();
  ASSERT_FALSE(parquet->empty());
  const auto bytes = stand.storage->Read(*Path::Make("t/" + parquet->at(0)));
  Put("c.parquet", *bytes);
  ASSERT_OK_AND_ASSIGN(const IngestSummary summary, Load({"c.parquet"}));
  EXPECT_GT(summary.rows, 0);
}

TEST_F(IngestTest, DeclaredTypesRule) {
  Put("p.jsonl", "{\"k\":1,\"price\":0.1}\n{\"k\":2,\"price\":\"19.99\"}\n");
  Put("q.jsonl", "{\"k\":3,\"price\":0.005}\n");
  pipeline.schema_from = "k int, price decimal(20,2)";
  ASSERT_OK(Load({"p.jsonl"}));
  EXPECT_EQ(Columns(), "k: int32, price: decimal(20,2)");
  EXPECT_EQ(Table(), (Rows{"1|0.10", "2|19.99"}));
  EXPECT_EQ(Refused({"q.jsonl"}),
            "q.jsonl:1: column price: expected decimal(20,2), got 0.005: too many fraction digits");
}

TEST_F(IngestTest, TwoLoadsAtOnceNeitherLoseNorDouble) {
  Put("a.jsonl", "{\"id\":1}\n");
  Put("b.jsonl", "{\"id\":2}\n");
  ASSERT_OK(Load({"a.jsonl"}));
  // While this load is about to commit, another loads the same file and one more.
  Put("c.jsonl", "{\"id\":3}\n");
  bool once = false;
  testing::TableStand& stand_ref = stand;
  Pipeline other = pipeline;
  other.paths = {folder.path() + "/b.jsonl"};
  stand.storage->SetBeforeCall([&](std::string_view operation, const Path& path) {
    if (once || operation != "create" || path.str().find("_tarn") == std::string::npos) return;
    once = true;
    EXPECT_OK(
        RunIngest(stand_ref.runtime, stand_ref.table, stand_ref.file_formats, other, nullptr));
  });
  ASSERT_OK_AND_ASSIGN(const IngestSummary summary, Load({"*.jsonl"}));
  stand.storage->SetBeforeCall(nullptr);
  EXPECT_TRUE(once);
  EXPECT_EQ(summary.rows, 1);  // only c was left
  EXPECT_EQ(Table(), (Rows{"1", "2", "3"}));
}

TEST_F(IngestTest, CommitsAreCutBetweenFiles) {
  for (int i = 0; i < 5; ++i)
    Put("f" + std::to_string(i) + ".jsonl", "{\"id\":" + std::to_string(i) + "}\n");
  pipeline.commit_bytes = 20;  // two files each
  ASSERT_OK_AND_ASSIGN(const IngestSummary summary, Load({"*.jsonl"}));
  EXPECT_EQ(summary.files_loaded, 5);
  EXPECT_EQ(summary.rows, 5);
  EXPECT_EQ(VersionNow(), "2");
  EXPECT_EQ(Table().size(), 5u);
}

TEST_F(IngestTest, PlansWithoutWriting) {
  Put("a.jsonl", "{\"id\":1}\n");
  pipeline.paths = {folder.path() + "/a.jsonl"};
  pipeline.partition_by = {"id"};
  ASSERT_OK_AND_ASSIGN(const IngestPlan plan,
                       PlanIngest(stand.runtime, stand.table, stand.file_formats, pipeline));
  EXPECT_EQ(plan.files.size(), 1u);
  EXPECT_EQ(plan.changes, (Rows{"create table with id: int64", "partition by id"}));
  EXPECT_EQ(VersionNow(), "none");
}

TEST_F(IngestTest, SaysWhatIsMissing) {
  EXPECT_EQ(Refused({"none.jsonl"}), "no file 'none.jsonl'");
  EXPECT_EQ(Refused({"*.jsonl"}), "no file matches '*.jsonl'");
  Put("a.txt", "x");
  EXPECT_NE(Refused({"a.txt"}).find("its ending tells no format"), std::string::npos);
  Put("empty.jsonl", "\n\n");
  EXPECT_EQ(Refused({"empty.jsonl"}),
            "the files hold no column with a value; declare a schema to load them");
}

TEST_F(IngestTest, ProgressReachesTheEnd) {
  Put("a.jsonl", "{\"id\":1}\n{\"id\":2}\n");
  pipeline.paths = {folder.path() + "/a.jsonl"};
  IngestProgress last;
  ASSERT_OK(RunIngest(stand.runtime, stand.table, stand.file_formats, pipeline,
                      [&](const IngestProgress& progress) { last = progress; }));
  EXPECT_EQ(last.rows, 2);
  EXPECT_EQ(last.bytes_read, last.bytes_total);
  EXPECT_EQ(last.files_done, last.files_total);
}

TEST_F(IngestTest, CancellationLeavesNothing) {
  Put("a.jsonl", "{\"id\":1}\n");
  stand.fake.cancellation.Cancel();
  EXPECT_ERROR(Load({"a.jsonl"}), ErrorCode::kCancelled);
  EXPECT_EQ(VersionNow(), "none");
}

}  // namespace
}  // namespace tarn
