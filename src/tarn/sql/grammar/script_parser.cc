#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

// Blocks and their like, from what begins them. BEGIN alone, or with WORK or TRANSACTION, is a
// command; IF and CASE are functions and expressions elsewhere, but no statement begins with those.
const Node* Parser::ParseScripting() {
  const uint32_t begin = Here();
  switch (Peek().keyword) {
    case K("BEGIN"): {
      const Token& next = Peek(1);
      if (next.kind == TokenKind::kEnd || next.keyword == K(";") ||
          next.keyword == K("TRANSACTION") || next.Is("WORK") || next.Is("IMMEDIATE") ||
          next.Is("DEFERRED")) {
        return nullptr;
      }
      return ParseBlock({}, begin);
    }
    case K("IF"):
      return ParseIf();
    case K("CASE"):
      return ParseCaseStatement();
    case K("WHILE"):
    case K("REPEAT"):
    case K("LOOP"):
      return ParseLoop({}, begin);
    case K("FOR"):
      return ParseLoop({}, begin);
    case K("DECLARE"):
      return ParseDeclare();
    default:
      break;
  }
  if (!AtIdentifier() || Peek(1).keyword != K(":")) return nullptr;
  static constexpr KeywordSet kLabelled = {"BEGIN", "WHILE", "REPEAT", "LOOP", "FOR"};
  if (!LooksAtAny(kLabelled, 2)) return nullptr;
  const Identifier label = TakeIdentifier();
  Skip();
  return LooksAt("BEGIN") ? ParseBlock(label, begin) : ParseLoop(label, begin);
}

List<const Node*> Parser::ParseStatementsUntil(const KeywordSet& ends) {
  NodeCollector<Node> statements(*this);
  ++block_depth_;
  while (!failed()) {
    if (Accept(";")) continue;
    if (AtEnd()) {
      Fail("END");
      break;
    }
    if (LooksAtAny(ends)) break;
    statements.Add(ParseStatement());
    if (!LooksAt(";") && !LooksAtAny(ends)) Fail("';'");
  }
  --block_depth_;
  return statements.Take();
}

const Node* Parser::ParseBlock(Identifier label, uint32_t begin) {
  const Level level(*this);
  auto* const block = New<Block>();
  block->label = label;
  Expect("BEGIN");
  const size_t from = at_;
  if (!Accept("NOT", "ATOMIC")) Accept("ATOMIC");
  block->options = TokensFrom(from);
  block->statements = ParseStatementsUntil({"END"});
  Expect("END");
  if (AtIdentifier() && !AtClause() && !label.empty()) Skip();
  return Finish(block, begin);
}

const Node* Parser::ParseIf() {
  const Level level(*this);
  const uint32_t begin = Here();
  auto* const node = New<If>();
  Expect("IF");
  ParseBranches(*node);
  Expect("IF");
  return Finish(node, begin);
}

const Node* Parser::ParseCaseStatement() {
  const Level level(*this);
  const uint32_t begin = Here();
  auto* const node = New<If>();
  node->of_case = true;
  Expect("CASE");
  if (!LooksAt("WHEN")) node->operand = ParseExpression();
  Expect("WHEN");
  ParseBranches(*node);
  Expect("CASE");
  return Finish(node, begin);
}

// From the first condition up to and with END.
void Parser::ParseBranches(If& node) {
  NodeCollector<Branch> branches(*this);
  bool otherwise = false;
  while (!failed()) {
    const uint32_t begin = Here();
    auto* const branch = New<Branch>();
    if (!otherwise) {
      branch->condition = ParseExpression();
      Expect("THEN");
    }
    branch->statements = ParseStatementsUntil({"ELSEIF", "ELSIF", "ELSE", "WHEN", "END"});
    branches.Add(Finish(branch, begin));
    if (Accept("END")) break;
    otherwise = LooksAt("ELSE");
    Skip();
  }
  node.branches = branches.Take();
}

const Node* Parser::ParseLoop(Identifier label, uint32_t begin) {
  const Level level(*this);
  auto* const loop = New<Loop>();
  loop->label = label;
  static constexpr KeywordSet kWords = {"WHILE", "REPEAT", "LOOP", "FOR"};
  loop->word = AcceptAny(kWords);
  const KeywordId word = tokens_[at_ - 1].keyword;
  if (word == K("WHILE")) {
    loop->condition = ParseExpression();
    Expect("DO");
  } else if (word == K("FOR")) {
    if (AtIdentifier() && Peek(1).keyword == K("AS")) {
      loop->variable = TakeIdentifier();
      Skip();
    }
    ++block_depth_;
    loop->query = ParseQuery();
    --block_depth_;
    Expect("DO");
  }
  loop->statements = ParseStatementsUntil({"END", "UNTIL"});
  if (word == K("REPEAT")) {
    Expect("UNTIL");
    loop->condition = ParseExpression();
  }
  Expect("END");
  if (tokens_[at_].keyword == word) Skip();
  if (AtIdentifier() && !label.empty()) Skip();
  return Finish(loop, begin);
}

// DECLARE [OR REPLACE] [VARIABLE] a, b INT DEFAULT 1 · DECLARE EXIT HANDLER FOR … statement
const Node* Parser::ParseDeclare() {
  const Level level(*this);
  const uint32_t begin = Here();
  auto* const declare = New<Declare>();
  const size_t from = at_;
  Expect("DECLARE");
  if (LooksAt("OR", "REPLACE")) Skip(2);
  if (LooksAt("VARIABLE") && AtIdentifier(1)) Skip();
  declare->words = WordsFrom(from);
  static constexpr KeywordSet kHandlers = {"EXIT", "CONTINUE", "UNDO"};
  if (LooksAtAny(kHandlers) && Peek(1).Is("HANDLER")) {
    const size_t handler = at_;
    static constexpr KeywordSet kStarts = {"BEGIN",  "SET",    "INSERT", "SELECT", "IF",
                                           "UPDATE", "DELETE", "VALUES", "LEAVE"};
    while (!AtEnd() && !LooksAt(";") && !LooksAtAny(kStarts)) Skip();
    declare->handler = TokensFrom(handler);
    declare->statement = ParseStatement();
    return Finish(declare, begin);
  }
  if (AtIdentifier() && Peek(1).Is("CONDITION")) {
    declare->handler = TakeTokens();
    return Finish(declare, begin);
  }
  declare->names = ParseNames("a variable");
  static constexpr KeywordSet kDefaults = {"DEFAULT", "=", ":="};
  if (!LooksAtAny(kDefaults) && !AtEnd() && !LooksAt(";")) declare->type = ParseType();
  declare->default_word = AcceptAny(kDefaults);
  if (!declare->default_word.empty()) declare->value = ParseExpression();
  return Finish(declare, begin);
}

}  // namespace tarn::sql::tree
