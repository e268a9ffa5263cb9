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

SourcePlace PlaceOf(std::string_view sql, uint32_t offset);
// "line 2, column 5".
std::string PlaceToText(const SourcePlace& place);

// `name` as an identifier: "a ""b""". Always quoted.
std::string QuoteName(std::string_view name);
// `text` as a string literal: 'it''s'.
std::string QuoteString(std::string_view text);

}  // namespace tarn::sql
