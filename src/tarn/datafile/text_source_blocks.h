#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "tarn/base/result.h"
#include "tarn/datafile/text_source.h"

namespace tarn {

// Whole records of a text, with 64 readable bytes behind them (what JsonIndex may look at).
class TextBlock {
 public:
  static constexpr size_t kPadding = 64;

  TextBlock() = default;
  // Room for `capacity` bytes and the padding, not initialised.
  explicit TextBlock(size_t capacity) : data_(new char[capacity + kPadding]), capacity_(capacity) {}
  // A copy of `text`: for tests and small inputs.
  static TextBlock Of(std::string_view text);

  std::string_view text() const { return {data_.get(), size_}; }
  char* data() { return data_.get(); }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  void set_size(size_t size) { size_ = size; }
  bool empty() const { return size_ == 0; }

 private:
  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

// Where a record ends: at an LF, or (CSV) at an LF outside quotes.
enum class RecordEnd : uint8_t { kLine, kLineOutsideQuotes };

struct TextBlockOptions {
  RecordEnd record_end = RecordEnd::kLine;
  size_t block_bytes = size_t{4} << 20;  // usual size of a block
  size_t record_bytes_max = size_t{256} << 20;
};

// Cuts a text into blocks of whole records. A byte order mark at its start is dropped. Not
// thread-safe.
class TextBlockReader {
 public:
  TextBlockReader(std::unique_ptr<ByteStream> stream, TextBlockOptions options);

  // The next block (never empty), or nothing at the end; the last may lack the final LF. `reuse`
  // may hand back the memory of a block that is done with. kInvalid for a record longer than
  // record_bytes_max and for UTF-16 (by its mark); else as ByteStream::Read.
  Result<std::optional<TextBlock>> Next(TextBlock reuse = {});

  int64_t consumed_bytes() const { return stream_->consumed_bytes(); }

 private:
  // One past the last record end in [0, block.size()), or 0 when there is none.
  size_t LastRecordEnd(std::string_view text) const;

  std::unique_ptr<ByteStream> stream_;
  const TextBlockOptions options_;
  TextBlock rest_;  // of the last read: the beginning of the next record
  bool at_start_ = true;
  bool at_end_ = false;
};

}  // namespace tarn
