// Tables that Spark, delta-rs and the kernels wrote (../shared/fixtures/delta), read by the Delta
// codec alone: versions, protocol, partition columns, number of files and rows, deletion vectors,
// schemas, and the cases that must be refused. Rows themselves are compared by
// tests/python/test_delta_fixtures.py.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tarn/base/runtime.h"
#include "tarn/format/delta/delta_format.h"
#include "tarn/format/delta/replay.h"
#include "tarn/format/delta/snapshot_state.h"
#include "tarn/storage/local.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path FixturesFolder() {
  const char* shared = std::getenv("TARN_SHARED");
  return fs::path(shared != nullptr ? shared : "../shared") / "fixtures" / "delta";
}

std::vector<std::string> CaseNames() {
  std::vector<std::string> names;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(FixturesFolder(), missing)) {
    if (fs::exists(entry.path() / "case.json")) names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Cases whose `log_facts` cannot hold, and why.
bool FactsAreOfCommitsOnly(std::string_view name) {
  // Its checkpoint, which counts ("Checkpoints": a complete replay), was written without statistics
  // and with other properties than the commit.
  return name == "krs-parquet_row_group_skipping";
}
bool FactsAreBySpelling(std::string_view name) {
  // Facts count paths as spelled; their owner, and the case's expectation, say that two spellings
  // of one absolute path are one file ("Add File and Remove File": a path is a URI to be decoded).
  return name.starts_with("golden-canonicalized-paths-");
}
// "log without a usable metaData": there is none at all, so it is no table ("Change Metadata").
bool HasNoMetadata(std::string_view name) {
  return name == "golden-data-reader-absolute-paths-escaped-chars";
}

// What a snapshot's files say.
struct FileFacts {
  int64_t files = 0;
  std::optional<int64_t> rows = 0;  // null when some file's number of rows is not known
};

class DeltaFixture : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    folder_ = FixturesFolder() / GetParam();
    std::ifstream file(folder_ / "case.json");
    case_ = Json::parse(file);
    table_ = fs::absolute(folder_ / case_["table"].get<std::string>());
    PutFolderNameIn();
    ASSERT_OK_AND_ASSIGN(storage_, MakeLocalStorage("/", CreateRoot::kNo));
    ASSERT_OK_AND_ASSIGN(const Path root, Path::Make(table_.lexically_normal().string().substr(1)));
    home_.emplace(TableHome{root, *storage_});
    format_ = MakeDeltaFormat(runtime_.runtime());
  }

  // One table names a folder by a placeholder that its owner fills in when the test runs.
  void PutFolderNameIn() {
    if (GetParam() != "spark-table-with-dv-special-char") return;
    const fs::path copy = fs::path(temp_.path()) / "table";
    fs::copy(table_, copy, fs::copy_options::recursive);
    const fs::path log = copy / "_delta_log" / "00000000000000000000.json";
    fs::permissions(log, fs::perms::owner_write, fs::perm_options::add);
    std::ifstream in(log);
    std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    const std::string placeholder = "{{FOLDER_WITH_SPECIAL_CHAR}}";
    text.replace(text.find(placeholder), placeholder.size(),
                 copy.string() + "/folder&with%25special%20char");
    std::ofstream(log) << text;
    table_ = copy;
  }

  FileFacts ReadFiles(const Snapshot& snapshot, bool all_bounds) {
    FileFacts facts;
    FileRequest request;
    request.all_bounds = all_bounds;
    Result<std::unique_ptr<FileStream>> stream = format_->Files(*home_, snapshot, request);
    EXPECT_OK(stream);
    if (!stream.ok()) return facts;
    while (true) {
      Result<std::optional<FileBatch>> batch = (*stream)->Next();
      EXPECT_OK(batch);
      if (!batch.ok() || !batch->has_value()) break;
      for (int64_t i = 0; i < (*batch)->size; ++i) Count(snapshot, (*batch)->At(i), facts);
    }
    EXPECT_EQ((*stream)->files_seen(), facts.files);
    return facts;
  }

  void Count(const Snapshot& snapshot, const DataFile& file, FileFacts& facts) {
    ++facts.files;
    if (file.record_count < 0) facts.rows.reset();
    if (facts.rows) *facts.rows += file.record_count;
    for (const DeleteFile& deletes : file.deletes) {
      if (facts.rows) *facts.rows -= deletes.row_count;
      const Result<RowSet> rows =
          format_->DeletedRows(*home_, snapshot, DataFile{.path = file.path, .deletes = {deletes}});
      EXPECT_OK(rows);
      if (rows.ok()) {
        EXPECT_EQ(rows->Count(), deletes.row_count);
      }
    }
  }

  void CheckProtocol(const Snapshot& snapshot) {
    const Json& facts = case_["log_facts"];
    if (facts.contains("minReaderVersion")) {
      EXPECT_EQ(snapshot.metadata.reader_version, facts["minReaderVersion"].get<int32_t>());
      EXPECT_EQ(snapshot.metadata.writer_version, facts["minWriterVersion"].get<int32_t>());
    }
    const auto features = [&](const char* key) {
      return facts.contains(key) ? facts[key].get<std::vector<std::string>>()
                                 : std::vector<std::string>();
    };
    EXPECT_THAT(snapshot.metadata.reader_features,
                ::testing::UnorderedElementsAreArray(features("readerFeatures")));
    EXPECT_THAT(snapshot.metadata.writer_features,
                ::testing::UnorderedElementsAreArray(features("writerFeatures")));
    if (facts.contains("partition_columns")) {
      std::vector<std::string> columns;
      for (const PartitionField& field : snapshot.metadata.default_spec().fields) {
        columns.push_back(field.name);
      }
      EXPECT_EQ(columns, facts["partition_columns"].get<std::vector<std::string>>());
    }
    if (facts.contains("configuration") && !FactsAreOfCommitsOnly(GetParam())) {
      for (const auto& [key, value] : facts["configuration"].items()) {
        if (key.starts_with("delta.constraints.")) continue;
        EXPECT_TRUE(snapshot.metadata.properties.contains(key)) << key;
      }
    }
  }

  void CheckSchema(const Snapshot& snapshot) {
    EXPECT_OK(ValidateSchema(snapshot.metadata.schema));
    const Json& columns = case_["expected"]["columns"];
    if (!columns.is_array()) return;
    std::vector<std::string> expected;
    for (const Json& column : columns) expected.push_back(column[0].get<std::string>());
    std::vector<std::string> names;
    for (const Field& field : snapshot.metadata.schema.fields) {
      if (field.type.kind != TypeKind::kVoid) names.push_back(field.name);
    }
    EXPECT_EQ(names, expected);
  }

  void CheckReplay(const FileFacts& facts) {
    const Json& log = case_["log_facts"];
    if (!log.contains("replay") || FactsAreOfCommitsOnly(GetParam())) return;
    if (FactsAreBySpelling(GetParam())) {
      EXPECT_EQ(facts.files, 0);
      return;
    }
    const Json& replay = log["replay"];
    if (replay["active_files"].is_number()) {
      EXPECT_EQ(facts.files, replay["active_files"].get<int64_t>());
    }
    if (replay["rows_by_stats"].is_number()) {
      ASSERT_TRUE(facts.rows.has_value());
      EXPECT_EQ(*facts.rows, replay["rows_by_stats"].get<int64_t>());
    }
  }

  void CheckWholeReplay(const Snapshot& snapshot, int64_t files) {
    ASSERT_OK_AND_ASSIGN(const delta::DeltaState* state, delta::StateOf(snapshot));
    int64_t added = 0;
    delta::FileVisitor visitor;
    visitor.add = [&](delta::AddFile&& add) -> Status {
      EXPECT_FALSE(add.path.empty());
      ++added;
      return {};
    };
    visitor.remove = [](delta::RemoveFile&&) -> Status { return {}; };
    EXPECT_OK(delta::ReplayFiles(runtime_.runtime(), *home_, *state, visitor));
    EXPECT_EQ(added, files);
  }

  // Earlier versions: those whose log is here load, with the number of rows the case gives.
  void CheckVersions() {
    const Json& versions = case_["expected"].value("versions", Json::object());
    for (const auto& [version, facts] : versions.items()) {
      SCOPED_TRACE("version " + version);
      Result<Snapshot> snapshot = format_->Load(*home_, AtVersion{version});
      ASSERT_OK(snapshot);
      const FileFacts files = ReadFiles(*snapshot, false);
      if (files.rows && facts["rows"].is_number()) {
        EXPECT_EQ(*files.rows, facts["rows"].get<int64_t>());
      }
    }
  }

  void CheckHistory(const Snapshot& newest) {
    ASSERT_OK_AND_ASSIGN(const History people,
                         format_->Commits(*home_, Version{}, std::nullopt, HistoryDetail::kPeople));
    const auto* commits = std::get_if<std::vector<Commit>>(&people);
    ASSERT_NE(commits, nullptr);
    for (size_t i = 1; i < commits->size(); ++i) {
      EXPECT_LT((*commits)[i - 1].timestamp_ms, (*commits)[i].timestamp_ms);
    }
    if (commits->empty()) return;
    EXPECT_EQ(commits->back().version, newest.version);
    // The newest commit is what a writer who looked at the one before would have to catch up with.
    const std::string& version = commits->back().version.text;
    if (version == "0" || commits->size() < 2) return;
    ASSERT_OK_AND_ASSIGN(const History last,
                         format_->Commits(*home_, (*commits)[commits->size() - 2].version,
                                          std::nullopt, HistoryDetail::kConflicts));
    const auto* whole = std::get_if<std::vector<Commit>>(&last);
    ASSERT_NE(whole, nullptr);
    ASSERT_EQ(whole->size(), 1U);
    EXPECT_EQ(whole->front().version, newest.version);
  }

  SystemRuntime runtime_{RuntimeOptions{.log_level = LogLevel::kError}};
  testing::TempFolder temp_;
  fs::path folder_;
  fs::path table_;
  Json case_;
  std::unique_ptr<Storage> storage_;
  std::optional<TableHome> home_;
  std::unique_ptr<TableFormat> format_;
};

TEST_P(DeltaFixture, SaysWhatItsOwnerSays) {
  const std::string kind = case_["kind"].get<std::string>();
  Result<Snapshot> newest = format_->Load(*home_, Newest{});
  if (kind == "error") {
    ASSERT_FALSE(newest.ok());
    EXPECT_THAT(newest.error().code, ::testing::AnyOf(ErrorCode::kNotFound, ErrorCode::kCorrupt,
                                                      ErrorCode::kUnsupported));
    return;
  }
  if (HasNoMetadata(GetParam())) {
    EXPECT_ERROR(newest, ErrorCode::kCorrupt);
    return;
  }
  if (GetParam() == "krs-table-with-geo") {
    // Types geometry and geography are refused by the feature's name.
    EXPECT_ERROR(newest, ErrorCode::kUnsupported);
    EXPECT_THAT(newest.error().ToString(), ::testing::HasSubstr("'geospatial'"));
    return;
  }
  ASSERT_OK(newest);
  const Json& expected = case_["expected"];
  if (expected["latest_version"].is_number()) {
    EXPECT_EQ(newest->version.text, std::to_string(expected["latest_version"].get<int64_t>()));
  }
  CheckProtocol(*newest);
  CheckSchema(*newest);
  const FileFacts files = ReadFiles(*newest, true);
  CheckReplay(files);
  CheckWholeReplay(*newest, files.files);
  CheckVersions();
  CheckHistory(*newest);
}

INSTANTIATE_TEST_SUITE_P(All, DeltaFixture, ::testing::ValuesIn(CaseNames()),
                         [](const ::testing::TestParamInfo<std::string>& info) {
                           std::string name = info.param;
                           for (char& c : name) {
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           }
                           return name;
                         });
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeltaFixture);

TEST(DeltaFixtures, AreHere) {
  if (CaseNames().empty()) {
    GTEST_SKIP() << "no fixtures at '" << FixturesFolder().string()
                 << "': set TARN_SHARED to the folder of shared material";
  }
  EXPECT_GE(CaseNames().size(), 241U);
}

}  // namespace
}  // namespace tarn
