#include "tarn/datafile/json_cursor.h"

#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "tarn/base/utf8.h"
#include "tarn/datafile/text_values.h"

namespace tarn {

// ---- JsonCursor

namespace {

constexpr std::array<JsonCursor::Token, 256> MakeTokens() {
  using Token = JsonCursor::Token;
  std::array<Token, 256> tokens{};
  for (Token& token : tokens) token = Token::kBad;
  tokens['{'] = Token::kObject;
  tokens['['] = Token::kArray;
  tokens['"'] = Token::kString;
  tokens['t'] = Token::kTrue;
  tokens['f'] = Token::kFalse;
  tokens['n'] = Token::kNull;
  tokens['-'] = Token::kNumber;
  for (size_t digit = '0'; digit <= '9'; ++digit) tokens[digit] = Token::kNumber;
  return tokens;
}

}  // namespace

const std::array<JsonCursor::Token, 256> JsonCursor::kTokens = MakeTokens();

bool JsonCursor::FailHere() {
  if (!within_line()) return Fail("invalid JSON: the line is cut off");
  const char c = byte();
  if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) >= 0x7F) {
    return Fail("invalid JSON: an unexpected character");
  }
  return Fail(std::string("invalid JSON: unexpected '") + c + "'");
}

bool JsonCursor::Number(std::string_view* raw, bool* integer) {
  const char* const begin = text_.data() + tokens_[at_];
  const auto digit = [](char c) { return static_cast<unsigned char>(c - '0') < 10; };
  const char* p = begin;
  *integer = true;
  if (*p == '-') ++p;
  if (!digit(*p)) return Fail("invalid JSON: not a number");
  if (*p == '0') {
    ++p;
  } else {
    while (digit(*p)) ++p;
  }
  if (*p == '.') {
    *integer = false;
    ++p;
    if (!digit(*p)) return Fail("invalid JSON: not a number");
    while (digit(*p)) ++p;
  }
  if (*p == 'e' || *p == 'E') {
    *integer = false;
    ++p;
    if (*p == '+' || *p == '-') ++p;
    if (!digit(*p)) return Fail("invalid JSON: not a number");
    while (digit(*p)) ++p;
  }
  if (!EndsScalar(p)) return Fail("invalid JSON: not a number");
  *raw = {begin, static_cast<size_t>(p - begin)};
  ++at_;
  return true;
}

bool JsonCursor::Literal(Token token) {
  const std::string_view word = token == Token::kTrue    ? "true"
                                : token == Token::kFalse ? "false"
                                                         : "null";
  const char* const begin = text_.data() + tokens_[at_];
  if (std::memcmp(begin, word.data(), word.size()) != 0 || !EndsScalar(begin + word.size())) {
    return Fail("invalid JSON: not a value");
  }
  ++at_;
  return true;
}

bool JsonCursor::Skip(std::string_view* text) {
  const char* const begin = here();
  if (!Skip()) return false;
  // The next token comes behind white space at most, and a comma or bracket is a token.
  const char* end = here();
  while (end[-1] == ' ' || end[-1] == '\n' || end[-1] == '\r' || end[-1] == '\t') --end;
  *text = {begin, static_cast<size_t>(end - begin)};
  return true;
}

bool JsonCursor::Skip() {
  constexpr size_t kDepthMax = 1000;
  std::string open;  // the closing bracket of each level
  std::string_view raw;
  bool integer = false;
  for (;;) {
    // A value.
    const Token kind = token();
    switch (kind) {
      case Token::kObject:
        ++at_;
        if (Take('}')) break;
        if (open.size() >= kDepthMax) return Fail("nested too deeply");
        open.push_back('}');
        if (!Key(&raw)) return false;
        continue;
      case Token::kArray:
        ++at_;
        if (Take(']')) break;
        if (open.size() >= kDepthMax) return Fail("nested too deeply");
        open.push_back(']');
        continue;
      case Token::kString:
        if (!String(&raw)) return false;
        break;
      case Token::kNumber:
        if (!Number(&raw, &integer)) return false;
        break;
      case Token::kTrue:
      case Token::kFalse:
      case Token::kNull:
        if (!Literal(kind)) return false;
        break;
      case Token::kBad:
        return FailHere();
    }
    // What follows it: closing brackets, then a comma or the end.
    while (!open.empty() && Take(open.back())) open.pop_back();
    if (open.empty()) return true;
    if (!Take(',')) return FailHere();
    if (open.back() == '}' && !Key(&raw)) return false;
  }
}

std::string JsonCursor::DescribeAt(uint32_t mark) const {
  JsonCursor probe = *this;
  probe.at_ = mark;
  std::string_view raw;
  bool integer = false;
  switch (probe.token()) {
    case Token::kObject:
      return "object";
    case Token::kArray:
      return "list";
    case Token::kString: {
      if (!probe.String(&raw)) return "string";
      std::string text(raw.size(), '\0');
      size_t size = 0;
      if (UnescapeJson(raw, text.data(), &size)) {
        text.resize(size);
      } else {
        text = raw;
      }
      return "string \"" + Shown(text) + "\"";
    }
    case Token::kNumber:
      return probe.Number(&raw, &integer) ? "number " + Shown(raw) : "number";
    case Token::kTrue:
      return "boolean true";
    case Token::kFalse:
      return "boolean false";
    case Token::kNull:
      return "null";
    case Token::kBad:
      break;
  }
  return "nothing";
}

// ---- UnescapeJson

namespace {

// Four hex digits at `p`, or -1.
int32_t FourHex(const char* p) {
  int32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i];
    int32_t digit = 0;
    if (c >= '0' && c <= '9') {
      digit = c - '0';
    } else if (c >= 'a' && c <= 'f') {
      digit = c - 'a' + 10;
    } else if (c >= 'A' && c <= 'F') {
      digit = c - 'A' + 10;
    } else {
      return -1;
    }
    value = value * 16 + digit;
  }
  return value;
}

// The code point of "\uXXXX" (or of a pair of them) at *p, which moves behind it; -1 when it is
// none.
int32_t EscapedCodePoint(const char** p, const char* end) {
  if (end - *p < 6) return -1;
  const int32_t unit = FourHex(*p + 2);
  *p += 6;
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || end - *p < 6 || (*p)[0] != '\\' || (*p)[1] != 'u') return -1;
  const int32_t low = FourHex(*p + 2);
  if (low < 0xDC00 || low > 0xDFFF) return -1;
  *p += 6;
  return 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
}

}  // namespace

bool UnescapeJson(std::string_view raw, char* out, size_t* size) {
  const char* p = raw.data();
  const char* const end = p + raw.size();
  char* const begin = out;
  while (p < end) {
    const void* next = std::memchr(p, '\\', static_cast<size_t>(end - p));
    const char* const stop = next == nullptr ? end : static_cast<const char*>(next);
    std::memmove(out, p, static_cast<size_t>(stop - p));
    out += stop - p;
    p = stop;
    if (p == end) break;
    if (end - p < 2) return false;
    if (p[1] == 'u') {
      const int32_t code = EscapedCodePoint(&p, end);
      if (code < 0) return false;
      out = WriteUtf8(static_cast<uint32_t>(code), out);
      continue;
    }
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const size_t which = kEscapes.find(p[1]);
    if (which == std::string_view::npos) return false;
    *out++ = kMeanings[which];
    p += 2;
  }
  *size = static_cast<size_t>(out - begin);
  return true;
}

bool UnescapeJson(std::string_view raw, std::string& scratch, std::string_view* text, bool padded) {
  if (!padded && raw.find('\\') == std::string_view::npos) {
    *text = raw;
    return true;
  }
  if (scratch.size() < raw.size() + JsonIndex::kPadding) {
    scratch.resize(2 * raw.size() + JsonIndex::kPadding);
  }
  size_t size = 0;
  if (!UnescapeJson(raw, scratch.data(), &size)) return false;
  *text = {scratch.data(), size};
  return true;
}

// ---- JsonLineWalker

namespace {

// Small enough that text, index and columns stay in the caches.
constexpr size_t kPieceBytes = size_t{256} << 10;

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

int64_t JsonLineWalker::Walk(std::string_view block, const Row& row, const Bad& bad) {
  int64_t lines = 0;
  while (!block.empty()) {
    size_t size = block.size();
    if (size > kPieceBytes) {
      size_t end = block.rfind('\n', kPieceBytes - 1);
      if (end == std::string_view::npos) end = block.find('\n', kPieceBytes);
      if (end != std::string_view::npos) size = end + 1;
    }
    const std::string_view piece = block.substr(0, size);
    block.remove_prefix(size);
    const bool indexed = index_.Build(piece) == nullptr;
    if (indexed) cursor_.Attach(piece, index_);
    lines += WalkLines(piece, lines, indexed, row, bad);
  }
  return lines;
}

int64_t JsonLineWalker::WalkLines(std::string_view piece, int64_t first_line, bool indexed,
                                  const Row& row, const Bad& bad) {
  int64_t lines = 0;
  size_t begin = 0;
  while (begin < piece.size()) {
    const void* found = std::memchr(piece.data() + begin, '\n', piece.size() - begin);
    const size_t end = found == nullptr
                           ? piece.size()
                           : static_cast<size_t>(static_cast<const char*>(found) - piece.data());
    std::string_view line = piece.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const int64_t number = first_line + lines;
    if (indexed) {
      cursor_.SkipTo(static_cast<uint32_t>(begin));
      cursor_.BeginLine(static_cast<uint32_t>(end));
      if (cursor_.within_line()) row(number, line);
    } else if (!IsBlank(line)) {
      // Read past the line's end stays inside the piece or its padding.
      if (const char* why = index_.Build(line)) {
        bad(number, line, why);
      } else {
        cursor_.Attach(line, index_);
        cursor_.BeginLine(static_cast<uint32_t>(line.size()));
        row(number, line);
      }
    }
    ++lines;
    begin = end + 1;
  }
  return lines;
}

}  // namespace tarn
