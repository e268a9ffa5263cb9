#include "tarn/cli/print/result_writer.h"

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/ipc/reader.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::cli {
namespace {

// (1, "a,b"), (NULL, ""), (3, NULL) in two batches.
class Rows final : public BatchStream {
 public:
  explicit Rows(bool empty = false) : at_(empty ? 2 : 0) {}
  std::shared_ptr<arrow::Schema> schema() const override {
    return arrow::schema(
        {arrow::field("n", arrow::int64()), arrow::field("te\"xt", arrow::utf8())});
  }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (at_ == 2) return nullptr;
    arrow::Int64Builder numbers;
    arrow::StringBuilder texts;
    bool ok = true;
    if (at_++ == 0) {
      ok = numbers.Append(1).ok() && numbers.AppendNull().ok() && texts.Append("a,b").ok() &&
           texts.Append("").ok();
    } else {
      ok = numbers.Append(3).ok() && texts.AppendNull().ok();
    }
    EXPECT_TRUE(ok);
    const auto array = numbers.Finish().ValueOrDie();
    return arrow::RecordBatch::Make(schema(), array->length(),
                                    {array, texts.Finish().ValueOrDie()});
  }

 private:
  int at_;
};

std::string Written(ResultOptions options, bool empty = false) {
  tarn::testing::FakeRuntime fake;
  std::string out;
  Rows rows(empty);
  const Status status = WriteResult(fake.runtime, rows, options, [&](std::string_view bytes) {
    out += bytes;
    return OkStatus();
  });
  EXPECT_TRUE(status.ok()) << tarn::testing::ErrorText(status);
  return out;
}

TEST(ResultWriter, Csv) {
  EXPECT_EQ(Written({.format = ResultFormat::kCsv}), "n,\"te\"\"xt\"\n1,\"a,b\"\n,\"\"\n3,\n");
  EXPECT_EQ(Written({.format = ResultFormat::kCsv}, true), "n,\"te\"\"xt\"\n");
}

TEST(ResultWriter, Json) {
  EXPECT_EQ(Written({.format = ResultFormat::kJson}),
            "[\n{\"n\":1,\"te\\\"xt\":\"a,b\"},\n{\"n\":null,\"te\\\"xt\":\"\"},\n{\"n\":3,"
            "\"te\\\"xt\":null}\n]\n");
  EXPECT_EQ(Written({.format = ResultFormat::kJson}, true), "[]\n");
  EXPECT_EQ(Written({.format = ResultFormat::kJsonLines}, true), "");
  EXPECT_TRUE(Written({.format = ResultFormat::kJsonLines})
                  .starts_with("{\"n\":1,\"te\\\"xt\":\"a,b\"}\n"));
}

TEST(ResultWriter, Table) {
  EXPECT_EQ(Written({}),
            "┌──────┬───────┐\n"
            "│    n │ te\"xt │\n"
            "├──────┼───────┤\n"
            "│    1 │ a,b   │\n"
            "│ NULL │       │\n"
            "│    3 │ NULL  │\n"
            "└──────┴───────┘\n"
            "3 rows\n");
  const std::string cut = Written({.table_rows_max = 1});
  EXPECT_NE(cut.find("3 rows (the first 1 shown"), std::string::npos) << cut;
}

TEST(ResultWriter, Markdown) {
  EXPECT_EQ(Written({.format = ResultFormat::kMarkdown}),
            "| n | te\"xt |\n| ---: | --- |\n| 1 | a,b |\n| NULL |  |\n| 3 | NULL |\n");
}

TEST(ResultWriter, ArrowReadsBack) {
  const std::string bytes = Written({.format = ResultFormat::kArrow});
  auto reader = arrow::ipc::RecordBatchStreamReader::Open(
                    std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes)))
                    .ValueOrDie();
  int64_t rows = 0;
  while (true) {
    std::shared_ptr<arrow::RecordBatch> batch;
    ASSERT_TRUE(reader->ReadNext(&batch).ok());
    if (batch == nullptr) break;
    rows += batch->num_rows();
  }
  EXPECT_EQ(rows, 3);
}

TEST(ResultWriter, StopsWhenCancelledOrTheReaderIsGone) {
  tarn::testing::FakeRuntime fake;
  Rows rows;
  EXPECT_ERROR(WriteResult(fake.runtime, rows, {.format = ResultFormat::kCsv},
                           [](std::string_view) { return Status(Unavailable("pipe")); }),
               ErrorCode::kUnavailable);
  fake.cancellation.Cancel();
  EXPECT_ERROR(WriteResult(fake.runtime, rows, {}, [](std::string_view) { return OkStatus(); }),
               ErrorCode::kCancelled);
}

TEST(ResultFormat, IsKnownByName) {
  ASSERT_OK_AND_ASSIGN(const ResultFormat format, ParseResultFormat("JSONL"));
  EXPECT_EQ(format, ResultFormat::kJsonLines);
  const auto unknown = ParseResultFormat("jsn");
  EXPECT_ERROR(unknown, ErrorCode::kInvalid);
  EXPECT_NE(unknown.error().message.find("did you mean 'json'"), std::string::npos);
}

}  // namespace
}  // namespace tarn::cli
