#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

const Node* Parser::ParseStatement() {
  const Level level(*this);
  if (const Node* scripting = ParseScripting()) return scripting;
  if (LooksAt("WITH")) return ParseWithStatement();
  if (LooksAt("FROM")) return ParseFromStatement(nullptr);
  if (LooksAt("(") || LooksAt("PIVOT") || LooksAt("UNPIVOT") || AtQuery()) return ParseQuery();
  return ParseStatementByWord();
}

// WITH … and then a query, or a statement that Hive and PostgreSQL let follow.
const Node* Parser::ParseWithStatement() {
  const uint32_t begin = Here();
  const With* const with = ParseWith();
  switch (Peek().keyword) {
    case K("INSERT"):
    case K("UPSERT"):
      return ParseInsert(with);
    case K("FROM"):
      return ParseFromStatement(with);
    case K("MERGE"):
      return ParseMerge(with);
    case K("UPDATE"):
      return ParseUpdate(with);
    case K("DELETE"):
      return ParseDelete(with);
    case K("CREATE"):
      return ParseCreate(with);
    default:
      return ParseQueryFrom(with, nullptr, begin);
  }
}

const Node* Parser::ParseStatementByWord() {
  switch (Peek().keyword) {
    case K("INSERT"):
    case K("UPSERT"):
      return ParseInsert(nullptr);
    case K("REPLACE"):
      if (Peek(1).keyword == K("INTO")) return ParseInsert(nullptr);
      return ParseCreate(nullptr);
    case K("CREATE"):
      return ParseCreate(nullptr);
    case K("ALTER"):
      return ParseAlter();
    case K("DROP"):
      return ParseDrop();
    case K("MERGE"):
      return ParseMerge(nullptr);
    case K("UPDATE"):
      return ParseUpdate(nullptr);
    case K("DELETE"):
      if (Peek(1).Is("JAR") || Peek(1).Is("FILE") || Peek(1).Is("ARCHIVE")) return ParseCommand();
      return ParseDelete(nullptr);
    case K("TRUNCATE"):
      return ParseTruncate();
    case K("LOAD"):
      return LooksAt("LOAD", "DATA") ? ParseLoad() : ParseCommand();
    case K("COPY"):
      return ParseCopy();
    case K("EXPORT"):
      return LooksAt("EXPORT", "TABLE") ? ParseExport() : ParseCommand();
    case K("IMPORT"):
      return ParseImport();
    case K("CACHE"):
    case K("UNCACHE"):
      return ParseCache();
    case K("USE"):
      return ParseUse();
    case K("SET"):
    case K("RESET"):
      return ParseSet();
    case K("OPTIMIZE"):
    case K("VACUUM"):
      return AtIdentifier(1) ? ParseMaintain(1, true) : ParseCommand();
    case K("ANALYZE"):
      return LooksAt("ANALYZE", "TABLE") ? ParseMaintain(2, true)
             : AtIdentifier(1)           ? ParseMaintain(1, true)
                                         : ParseCommand();
    case K("MSCK"):
      return LooksAt("MSCK", "REPAIR", "TABLE") ? ParseMaintain(3, true) : ParseMaintain(2, true);
    case K("REPAIR"):
    case K("REORG"):
      return ParseMaintain(2, true);
    case K("REFRESH"):
      if (LooksAt("REFRESH", "TABLE")) return ParseMaintain(2, true);
      if (LooksAt("REFRESH", "MATERIALIZED", "VIEW")) return ParseMaintain(3, true);
      return AtIdentifier(1) ? ParseMaintain(1, true) : ParseCommand();
    case K("CALL"):
    case K("EXEC"):
      return ParseCallStatement();
    case K("EXPLAIN"):
      return ParseExplain();
    case K("SHOW"):
    case K("DESCRIBE"):
    case K("DESC"):
    case K("SUMMARIZE"):
    case K("GRANT"):
    case K("REVOKE"):
    case K("ADD"):
    case K("LIST"):
    case K("DFS"):
    case K("COMMENT"):
    case K("COMMIT"):
    case K("ROLLBACK"):
    case K("START"):
    case K("ABORT"):
    case K("LOCK"):
    case K("UNLOCK"):
    case K("RELOAD"):
    case K("PREPARE"):
    case K("EXECUTE"):
    case K("DEALLOCATE"):
    case K("PRAGMA"):
    case K("ATTACH"):
    case K("DETACH"):
    case K("INSTALL"):
    case K("CHECKPOINT"):
    case K("KILL"):
    case K("DENY"):
    case K("CLEAR"):
    case K("INVALIDATE"):
    case K("COMPUTE"):
    case K("RESTORE"):
    case K("CONVERT"):
    case K("GENERATE"):
    case K("FSCK"):
    case K("UNDROP"):
    case K("LEAVE"):
    case K("ITERATE"):
    case K("SIGNAL"):
    case K("RESIGNAL"):
    case K("RETURN"):
    case K("REBUILD"):
    case K("DISCARD"):
    case K("CLOSE"):
    case K("OPEN"):
    case K("FETCH"):
    case K("MOVE"):
    case K("LISTEN"):
    case K("NOTIFY"):
    case K("REASSIGN"):
    case K("SECURITY"):
    case K("CLUSTER"):
    case K("FORCE"):
    case K("REPL"):
    case K("EXIT"):
    case K("DO"):
    case K("QUIT"):
    case K("SOURCE"):
      return ParseCommand();
    case K("BEGIN"):
      return ParseCommand();  // of a transaction: blocks were tried before
    case K("!"):
    case K("."):
      return ParseCommand();  // a shell's own
    default:
      Fail("a statement");
      return Finish(New<Command>(), Here());
  }
}

const Node* Parser::ParseCache() {
  const uint32_t begin = Here();
  auto* const cache = New<Cache>();
  cache->uncache = LooksAt("UNCACHE");
  Skip();
  cache->lazy = Accept("LAZY");
  Expect("TABLE");
  cache->if_exists = AcceptIfExists();
  cache->name = ParseName("a table");
  if (Accept("OPTIONS")) cache->options = TakeBracket();
  cache->as = Accept("AS");
  if (!AtEnd() && !LooksAt(";")) cache->query = ParseQuery();
  return Finish(cache, begin);
}

const Node* Parser::ParseUse() {
  const uint32_t begin = Here();
  auto* const use = New<Use>();
  Expect("USE");
  static constexpr KeywordSet kObjects = {"CATALOG", "SCHEMA", "DATABASE", "NAMESPACE", "ROLE"};
  if (LooksAtAny(kObjects) && Peek(1).kind != TokenKind::kEnd && Peek(1).keyword != K(";") &&
      Peek(1).keyword != K(".")) {
    use->object = AcceptAny(kObjects);
  }
  use->name = ParseAnyName("a name");
  return Finish(use, begin);
}

// SET key = value: both are texts. SET VAR x = (SELECT …), SET (a, b) = (SELECT …): expressions; in
// a block SET x = … too.
const Node* Parser::ParseSet() {
  const uint32_t begin = Here();
  auto* const set = New<Set>();
  const size_t from = at_;
  Skip();
  static constexpr KeywordSet kVariableWords = {"VAR", "VARIABLE"};
  const bool variables = (LooksAtAny(kVariableWords) && Peek(1).kind != TokenKind::kOperator) ||
                         LooksAt("(") || (block_depth_ > 0 && Peek(1).keyword == K("="));
  if (variables) {
    AcceptAny(kVariableWords);
    set->words = WordsFrom(from);
    set->assignments = ParseAssignments();
    return Finish(set, begin);
  }
  static constexpr KeywordSet kScopes = {"SESSION", "LOCAL", "GLOBAL"};
  if (LooksAtAny(kScopes) && Peek(1).kind == TokenKind::kWord) Skip();
  set->words = WordsFrom(from);
  const size_t key = at_;
  while (!AtEnd() && !LooksAt(";") && !LooksAt("=")) Skip();
  set->key = TextBetween(key, at_);
  if (Accept("=")) {
    set->assigned = true;
    const size_t value = at_;
    while (!AtEnd() && !LooksAt(";")) Skip();
    set->value = TextBetween(value, at_);
  }
  return Finish(set, begin);
}

std::string_view Parser::TextBetween(size_t from, size_t to) const {
  if (from >= to) return {};
  const uint32_t begin = tokens_[from].span.begin;
  return text_.substr(begin, tokens_[to - 1].span.end - begin);
}

// OPTIMIZE t WHERE … ZORDER BY (a) and the like, of `word_count` words before the table.
const Node* Parser::ParseMaintain(size_t word_count, bool table_follows) {
  const uint32_t begin = Here();
  auto* const maintain = New<Maintain>();
  const size_t from = at_;
  Skip(word_count);
  if (LooksAt("TABLE") && AtIdentifier(1)) Skip();
  if (LooksAt("FULL") && AtIdentifier(1)) Skip();
  maintain->words = WordsFrom(from);
  if (table_follows) maintain->table = ParseName("a table");
  if (Accept("WHERE")) maintain->where = ParseExpression();
  maintain->tail = TakeTokens();
  return Finish(maintain, begin);
}

const Node* Parser::ParseCallStatement() {
  const uint32_t begin = Here();
  auto* const call = New<CallStatement>();
  call->word = kKeywords[Peek().keyword];
  Skip();
  const Name name = ParseName("a procedure");
  if (!LooksAt("(")) Fail("'('");
  call->call = ParseCall(name, name.span.begin);
  return Finish(call, begin);
}

const Node* Parser::ParseExplain() {
  const uint32_t begin = Here();
  auto* const explain = New<Explain>();
  Expect("EXPLAIN");
  const size_t from = at_;
  static constexpr KeywordSet kStarts = {
      "SELECT", "WITH",   "FROM", "INSERT",   "CREATE",  "MERGE",  "UPDATE",   "DELETE",
      "VALUES", "ALTER",  "DROP", "LOAD",     "ANALYZE", "TABLE",  "TRUNCATE", "REPLACE",
      "MAP",    "REDUCE", "SHOW", "DESCRIBE", "CALL",    "EXPLAIN"};
  static constexpr KeywordSet kOptions = {"ANALYZE", "VERBOSE"};
  while (!AtEnd() && !LooksAt(";")) {
    if (LooksAt("(") && AtQuery(1)) break;
    if (LooksAtAny(kStarts) && !(LooksAtAny(kOptions) && Peek(1).keyword != K("TABLE"))) break;
    SkipBalanced();
  }
  explain->options = TokensFrom(from);
  explain->statement = ParseStatement();
  return Finish(explain, begin);
}

// A line that is taken as it is.
const Node* Parser::ParseCommand() {
  const uint32_t begin = Here();
  auto* const command = New<Command>();
  command->word = Peek().keyword != 0 ? kKeywords[Peek().keyword] : Peek().text;
  const size_t from = at_;
  while (!AtEnd() && !LooksAt(";") && !LooksAt(")")) SkipBalanced();
  command->tokens = TokensFrom(from);
  return Finish(command, begin);
}

}  // namespace tarn::sql::tree
