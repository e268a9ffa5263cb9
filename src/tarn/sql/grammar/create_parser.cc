#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

// What begins the clause after this one, in CREATE TABLE and CREATE VIEW.
constexpr KeywordSet kClauseStarts = {
    "ROW",         "STORED",   "CLUSTERED",  "SKEWED",      "TBLPROPERTIES", "PROPERTIES",
    "COMMENT",     "LOCATION", "OPTIONS",    "USING",       "PARTITIONED",   "PARTITION",
    "AS",          "SELECT",   "WITH",       "SORT",        "ORDER",         "CLUSTER",
    "DISTRIBUTED", "FROM",     "VALUES",     "FORMAT",      "LIKE",          "DEFAULT",
    "SORTED",      "LOCALLY",  "DISTRIBUTE", "DISABLE",     "REWRITE",       "COLLATION",
    "TABLESPACE",  "INHERITS", "ON",         "TBLPROPERTY", "WRITE",         "EXECUTED",
    "CRON",        "EVERY",    "ENABLE",     "SECURITY",    "CACHED",        "UNCACHED",
    "CONSTRAINT"};

}  // namespace

bool Parser::AcceptIfNotExists() { return Accept("IF", "NOT", "EXISTS"); }
bool Parser::AcceptIfExists() { return Accept("IF", "EXISTS"); }

// CREATE …, and REPLACE TABLE | VIEW.
const Node* Parser::ParseCreate(const With* with) {
  const uint32_t begin = with != nullptr ? with->span.begin : Here();
  const size_t from = at_;
  Skip();                      // CREATE, REPLACE
  if (LooksAt("OR")) Skip(2);  // OR REPLACE, OR REFRESH
  static constexpr KeywordSet kAdjectives = {
      "TEMP",      "TEMPORARY",     "GLOBAL",       "LOCAL",     "EXTERNAL",  "MANAGED",
      "TRANSIENT", "UNLOGGED",      "MATERIALIZED", "RECURSIVE", "STREAMING", "LIVE",
      "SCHEDULED", "TRANSACTIONAL", "VOLATILE",     "REMOTE",    "PRIVATE",   "SECURE"};
  while (LooksAtAny(kAdjectives) && Peek(1).kind == TokenKind::kWord) Skip();
  switch (Peek().keyword) {
    case K("TABLE"):
      return ParseCreateTable(begin, from, with);
    case K("VIEW"):
      return ParseCreateView(begin, from);
    case K("FUNCTION"):
    case K("MACRO"):
    case K("PROCEDURE"):
    case K("AGGREGATE"):
      return ParseCreateFunction(begin, from);
    default:
      return ParseCreateOther(begin, from);
  }
}

const Node* Parser::ParseCreateTable(uint32_t begin, size_t words_from, const With* with) {
  const Level level(*this);
  auto* const table = New<CreateTable>();
  table->with = with;
  Expect("TABLE");
  table->words = WordsFrom(words_from);
  table->or_replace = table->words.find("REPLACE") != std::string_view::npos;
  table->temporary = table->words.find(" TEMP") != std::string_view::npos;
  table->external = table->words.find("EXTERNAL") != std::string_view::npos;
  table->if_not_exists = AcceptIfNotExists();
  table->name = LooksAt("IDENTIFIER", "(") ? Name{} : ParseName("a table");
  if (table->name.empty() && !failed()) table->name_expression = ParseNamed();
  if (LooksAt("(") && !AtQuery(1)) {
    table->columns_said = true;
    ParseTableElements(*table);
  }
  NodeCollector<Clause> clauses(*this);
  while (!failed() && ParseTableClause(*table, clauses)) {
  }
  table->clauses = clauses.Take();
  table->as = Accept("AS");
  if (LooksAt("EXECUTE")) {
    table->execute = ParseCommand();
  } else if (table->as || AtQuery() || LooksAt("(")) {
    table->query = ParseQuery();
    if (LooksAt("WITH", "NO") || LooksAt("WITH", "DATA")) table->tail = TakeTokens();
  }
  return Finish(table, begin);
}

bool Parser::AtTableConstraint() const {
  switch (Peek().keyword) {
    case K("CONSTRAINT"):
    case K("PRIMARY"):
    case K("FOREIGN"):
      return Peek(1).kind == TokenKind::kWord || Peek(1).kind == TokenKind::kQuotedIdentifier;
    case K("UNIQUE"):
    case K("CHECK"):
      return Peek(1).keyword == K("(");
    case K("LIKE"):
      return AtIdentifier(1);
    case K("PERIOD"):
      return Peek(1).keyword == K("FOR");
    default:
      return false;
  }
}

// (a INT, b STRING, PRIMARY KEY (a)) or, before AS, (a, b).
void Parser::ParseTableElements(CreateTable& table) {
  Expect("(");
  NodeCollector<ColumnDefinition> columns(*this);
  List<const Clause*> constraints;
  if (!LooksAt(")")) {
    do {
      if (columns.size() > 0 && LooksAt(")")) break;
      if (!AtTableConstraint()) {
        columns.Add(ParseColumnDefinition());
        continue;
      }
      // Constraints stand last but for LIKE, so one run of them is enough.
      NodeCollector<Clause> run(*this);
      for (const Clause* constraint : constraints) run.Add(constraint);
      do {
        const uint32_t begin = Here();
        auto* const clause = New<Clause>();
        clause->word = kKeywords[Peek().keyword];
        clause->tokens = TakeTokensUntil([&] { return LooksAt(","); });
        run.Add(Finish(clause, begin));
      } while (LooksAt(",") && (Skip(), AtTableConstraint()));
      constraints = run.Take();
      if (tokens_[at_ - 1].keyword == K(",")) --at_;  // a column follows
    } while (Accept(","));
  }
  Expect(")");
  table.columns = columns.Take();
  table.constraints = constraints;
}

List<const ColumnDefinition*> Parser::ParseColumnDefinitions() {
  Expect("(");
  NodeCollector<ColumnDefinition> columns(*this);
  if (!LooksAt(")")) {
    do {
      columns.Add(ParseColumnDefinition());
    } while (Accept(",") && !LooksAt(")"));
  }
  Expect(")");
  return columns.Take();
}

const ColumnDefinition* Parser::ParseColumnDefinition() {
  const uint32_t begin = Here();
  auto* const column = New<ColumnDefinition>();
  column->name = ParseAnyName("a column");
  column->colon = Accept(":");
  static constexpr KeywordSet kAttributes = {"NOT",        "NULL",       "COMMENT", "DEFAULT",
                                             "GENERATED",  "PRIMARY",    "UNIQUE",  "CHECK",
                                             "CONSTRAINT", "REFERENCES", "FIRST",   "AFTER",
                                             "AS",         "WITH",       "SET",     "DISABLE"};
  const auto at_end = [&] { return LooksAt(",") || LooksAt(")") || LooksAt(";") || AtEnd(); };
  if (!at_end() && !LooksAtAny(kAttributes)) column->type = ParseType();
  if (at_end()) return Finish(column, begin);
  const auto stop = [&] {
    return LooksAt(",") || LooksAt("DEFAULT") || LooksAt("GENERATED") || LooksAt("AS");
  };
  column->attributes = TakeTokensUntil(stop);
  if (Accept("DEFAULT")) {
    column->default_value = ParseOperators(5);
  } else if (LooksAt("GENERATED") || LooksAt("AS", "(")) {
    const size_t from = at_;
    while (!AtEnd() && !LooksAt("AS") && !LooksAt(",")) Skip();
    Expect("AS");
    column->generated_words = WordsFrom(from);
    if (Accept("IDENTITY")) {
      column->generated_words = WordsFrom(from);
    } else {
      column->generated = ParseBracket();
    }
  }
  column->tail = TakeTokensUntil([&] { return LooksAt(","); });
  return Finish(column, begin);
}

// One clause between the columns and the query; false if none stands here.
bool Parser::ParseTableClause(CreateTable& table, NodeCollector<Clause>& clauses) {
  const size_t from = at_;
  switch (Peek().keyword) {
    case K("LIKE"):
      if (Peek(1).kind == TokenKind::kString) break;  // LIKE PARQUET '…', LIKE '…'
      if (Peek(2).kind == TokenKind::kString && Peek(1).Is("PARQUET")) break;
      Skip();
      table.like = ParseName("a table");
      return true;
    case K("CLONE"):
    case K("SHALLOW"):
    case K("DEEP"):
      if (!Accept("CLONE")) Skip(2);
      table.clone_words = WordsFrom(from);
      table.clone = ParseName("a table");
      table.clone_as_of = ParseTimeTravel();
      return true;
    case K("USING"):
      Skip();
      table.format = ParseName("a format");
      return true;
    case K("PARTITIONED"):
    case K("PARTITION"):
      if (LooksAt("PARTITION", "OF")) {
        clauses.Add(ParseRest());
        return true;
      }
      if (Peek(1).keyword != K("BY") && Peek(1).keyword != K("ON")) break;
      if (Peek(1).keyword == K("BY") && Peek(2).keyword != K("(")) break;
      Skip(2);
      table.partitioned_word = WordsFrom(from);
      if (LooksAt("SPEC")) break;
      table.partitioned_by = ParsePartitionedBy();
      return true;
    case K("AS"):
    case K("SELECT"):
    case K("VALUES"):
    case K("FROM"):
    case K("("):
    case K(";"):
    case K(")"):
      return false;
    case K("WITH"):
      if (AtQuery() && Peek(2).keyword == K("AS")) return false;
      break;
    default:
      break;
  }
  if (AtEnd() || AtQuery()) return false;
  const Clause* const clause = ParseClause();
  if (clause->word == "LOCATION") table.location = clause->value;
  clauses.Add(clause);
  return true;
}

List<const Node*> Parser::ParsePartitionedBy() {
  Expect("(");
  NodeCollector<Node> items(*this);
  do {
    // day STRING is a column, days(ts) and day are transforms of one.
    const KeywordId next = Peek(1).keyword;
    const bool plain = next == K(",") || next == K(")") || next == K("(") || next == K(".");
    items.Add(plain ? ParseExpression() : ParseColumnDefinition());
  } while (Accept(","));
  Expect(")");
  return items.Take();
}

// Everything up to the end of the statement, as one clause.
const Clause* Parser::ParseRest() {
  const uint32_t begin = Here();
  auto* const clause = New<Clause>();
  clause->word = kKeywords[Peek().keyword];
  clause->tokens = TakeTokens();
  return Finish(clause, begin);
}

// A clause up to the next one. Only whole brackets are looked into, and only for their end.
const Clause* Parser::ParseClause() {
  const uint32_t begin = Here();
  auto* const clause = New<Clause>();
  const size_t from = at_;
  clause->word = Peek().keyword != 0 ? kKeywords[Peek().keyword] : Peek().text;
  const bool takes_text = LooksAt("LOCATION") || LooksAt("COMMENT");
  Skip();
  if (takes_text && AtString()) {
    clause->value = ParseString("a text");
  } else {
    while (!AtEnd() && !LooksAt(";") && !LooksAt(")")) {
      const KeywordId last = tokens_[at_ - 1].keyword;
      if (LooksAt("(") && AtQuery(1) && last != K("ON")) break;
      const bool goes_on = at_ == from + 1 && last != K("COMMENT") && !LooksAt("AS", "SELECT");
      if (!goes_on && LooksAtAny(kClauseStarts) && !ContinuesClause(from)) break;
      SkipBalanced();
    }
  }
  clause->tokens = TokensFrom(from);
  return Finish(clause, begin);
}

// Whether the word at hand, though it could begin a clause, goes on with the one that began at
// `from`: ROW FORMAT SERDE '…' WITH SERDEPROPERTIES, CLUSTERED BY … SORTED BY, SKEWED BY … ON … AS.
bool Parser::ContinuesClause(size_t from) const {
  const KeywordId first = tokens_[from].keyword;
  switch (Peek().keyword) {
    case K("WITH"):
      return Peek(1).Is("SERDEPROPERTIES");
    case K("FORMAT"):
    case K("ROW"):
      return first == K("ROW") || first == K("STORED");
    case K("SORTED"):
      return first == K("CLUSTERED");
    case K("ON"):
      return first == K("SKEWED") || first == K("WITH") || first == K("ON");
    case K("STORED"):
      return first == K("SKEWED") && Peek(1).keyword == K("AS") && Peek(2).Is("DIRECTORIES");
    case K("AS"):
      return tokens_[at_ - 1].keyword == K("STORED") || Peek(1).kind == TokenKind::kString;
    case K("DEFAULT"):
      return tokens_[at_ - 1].keyword != K(")");
    case K("DISTRIBUTED"):
    case K("ORDER"):
      return first == K("WRITE");
    default:
      return tokens_[at_ - 1].keyword == K("AS") || tokens_[at_ - 1].keyword == K("BY");
  }
}

const Node* Parser::ParseCreateView(uint32_t begin, size_t words_from) {
  const Level level(*this);
  auto* const view = New<CreateView>();
  Expect("VIEW");
  view->words = WordsFrom(words_from);
  view->or_replace = view->words.find("REPLACE") != std::string_view::npos;
  view->temporary = view->words.find(" TEMP") != std::string_view::npos;
  view->materialized = view->words.find("MATERIALIZED") != std::string_view::npos;
  view->recursive = view->words.find("RECURSIVE") != std::string_view::npos;
  view->if_not_exists = AcceptIfNotExists();
  view->name = ParseName("a view");
  if (LooksAt("(") && !AtQuery(1)) view->columns = ParseColumnDefinitions();
  NodeCollector<Clause> clauses(*this);
  while (!failed() && !AtEnd() && !LooksAt("AS") && !LooksAt(";") && !LooksAt(")")) {
    if (LooksAt("(")) {
      // A view may have its columns behind a comment.
      if (AtQuery(1) || !view->columns.empty()) break;
      view->columns = ParseColumnDefinitions();
      continue;
    }
    if (AtQuery() && !LooksAt("WITH", "SERDEPROPERTIES")) break;
    const size_t from = at_;
    if (Accept("USING")) {
      view->format = ParseName("a format");
    } else if ((LooksAt("PARTITIONED", "ON", "(") || LooksAt("PARTITIONED", "BY", "("))) {
      Skip(2);
      view->partitioned_word = WordsFrom(from);
      view->partitioned_by = ParsePartitionedBy();
    } else {
      const Clause* const clause = ParseClause();
      if (clause->word == "LOCATION") view->location = clause->value;
      clauses.Add(clause);
    }
  }
  view->clauses = clauses.Take();
  if (Accept("AS") || AtQuery() || LooksAt("(")) {
    view->query = ParseQuery();
  } else if (view->format.empty()) {
    FailAt("AS");
  }
  view->tail = TakeTokens();
  return Finish(view, begin);
}

const Node* Parser::ParseCreateFunction(uint32_t begin, size_t words_from) {
  const Level level(*this);
  auto* const function = New<CreateFunction>();
  if (LooksAt("AGGREGATE")) Skip();
  const bool macro = LooksAt("MACRO");
  Skip();
  function->words = WordsFrom(words_from);
  function->macro = macro;
  function->or_replace = function->words.find("REPLACE") != std::string_view::npos;
  function->temporary = function->words.find(" TEMP") != std::string_view::npos;
  function->if_not_exists = AcceptIfNotExists();
  function->name = ParseName("a function");
  if (LooksAt("(")) {
    function->parameters_said = true;
    Expect("(");
    NodeCollector<ColumnDefinition> parameters(*this);
    while (!LooksAt(")")) {
      const uint32_t parameter_begin = Here();
      auto* const parameter = New<ColumnDefinition>();
      parameter->name = ParseAnyName("a column");
      if (!LooksAt(",") && !LooksAt(")") && !LooksAt(":=") && !LooksAt("DEFAULT")) {
        parameter->type = ParseType();
      }
      parameter->attributes = TakeTokensUntil([&] { return LooksAt(","); });
      parameters.Add(Finish(parameter, parameter_begin));
      if (!Accept(",")) break;
    }
    function->parameters = parameters.Take();
    Expect(")");
  }
  ParseFunctionBody(*function);
  return Finish(function, begin);
}

void Parser::ParseFunctionBody(CreateFunction& function) {
  // RETURNS INT, LANGUAGE SQL and the like, up to the word that begins the body. Hive's macros have
  // none: CREATE TEMPORARY MACRO f(x INT) x + 1.
  const bool hive_macro = function.macro && !LooksAt("AS") && function.parameters_said;
  if (!hive_macro) {
    function.returns = TakeTokensUntil([&] {
      return LooksAt("AS") || LooksAt("BEGIN") ||
             (LooksAt("RETURN") && tokens_[at_ - 1].keyword != K("ON"));
    });
    static constexpr KeywordSet kBodyWords = {"AS", "RETURN"};
    function.body_word = AcceptAny(kBodyWords);
  }
  if (function.body_word.empty() && !hive_macro) {
    if (LooksAt("BEGIN")) function.body = ParseBlock({}, Here());
    return;
  }
  if (Peek().kind == TokenKind::kString && function.body_word == "AS") {
    function.tail = TakeTokens();  // 'com.example.Udf' USING JAR '…', $$ … $$
    return;
  }
  function.table_body = Accept("TABLE");
  if (LooksAt("BEGIN")) {
    function.body = ParseBlock({}, Here());
  } else if (AtQuery() || function.table_body) {
    function.body = ParseQuery();
  } else {
    function.body = ParseExpression();
  }
  function.tail = TakeTokens();
}

// CREATE SCHEMA s …, CREATE INDEX i ON t …, CREATE ROLE r, …
const Node* Parser::ParseCreateOther(uint32_t begin, size_t words_from) {
  auto* const other = New<CreateOther>();
  other->words = WordsFrom(words_from);
  const size_t from = at_;
  static constexpr KeywordSet kObjects = {
      "SCHEMA", "DATABASE", "NAMESPACE", "CATALOG",    "INDEX",    "SEQUENCE",   "TYPE",    "ROLE",
      "USER",   "SECRET",   "EXTENSION", "TRIGGER",    "DOMAIN",   "CONNECTION", "VOLUME",  "SHARE",
      "QUERY",  "SERVER",   "POLICY",    "STATISTICS", "RESOURCE", "POOL",       "VARIABLE"};
  while (!AtEnd() && !LooksAt(";") && !LooksAtAny(kObjects)) {
    if (Peek().kind != TokenKind::kWord || at_ > from + 3) {
      at_ = from;
      Fail("TABLE, VIEW, FUNCTION, SCHEMA or another object");
      return Finish(other, begin);
    }
    Skip();
  }
  if (AtEnd() || LooksAt(";")) {
    at_ = from;
    Fail("TABLE, VIEW, FUNCTION, SCHEMA or another object");
    return Finish(other, begin);
  }
  Skip();
  Accept("CONCURRENTLY");
  other->object = WordsFrom(from);
  other->if_not_exists = AcceptIfNotExists();
  if (AtIdentifier() && !LooksAt("ON")) other->name = ParseName("a name");
  if (LooksAt("ON") && AtIdentifier(1)) {
    Skip();
    other->on = true;
    if (LooksAt("TABLE") && AtIdentifier(1)) Skip();
    other->table = ParseName("a table");
  }
  other->tail = TakeTokens();
  return Finish(other, begin);
}

}  // namespace tarn::sql::tree
