#include "tarn/sql/parser.h"

#include <algorithm>

#include "tarn/sql/grammar/parser_internal.h"
#include "tarn/sql/keyword.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

// {{ config(…) }} before a statement says how a template engine treats it: a comment to us.
void SkipLeadingTemplates(TokenizedScript& tokenized) {
  std::vector<Token>& tokens = tokenized.tokens;
  const auto leads = [&](size_t at) {
    // What follows must begin a statement, so that the template is none of its words.
    const Token& next = tokens[std::min(at + 1, tokens.size() - 1)];
    return tokens[at].kind == TokenKind::kTemplate && next.kind != TokenKind::kOperator &&
           (next.keyword != 0 || next.kind == TokenKind::kTemplate || next.kind == TokenKind::kEnd);
  };
  bool any = false;
  bool at_begin = true;
  for (size_t i = 0; tokens[i].kind != TokenKind::kEnd && !any; ++i) {
    any = at_begin && leads(i);
    at_begin = tokens[i].keyword == K(";");
  }
  if (!any) return;
  size_t kept = 0;
  at_begin = true;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (at_begin && leads(i)) {
      tokenized.comments.push_back({tokens[i].span, false});
      continue;
    }
    at_begin = tokens[i].keyword == K(";");
    tokens[kept++] = tokens[i];
  }
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
