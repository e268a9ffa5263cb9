#include "tarn/sql/tokenizer.h"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/base/utf8.h"
#include "tarn/sql/keyword.h"
#include "tarn/sql/places.h"

namespace tarn::sql {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool StartsWord(char c) { return IsLetter(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

constexpr std::array<bool, 256> kContinuesWord = [] {
  std::array<bool, 256> continues = {};
  for (int c = 0; c < 256; ++c) {
    continues[static_cast<size_t>(c)] = c >= 0x80 || (c >= 'a' && c <= 'z') ||
                                        (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                                        c == '_' || c == '$';
  }
  return continues;
}();
bool ContinuesWord(char c) { return kContinuesWord[static_cast<unsigned char>(c)]; }

// How long the operator at the beginning of `text` is: the longest one known, or one byte.
size_t OperatorLength(std::string_view text) {
  // Longest first among those that share a beginning.
  static constexpr std::array<std::string_view, 34> kLong = {
      "!~~*", "#>>", "#>", "<=>", "->>", "!~~", "~~*", "~~~", "<->", "!~*", "...", "==",
      "<=",   ">=",  "<>", "!=",  "||",  "::",  ":=",  "=>",  "->",  "//",  "**",  "<<",
      ">>",   "&&",  "!~", "~~",  "~*",  "^@",  "@>",  "<@",  "<:",  "|>"};
  const char c = text[0];
  // All of them go on with one of these; most operators are one byte, and end here.
  static constexpr std::string_view kContinuations = "=<>|:*~!@-.&^/";
  if (text.size() < 2 || kContinuations.find(text[1]) == std::string_view::npos) return 1;
  for (const std::string_view symbol : kLong) {
    if (symbol[0] == c && text.starts_with(symbol)) return symbol.size();
  }
  return 1;
}

// One class for both uses: strict, where the first thing unclosed is the error, and for scripts.
class Tokenizer {
 public:
  Tokenizer(std::string_view sql, const TokenRules& rules, bool script)
      : sql_(sql), rules_(rules), script_(script) {
    tokens_.reserve(sql.size() / 5 + TokenizedScript::kPadding);
  }

  Status Run() {
    while (true) {
      TARN_RETURN_IF_ERROR(SkipSpace());
      if (at_ >= sql_.size()) return OkStatus();
      TARN_RETURN_IF_ERROR(Next());
    }
  }

  void AddEnd() { Add(TokenKind::kEnd, sql_.size()); }
  std::vector<Token>& tokens() { return tokens_; }
  std::vector<Comment>& comments() { return comments_; }

 private:
  char Peek(size_t ahead = 0) const { return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0'; }
  char At(size_t position) const { return position < sql_.size() ? sql_[position] : '\0'; }

  void Add(TokenKind kind, size_t end) {
    const std::string_view text = sql_.substr(at_, end - at_);
    const bool known = script_ && (kind == TokenKind::kWord || kind == TokenKind::kOperator);
    tokens_.push_back({kind,
                       known ? FindKeyword(text) : KeywordId{0},
                       {static_cast<uint32_t>(at_), static_cast<uint32_t>(end)},
                       text});
    at_ = end;
  }

  // What begins at `begin` has no end: an error, or in a script one token.
  Status Unclosed(std::string_view what, size_t begin) {
    if (!script_) {
      return Invalid(fmt::format("sql: {}: {} is not closed",
                                 PlaceToText(PlaceOf(sql_, static_cast<uint32_t>(begin))), what));
    }
    at_ = begin;
    size_t end = begin;
    // Each was looked for up to the end of the text: of very many, the rest is one.
    if (++unclosed_ >= kUnclosedMax) {
      Add(TokenKind::kUnclosed, sql_.size());
      return OkStatus();
    }
    do {
      end = sql_.find(';', end + 1);
      if (end == std::string_view::npos) end = sql_.size();
    } while (end < sql_.size() && !EndsLine(end + 1));
    Add(TokenKind::kUnclosed, end);
    return OkStatus();
  }

  bool EndsLine(size_t at) const {
    while (at < sql_.size() && (sql_[at] == ' ' || sql_[at] == '\t' || sql_[at] == '\r')) ++at;
    return at >= sql_.size() || sql_[at] == '\n';
  }

  // The length of a space at `at`, 0 if there is none: ASCII, and those of Unicode that people
  // paste.
  size_t SpaceLength(size_t at) const {
    const char c = At(at);
    if (c == ' ' || (c >= '\t' && c <= '\r')) return 1;
    if (static_cast<unsigned char>(c) < 0x80) return 0;
    const std::string_view rest = sql_.substr(at);
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
      if (const size_t length = SpaceLength(at_); length > 0) {
        at_ += length;
      } else if (Peek() == '-' && Peek(1) == '-') {
        const size_t begin = at_;
        at_ = std::min(sql_.find('\n', at_), sql_.size());
        AddComment(begin);
      } else if (Peek() == '/' && Peek(1) == '*') {
        const size_t begin = at_;
        const size_t token_count = tokens_.size();
        TARN_RETURN_IF_ERROR(SkipBlockComment());
        if (tokens_.size() == token_count) AddComment(begin);  // else it is a kUnclosed token
      } else if (rules_.templates && Peek() == '{' && (Peek(1) == '%' || Peek(1) == '#')) {
        const size_t begin = at_;
        const size_t end =
            Peek(1) == '%' ? percent_closes_.After(at_ + 2) : hash_closes_.After(at_ + 2);
        if (end == std::string_view::npos) return OkStatus();
        at_ = end + 2;
        AddComment(begin);
      } else {
        break;
      }
    }
    return OkStatus();
  }

  void AddComment(size_t begin) {
    if (!script_) return;
    comments_.push_back({{static_cast<uint32_t>(begin), static_cast<uint32_t>(at_)},
                         sql_.substr(begin).starts_with("/*+")});
  }

  Status SkipBlockComment() {
    const size_t begin = at_;
    size_t depth = 0;
    while (at_ < sql_.size()) {
      if (Peek() == '/' && Peek(1) == '*' && (nests_ || depth == 0)) {
        ++depth;
        at_ += 2;
      } else if (Peek() == '*' && Peek(1) == '/') {
        at_ += 2;
        if (--depth == 0) return OkStatus();
      } else {
        ++at_;
      }
    }
    // Not all engines nest comments: there a second /* is only text, also in what follows.
    nests_ = false;
    const size_t first_end = sql_.find("*/", begin + 2);
    if (script_ && first_end != std::string_view::npos) {
      at_ = first_end + 2;
      return OkStatus();
    }
    return Unclosed("the comment", begin);
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
    const auto end = QuotedEnd(open, sql_[open], backslashes);
    if (!end) return Unclosed("the string", at_);
    Add(TokenKind::kString, *end);
    return OkStatus();
  }

  bool OpensString(char c) const { return c == '\'' || (c == '"' && rules_.double_quoted_strings); }

  Status Next() {
    const char c = Peek();
    if (StartsWord(c)) return AddWord();
    if (OpensString(c)) return AddString(at_, rules_.backslash_escapes);
    if (c == '"' || c == '`') {
      const auto end = QuotedEnd(at_, c, false);
      if (!end) return Unclosed(fmt::format("the identifier in {}", c), at_);
      Add(TokenKind::kQuotedIdentifier, *end);
      return OkStatus();
    }
    if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)) && !FollowsName())) {
      AddNumber();
      return OkStatus();
    }
    if (const size_t end = rules_.templates ? TemplateEnd(at_) : at_; end > at_) {
      Add(TokenKind::kTemplate, WordEnd(end));
      return OkStatus();
    }
    if (c == '$') return AddDollar();
    if (c == '?') {
      size_t end = at_ + 1;
      while (end < sql_.size() && IsDigit(sql_[end])) ++end;
      Add(TokenKind::kParameter, end);
      return OkStatus();
    }
    Add(TokenKind::kOperator, at_ + OperatorLength(sql_.substr(at_)));
    return OkStatus();
  }

  // The end of a ${…}, $[…] or {{ … }} that begins at `at`, else `at`. Braces inside nest.
  size_t TemplateEnd(size_t at) {
    if (At(at) == '{' && At(at + 1) == '{') {
      const size_t close = brace_closes_.After(at + 2);
      return close == std::string_view::npos ? at : close + 2;
    }
    if (At(at) != '$' || (At(at + 1) != '{' && At(at + 1) != '[')) return at;
    const char open = At(at + 1);
    const char close = open == '{' ? '}' : ']';
    size_t depth = 0;
    const size_t limit = std::min(at + kVariableBytesMax, sql_.size());
    for (size_t i = at + 1; i < limit; ++i) {
      if (sql_[i] == open) ++depth;
      if (sql_[i] == close && --depth == 0) return i + 1;
      if (sql_[i] == '\n' || sql_[i] == ';') break;
    }
    return at;
  }

  // Whether the token that ends right here could be a name: then ".5" is a part of it.
  bool FollowsName() const {
    return !tokens_.empty() && tokens_.back().span.end == at_ &&
           (tokens_.back().IsIdentifier() || tokens_.back().kind == TokenKind::kTemplate);
  }

  // The end of the word that goes on at `end`: letters, digits, and templates that touch it.
  size_t WordEnd(size_t end) {
    while (end < sql_.size()) {
      const char c = sql_[end];
      if (rules_.templates && (c == '$' || c == '{')) {
        const size_t after = TemplateEnd(end);
        if (after > end) {
          end = after;
          continue;
        }
      }
      if (!ContinuesWord(c)) break;
      // A pasted no-break space ends a word, though its bytes could continue one.
      if (static_cast<unsigned char>(c) >= 0x80 && SpaceLength(end) > 0) break;
      ++end;
    }
    return end;
  }

  Status AddWord() {
    const char c = Peek();
    if (OpensString(Peek(1))) {
      if (c == 'e' || c == 'E') return AddString(at_ + 1, true);
      if (c == 'r' || c == 'R') {
        if (rules_.backslash_escapes) return AddString(at_ + 1, false);
      } else if (c == 'x' || c == 'X' || c == 'b' || c == 'B' || c == 'n' || c == 'N') {
        return AddString(at_ + 1, false);
      }
    }
    if (script_ && (c == 'u' || c == 'U') && Peek(1) == '&' && Peek(2) == '\'') {
      return AddString(at_ + 2, false);
    }
    Add(TokenKind::kWord, WordEnd(at_ + 1));
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
    const bool whole = At(end) != '.';
    if (!whole) {
      ++end;
      digits();
    }
    if (At(end) == 'e' || At(end) == 'E') {
      size_t exponent = end + 1;
      if (At(exponent) == '+' || At(exponent) == '-') ++exponent;
      if (IsDigit(At(exponent))) {
        end = exponent;
        digits();
      }
    }
    if (!rules_.words_from_digits || !ContinuesWord(At(end))) {
      // 1_ and the like are words where words may begin with digits.
      const bool word = rules_.words_from_digits && whole && sql_[end - 1] == '_';
      Add(word ? TokenKind::kWord : TokenKind::kNumber, end);
      return;
    }
    const size_t run_end = WordEnd(end);
    if (IsNumberSuffix(sql_.substr(end, run_end - end))) {
      Add(TokenKind::kNumber, run_end);
    } else if (whole) {
      Add(TokenKind::kWord, run_end);
    } else {
      Add(TokenKind::kNumber, end);
    }
  }

  // 10L, 1Y, 1S, 1.5D, 1.5F, 1.5BD; Hive's sizes in TABLESAMPLE: 100M, 1G, 10B, 5K.
  static bool IsNumberSuffix(std::string_view word) {
    static constexpr std::string_view kOne = "lysdfbkmgLYSDFBKMG";
    return (word.size() == 1 && kOne.find(word[0]) != std::string_view::npos) ||
           (word.size() == 2 && (word[0] | 0x20) == 'b' && (word[1] | 0x20) == 'd');
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
        return Unclosed(fmt::format("the string in {}", fence), at_);
      }
      Add(TokenKind::kString, close + fence.size());
      return OkStatus();
    }
    Add(end == at_ + 1 ? TokenKind::kOperator : TokenKind::kParameter, end);
    return OkStatus();
  }

  // Where `mark` stands next. Asked from left to right: what was not found once is not sought
  // again.
  class Closes {
   public:
    Closes(std::string_view text, std::string_view mark) : text_(text), mark_(mark) {}
    size_t After(size_t at) {
      if (next_ != std::string_view::npos && (next_ < at || !sought_)) {
        next_ = text_.find(mark_, at);
        sought_ = true;
      }
      return next_;
    }

   private:
    std::string_view text_;
    std::string_view mark_;
    size_t next_ = 0;
    bool sought_ = false;
  };

  static constexpr size_t kUnclosedMax = 100;
  static constexpr size_t kVariableBytesMax = 256;  // of ${…}
  const std::string_view sql_;
  const TokenRules rules_;
  const bool script_;
  size_t at_ = 0;
  bool nests_ = true;  // a comment may hold others
  size_t unclosed_ = 0;
  Closes brace_closes_{sql_, "}}"};
  Closes percent_closes_{sql_, "%}"};
  Closes hash_closes_{sql_, "#}"};
  std::vector<Token> tokens_;
  std::vector<Comment> comments_;
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
  if (text.front() == '\'' || text.front() == '"') {
    return Undoubled(text.substr(1, text.size() - 2), text.front());
  }
  const std::string_view inner = text.substr(2, text.size() - 3);
  if (text.front() == 'e' || text.front() == 'E') return Unescaped(inner);
  return Undoubled(inner, '\'');
}

Result<std::vector<Token>> Tokenize(std::string_view sql) {
  if (sql.size() >= UINT32_MAX) return Invalid("sql: the text is longer than 4 GiB");
  Tokenizer tokenizer(sql, {}, false);
  TARN_RETURN_IF_ERROR(tokenizer.Run());
  tokenizer.AddEnd();
  return std::move(tokenizer.tokens());
}

TokenizedScript TokenizeScript(std::string_view sql, const TokenRules& rules) {
  Tokenizer tokenizer(sql, rules, true);
  (void)tokenizer.Run();  // a script's tokens never fail
  for (size_t i = 0; i < TokenizedScript::kPadding; ++i) tokenizer.AddEnd();
  return {std::move(tokenizer.tokens()), std::move(tokenizer.comments())};
}

SourcePlace PlaceOf(std::string_view sql, uint32_t offset) { return Places(sql).Of(offset); }

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
