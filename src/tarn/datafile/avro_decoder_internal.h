#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/datafile/avro_plan_internal.h"

namespace tarn {

// Rows of blocks into columns, by a plan. Not thread-safe; one decoder makes many batches.
class AvroDecoder {
 public:
  explicit AvroDecoder(std::shared_ptr<const AvroPlan> plan);
  ~AvroDecoder();
  AvroDecoder(const AvroDecoder&) = delete;
  AvroDecoder& operator=(const AvroDecoder&) = delete;

  // Begins a block: what is not decoded of the one before is forgotten. `rows` has
  // AvroBuffer::kPadding readable bytes behind it and outlives the decoding. kCorrupt when
  // `row_count` rows cannot stand in so few bytes.
  Status Begin(BytesView rows, int64_t row_count);
  // Rows of the block that are not yet decoded.
  int64_t rows_left() const { return rows_left_; }

  // Decodes rows of the block behind those already in the columns: until the block ends, the
  // columns have `rows_max` rows, or about 64 MiB. kCorrupt naming the field, its place in the
  // block, what was expected and got; after it the decoder is of no more use.
  Status Decode(int64_t rows_max);
  bool full() const { return full_; }
  int64_t row_count() const { return row_count_; }

  // The rows decoded so far; the columns are empty then. kCorrupt for text that is not UTF-8.
  Result<std::shared_ptr<arrow::RecordBatch>> Finish();

 private:
  struct Column;
  struct Failure;

  const uint8_t* Run(int32_t begin, int32_t end, int32_t level, int64_t count, const uint8_t* p,
                     const uint8_t* bytes_end);
  const uint8_t* RunList(const AvroOp& op, int32_t at, const uint8_t* p, const uint8_t* bytes_end);
  const uint8_t* SkipItems(const AvroOp& op, int32_t at, const uint8_t* p,
                           const uint8_t* bytes_end);
  const uint8_t* Branch(const AvroOp& op, int32_t at, const uint8_t* p, int32_t* next);
  const uint8_t* Fail(int32_t op, const uint8_t* p, std::string why);
  const uint8_t* FailLong(int32_t op, const uint8_t* p, const char* expected);

  bool Reserve(int32_t level, int64_t count);
  bool Grow(Column& column, int64_t count);
  bool GrowText(Column& column, int64_t bytes);
  bool AppendText(Column& column, const uint8_t* bytes, int64_t size);
  bool AppendNull(int32_t column);
  int64_t BytesHeld() const;
  Result<std::shared_ptr<arrow::ArrayData>> FinishColumn(int32_t column, int64_t length);
  Result<std::shared_ptr<arrow::ArrayData>> FinishText(const AvroColumn& plan, Column& column,
                                                       std::shared_ptr<arrow::Buffer> validity,
                                                       int64_t nulls);

  const std::shared_ptr<const AvroPlan> plan_;
  std::vector<Column> columns_;
  const uint8_t* begin_ = nullptr;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  int64_t rows_left_ = 0;
  int64_t row_count_ = 0;
  int64_t empty_items_ = 0;  // list items of no bytes in this block
  int64_t bytes_reserved_ = 0;
  bool full_ = false;
  std::unique_ptr<Failure> failure_;
};

}  // namespace tarn
