#include "tarn/sql/tokenizer.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/base/utf8.h"

namespace tarn::sql {
namespace {

// Longest first among those that share a beginning.
constexpr std::array<std::string_view, 31> kOperators = {
    "!~~*", "<=>", "->>", "!~~", "~~*", "~~~", "<->", "!~*", "...", "==", "<=",
    ">=",   "<>",  "!=",  "||",  "::",  ":=",  "=>",  "->",  "//",  "**", "<<",
    ">>",   "&&",  "!~",  "~~",  "~*",  "^@",  "@>",  "<@",  "<:"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool StartsWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesWord(char c) { return StartsWord(c) || IsDigit(c) || c == '$'; }

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view sql) : sql_(sql) {}

  Result<std::vector<Token>> Run() {
    while (true) {
      TARN_RETURN_IF_ERROR(SkipSpace());
      if (at_ >= sql_.size()) break;
      TARN_RETURN_IF_ERROR(Next());
    }
    Add(TokenKind::kEnd, sql_.size());
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }
  bool Has(size_t ahead) const { return at_ + ahead < sql_.size(); }

  void Add(TokenKind kind, size_t end) {
    tokens_.push_back({kind,
                       {static_cast<uint32_t>(at_), static_cast<uint32_t>(end)},
                       sql_.substr(at_, end - at_)});
    at_ = end;
  }

  Error Unterminated(std::string_view what, size_t begin) const {
    return Invalid(fmt::format("sql: {}: {} is not closed",
                               PlaceToText(PlaceOf(sql_, static_cast<uint32_t>(begin))), what));
  }

  // The length of a space at at_, 0 if there is none: ASCII, and those of Unicode that people
  // paste.
  size_t SpaceLength() const {
    const char c = Peek();
    if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
    const std::string_view rest = sql_.substr(at_);
    if (rest.starts_with("\xC2\xA0")) return 2;
    if (rest.starts_with("\xE3\x80\x80") || rest.starts_with("\xEF\xBB\xBF")) return 3;
    if (rest.starts_with("\xE2\x80") && rest.size() > 2) {
      const auto last = static_cast<unsigned char>(rest[2]);
      if ((last >= 0x80 && last <= 0x8B) || last == 0xAF) return 3;
    }
    return 0;
  }

  Status SkipSpace() {
    while (at_ < sql_.size()) {
      if (const size_t length = SpaceLength(); length > 0) {
        at_ += length;
      } else if (Peek() == '-' && Peek(1) == '-') {
        at_ = std::min(sql_.find('\n', at_), sql_.size());
      } else if (Peek() == '/' && Peek(1) == '*') {
        TARN_RETURN_IF_ERROR(SkipBlockComment());
      } else {
        break;
      }
    }
    return OkStatus();
  }

  Status SkipBlockComment() {
    const size_t begin = at_;
    size_t depth = 0;
    while (at_ < sql_.size()) {
      if (Peek() == '/' && Peek(1) == '*') {
        ++depth;
        at_ += 2;
      } else if (Peek() == '*' && Peek(1) == '/') {
        at_ += 2;
        if (--depth == 0) return OkStatus();
      } else {
        ++at_;
      }
    }
    return Unterminated("the comment", begin);
  }

  // The end of a quoted run whose opening quote stands at `open`; the quote doubled stands for
  // itself, and so does one after a backslash if `backslashes`.
  std::optional<size_t> QuotedEnd(size_t open, char quote, bool backslashes) const {
    for (size_t i = open + 1; i < sql_.size(); ++i) {
      if (backslashes && sql_[i] == '\\') {
        ++i;
      } else if (sql_[i] == quote) {
        if (i + 1 < sql_.size() && sql_[i + 1] == quote) {
          ++i;
        } else {
          return i + 1;
        }
      }
    }
    return std::nullopt;
  }

  Status AddString(size_t open, bool backslashes) {
    const auto end = QuotedEnd(open, '\'', backslashes);
    if (!end) return Unterminated("the string", at_);
    Add(TokenKind::kString, *end);
    return OkStatus();
  }

  Status Next() {
    const char c = Peek();
    if (c == '\'') return AddString(at_, false);
    if (c == '"' || c == '`') {
      const auto end = QuotedEnd(at_, c, false);
      if (!end) return Unterminated(fmt::format("the identifier in {}", c), at_);
      Add(TokenKind::kQuotedIdentifier, *end);
      return OkStatus();
    }
    if (StartsWord(c)) return AddWord();
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)) && !FollowsName())) {
      AddNumber();
      return OkStatus();
    }
    if (c == '$') return AddDollar();
    if (c == '?') {
      size_t end = at_ + 1;
      while (end < sql_.size() && IsDigit(sql_[end])) ++end;
      Add(TokenKind::kParameter, end);
      return OkStatus();
    }
    for (const std::string_view symbol : kOperators) {
      if (sql_.substr(at_).starts_with(symbol)) {
        Add(TokenKind::kOperator, at_ + symbol.size());
        return OkStatus();
      }
    }
    Add(TokenKind::kOperator, at_ + 1);
    return OkStatus();
  }

  // Whether the token that ends right here could be a name: then ".5" is a part of it.
  bool FollowsName() const {
    return !tokens_.empty() && tokens_.back().span.end == at_ && tokens_.back().IsIdentifier();
  }

  Status AddWord() {
    const char c = Peek();
    if (Peek(1) == '\'') {
      if (c == 'e' || c == 'E') return AddString(at_ + 1, true);
      if (c == 'x' || c == 'X' || c == 'b' || c == 'B' || c == 'n' || c == 'N') {
        return AddString(at_ + 1, false);
      }
    }
    size_t end = at_ + 1;
    while (end < sql_.size() && ContinuesWord(sql_[end])) ++end;
    // A pasted no-break space ends a word, though its bytes could continue one.
    for (size_t i = at_ + 1; i < end; ++i) {
      if (static_cast<unsigned char>(sql_[i]) < 0x80) continue;
      const size_t here = at_;
      at_ = i;
      const bool space = SpaceLength() > 0;
      at_ = here;
      if (space) {
        end = i;
        break;
      }
    }
    Add(TokenKind::kWord, end);
    return OkStatus();
  }

  void AddNumber() {
    size_t end = at_;
    if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X') && IsHexDigit(Peek(2))) {
      end += 2;
      while (end < sql_.size() && (IsHexDigit(sql_[end]) || sql_[end] == '_')) ++end;
      Add(TokenKind::kNumber, end);
      return;
    }
    const auto digits = [&] {
      while (end < sql_.size() && (IsDigit(sql_[end]) || sql_[end] == '_')) ++end;
    };
    digits();
    if (end < sql_.size() && sql_[end] == '.') {
      ++end;
      digits();
    }
    if (end < sql_.size() && (sql_[end] == 'e' || sql_[end] == 'E')) {
      size_t exponent = end + 1;
      if (exponent < sql_.size() && (sql_[exponent] == '+' || sql_[exponent] == '-')) ++exponent;
      if (exponent < sql_.size() && IsDigit(sql_[exponent])) {
        end = exponent;
        digits();
      }
    }
    Add(TokenKind::kNumber, end);
  }

  // $1, $name, or $tag$ … $tag$.
  Status AddDollar() {
    size_t end = at_ + 1;
    while (end < sql_.size() && (StartsWord(sql_[end]) || IsDigit(sql_[end]))) ++end;
    const bool tag = end == at_ + 1 || !IsDigit(sql_[at_ + 1]);
    if (tag && end < sql_.size() && sql_[end] == '$') {
      const std::string_view fence = sql_.substr(at_, end + 1 - at_);
      const size_t close = sql_.find(fence, end + 1);
      if (close == std::string_view::npos) {
        return Unterminated(fmt::format("the string in {}", fence), at_);
      }
      Add(TokenKind::kString, close + fence.size());
      return OkStatus();
    }
    Add(end == at_ + 1 ? TokenKind::kOperator : TokenKind::kParameter, end);
    return OkStatus();
  }

  const std::string_view sql_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
};

std::string Undoubled(std::string_view inner, char quote) {
  std::string plain;
  plain.reserve(inner.size());
  for (size_t i = 0; i < inner.size(); ++i) {
    plain += inner[i];
    if (inner[i] == quote && i + 1 < inner.size() && inner[i + 1] == quote) ++i;
  }
  return plain;
}

// PostgreSQL's escapes: \b \f \n \r \t, \ooo, \xhh, \uhhhh, \Uhhhhhhhh; others mean themselves.
std::string Unescaped(std::string_view inner) {
  std::string plain;
  plain.reserve(inner.size());
  const auto number = [&](size_t from, size_t digits_max, int base, uint32_t& value) {
    size_t used = 0;
    value = 0;
    while (used < digits_max && from + used < inner.size()) {
      const char c = inner[from + used];
      const int digit = IsDigit(c) ? c - '0' : IsHexDigit(c) ? (c | 0x20) - 'a' + 10 : 99;
      if (digit >= base) break;
      value = value * static_cast<uint32_t>(base) + static_cast<uint32_t>(digit);
      ++used;
    }
    return used;
  };
  for (size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] == '\'' && i + 1 < inner.size() && inner[i + 1] == '\'') ++i;
    if (inner[i] != '\\' || i + 1 >= inner.size()) {
      plain += inner[i];
      continue;
    }
    const char c = inner[++i];
    uint32_t value = 0;
    if (c >= '0' && c <= '7') {
      i += number(i, 3, 8, value) - 1;
      plain += static_cast<char>(value);
    } else if (c == 'x' && number(i + 1, 2, 16, value) > 0) {
      i += number(i + 1, 2, 16, value);
      plain += static_cast<char>(value);
    } else if (c == 'u' && number(i + 1, 4, 16, value) == 4) {
      i += 4;
      AppendUtf8(value, plain);
    } else if (c == 'U' && number(i + 1, 8, 16, value) == 8 && value <= 0x10FFFF) {
      i += 8;
      AppendUtf8(value, plain);
    } else {
      static constexpr std::string_view kFrom = "bfnrt";
      static constexpr std::string_view kTo = "\b\f\n\r\t";
      const size_t known = kFrom.find(c);
      plain += known == std::string_view::npos ? c : kTo[known];
    }
  }
  return plain;
}

}  // namespace

bool Token::Is(std::string_view keyword) const {
  return kind == TokenKind::kWord && AsciiEqualsIgnoreCase(text, keyword);
}

std::string Token::Value() const {
  if (kind == TokenKind::kQuotedIdentifier) {
    return Undoubled(text.substr(1, text.size() - 2), text.front());
  }
  if (kind != TokenKind::kString) return std::string(text);
  if (text.front() == '$') {
    const size_t fence = text.find('$', 1) + 1;
    return std::string(text.substr(fence, text.size() - 2 * fence));
  }
  if (text.front() == '\'') return Undoubled(text.substr(1, text.size() - 2), '\'');
  const std::string_view inner = text.substr(2, text.size() - 3);
  if (text.front() == 'e' || text.front() == 'E') return Unescaped(inner);
  return Undoubled(inner, '\'');
}

Result<std::vector<Token>> Tokenize(std::string_view sql) {
  if (sql.size() >= UINT32_MAX) return Invalid("sql: the text is longer than 4 GiB");
  return Tokenizer(sql).Run();
}

SourcePlace PlaceOf(std::string_view sql, uint32_t offset) {
  const std::string_view before = sql.substr(0, std::min<size_t>(offset, sql.size()));
  SourcePlace place;
  place.line += static_cast<int32_t>(std::count(before.begin(), before.end(), '\n'));
  const size_t newline = before.rfind('\n');
  const std::string_view line =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  place.column += static_cast<int32_t>(std::count_if(line.begin(), line.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
  return place;
}

std::string PlaceToText(const SourcePlace& place) {
  return fmt::format("line {}, column {}", place.line, place.column);
}

std::string QuoteName(std::string_view name) {
  std::string quoted = "\"";
  for (const char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

std::string QuoteString(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + "'";
}

}  // namespace tarn::sql
