#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/sql/token.h"

namespace tarn::sql {

// `sql` cut into tokens, closed by one kEnd. Spaces and comments (`-- …`, `/* … */`, which nest)
// stand between tokens and are not listed. Any bytes are taken: what is no token of ours becomes an
// operator of one byte, so that the engine behind may judge it. kInvalid naming line and column of
// the opening quote for an unterminated string, identifier or comment; kInvalid for a text of 4 GiB
// or more. O(n).
Result<std::vector<Token>> Tokenize(std::string_view sql);

// How the texts of one engine fall into tokens. As they are: Tokenize's.
struct TokenRules {
  bool double_quoted_strings = false;  // "x" is a string, not an identifier
  bool backslash_escapes = false;      // '\'' holds one quote
  bool words_from_digits = false;      // 2024_sales is a word; 10L and 1.5BD are numbers
  bool templates = false;  // ${x} and {{ x }} are tokens, {% … %} and {# … #} comments
};

struct Comment {
  SourceSpan span = {};  // from -- to before the end of the line, or from /* to */, {# to #}
  bool hint = false;     // /*+ … */
};

struct TokenizedScript {
  // Closed by kPadding tokens kEnd, so that a grammar may look ahead without asking for the end.
  std::vector<Token> tokens = {};
  std::vector<Comment> comments = {};  // in order
  static constexpr size_t kPadding = 8;
};

// As Tokenize, for texts that may be broken: never fails. What is not closed becomes one kUnclosed
// token, up to the next semicolon that ends a line, or the end. A comment that does not close as
// nested ones do ends at its first */. Requires a text below 4 GiB.
TokenizedScript TokenizeScript(std::string_view sql, const TokenRules& rules);

// One place; of many in one text: Places.
SourcePlace PlaceOf(std::string_view sql, uint32_t offset);
// "line 2, column 5".
std::string PlaceToText(const SourcePlace& place);

// `name` as an identifier: "a ""b""". Always quoted.
std::string QuoteName(std::string_view name);
// `text` as a string literal: 'it''s'.
std::string QuoteString(std::string_view text);

}  // namespace tarn::sql
