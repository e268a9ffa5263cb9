#pragma once

#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/sql/statement.h"

namespace tarn::sql {

// The statements of a script, in order; empty ones are left out. Queries and expressions inside
// stay text: only what Tarn itself runs is taken apart. kInvalid naming line, column, what was
// expected and what was found; the tokenizer's errors.
Result<std::vector<Statement>> ParseScript(std::string_view script);

// Whether `text` ends inside a statement (no ';' after the last token, or an open quote or
// comment), so a shell should ask for another line. False for text without any token.
bool IsIncomplete(std::string_view text);

}  // namespace tarn::sql
