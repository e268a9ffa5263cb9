#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/sql/dialect.h"
#include "tarn/sql/token.h"
#include "tarn/sql/tokenizer.h"
#include "tarn/sql/tree.h"

namespace tarn::sql {

// Why a statement could not be read.
struct ParseError {
  SourceSpan span = {};      // what was found where something else was expected
  SourcePlace place = {};    // its beginning
  std::string message = {};  // "line 2, column 5: expected ')', found 'FROM'"
};

struct ParsedStatement {
  // A tree::Query or one of tree_statements.h; null if the statement could not be read.
  const tree::Node* root = nullptr;
  SourceSpan span = {};                  // from its first token to its last, without the semicolon
  std::optional<ParseError> error = {};  // set if and only if root is null
};

// A text taken apart. Owns its tree and a copy of the text; spans and string_views point there, and
// stay valid when it is moved.
struct ParsedScript {
  std::string_view text = {};
  std::vector<ParsedStatement> statements = {};  // in order; empty ones are left out
  std::vector<Comment> comments = {};            // in order; hints too
  const Dialect* dialect = nullptr;
  tree::Arena arena = {};

  // The first statement's error, by position, or null.
  const ParseError* FirstError() const;
};

// How deep a tree may be: one of more levels is refused as too deep, so walkers may recurse. Long
// chains (a AND b AND …, UNION ALL …, a + b + …) are one level.
inline constexpr uint16_t kTreeHeightMax = 1000;

// The statements of `text`. Never fails as a whole: a statement that cannot be read ends at the
// next semicolon outside quotes and brackets, has an error instead of a tree, and the next one is
// read as if it had not been there. O(n).
ParsedScript Parse(std::string_view text, const Dialect& dialect);

}  // namespace tarn::sql
