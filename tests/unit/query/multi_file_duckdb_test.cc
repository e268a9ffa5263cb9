#include "tarn/query/multi_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>

#include "tarn/base/runtime.h"
#include "tarn/duck/duck_session.h"
#include "tarn/model/partition_spec.h"
#include "tarn/storage/local.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_format.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using ::testing::ElementsAre;
using testing::FakeFormat;
using ::testing::HasSubstr;
using testing::RowsText;
using testing::Sorted;

using Lines = std::vector<std::string>;

// A DuckDB with tarn_scan, a folder of Parquet files that DuckDB itself wrote, and tables that
// tests put together from them by hand.
class MultiFileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    file_formats_.Add("arrow", MakeIpcFormat(runtime()));
    folder_ =
        std::filesystem::temp_directory_path() / ("tarn-multi-file-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    store_ = *MakeLocalStorage(folder_.string(), CreateRoot::kYes);
    session_ = *DuckSession::Make(runtime(), {.file_access = FileAccess::kAllowed});
    files_ = *ObjectFiles::Mount(*session_, runtime());
    ASSERT_TRUE(InstallScan(
                    *session_, files_, file_formats_,
                    [this](std::string_view key) -> Result<std::shared_ptr<TableScan>> {
                      const auto found = scans_.find(key);
                      if (found == scans_.end()) return NotFound("no " + std::string(key));
                      return found->second;
                    },
                    [](const std::vector<std::string>& parts) -> Result<std::string> {
                      if (parts == std::vector<std::string>{"named"}) return std::string("tarn:t");
                      return NotFound("no table");
                    })
                    .ok());
  }
  void TearDown() override {
    session_.reset();
    std::filesystem::remove_all(folder_);
  }

  Runtime& runtime() { return system_.runtime(); }

  // Writes `select` as a Parquet file of the folder; `field_ids` as COPY takes them, or empty.
  DataFile Write(const std::string& name, const std::string& select,
                 const std::string& field_ids = {}) {
    const std::string path = (folder_ / name).string();
    const Status written = session_->Execute(
        "COPY (" + select + ") TO '" + path + "' (FORMAT parquet, ROW_GROUP_SIZE 2048" +
        (field_ids.empty() ? "" : ", FIELD_IDS " + field_ids) + ")");
    EXPECT_TRUE(written.ok()) << (written.ok() ? "" : written.error().ToString());
    DataFile file{.path = name};
    file.size_bytes = static_cast<int64_t>(std::filesystem::file_size(path));
    file.record_count =
        std::stoll(RowsText(session_->Query("SELECT count(*) FROM '" + path + "'"))[0]);
    return file;
  }

  static FileBatch BatchOf(const std::vector<DataFile>& files, const std::vector<Type>& partition,
                           int32_t spec_id = 0) {
    FileBatch batch;
    batch.spec_id = spec_id;
    for (const Type& type : partition) batch.partition.push_back(ValueColumn::Of(type));
    for (const DataFile& file : files) AppendFile(batch, file);
    return batch;
  }

  // A table named `key` over `files`, scanned as FROM "tarn:<key>"."<key>".
  FakeFormat& Table(const std::string& key, TableMetadata metadata, FileBatch files,
                    const Storage* storage = nullptr) {
    auto format = std::make_unique<FakeFormat>();
    format->files.push_back(std::move(files));
    auto table = std::make_shared<tarn::Table>(tarn::Table{
        .name = key, .home = TableHome{.root = Path(), .storage = storage ? *storage : *store_}});
    table->format = format.get();
    Snapshot snapshot;
    snapshot.version = {"1"};
    snapshot.metadata = std::move(metadata);
    scans_["tarn:" + key] = std::make_shared<TableScan>(table, snapshot, true);
    formats_.push_back(std::move(format));
    return *formats_.back();
  }

  Lines Rows(const std::string& sql) { return RowsText(session_->Query(sql)); }

  static TableMetadata MetadataOf(const std::string& ddl, ColumnMatch match = ColumnMatch::kById) {
    TableMetadata metadata;
    metadata.schema = AssignFreshIds(*ParseColumns(ddl));
    metadata.column_match = match;
    return metadata;
  }

  SystemRuntime system_{RuntimeOptions{.threads = 2}};
  std::filesystem::path folder_;
  std::unique_ptr<Storage> store_;
  std::unique_ptr<DuckSession> session_;
  std::shared_ptr<ObjectFiles> files_;
  Registry<FileFormat> file_formats_;
  std::map<std::string, std::shared_ptr<TableScan>, std::less<>> scans_;
  std::vector<std::unique_ptr<FakeFormat>> formats_;
};

TEST_F(MultiFileTest, ReadsFilesByColumnId) {
  const DataFile a =
      Write("a.parquet", "SELECT 1::BIGINT id, 'x' AS old_name", "{id: 1, old_name: 2}");
  const DataFile b =
      Write("b.parquet", "SELECT 'y' AS new_name, 2::BIGINT id", "{id: 1, new_name: 2}");
  Table("t", MetadataOf("id bigint, new_name string"), BatchOf({a, b}, {}));
  EXPECT_THAT(Rows("FROM \"tarn:t\".t ORDER BY id"), ElementsAre("1|x", "2|y"));
  EXPECT_THAT(Rows("SELECT t.new_name FROM \"tarn:t\".t WHERE id = 2"), ElementsAre("y"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t')"), ElementsAre("2"));
}

TEST_F(MultiFileTest, ReadsFilesByNameIgnoringOrderAndCase) {
  const DataFile a = Write("a.parquet", "SELECT 1::BIGINT AS \"ID\", 'x' AS v");
  const DataFile b = Write("b.parquet", "SELECT 'y' AS v, 2::BIGINT AS id");
  const DataFile c = Write("c.parquet", "SELECT 3::BIGINT AS id");
  Table("t", MetadataOf("id bigint, v string", ColumnMatch::kByName), BatchOf({a, b, c}, {}));
  EXPECT_THAT(Rows("FROM \"tarn:t\".t ORDER BY id"), ElementsAre("1|x", "2|y", "3|NULL"));
}

TEST_F(MultiFileTest, RenamedReorderedAddedAndWidenedChildrenAtEveryDepth) {
  const DataFile a =
      Write("a.parquet",
            "SELECT {'x': 1::INTEGER, 'old': 'p'} AS s, [{'k': 1::INTEGER, 'was': 'q'}] AS l, "
            "MAP {'m': {'u': 5::INTEGER}} AS m",
            "{s: {__duckdb_field_id: 1, x: 2, old: 3}, "
            "l: {__duckdb_field_id: 4, element: {__duckdb_field_id: 5, k: 6, was: 7}}, "
            "m: {__duckdb_field_id: 10, key: 11, value: {__duckdb_field_id: 12, u: 13}}}");
  TableMetadata metadata = MetadataOf("z int");
  auto field = [](int32_t id, std::string name, Type type) {
    return Field{.id = id, .name = std::move(name), .type = std::move(type)};
  };
  const Type bigint = Type::Of(TypeKind::kInt64);
  const Type string = Type::Of(TypeKind::kString);
  metadata.schema.fields = {
      field(1, "s",
            Type::Struct(
                {field(3, "renamed", string), field(9, "added", bigint), field(2, "x", bigint)})),
      field(4, "l",
            Type::List(field(5, "element",
                             Type::Struct({field(8, "new", string), field(7, "now", string),
                                           field(6, "k", bigint)})))),
      field(10, "m",
            Type::Map(field(11, "key", string),
                      field(12, "value", Type::Struct({field(13, "uu", bigint)}))))};
  Table("t", metadata, BatchOf({a}, {}));
  EXPECT_THAT(Rows("SELECT s.renamed, s.added, s.x FROM tarn_scan('tarn:t')"),
              ElementsAre("p|NULL|1"));
  EXPECT_THAT(Rows("SELECT l[1].now, l[1].new, l[1].k, m['m'].uu FROM tarn_scan('tarn:t')"),
              ElementsAre("q|NULL|1|5"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE s.x = 1 AND s.renamed = 'p'"),
              ElementsAre("1"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE s.added IS NULL"),
              ElementsAre("1"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE s.added = 3"), ElementsAre("0"));
}

TEST_F(MultiFileTest, ListElementsAreFoundWhateverTheFileCallsThem) {
  const DataFile a = Write("a.parquet", "SELECT [1, 2]::INTEGER[] AS l, MAP {'a': 1} AS m");
  Table("t", MetadataOf("l array<bigint>, m map<string, bigint>", ColumnMatch::kByName),
        BatchOf({a}, {}));
  EXPECT_THAT(Rows("SELECT l[2], m['a'] FROM tarn_scan('tarn:t')"), ElementsAre("2|1"));
}

TEST_F(MultiFileTest, MissingColumnsReadAsTheirDefault) {
  const DataFile a = Write("a.parquet", "SELECT 1::BIGINT AS id", "{id: 1}");
  TableMetadata metadata = MetadataOf("id bigint, n int, s string");
  metadata.schema.fields[1].initial_default = Value(int64_t{42});
  Table("t", metadata, BatchOf({a}, {}));
  EXPECT_THAT(Rows("FROM tarn_scan('tarn:t')"), ElementsAre("1|42|NULL"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE n = 42"), ElementsAre("1"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE n = 43"), ElementsAre("0"));
}

TEST_F(MultiFileTest, AColumnOfTheSameNameUnderAnotherIdIsNotRead) {
  const DataFile a = Write("a.parquet", "SELECT 1::BIGINT AS id, 'old' AS v", "{id: 1, v: 2}");
  TableMetadata metadata = MetadataOf("id bigint, gone string, v string");
  metadata.schema.fields.erase(metadata.schema.fields.begin() + 1);  // v now has id 3
  Table("t", metadata, BatchOf({a}, {}));
  EXPECT_THAT(Rows("FROM tarn_scan('tarn:t')"), ElementsAre("1|NULL"));
}

TEST_F(MultiFileTest, DeletedRowsAreGone) {
  DataFile a = Write("a.parquet", "SELECT i AS id FROM range(10000) r(i)", "{id: 1}");
  a.deletes = {DeleteFile{.location = "dv", .row_count = 3}};
  FakeFormat& format = Table("t", MetadataOf("id bigint"), BatchOf({a}, {}));
  for (const uint64_t row : {0, 5000, 9999}) format.deleted_rows["dv"].Add(row);
  EXPECT_THAT(Rows("SELECT count(*), min(id), max(id), sum(id) FROM tarn_scan('tarn:t')"),
              ElementsAre("9997|1|9998|" + std::to_string(49995000 - 5000 - 9999)));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t')"), ElementsAre("9997"));
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') WHERE id IN (4999, 5000, 5001) ORDER BY 1"),
              ElementsAre("4999", "5001"));
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') ORDER BY id DESC LIMIT 1"),
              ElementsAre("9998"));
  format.deleted_rows_calls = 0;
  Rows("SELECT sum(id) FROM tarn_scan('tarn:t')");
  EXPECT_EQ(format.deleted_rows_calls, 1);
}

TEST_F(MultiFileTest, OnlyTheRowsOfAChangeWhateverIsDeleted) {
  const DataFile a = Write("a.parquet", "SELECT i AS id FROM range(100) r(i)", "{id: 1}");
  Table("whole", MetadataOf("id bigint"), BatchOf({a}, {}));
  const TableScan& whole = *scans_["tarn:whole"];
  ScanPlan plan{.snapshot = whole.snapshot(),
                .batches = {BatchOf({a}, {})},
                .files_kept = 1,
                .files_seen = 1};
  RowSet rows;
  rows.Add(7);
  rows.Add(70);
  auto table = std::make_shared<tarn::Table>(
      tarn::Table{.name = "t", .home = TableHome{.root = Path(), .storage = *store_}});
  table->format = formats_[0].get();
  scans_["tarn:t"] = std::make_shared<TableScan>(
      table, plan, std::map<std::string, RowSet, std::less<>>{{"a.parquet", rows}});
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') ORDER BY 1"), ElementsAre("7", "70"));
}

TEST_F(MultiFileTest, PartitionValuesComeFromTheMetadataAndPruneFiles) {
  const Type date = Type::Of(TypeKind::kDate);
  std::vector<DataFile> files;
  for (int64_t day = 0; day < 5; ++day) {
    DataFile file = Write("f" + std::to_string(day) + ".parquet",
                          "SELECT " + std::to_string(day) + "::BIGINT AS id", "{id: 1}");
    file.partition = {day == 4 ? Value() : Value(int64_t{20000 + day})};
    files.push_back(file);
  }
  TableMetadata metadata = MetadataOf("id bigint, day date");
  metadata.specs = {*IdentitySpec(metadata.schema, {"day"})};
  Table("t", metadata, BatchOf(files, {date}));
  EXPECT_THAT(Rows("SELECT id, day FROM tarn_scan('tarn:t') ORDER BY id LIMIT 2"),
              ElementsAre("0|2024-10-04", "1|2024-10-05"));
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') WHERE day = DATE '2024-10-06'"),
              ElementsAre("2"));
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') WHERE day IS NULL"), ElementsAre("4"));
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') WHERE day + 1 >= DATE '2024-10-07' "
                   "ORDER BY 1"),
              ElementsAre("2", "3"));
  const Lines plan = Rows("EXPLAIN SELECT id FROM tarn_scan('tarn:t') WHERE day > '2024-10-05'");
  EXPECT_THAT(plan[0], HasSubstr("2 of 5"));
  // A join's other side prunes too, at run time.
  EXPECT_THAT(Rows("SELECT id FROM tarn_scan('tarn:t') JOIN (VALUES (DATE '2024-10-04'), "
                   "(DATE '2024-10-05')) v(d) ON day = d ORDER BY id"),
              ElementsAre("0", "1"));
}

TEST_F(MultiFileTest, StatisticsPruneFiles) {
  std::vector<DataFile> files;
  for (int64_t i = 0; i < 4; ++i) {
    DataFile file = Write("f" + std::to_string(i) + ".parquet",
                          "SELECT " + std::to_string(i * 10) + "::BIGINT AS id", "{id: 1}");
    file.statistics = {
        {.field_id = 1, .null_count = 0, .lower = Value(i * 10), .upper = Value(i * 10)}};
    files.push_back(file);
  }
  FileBatch batch;
  batch.bounds.push_back({.field_id = 1,
                          .lower = ValueColumn::Of(Type::Of(TypeKind::kInt64)),
                          .upper = ValueColumn::Of(Type::Of(TypeKind::kInt64)),
                          .null_count = {},
                          .nan_count = {}});
  for (const DataFile& file : files) AppendFile(batch, file);
  Table("t", MetadataOf("id bigint"), batch);
  EXPECT_THAT(Rows("EXPLAIN FROM tarn_scan('tarn:t') WHERE id BETWEEN 5 AND 15")[0],
              HasSubstr("1 of 4"));
  EXPECT_THAT(Rows("EXPLAIN FROM tarn_scan('tarn:t') WHERE id + 1 = 21")[0], HasSubstr("1 of 4"));
  EXPECT_THAT(Rows("FROM tarn_scan('tarn:t') WHERE id >= 20 ORDER BY 1"), ElementsAre("20", "30"));
  EXPECT_THAT(Rows("FROM tarn_scan('tarn:t') WHERE id > 1000"), ElementsAre());
}

TEST_F(MultiFileTest, FiltersOverWidenedColumnsAreExact) {
  const DataFile a = Write(
      "a.parquet",
      "SELECT i::INTEGER AS i, i::INTEGER AS d, (i / 10)::DECIMAL(9,1) AS n, i::FLOAT / 10 AS f, "
      "DATE '2024-01-01' + i::INTEGER AS t FROM range(20) r(i)",
      "{i: 1, d: 2, n: 3, f: 4, t: 5}");
  Table("t", MetadataOf("i bigint, d double, n decimal(18,4), f double, t timestamp_ntz"),
        BatchOf({a}, {}));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE i > 17"), ElementsAre("2"));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE i = 5000000000"),
              ElementsAre("0"));
  EXPECT_THAT(Rows("SELECT i FROM tarn_scan('tarn:t') WHERE d > 17.5 ORDER BY 1"),
              ElementsAre("18", "19"));
  EXPECT_THAT(Rows("SELECT i FROM tarn_scan('tarn:t') WHERE n = 1.2345"), ElementsAre());
  EXPECT_THAT(Rows("SELECT i FROM tarn_scan('tarn:t') WHERE n < 0.15 ORDER BY 1"),
              ElementsAre("0", "1"));
  EXPECT_THAT(Rows("SELECT i FROM tarn_scan('tarn:t') WHERE f = 0.1"), ElementsAre());
  EXPECT_THAT(Rows("SELECT i FROM tarn_scan('tarn:t') WHERE t > TIMESTAMP '2024-01-19 12:00:00'"),
              ElementsAre("19"));
}

TEST_F(MultiFileTest, NanIsGreaterThanAllNumbers) {
  const DataFile a =
      Write("a.parquet", "SELECT unnest([1.0::DOUBLE, 2.0, 'NaN'::DOUBLE]) AS x", "{x: 1}");
  Table("t", MetadataOf("x double"), BatchOf({a}, {}));
  EXPECT_THAT(Rows("SELECT count(*) FROM tarn_scan('tarn:t') WHERE x > 100"), ElementsAre("1"));
  EXPECT_THAT(Rows("SELECT isnan(max(x)) FROM tarn_scan('tarn:t')"), ElementsAre("true"));
}

TEST_F(MultiFileTest, NoFilesNoRows) {
  Table("t", MetadataOf("id bigint, v string"), FileBatch{});
  EXPECT_THAT(Rows("FROM tarn_scan('tarn:t')"), ElementsAre());
  EXPECT_THAT(Rows("SELECT count(*), max(id) FROM tarn_scan('tarn:t')"), ElementsAre("0|NULL"));
}

TEST_F(MultiFileTest, ObjectsOfAStoreWithoutFileNames) {
  auto memory = MakeMemoryStorage(runtime().clock, runtime().random);
  const DataFile a = Write("a.parquet", "SELECT i AS id FROM range(5000) r(i)", "{id: 1}");
  std::ifstream in(folder_ / "a.parquet", std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  ASSERT_TRUE(memory->Put(*Path::Make("a.parquet"), bytes).ok());
  DataFile missing = a;
  missing.path = "gone.parquet";
  Table("t", MetadataOf("id bigint"), BatchOf({a}, {}), memory.get());
  Table("broken", MetadataOf("id bigint"), BatchOf({missing}, {}), memory.get());
  EXPECT_THAT(Rows("SELECT count(*), sum(id) FROM tarn_scan('tarn:t')"),
              ElementsAre("5000|12497500"));
  const auto failed = session_->Query("SELECT sum(id) FROM tarn_scan('tarn:broken')");
  const Lines rows = RowsText(session_->Query("SELECT sum(id) FROM tarn_scan('tarn:broken')"));
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_THAT(rows[0], HasSubstr("gone.parquet"));
}

TEST_F(MultiFileTest, NamesOfViewsAndPrepared) {
  const DataFile a = Write("a.parquet", "SELECT 1::BIGINT AS id", "{id: 1}");
  Table("t", MetadataOf("id bigint"), BatchOf({a}, {}));
  EXPECT_THAT(Rows("FROM named"), ElementsAre("1"));
  ASSERT_TRUE(session_->Execute("CREATE VIEW v AS SELECT id + 1 AS n FROM named").ok());
  EXPECT_THAT(Rows("FROM v"), ElementsAre("2"));
  EXPECT_THAT(Rows("WITH named AS (SELECT 9 AS id) FROM named"), ElementsAre("9"));
}

TEST_F(MultiFileTest, LateMaterialisationFindsItsRows) {
  std::vector<DataFile> files;
  for (int i = 0; i < 3; ++i) {
    files.push_back(Write("f" + std::to_string(i) + ".parquet",
                          "SELECT i * 3 + " + std::to_string(i) +
                              " AS id, repeat('x', 10) || i AS s FROM range(5000) r(i)",
                          "{id: 1, s: 2}"));
  }
  Table("t", MetadataOf("id bigint, s string"), BatchOf(files, {}));
  EXPECT_THAT(Rows("SELECT id, s FROM tarn_scan('tarn:t') ORDER BY id DESC LIMIT 2"),
              ElementsAre("14999|xxxxxxxxxx4999", "14998|xxxxxxxxxx4999"));
}

TEST_F(MultiFileTest, PredicatesAreBoundToFields) {
  const DataFile a = Write("a.parquet", "SELECT 1::INTEGER AS i, 'x' AS s", "{i: 1, s: 2}");
  Table("t", MetadataOf("i int, s string"), BatchOf({a}, {}));
  const TableScan& scan = *scans_["tarn:t"];
  const auto bind = [&](const std::string& where) {
    auto bound = BindPredicate(*session_, "tarn:t", scan, "t", where);
    return bound.ok() ? ExpressionToText(*bound, scan.snapshot().metadata.schema)
                      : bound.error().ToString();
  };
  using Op = Expression::Op;
  const auto equal = BindPredicate(*session_, "tarn:t", scan, "t", "i = 3");
  ASSERT_TRUE(equal.ok());
  EXPECT_EQ(*equal, Expression::Compare(Op::kEqual, 1, Value(int64_t{3})));
  const auto wide = BindPredicate(*session_, "tarn:t", scan, "t", "t.i < 5::BIGINT AND s IS NULL");
  ASSERT_TRUE(wide.ok());
  EXPECT_EQ(*wide, Expression::And({Expression::Compare(Op::kLess, 1, Value(int64_t{5})),
                                    Expression::IsNullOf(2)}));
  const auto opaque =
      BindPredicate(*session_, "tarn:t", scan, "t", "i IN (SELECT 1) OR length(s) = 2");
  ASSERT_TRUE(opaque.ok());
  EXPECT_NE(opaque->op, Op::kTrue);
  EXPECT_FALSE(MustMatch(*opaque, scan.snapshot().metadata.schema, PartitionSpec{}, a));
  EXPECT_THAT(bind("nothing = 1"), HasSubstr("nothing"));
}

TEST_F(MultiFileTest, TenThousandFilesAreBoundFast) {
  const DataFile one = Write("one.parquet", "SELECT 1::BIGINT AS id", "{id: 1}");
  FileBatch batch;
  for (int i = 0; i < 10000; ++i) AppendFile(batch, one);
  Table("t", MetadataOf("id bigint"), batch);
  double best_ms = 1e9;
  for (int round = 0; round < 5; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_EQ(Rows("EXPLAIN SELECT sum(id) FROM tarn_scan('tarn:t')").size(), 1U);
    best_ms = std::min(
        best_ms, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                     .count());
  }
  RecordProperty("bind_10000_files_ms", std::to_string(best_ms));
  std::printf("10,000 files bound and planned in %.1f ms\n", best_ms);
  EXPECT_LT(best_ms, 250);  // 25 ms alone on a quiet machine
}

}  // namespace
}  // namespace tarn
