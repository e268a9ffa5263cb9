#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarn::sql {

// Byte offsets in the text, half open.
struct SourceSpan {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t size() const { return end - begin; }
  bool Contains(const SourceSpan& inner) const { return begin <= inner.begin && inner.end <= end; }
  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

// Where an offset is for people: both count from 1; columns count code points.
struct SourcePlace {
  int32_t line = 1;
  int32_t column = 1;
  friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

enum class TokenKind : uint8_t {
  kWord,              // keyword or plain identifier: letters, digits, _, $ and every byte >= 0x80
  kQuotedIdentifier,  // "…" or `…`, the quote doubled inside
  kString,  // '…' ('' inside), E'…' (backslashes), X'…', B'…', N'…', R'…', $tag$…$tag$
  kNumber,     // 1, 1.5, .5, 1e-3, 1_000, 0x1F
  kParameter,  // ?, ?1, $1, $name
  kOperator,   // punctuation; the longest known operator: <=>, ->>, ::, ==, …
  kTemplate,   // ${x}, {{ x }}, with the word that touches its end: only with TokenRules::templates
  kUnclosed,   // a string, identifier or comment without an end: only from TokenizeScript
  kEnd,        // after the last one: empty, at the end of the text
};

// The number of a word or operator that a grammar steers by (keyword.h); 0: none of those.
using KeywordId = uint16_t;

// One token. `text` is a piece of the tokenized text, as written, and must not outlive it.
struct Token {
  TokenKind kind = TokenKind::kEnd;
  KeywordId keyword = 0;  // of unquoted words and operators; set by TokenizeScript only
  SourceSpan span = {};
  std::string_view text = {};

  // Whether this is the unquoted word `keyword`, ignoring (ASCII) case.
  bool Is(std::string_view keyword) const;
  // Whether this is the operator `symbol`.
  bool IsOperator(std::string_view symbol) const {
    return kind == TokenKind::kOperator && text == symbol;
  }
  // A word or quoted identifier.
  bool IsIdentifier() const {
    return kind == TokenKind::kWord || kind == TokenKind::kQuotedIdentifier;
  }
  // What it means: identifiers unquoted (case kept), strings unescaped (X'…' and B'…' keep their
  // digits), others as written.
  std::string Value() const;
};

}  // namespace tarn::sql
