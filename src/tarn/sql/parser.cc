#include "tarn/sql/parser.h"

#include <algorithm>

#include "tarn/sql/grammar/parser_internal.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

// {{ config(…) }} before a statement says how a template engine treats it: a comment to us.
void SkipLeadingTemplates(TokenizedScript& tokenized) {
  std::vector<Token>& tokens = tokenized.tokens;
  bool any = false;
  size_t kept = 0;
  bool at_begin = true;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool statement_follows =
        i + 1 < tokens.size() &&
        (tokens[i + 1].keyword != 0 || tokens[i + 1].kind == TokenKind::kTemplate ||
         tokens[i + 1].kind == TokenKind::kEnd) &&
        !tokens[i + 1].IsOperator(".");
    if (at_begin && tokens[i].kind == TokenKind::kTemplate && statement_follows) {
      tokenized.comments.push_back({tokens[i].span, false});
      any = true;
      continue;
    }
    at_begin = tokens[i].IsOperator(";");
    tokens[kept++] = tokens[i];
  }
  if (!any) return;
  tokens.resize(kept);
  std::sort(tokenized.comments.begin(), tokenized.comments.end(),
            [](const Comment& a, const Comment& b) { return a.span.begin < b.span.begin; });
}

}  // namespace

const ParseError* ParsedScript::FirstError() const {
  for (const ParsedStatement& statement : statements) {
    if (statement.error) return &*statement.error;
  }
  return nullptr;
}

ParsedScript Parse(std::string_view text, const Dialect& dialect) {
  ParsedScript script;
  script.dialect = &dialect;
  if (text.size() >= UINT32_MAX) {
    script.statements.push_back({nullptr, {}, ParseError{{}, {}, "the text is longer than 4 GiB"}});
    return script;
  }
  script.text = script.arena.Copy(text);
  TokenizedScript tokenized = TokenizeScript(script.text, dialect.tokens);
  if (dialect.tokens.templates) SkipLeadingTemplates(tokenized);
  tree::Parser parser(script.text, tokenized, dialect, script.arena);
  while (true) {
    if (parser.AcceptSemicolon()) continue;
    if (parser.AtEnd()) break;
    script.statements.push_back(parser.ParseStatementWithRecovery());
  }
  script.comments = std::move(tokenized.comments);
  return script;
}

}  // namespace tarn::sql
