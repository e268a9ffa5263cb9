#include "tarn/datafile/text_source_blocks.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "tarn/base/text.h"

namespace tarn {

TextBlock TextBlock::Of(std::string_view text) {
  TextBlock block(text.size());
  std::copy(text.begin(), text.end(), block.data());
  std::memset(block.data() + text.size(), 0, kPadding);
  block.set_size(text.size());
  return block;
}

TextBlockReader::TextBlockReader(std::unique_ptr<ByteStream> stream, TextBlockOptions options)
    : stream_(std::move(stream)), options_(options) {}

size_t TextBlockReader::LastRecordEnd(std::string_view text) const {
  if (options_.record_end == RecordEnd::kLine ||
      std::memchr(text.data(), '"', text.size()) == nullptr) {
    const size_t last = text.rfind('\n');
    return last == std::string_view::npos ? 0 : last + 1;
  }
  // A block starts outside quotes, so the number of quotes before an LF says where it stands.
  bool quoted = std::count(text.begin(), text.end(), '"') % 2 != 0;
  for (size_t i = text.size(); i-- > 0;) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '\n' && !quoted) return i + 1;
  }
  return 0;
}

Result<std::optional<TextBlock>> TextBlockReader::Next(TextBlock reuse) {
  size_t wanted = std::max(options_.block_bytes, rest_.size() + 1);
  TextBlock block = reuse.capacity() >= wanted ? std::move(reuse) : TextBlock(wanted);
  wanted = block.capacity();
  size_t size = rest_.size();
  if (size > 0) std::memcpy(block.data(), rest_.data(), size);
  rest_ = {};
  for (;;) {
    if (!at_end_ && size < wanted) {
      TARN_ASSIGN_OR_RETURN(const size_t read, stream_->Read(block.data() + size, wanted - size));
      at_end_ = read < wanted - size;
      size += read;
    }
    if (at_start_) {
      at_start_ = false;
      const std::string_view head(block.data(), std::min<size_t>(size, 3));
      if (head.starts_with("\xFE\xFF") || head.starts_with("\xFF\xFE")) {
        return Invalid("the text is UTF-16 by its byte order mark; convert it to UTF-8");
      }
      if (head == "\xEF\xBB\xBF") {
        size -= 3;
        std::memmove(block.data(), block.data() + 3, size);
      }
    }
    if (size == 0 && at_end_) return std::optional<TextBlock>();
    const size_t end = at_end_ ? size : LastRecordEnd({block.data(), size});
    if (end > 0) {
      if (end < size) {
        rest_ = TextBlock(size - end);
        std::memcpy(rest_.data(), block.data() + end, size - end);
        rest_.set_size(size - end);
      }
      std::memset(block.data() + end, 0, TextBlock::kPadding);
      block.set_size(end);
      return std::optional<TextBlock>(std::move(block));
    }
    if (size >= options_.record_bytes_max) {
      return Invalid("a record is longer than " +
                     HumanBytes(static_cast<int64_t>(options_.record_bytes_max)) +
                     ", or a quote is not closed");
    }
    if (size == wanted) {  // one record fills the block: a larger one
      wanted = std::min(options_.record_bytes_max, wanted * 2);
      TextBlock larger(wanted);
      std::memcpy(larger.data(), block.data(), size);
      block = std::move(larger);
    }
  }
}

}  // namespace tarn
