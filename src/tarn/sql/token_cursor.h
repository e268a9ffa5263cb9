#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/sql/statement.h"
#include "tarn/sql/token.h"

namespace tarn::sql {

// A place in a run of tokens, for parsers: looking ahead, taking what is expected, and saying what
// was found instead. Never leaves the range: at its end every look gives kEnd. A value; copy it to
// come back. The text and the tokens outlive it.
class TokenCursor {
 public:
  // Tokens [begin, end) of `tokens`, which ends with kEnd; end < tokens.size().
  TokenCursor(std::string_view sql, const std::vector<Token>& tokens, size_t begin, size_t end);
  // All of them.
  TokenCursor(std::string_view sql, const std::vector<Token>& tokens)
      : TokenCursor(sql, tokens, 0, tokens.size() - 1) {}

  const Token& Peek(size_t ahead = 0) const;
  bool AtEnd() const { return at_ >= end_; }
  const Token& Next();  // the token at hand, and moves on
  void Skip(size_t count = 1);
  size_t position() const { return at_; }
  void MoveTo(size_t position) { at_ = position < end_ ? position : end_; }
  size_t end() const { return end_; }
  std::string_view sql() const { return sql_; }

  // Whether the next tokens are these words, ignoring case.
  bool LooksAt(std::initializer_list<std::string_view> words) const;
  // Takes the words if all of them are next.
  bool Accept(std::initializer_list<std::string_view> words);
  bool Accept(std::string_view word) { return Accept({word}); }
  bool AcceptOperator(std::string_view symbol);

  // kInvalid "sql: line 1, column 7: expected …, found …".
  Error Expected(std::string_view what) const;
  Status Expect(std::string_view word);
  Status ExpectOperator(std::string_view symbol);
  Result<std::string> ExpectIdentifier(std::string_view what);
  Result<std::string> ExpectString(std::string_view what);

  // With an opening bracket at hand: the position of its closing one, or end() if there is none.
  // Brackets of all kinds count.
  size_t MatchingBracket() const;
  // The position of the next token, from here, that stands outside brackets and for which `stop`
  // holds, else end().
  template <class Stop>
  size_t FindOutsideBrackets(Stop stop) const {
    TokenCursor look = *this;
    while (!look.AtEnd()) {
      if (stop(look.Peek())) return look.position();
      if (IsOpening(look.Peek())) look.MoveTo(look.MatchingBracket());
      look.Skip();
    }
    return end_;
  }
  static bool IsOpening(const Token& token);

  // The text of tokens [from, to): from the first one's beginning to the last one's end, with what
  // stands between. Empty if there are none.
  Fragment TextOf(size_t from, size_t to) const;

 private:
  std::string_view sql_;
  const std::vector<Token>* tokens_;
  size_t at_;
  size_t end_;
};

// A name of a table at the cursor: dotted, quoted, or a path (see TableName).
Result<TableName> ParseTableName(TokenCursor& cursor);
// A dotted path of column names, spelled as Schema::FindByPath reads it.
Result<std::string> ParseColumnPath(TokenCursor& cursor);
// Parts as such a path: joined by '.', parts with a dot or backtick in backticks.
std::string ColumnPathToText(const std::vector<std::string>& parts);
// Takes VERSION AS OF … and its other spellings, if one stands at the cursor.
Result<std::optional<TimeTravel>> ParseTimeTravel(TokenCursor& cursor);

}  // namespace tarn::sql
