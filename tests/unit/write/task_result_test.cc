#include "tarn/write/task_result.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>

#include "tarn/storage/local.h"
#include "tarn/write/table_writer.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using ::testing::HasSubstr;
using testing::SchemaOf;

// Every member says something that is not its default.
DataFile Example() {
  DataFile file;
  file.location = "file:///t/a%20b.parquet";
  file.path = std::string("a\xFF\0b", 4);
  file.format = "avro";
  file.size_bytes = 123;
  file.record_count = 45;
  file.modified_ms = 1'700'000'000'000;
  file.spec_id = 2;
  file.sort_order_id = 3;
  file.partition = {Value(),
                    Value(true),
                    Value(int64_t{-5}),
                    Value(-0.0),
                    Value(Int128{-1} << 100),
                    Value(std::string("\0\xFFx", 3))};
  file.statistics = {{.field_id = 1,
                      .value_count = 45,
                      .null_count = 1,
                      .nan_count = 2,
                      .size_bytes = 99,
                      .lower = Value(std::numeric_limits<int64_t>::min()),
                      .upper = Value(1e300),
                      .lower_exact = false,
                      .upper_exact = false},
                     {.field_id = 2}};
  file.tight_bounds = false;
  file.deletes = {{.kind = DeleteKind::kEqualityDeletes,
                   .location = "d.avro",
                   .offset = 4,
                   .size_bytes = 5,
                   .row_count = 6,
                   .equality_ids = {1, 2},
                   .format = "avro"}};
  file.first_row_id = 7;
  file.sequence_number = 8;
  file.split_offsets = {4, 1000};
  file.tags = {{"k", "v"}};
  return file;
}

void ExpectSame(const DataFile& a, const DataFile& b) {
  EXPECT_EQ(a.location, b.location);
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.format, b.format);
  EXPECT_EQ(a.size_bytes, b.size_bytes);
  EXPECT_EQ(a.record_count, b.record_count);
  EXPECT_EQ(a.modified_ms, b.modified_ms);
  EXPECT_EQ(a.spec_id, b.spec_id);
  EXPECT_EQ(a.sort_order_id, b.sort_order_id);
  EXPECT_EQ(a.partition, b.partition);
  EXPECT_EQ(a.statistics, b.statistics);
  EXPECT_EQ(a.tight_bounds, b.tight_bounds);
  EXPECT_EQ(a.deletes, b.deletes);
  EXPECT_EQ(a.first_row_id, b.first_row_id);
  EXPECT_EQ(a.sequence_number, b.sequence_number);
  EXPECT_EQ(a.split_offsets, b.split_offsets);
  EXPECT_EQ(a.tags, b.tags);
}

TEST(TaskResultTest, NothingIsLostOnTheWay) {
  const Bytes bytes = EncodeTaskResult({.files = {Example(), DataFile{.path = "b"}}});
  ASSERT_OK_AND_ASSIGN(const TaskResult result, DecodeTaskResult(bytes));
  ASSERT_EQ(result.files.size(), 2U);
  ExpectSame(result.files[0], Example());
  ExpectSame(result.files[1], DataFile{.path = "b"});
  EXPECT_TRUE(std::signbit(std::get<double>(result.files[0].partition[3])));
  ASSERT_OK_AND_ASSIGN(const TaskResult none, DecodeTaskResult(EncodeTaskResult({})));
  EXPECT_TRUE(none.files.empty());
}

TEST(TaskResultTest, DamageIsNamed) {
  const Bytes bytes = EncodeTaskResult({.files = {Example()}});
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_ERROR(DecodeTaskResult(std::string_view(bytes).substr(0, length)), ErrorCode::kCorrupt);
  }
  EXPECT_ERROR(DecodeTaskResult(bytes + "x"), ErrorCode::kCorrupt);
  Bytes renamed = bytes;
  renamed.replace(renamed.find("record_count"), 12, "record_kount");
  const auto missing = DecodeTaskResult(renamed);
  EXPECT_ERROR(missing, ErrorCode::kCorrupt);
  EXPECT_THAT(missing.error().message, HasSubstr("file 1: 'record_count' is missing"));
  Bytes newer = bytes;
  newer[newer.find("layout") + 6] = 2;
  EXPECT_ERROR(DecodeTaskResult(newer), ErrorCode::kUnsupported);
}

constexpr const char* kTaskFolder = "TARN_TASK_FOLDER";

// What the task of the next test does, in a process of its own.
TEST(TaskResultTest, DISABLED_TheTask) {
  const char* const folder = std::getenv(kTaskFolder);
  if (folder == nullptr) GTEST_SKIP() << "AnotherProcessIsTheTask starts it";
  TableMetadata metadata;
  metadata.schema = SchemaOf({Col(1, "id", "bigint"), Col(2, "name", "string")});
  metadata.specs = {*IdentitySpec(metadata.schema, {"name"})};
  SystemRuntime system({.threads = 1});
  ASSERT_OK_AND_ASSIGN(const auto storage, MakeLocalStorage(folder, CreateRoot::kNo));
  const TableHome home{*Path::Make("t"), *storage, {}, {}};
  const auto parquet = MakeParquetFormat(system.runtime());
  TableWriterOptions options;
  options.ticket.statistics_ids = {1, 2};
  ASSERT_OK_AND_ASSIGN(
      auto writer, MakeTableWriter(system.runtime(), *storage, home, *parquet, metadata, options));
  ASSERT_OK(writer->Write(BatchOf(metadata.schema, R"([[1, "a"], [2, "b"], [3, "a"]])")));
  TaskResult result;
  ASSERT_OK_AND_ASSIGN(result.files, writer->Finish());
  std::ofstream(std::string(folder) + "/result", std::ios::binary) << EncodeTaskResult(result);
}

// Another process writes the files, this one reads what it says of them. It is started, not forked:
// Arrow's allocator and the thread sanitizer do not agree about forks.
TEST(TaskResultTest, AnotherProcessIsTheTask) {
  const testing::TempFolder folder;
  ASSERT_EQ(setenv(kTaskFolder, folder.path().c_str(), 1), 0);
  std::string program = "/proc/self/exe";
  std::string filter = "--gtest_filter=TaskResultTest.DISABLED_TheTask";
  std::string also = "--gtest_also_run_disabled_tests";
  std::string output = "--gtest_output=";
  const std::array<char*, 5> arguments{program.data(), filter.data(), also.data(), output.data(),
                                       nullptr};
  pid_t task = -1;
  ASSERT_EQ(posix_spawn(&task, program.c_str(), nullptr, nullptr, arguments.data(), environ), 0);
  int status = -1;
  ASSERT_EQ(waitpid(task, &status, 0), task);
  ASSERT_EQ(status, 0);
  ASSERT_EQ(unsetenv(kTaskFolder), 0);
  std::ifstream file(folder.path() + "/result", std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  ASSERT_OK_AND_ASSIGN(const TaskResult result, DecodeTaskResult(bytes));
  ASSERT_EQ(result.files.size(), 2U);
  EXPECT_EQ(result.files[0].partition, std::vector<Value>{Value(std::string("a"))});
  EXPECT_EQ(result.files[0].record_count, 2);
  EXPECT_EQ(result.files[0].statistics[0].lower, Value(int64_t{1}));
  EXPECT_EQ(result.files[0].statistics[0].upper, Value(int64_t{3}));
  EXPECT_EQ(result.files[1].record_count, 1);
}

}  // namespace
}  // namespace tarn
