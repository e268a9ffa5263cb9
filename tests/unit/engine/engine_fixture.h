#pragma once

#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tarn/engine/engine.h"
#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn::testing {

// Batches handed out one after another.
class ListStream final : public BatchStream {
 public:
  explicit ListStream(std::vector<std::shared_ptr<arrow::RecordBatch>> batches)
      : batches_(std::move(batches)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return batches_[0]->schema(); }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    return at_ < batches_.size() ? batches_[at_++] : nullptr;
  }

 private:
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches_;
  size_t at_ = 0;
};

// id int64, day string: one row for each pair.
inline std::shared_ptr<arrow::RecordBatch> Days(
    const std::vector<std::pair<int64_t, std::string>>& rows) {
  arrow::Int64Builder ids;
  arrow::StringBuilder days;
  for (const auto& [id, day] : rows) {
    EXPECT_TRUE(ids.Append(id).ok() && days.Append(day).ok());
  }
  return arrow::RecordBatch::Make(
      arrow::schema({arrow::field("id", arrow::int64()), arrow::field("day", arrow::utf8())}),
      static_cast<int64_t>(rows.size()), {ids.Finish().ValueOrDie(), days.Finish().ValueOrDie()});
}

// An engine over a fresh lake.
class EngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    lake_ = std::filesystem::canonical(folder_.path()).string() + "/lake";
    ASSERT_OK(Engine::InitLake(runtime(), lake_));
    ASSERT_OK_AND_ASSIGN(engine_, Engine::Open(runtime(), {.lake = lake_}));
  }

  Runtime& runtime() { return system_.runtime(); }

  Status Write(const std::string& table, const std::vector<std::pair<int64_t, std::string>>& rows,
               const Engine::WriteOptions& options = {}) {
    ListStream stream({Days(rows)});
    return engine_->Write(table, stream, options).status();
  }

  // Rows of what a read gives.
  Result<int64_t> Count(const ReadBuilder& read) {
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<BatchStream> rows, read.Batches());
    int64_t count = 0;
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
      if (batch == nullptr) return count;
      count += batch->num_rows();
    }
  }

  SystemRuntime system_{RuntimeOptions{.threads = 2}};
  TempFolder folder_;
  std::string lake_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace tarn::testing
