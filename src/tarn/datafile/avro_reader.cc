#include "tarn/datafile/avro_reader.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/avro_blocks_internal.h"
#include "tarn/datafile/avro_decoder_internal.h"
#include "tarn/datafile/avro_plan_internal.h"
#include "tarn/datafile/avro_select_internal.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/conform_stream_internal.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;

constexpr const char* kInAvroReader = "avro";
std::string Where(const std::string& name) {
  return name.empty() ? kInAvroReader : "avro: " + name;
}

// Blocks that one thread decodes in a go: so much of the file, or the rows of a batch.
constexpr size_t kTaskBytes = size_t{2} << 20;

// Blocks, and what one thread needs to decode them.
class BlockTask {
 public:
  BlockTask(const AvroHeader& header, std::shared_ptr<const AvroPlan> plan)
      : null_codec_(header.codec == AvroCodec::kNull),
        plan_(std::move(plan)),
        packer_(header.codec),
        decoder_(plan_) {}

  // Takes blocks from `reader`: none at the end of the file.
  Status Take(AvroBlockReader& reader, int64_t rows) {
    count_ = 0;
    int64_t row_count = 0;
    size_t bytes = 0;
    while (row_count < rows && bytes < kTaskBytes) {
      if (count_ == blocks_.size()) blocks_.emplace_back();
      TARN_ASSIGN_OR_RETURN(const bool more, reader.Next(blocks_[count_]));
      if (!more) break;
      row_count += blocks_[count_].row_count;
      bytes += blocks_[count_].packed.size();
      ++count_;
    }
    return OkStatus();
  }
  bool empty() const { return count_ == 0; }

  Status Decode(const std::string& name, int64_t batch_rows, std::vector<BatchPtr>& batches) {
    size_t first = 0;
    for (size_t i = 0; i < count_; ++i) {
      AvroBlock& block = blocks_[i];
      if (plan_->columns.empty()) {  // only how many rows there are
        AddEmpty(block.row_count, batch_rows, batches);
        continue;
      }
      TARN_RETURN_IF_ERROR(In(block, name, Unpack(block)));
      TARN_RETURN_IF_ERROR(
          In(block, name,
             decoder_.Begin(null_codec_ ? block.packed.view() : rows_.view(), block.row_count)));
      while (decoder_.rows_left() > 0) {
        TARN_RETURN_IF_ERROR(In(block, name, decoder_.Decode(batch_rows)));
        if (!decoder_.full()) continue;
        TARN_RETURN_IF_ERROR(In(blocks_[first], name, Finish(batches)));
        first = i;
      }
    }
    if (decoder_.row_count() > 0) return In(blocks_[first], name, Finish(batches));
    return OkStatus();
  }

 private:
  static Status In(const AvroBlock& block, const std::string& name, Status status) {
    if (status.ok()) return status;
    return status.error().WithContext(block.Place(name));
  }

  Status Unpack(const AvroBlock& block) {
    return null_codec_ ? OkStatus() : packer_.Unpack(block.packed.view(), rows_);
  }

  Status Finish(std::vector<BatchPtr>& batches) {
    TARN_ASSIGN_OR_RETURN(auto batch, decoder_.Finish());
    batches.push_back(std::move(batch));
    return OkStatus();
  }

  void AddEmpty(int64_t rows, int64_t batch_rows, std::vector<BatchPtr>& batches) const {
    if (rows == 0) return;
    if (!batches.empty() && batches.back()->num_rows() + rows <= batch_rows) {
      rows += batches.back()->num_rows();
      batches.pop_back();
    }
    batches.push_back(arrow::RecordBatch::Make(plan_->schema, rows,
                                               std::vector<std::shared_ptr<arrow::Array>>()));
  }

  const bool null_codec_;
  const std::shared_ptr<const AvroPlan> plan_;
  AvroPacker packer_;
  AvroDecoder decoder_;
  AvroBuffer rows_;
  std::vector<AvroBlock> blocks_;  // kept for their memory; the first count_ are in use
  size_t count_ = 0;
};

class AvroStream final : public BatchStream {
 public:
  AvroStream(Runtime& runtime, std::shared_ptr<const ObjectReader> file, std::string name,
             std::shared_ptr<const AvroHeader> header, std::shared_ptr<const AvroPlan> plan,
             int64_t batch_rows)
      : runtime_(runtime),
        name_(std::move(name)),
        header_(std::move(header)),
        plan_(std::move(plan)),
        batch_rows_(std::max<int64_t>(batch_rows, 1)),
        blocks_(std::move(file), name_, header_) {}

  std::shared_ptr<arrow::Schema> schema() const override { return plan_->schema; }

  Result<BatchPtr> Next() override {
    while (ready_.empty() && !ended_) {
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      TARN_RETURN_IF_ERROR(DecodeSome());
    }
    if (ready_.empty()) {
      if (broken_) return *broken_;
      return BatchPtr();
    }
    BatchPtr batch = std::move(ready_.front());
    ready_.pop_front();
    return batch;
  }

 private:
  // The next blocks on all threads.
  Status DecodeSome() {
    const auto threads = static_cast<size_t>(runtime_.executor.threads());
    size_t count = 0;
    while (count < threads) {
      if (count == tasks_.size()) tasks_.push_back(std::make_unique<BlockTask>(*header_, plan_));
      const Status taken = tasks_[count]->Take(blocks_, batch_rows_);
      if (!taken.ok()) broken_ = taken.error();
      const bool empty = tasks_[count]->empty();
      if (!empty) ++count;
      ended_ = broken_.has_value() || empty;
      if (ended_) break;
    }
    std::vector<std::vector<BatchPtr>> decoded(count);
    const auto decode = [&](int64_t i) {
      return tasks_[static_cast<size_t>(i)]->Decode(name_, batch_rows_,
                                                    decoded[static_cast<size_t>(i)]);
    };
    Status status =
        count == 1 ? decode(0) : runtime_.executor.ParallelFor(static_cast<int64_t>(count), decode);
    if (!status.ok()) {
      broken_ = status.error();
      ended_ = true;
      return status;
    }
    for (auto& batches : decoded) {
      for (BatchPtr& batch : batches) ready_.push_back(std::move(batch));
    }
    return OkStatus();
  }

  Runtime& runtime_;
  const std::string name_;
  const std::shared_ptr<const AvroHeader> header_;
  const std::shared_ptr<const AvroPlan> plan_;
  const int64_t batch_rows_;
  AvroBlockReader blocks_;
  std::vector<std::unique_ptr<BlockTask>> tasks_;
  std::deque<BatchPtr> ready_;
  std::optional<Error> broken_;
  bool ended_ = false;
};

}  // namespace

Result<AvroFile> AvroFile::Open(std::shared_ptr<const ObjectReader> file, std::string name) {
  TARN_ASSIGN_OR_RETURN(auto header, ReadAvroHeader(*file, name));
  return AvroFile(std::move(file), std::move(name), std::move(header));
}

Result<std::unique_ptr<BatchStream>> AvroFile::Read(Runtime& runtime,
                                                    const AvroReadOptions& options) const {
  const AvroTypePtr& reader = options.reader != nullptr ? options.reader : header_->schema;
  auto plan = MakeAvroPlan(header_->schema, reader, options.match);
  if (!plan.ok()) return plan.error().WithContext(Where(name_));
  return std::unique_ptr<BatchStream>(std::make_unique<AvroStream>(
      runtime, file_, name_, header_, std::move(plan).value(), options.batch_rows));
}

Result<std::unique_ptr<BatchStream>> AvroFile::ReadColumns(Runtime& runtime,
                                                           const FileReadOptions& given) const {
  FileReadOptions options = given;
  options.match = MatchIn(given.match, HasAvroIds(*header_->schema));
  auto selected = SelectAvro(header_->schema, options);
  if (!selected.ok()) return selected.error().WithContext(Where(name_));
  TARN_ASSIGN_OR_RETURN(auto rows, Read(runtime, {.reader = std::move(selected).value(),
                                                  .batch_rows = options.batch_rows}));
  return MakeConformStream(std::move(rows), options);
}

Result<Schema> AvroFile::ReadSchema() const {
  auto plan = MakeAvroPlan(header_->schema, header_->schema, ColumnMatch::kByName);
  if (!plan.ok()) return plan.error().WithContext(Where(name_));
  return FromArrow(*(*plan)->schema);
}

}  // namespace tarn
