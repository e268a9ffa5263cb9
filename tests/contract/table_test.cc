// What every kind of home with its codec must do, run on each: the same commits must load as equal
// snapshots, whichever way they become visible. That the fakes fit shows that Iceberg, Hudi and
// Hive need no change above format/ and catalog/.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <thread>

#include "tarn/table/transaction.h"
#include "tests/contract/table_stand.h"
#include "tests/support/matchers.h"
#include "tests/support/paths.h"
#include "tests/support/toy_tables.h"

namespace tarn {
namespace {

using testing::CreateEvents;
using testing::DayIs;
using testing::EventsMetadata;
using testing::TableStand;
using testing::TableStandKind;

using testing::P;

// A file without what homes do to its name: day, "f7", size.
struct PlainFile {
  std::string day;
  std::string name;
  int64_t size_bytes = 0;
  auto operator<=>(const PlainFile&) const = default;
};

// What must be equal everywhere.
struct PlainTable {
  std::vector<std::string> columns;               // "1 id int64"
  std::map<std::string, std::string> properties;  // the user's
  std::map<std::string, std::string> positions;
  std::vector<PlainFile> files;
  friend bool operator==(const PlainTable&, const PlainTable&) = default;
};

void PrintTo(const PlainTable& table, std::ostream* out) {
  for (const std::string& column : table.columns) *out << column << "; ";
  for (const auto& [name, value] : table.properties) *out << name << "=" << value << "; ";
  for (const auto& [source, at] : table.positions) *out << source << "@" << at << "; ";
  for (const PlainFile& file : table.files) {
    *out << file.day << "/" << file.name << ":" << file.size_bytes << " ";
  }
}

class TableContract : public ::testing::TestWithParam<TableStandKind> {
 protected:
  // One client of the table: its own home and committer.
  struct Client {
    TableHome home;
    std::unique_ptr<Committer> committer;
    Snapshot base;
  };
  using Writer = std::unique_ptr<Client>;

  Writer NewWriter() {
    Writer writer(new Client{stand_->Open(root_), stand_->NewCommitter(), Snapshot::Empty()});
    Result<Snapshot> base = format().Load(writer->home, Newest{});
    if (base.ok()) writer->base = std::move(base).value();
    return writer;
  }

  const TableFormat& format() { return stand_->format(); }

  TableMetadata Prepared(TableMetadata metadata, const TableMetadata* before = nullptr) {
    metadata.properties["owner"] = "ada";
    return format().Prepare(before, std::move(metadata)).value();
  }

  // Writes the files' objects as the ticket says, and gives them to the commit.
  Commit WithFiles(Writer& writer, Commit commit, const std::vector<PlainFile>& files) {
    const WriteTicket ticket =
        format().Begin(writer->home, writer->base, {commit.operation.kind}).value();
    EXPECT_OK(writer->committer->ShowFirst(writer->home, ticket));
    commit.extra = ticket.commit_extra;
    for (const PlainFile& plain : files) {
      DataFile file = testing::FileOf(
          plain.day, ticket.file_prefix + plain.name + ticket.file_suffix + ".parquet");
      file.size_bytes = plain.size_bytes;
      EXPECT_OK(stand_->storage->Put(root_ / file.path,
                                     std::string(static_cast<size_t>(plain.size_bytes), 'x')));
      commit.added.push_back(std::move(file));
    }
    return commit;
  }

  Commit AppendOf(Writer& writer, const std::string& id, const std::vector<PlainFile>& files) {
    return WithFiles(writer, testing::Append(id, {}), files);
  }

  // Dynamic overwrite of `day` as `writer` sees it.
  Commit OverwriteOf(Writer& writer, const std::string& id, const std::string& day,
                     const std::vector<PlainFile>& files) {
    std::vector<DataFile> removed;
    for (const DataFile& file : FilesOf(writer->home, writer->base)) {
      if (file.partition == std::vector<Value>{Value(day)}) removed.push_back(file);
    }
    return WithFiles(writer, testing::OverwriteDay(id, day, removed, {}), files);
  }

  Result<Version> Publish(Writer& writer, Commit commit,
                          Isolation isolation = Isolation::kSerializable) {
    Transaction transaction(stand_->fakes.runtime, writer->home, format(), *writer->committer,
                            writer->base, std::move(commit), isolation);
    TARN_ASSIGN_OR_RETURN(Version version, transaction.Publish());
    RunUpkeepAfter(stand_->fakes.runtime, writer->home, format(), *writer->committer, version);
    return version;
  }

  void Create() {
    Writer writer = NewWriter();
    Commit commit = CreateEvents("create");
    commit.metadata = Prepared(EventsMetadata());
    ASSERT_OK(Publish(writer, commit));
  }

  std::vector<DataFile> FilesOf(const TableHome& home, const Snapshot& snapshot) {
    std::vector<DataFile> files;
    const auto stream = format().Files(home, snapshot, {}).value();
    for (;;) {
      Result<std::optional<FileBatch>> batch = stream->Next();
      EXPECT_OK(batch);
      if (!batch.ok() || !batch.value()) return files;
      for (int64_t i = 0; i < batch.value()->size; ++i) files.push_back(batch.value()->At(i));
    }
  }

  PlainTable Plain(const TableHome& home, const Snapshot& snapshot) {
    PlainTable plain;
    ForEachField(snapshot.metadata.schema, [&](const Field& field, const std::string& path) {
      plain.columns.push_back(std::to_string(field.id) + " " + path + " " + TypeToText(field.type));
    });
    const auto& properties = snapshot.metadata.properties;
    if (const auto owner = properties.find("owner"); owner != properties.end()) {
      plain.properties.insert(*owner);
    }
    plain.positions = snapshot.positions;
    for (const DataFile& file : FilesOf(home, snapshot)) {
      // "part-f12_017.parquet" was written as "f12".
      const size_t dash = file.path.find("-f");
      std::string name =
          file.path.substr((dash != std::string::npos ? dash : file.path.find("/f")) + 1);
      name.resize(name.find_first_not_of("0123456789", 1));
      plain.files.push_back({std::get<std::string>(file.partition.at(0)), name, file.size_bytes});
    }
    std::sort(plain.files.begin(), plain.files.end());
    return plain;
  }

  PlainTable Now() {
    const TableHome home = stand_->Open(root_);
    Result<Snapshot> snapshot = format().Load(home, Newest{});
    EXPECT_OK(snapshot);
    return snapshot.ok() ? Plain(home, *snapshot) : PlainTable();
  }
  std::vector<PlainFile> FilesNow() { return Now().files; }

  bool KeepsHistory() { return format().traits().keeps_commit_id; }

  std::unique_ptr<TableStand> stand_ = GetParam().make();
  const Path root_ = P("lake/t");
};

using Files = std::vector<PlainFile>;

TEST_P(TableContract, WhereNothingIsNothingIsFound) {
  const TableHome home = stand_->Open(root_);
  EXPECT_FALSE(format().Detect(home).value());
  EXPECT_ERROR(format().Load(home, Newest{}), ErrorCode::kNotFound);
  Create();
  EXPECT_TRUE(format().Detect(stand_->Open(root_)).value());
  EXPECT_FALSE(format().Detect(stand_->Open(P("lake/t2"))).value());
}

TEST_P(TableContract, TheSameCommitsLoadAsEqualSnapshots) {
  Create();
  PlainTable expected{.columns = {"1 id int64", "2 day string"},
                      .properties = {{"owner", "ada"}},
                      .positions = {},
                      .files = {}};
  EXPECT_EQ(Now(), expected);

  Writer writer = NewWriter();
  ASSERT_OK(Publish(writer, AppendOf(writer, "c1", {{"1", "f1", 101}, {"2", "f2", 102}})));
  expected.files = {{"1", "f1", 101}, {"2", "f2", 102}};
  EXPECT_EQ(Now(), expected);

  writer = NewWriter();
  Commit moves = AppendOf(writer, "c2", {{"1", "f3", 103}});
  moves.positions = {{"file:/in/*.jsonl", std::nullopt, "17"},
                     {"kafka:topic/3", std::nullopt, "4"}};
  ASSERT_OK(Publish(writer, moves));
  expected.files.push_back({"1", "f3", 103});
  expected.positions = {{"file:/in/*.jsonl", "17"}, {"kafka:topic/3", "4"}};
  std::sort(expected.files.begin(), expected.files.end());
  EXPECT_EQ(Now(), expected);

  writer = NewWriter();
  ASSERT_OK(Publish(writer, OverwriteOf(writer, "c3", "1", {{"1", "f4", 104}})));
  expected.files = {{"1", "f4", 104}, {"2", "f2", 102}};
  EXPECT_EQ(Now(), expected);

  writer = NewWriter();
  Commit alter;
  alter.id = "c4";
  alter.operation = {.kind = OperationKind::kAlter, .name = "ADD COLUMNS"};
  TableMetadata wanted = writer->base.metadata;
  wanted.schema.fields.push_back({.id = 3, .name = "note", .type = Type::Of(TypeKind::kString)});
  wanted.schema.last_column_id = 3;
  alter.metadata = Prepared(wanted, &writer->base.metadata);
  ASSERT_OK(Publish(writer, WithFiles(writer, alter, {})));
  expected.columns.push_back("3 note string");
  EXPECT_EQ(Now(), expected);

  writer = NewWriter();
  Commit next = AppendOf(writer, "c5", {{"3", "f5", 105}});
  next.positions = {{"kafka:topic/3", "4", "9"}};
  ASSERT_OK(Publish(writer, next));
  expected.files.push_back({"3", "f5", 105});
  expected.positions["kafka:topic/3"] = "9";
  EXPECT_EQ(Now(), expected);

  writer = NewWriter();
  Commit erase = OverwriteOf(writer, "c6", "2", {});
  erase.operation = {.kind = OperationKind::kDelete, .name = "DELETE"};
  ASSERT_OK(Publish(writer, erase));
  expected.files = {{"1", "f4", 104}, {"3", "f5", 105}};
  EXPECT_EQ(Now(), expected);
}

TEST_P(TableContract, ManyCommitsAndUpkeepChangeNothingThatIsRead) {
  Create();
  Files expected;
  for (int i = 0; i < 25; ++i) {
    Writer writer = NewWriter();
    const PlainFile file{std::to_string(i % 3), "f" + std::to_string(i), 100 + i};
    ASSERT_OK(Publish(writer, AppendOf(writer, "c" + std::to_string(i), {file})));
    stand_->fakes.clock.AdvanceMillis(1000);
    expected.push_back(file);
    std::sort(expected.begin(), expected.end());
    ASSERT_EQ(FilesNow(), expected) << i;
  }
  for (const std::string& line : stand_->fakes.log.lines()) ADD_FAILURE() << line;
}

TEST_P(TableContract, NothingIsVisibleBeforeItIsPublished) {
  Create();
  Writer writer = NewWriter();
  const PlainTable before = Now();
  const Commit commit = AppendOf(writer, "c1", {{"1", "f1", 101}});
  EXPECT_EQ(Now(), before);
  ASSERT_OK(format().Encode(writer->home, writer->base, commit));
  EXPECT_EQ(Now(), before);
}

TEST_P(TableContract, AppendsOfTwoWritersBothLand) {
  Create();
  Writer one = NewWriter();
  Writer two = NewWriter();
  // Both begin before either is published, and end in the other order.
  const Commit first = AppendOf(one, "one", {{"1", "f1", 101}});
  const Commit second = AppendOf(two, "two", {{"1", "f2", 102}});
  ASSERT_OK(Publish(two, second));
  ASSERT_OK(Publish(one, first));
  EXPECT_EQ(FilesNow(), (Files{{"1", "f1", 101}, {"1", "f2", 102}}));
}

TEST_P(TableContract, OverwritesOfOnePartitionDoNotBothLand) {
  Create();
  Writer seed = NewWriter();
  ASSERT_OK(Publish(seed, AppendOf(seed, "seed", {{"1", "f0", 100}})));
  Writer one = NewWriter();
  Writer two = NewWriter();
  ASSERT_OK(Publish(one, OverwriteOf(one, "one", "1", {{"1", "f1", 101}})));
  EXPECT_ERROR(Publish(two, OverwriteOf(two, "two", "1", {{"1", "f2", 102}})),
               ErrorCode::kConflict);
  EXPECT_EQ(FilesNow(), (Files{{"1", "f1", 101}}));
}

TEST_P(TableContract, OverwritesOfTwoPartitionsBothLandWhereHistoryIsKept) {
  Create();
  Writer one = NewWriter();
  Writer two = NewWriter();
  ASSERT_OK(Publish(one, OverwriteOf(one, "one", "1", {{"1", "f1", 101}})));
  const auto second = Publish(two, OverwriteOf(two, "two", "2", {{"2", "f2", 102}}));
  if (KeepsHistory()) {
    EXPECT_OK(second);
    EXPECT_EQ(FilesNow(), (Files{{"1", "f1", 101}, {"2", "f2", 102}}));
  } else {
    EXPECT_ERROR(second, ErrorCode::kConflict);
    EXPECT_EQ(FilesNow(), (Files{{"1", "f1", 101}}));
  }
}

TEST_P(TableContract, PositionsAreComparedAndSet) {
  Create();
  Writer one = NewWriter();
  Writer two = NewWriter();
  Commit first = AppendOf(one, "one", {{"1", "f1", 101}});
  first.positions = {{"src", std::nullopt, "10"}};
  Commit second = AppendOf(two, "two", {{"1", "f2", 102}});
  second.positions = {{"src", std::nullopt, "10"}};
  ASSERT_OK(Publish(one, first));
  EXPECT_ERROR(Publish(two, second), ErrorCode::kConflict);
  EXPECT_EQ(FilesNow(), (Files{{"1", "f1", 101}}));
  EXPECT_EQ(Now().positions, (std::map<std::string, std::string>{{"src", "10"}}));
}

TEST_P(TableContract, ChangedColumnsStopWhoeverDidNotSeeThem) {
  Create();
  Writer one = NewWriter();
  Writer two = NewWriter();
  Commit alter;
  alter.id = "alter";
  alter.operation.kind = OperationKind::kAlter;
  TableMetadata wanted = one->base.metadata;
  wanted.schema.fields.push_back({.id = 3, .name = "note", .type = Type::Of(TypeKind::kString)});
  wanted.schema.last_column_id = 3;
  alter.metadata = Prepared(wanted, &one->base.metadata);
  ASSERT_OK(Publish(one, WithFiles(one, alter, {})));
  EXPECT_ERROR(Publish(two, AppendOf(two, "two", {{"1", "f1", 101}})), ErrorCode::kConflict);
}

TEST_P(TableContract, SecondCreationIsRefused) {
  Writer one = NewWriter();
  Writer two = NewWriter();
  Commit first = CreateEvents("one");
  first.metadata = Prepared(EventsMetadata());
  Commit second = CreateEvents("two");
  second.metadata = Prepared(EventsMetadata());
  ASSERT_OK(Publish(one, first));
  EXPECT_ERROR(Publish(two, second), ErrorCode::kAlreadyExists);
}

TEST_P(TableContract, LostAnswerDoublesNothing) {
  Create();
  Writer writer = NewWriter();
  stand_->LoseAnswers(*writer->committer, 1);
  ASSERT_OK(Publish(writer, AppendOf(writer, "c1", {{"1", "f1", 101}, {"2", "f2", 102}})));
  EXPECT_EQ(FilesNow(), (Files{{"1", "f1", 101}, {"2", "f2", 102}}));
}

TEST_P(TableContract, LostAnswerToACreationIsFoundAgainWhereIdsAreKept) {
  Writer writer = NewWriter();
  stand_->LoseAnswers(*writer->committer, KeepsHistory() ? 1 : 0);
  Commit create = CreateEvents("create");
  create.metadata = Prepared(EventsMetadata());
  ASSERT_OK(Publish(writer, create));
}

TEST_P(TableContract, HistoryGivesBackWhatConflictsAreFoundBy) {
  if (!KeepsHistory()) GTEST_SKIP() << "keeps no history";
  Create();
  Writer writer = NewWriter();
  Commit first = AppendOf(writer, "c1", {{"1", "f1", 101}});
  first.positions = {{"src", std::nullopt, "10"}};
  ASSERT_OK_AND_ASSIGN(const Version version, Publish(writer, first));
  writer = NewWriter();
  ASSERT_OK(Publish(writer, OverwriteOf(writer, "c2", "1", {{"1", "f2", 102}})));

  const TableHome home = stand_->Open(root_);
  const auto commits = [&](const Version& after, const std::optional<Version>& until) {
    return std::get<std::vector<Commit>>(
        format().Commits(home, after, until, HistoryDetail::kConflicts).value());
  };
  const std::vector<Commit> all = commits({}, std::nullopt);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].id, "create");
  EXPECT_TRUE(all[0].metadata);
  EXPECT_EQ(all[1].id, "c1");
  EXPECT_EQ(all[1].version, version);
  ASSERT_EQ(all[1].added.size(), 1u);
  EXPECT_EQ(all[1].added[0].partition, (std::vector<Value>{Value("1")}));
  EXPECT_FALSE(all[1].metadata);
  ASSERT_EQ(all[1].positions.size(), 1u);
  EXPECT_EQ(all[1].positions[0].source, "src");
  EXPECT_EQ(all[1].positions[0].after, "10");
  EXPECT_EQ(all[2].id, "c2");
  ASSERT_EQ(all[2].removed.size(), 1u);
  EXPECT_EQ(all[2].removed[0].path, all[1].added[0].path);
  EXPECT_EQ(all[2].removed[0].partition, (std::vector<Value>{Value("1")}));

  EXPECT_EQ(commits(version, std::nullopt).size(), 1u);
  EXPECT_EQ(commits({}, version).size(), 2u);
  EXPECT_EQ(commits(all[2].version, std::nullopt).size(), 0u);
}

TEST_P(TableContract, OldVersionsAreReadWhereHistoryIsKept) {
  if (!KeepsHistory()) GTEST_SKIP() << "keeps no history";
  Create();
  Writer writer = NewWriter();
  ASSERT_OK_AND_ASSIGN(const Version first,
                       Publish(writer, AppendOf(writer, "c1", {{"1", "f1", 101}})));
  writer = NewWriter();
  ASSERT_OK(Publish(writer, OverwriteOf(writer, "c2", "1", {{"1", "f2", 102}})));
  const TableHome home = stand_->Open(root_);
  ASSERT_OK_AND_ASSIGN(const Snapshot then, format().Load(home, AtVersion{first.text}));
  EXPECT_EQ(then.version, first);
  EXPECT_EQ(Plain(home, then).files, (Files{{"1", "f1", 101}}));
  EXPECT_ERROR(format().Load(home, AtVersion{"987654321"}), ErrorCode::kNotFound);
}

TEST_P(TableContract, ManyThreadsAppendAndEachRowIsThereOnce) {
  Create();
  constexpr int kThreads = 4;
  constexpr int kCommits = 6;
  std::atomic<int> failed = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kCommits; ++i) {
        Writer writer = NewWriter();
        const std::string name = "f" + std::to_string(100 * t + i);
        const auto version =
            Publish(writer, AppendOf(writer, name, {{std::to_string(t), name, 100}}));
        if (!version.ok()) {
          ADD_FAILURE() << version.error().ToString();
          ++failed;
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  Files expected;
  for (int t = 0; t < kThreads; ++t) {
    for (int i = 0; i < kCommits; ++i) {
      expected.push_back({std::to_string(t), "f" + std::to_string(100 * t + i), 100});
    }
  }
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(failed, 0);
  EXPECT_EQ(FilesNow(), expected);
}

INSTANTIATE_TEST_SUITE_P(Each, TableContract, ::testing::ValuesIn(testing::AllTableStands()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tarn
