#include "tarn/datafile/text_source_blocks.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

class TextStream final : public ByteStream {
 public:
  explicit TextStream(std::string text) : text_(std::move(text)) {}
  Result<size_t> Read(char* out, size_t capacity) override {
    const size_t size = std::min(capacity, text_.size() - at_);
    std::memcpy(out, text_.data() + at_, size);
    at_ += size;
    return size;
  }
  int64_t consumed_bytes() const override { return static_cast<int64_t>(at_); }

 private:
  std::string text_;
  size_t at_ = 0;
};

Result<std::vector<std::string>> Blocks(const std::string& text, TextBlockOptions options) {
  TextBlockReader reader(std::make_unique<TextStream>(text), options);
  std::vector<std::string> blocks;
  TextBlock spent;
  for (;;) {
    TARN_ASSIGN_OR_RETURN(auto block, reader.Next(std::move(spent)));
    if (!block) return blocks;
    blocks.emplace_back(block->text());
    spent = std::move(*block);
  }
}

using Texts = std::vector<std::string>;

TEST(TextBlockReaderTest, CutsAtLines) {
  EXPECT_EQ(*Blocks("aa\nbb\ncc\ndd", {RecordEnd::kLine, 7, 100}), (Texts{"aa\nbb\n", "cc\ndd"}));
  EXPECT_EQ(*Blocks("a long line!\nbbbb\nc\n", {RecordEnd::kLine, 4, 100}),
            (Texts{"a long line!\n", "bbbb\nc\n"}));
  EXPECT_EQ(*Blocks("", {}), Texts{});
  EXPECT_EQ(*Blocks("\xEF\xBB\xBFid\n", {}), Texts{"id\n"});
  EXPECT_EQ(*Blocks("\xEF\xBB\xBF", {}), Texts{});
}

TEST(TextBlockReaderTest, KeepsQuotedLineEndsTogether) {
  EXPECT_EQ(*Blocks("a,\"x\ny\"\nb,c\nd,\"\"\"\n\"\n", {RecordEnd::kLineOutsideQuotes, 9, 100}),
            (Texts{"a,\"x\ny\"\n", "b,c\n", "d,\"\"\"\n\"\n"}));
}

TEST(TextBlockReaderTest, AnyBlockSizeGivesTheSameText) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += std::string(static_cast<size_t>(i * 31 % 90), 'x') + "\n";
  for (size_t size = 1; size < 200; size += 7) {
    ASSERT_OK_AND_ASSIGN(const Texts blocks, Blocks(text, {RecordEnd::kLine, size, 1000}));
    std::string all;
    for (const std::string& block : blocks) {
      EXPECT_TRUE(block.ends_with('\n'));
      all += block;
    }
    EXPECT_EQ(all, text);
  }
}

TEST(TextBlockReaderTest, RefusesWhatHasNoEnd) {
  EXPECT_ERROR(Blocks(std::string(1000, 'x') + "\n", {RecordEnd::kLine, 10, 100}),
               ErrorCode::kInvalid);
  EXPECT_ERROR(Blocks("\xFF\xFEi\0", {}), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
