#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tarn/datafile/json_index.h"

namespace tarn {

// A place in indexed text, with the checks of JSON's grammar that every walk needs. A failed call
// has put its reason into problem().
class JsonCursor {
 public:
  // What a value begins with.
  enum class Token : uint8_t { kObject, kArray, kString, kNumber, kTrue, kFalse, kNull, kBad };

  void Attach(std::string_view text, const JsonIndex& index) {
    text_ = text;
    tokens_ = index.begin();
    token_count_ = index.size();
    at_ = 0;
  }

  uint32_t position() const { return tokens_[at_]; }
  bool at_end() const { return at_ >= token_count_; }
  // Confines the walk to the line that ends (before its LF) at `line_end`.
  void BeginLine(uint32_t line_end) { line_end_ = line_end; }
  // To the first token of a text that is one line.
  void AttachLine(std::string_view text, const JsonIndex& index) {
    Attach(text, index);
    BeginLine(static_cast<uint32_t>(text.size()));
  }
  // Goes to the first token at or after `offset`.
  void SkipTo(uint32_t offset) {
    while (at_ < token_count_ && tokens_[at_] < offset) ++at_;
  }
  bool within_line() const { return tokens_[at_] < line_end_; }

  char byte() const { return *here(); }
  // The text from this token on.
  const char* here() const { return text_.data() + tokens_[at_]; }
  Token token() const {
    return within_line() ? kTokens[static_cast<unsigned char>(byte())] : Token::kBad;
  }
  void Advance() { ++at_; }
  // To come back to this token.
  uint32_t mark() const { return at_; }
  void Return(uint32_t mark) { at_ = mark; }
  bool Take(char wanted) {
    if (!within_line() || byte() != wanted) return false;
    ++at_;
    return true;
  }

  // The string at hand as it stands between its quotes, escapes and all; moves on.
  bool String(std::string_view* raw) {
    // The next token begins behind the closing quote, with nothing but white space between.
    const char* const begin = text_.data() + tokens_[at_] + 1;
    const char* end = text_.data() + tokens_[at_ + 1] - 1;
    while (*end != '"') --end;  // the opening quote at the latest
    if (end < begin) return Fail("invalid JSON: a string is not closed");
    *raw = {begin, static_cast<size_t>(end - begin)};
    ++at_;
    return true;
  }
  // The same for the name of a member and the colon behind it.
  bool Key(std::string_view* raw) {
    if (!within_line() || byte() != '"' || !String(raw)) return FailHere();
    if (!within_line() || byte() != ':') return FailHere();
    ++at_;
    return true;
  }
  // The number at hand, checked against JSON's grammar; moves on. `integer`: neither point nor
  // exponent.
  bool Number(std::string_view* raw, bool* integer);
  // true, false or null, whichever the token said; moves on.
  bool Literal(Token token);
  // Any value, checked but not kept; moves on.
  bool Skip();
  // The same, and its text.
  bool Skip(std::string_view* text);
  // The object at hand: calls member(raw name) at each member's value, which it moves behind. False
  // as soon as a call says so.
  template <typename Member>
  bool Object(Member&& member) {
    if (token() != Token::kObject) return FailHere();
    Advance();
    if (Take('}')) return true;
    for (;;) {
      std::string_view name;
      if (!Key(&name) || !member(name)) return false;
      if (Take('}')) return true;
      if (!Take(',')) return FailHere();
    }
  }

  // Kind and text of the value at hand: `string "seven"`, `number 2.5`, `object`. For messages.
  std::string Describe() const { return DescribeAt(at_); }
  std::string DescribeAt(uint32_t mark) const;

  const std::string& problem() const { return problem_; }
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  // "cut off" or "unexpected '}'", for a token that may not stand here.
  bool FailHere();

 private:
  static const std::array<Token, 256> kTokens;

  bool EndsScalar(const char* p) const {
    const char c = *p;
    return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t' ||
           p == text_.data() + text_.size();
  }

  std::string_view text_;
  const uint32_t* tokens_ = nullptr;
  uint32_t token_count_ = 0;
  uint32_t at_ = 0;
  uint32_t line_end_ = 0;
  std::string problem_;
};

// The text of a raw string: escapes decoded. False for a bad escape or a lone surrogate.
// `out` has room for raw.size() bytes; *size is what was used.
bool UnescapeJson(std::string_view raw, char* out, size_t* size);
// The same into `text`, with JsonIndex::kPadding bytes behind it in `scratch`; a raw string without
// escapes is `text` itself, unless `padded` asks for a copy.
bool UnescapeJson(std::string_view raw, std::string& scratch, std::string_view* text,
                  bool padded = false);

// Walks the lines of a block: for each line that is not blank, `row(line_number_in_block, line)`
// with the cursor at the line's first token; a trailing CR is no part of `line`. A piece that
// cannot be tokenised as a whole is tokenised line by line, and lines that cannot be are given to
// `bad`. Returns how many lines there were, blank ones and an unfinished last one included.
class JsonLineWalker {
 public:
  using Row = std::function<void(int64_t line, std::string_view text)>;
  using Bad = std::function<void(int64_t line, std::string_view text, const char* why)>;

  int64_t Walk(std::string_view block, const Row& row, const Bad& bad);
  JsonCursor& cursor() { return cursor_; }

 private:
  int64_t WalkLines(std::string_view piece, int64_t first_line, bool indexed, const Row& row,
                    const Bad& bad);
  JsonIndex index_;
  JsonCursor cursor_;
};

}  // namespace tarn
