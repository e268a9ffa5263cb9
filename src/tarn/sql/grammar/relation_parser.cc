#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {

List<const Relation*> Parser::ParseRelations() {
  NodeCollector<Relation> relations(*this);
  do {
    if (relations.size() > 0 && AtClause() && !LooksAt("LATERAL") && !LooksAt("VALUES"))
      break;  // a comma too many
    relations.Add(ParseRelation());
  } while (Accept(","));
  return relations.Take();
}

// One relation with everything joined to it.
const Relation* Parser::ParseRelation() {
  const Level level(*this);
  const uint32_t begin = Here();
  return ParseRelationAfter(ParseRelationOperand(), begin, true);
}

// `whole_chain`: all joins that follow. Else only what binds to a single relation.
const Relation* Parser::ParseRelationAfter(const Relation* left, uint32_t begin, bool whole_chain) {
  size_t joins = 0;
  while (!failed()) {
    if (LooksAt("PIVOT") && AtPivot()) {
      left = ParsePivot(left, begin);
    } else if (LooksAt("UNPIVOT") && AtPivot()) {
      left = ParseUnpivot(left, begin);
    } else if (LooksAt("MATCH_RECOGNIZE", "(")) {
      left = ParseMatchRecognize(left, begin);
    } else if (!whole_chain) {
      return left;
    } else if (LooksAt("LATERAL", "VIEW")) {
      left = ParseLateralView(left, begin);
    } else if (AtJoin()) {
      if (++joins > kTreeHeightMax) FailTooDeep();
      left = ParseJoin(left, begin);
    } else {
      return left;
    }
  }
  return left;
}

bool Parser::AtJoin() const {
  const KeywordId next = Peek(1).keyword;
  switch (Peek().keyword) {
    case K("JOIN"):
    case K("STRAIGHT_JOIN"):
      return true;
    case K("INNER"):
    case K("NATURAL"):
      return next != K(",");
    case K("CROSS"):
    case K("OUTER"):
      return next == K("JOIN") || next == K("APPLY");
    case K("LEFT"):
    case K("RIGHT"):
    case K("FULL"):
      return next == K("JOIN") || next == K("OUTER") || next == K("SEMI") || next == K("ANTI") ||
             next == K("ASOF");
    case K("SEMI"):
    case K("ANTI"):
    case K("POSITIONAL"):
      return next == K("JOIN");
    case K("ASOF"):
      return next == K("JOIN") || next == K("LEFT");
    default:
      return false;
  }
}

JoinKind Parser::TakeJoinWords(Join& join) {
  join.natural = Accept("NATURAL");
  if (Accept("STRAIGHT_JOIN")) return JoinKind::kInner;
  JoinKind kind = JoinKind::kInner;
  const bool asof = Accept("ASOF");
  if (Accept("LEFT")) {
    kind = Accept("SEMI") ? JoinKind::kLeftSemi
                          : (Accept("ANTI") ? JoinKind::kLeftAnti : JoinKind::kLeft);
  } else if (Accept("RIGHT")) {
    kind = Accept("SEMI") ? JoinKind::kRightSemi
                          : (Accept("ANTI") ? JoinKind::kRightAnti : JoinKind::kRight);
  } else if (Accept("FULL")) {
    kind = JoinKind::kFull;
  } else if (Accept("CROSS")) {
    if (Accept("APPLY")) return JoinKind::kCrossApply;
    kind = JoinKind::kCross;
  } else if (Accept("OUTER", "APPLY")) {
    return JoinKind::kOuterApply;
  } else if (Accept("SEMI")) {
    kind = JoinKind::kLeftSemi;
  } else if (Accept("ANTI")) {
    kind = JoinKind::kLeftAnti;
  } else if (Accept("POSITIONAL")) {
    kind = JoinKind::kPositional;
  } else {
    Accept("INNER");
  }
  Accept("OUTER");
  Accept("ASOF");
  Expect("JOIN");
  if (asof) kind = kind == JoinKind::kLeft ? JoinKind::kAsofLeft : JoinKind::kAsof;
  return kind;
}

const Relation* Parser::ParseJoin(const Relation* left, uint32_t begin) {
  const Level level(*this);
  auto* const join = New<Join>();
  const size_t from = at_;
  join->left = left;
  join->join = TakeJoinWords(*join);
  join->words = at_ == from + 1 ? "JOIN" : WordsFrom(from);
  if (tokens_[from].keyword == K("STRAIGHT_JOIN")) join->words = "STRAIGHT_JOIN";
  const uint32_t right_begin = Here();
  const Relation* right = ParseRelationOperand();
  // a JOIN b JOIN c ON … ON …: the condition that comes first belongs to the last join.
  if (AtJoin() && join->join != JoinKind::kCross && !join->natural) {
    right = ParseRelationAfter(right, right_begin, true);
  }
  join->right = right;
  if (Accept("ON")) {
    join->on = ParseExpression();
  } else if (LooksAt("USING", "(")) {
    Skip();
    join->using_columns = ParseIdentifiersInBrackets("a column");
    if (dialect_.arrow_is_json && Accept("AS")) join->using_alias = ParseIdentifier("a name");
  }
  return Finish(join, begin);
}

// A primary with what binds to it more tightly than a join.
const Relation* Parser::ParseRelationOperand() {
  const uint32_t begin = Here();
  return ParseRelationAfter(ParseRelationPrimary(), begin, false);
}

const Relation* Parser::ParseRelationPrimary() {
  const uint32_t begin = Here();
  const bool lateral = LooksAt("LATERAL") && Accept("LATERAL");
  switch (Peek().keyword) {
    case K("("):
      return ParseRelationBracket(lateral, begin);
    case K("VALUES"):
      if (AtQuery()) {
        auto* const derived = New<Derived>();
        derived->lateral = lateral;
        derived->bare = true;
        derived->query = WrapBody(ParseValues());
        ParseAliasAndSample(*derived);
        return Finish(derived, begin);
      }
      break;
    case K("UNNEST"):
      if (Peek(1).keyword == K("(")) return ParseFunctionRelation(lateral, begin);
      break;
    case K("TABLE"):
      if (Peek(1).keyword == K("(") && AtQuery(2)) {
        Skip(2);
        auto* const derived = New<Derived>();
        derived->table_word = true;
        derived->query = ParseQuery();
        Expect(")");
        ParseAliasAndSample(*derived);
        return Finish(derived, begin);
      }
      [[fallthrough]];
    case K("ROWS"):
      if (Peek(1).keyword == K("(") || LooksAt("ROWS", "FROM", "(")) {
        return ParseFunctionRelation(lateral, begin);
      }
      break;
    default:
      break;
  }
  if (lateral) return ParseFunctionRelation(true, begin);
  // A name with a bracket behind it is a function; not t PARTITION (…), not t ('k' = 'v').
  size_t ahead = at_;
  while (tokens_[ahead + 1].keyword == K(".") && ahead + 2 < end_) ahead += 2;
  if (AtIdentifier() && ahead < end_ && tokens_[ahead + 1].keyword == K("(") &&
      !LooksAt("IDENTIFIER") &&
      !(tokens_[ahead + 2].kind == TokenKind::kString && tokens_[ahead + 3].keyword == K("="))) {
    return ParseFunctionRelation(false, begin);
  }
  return ParseTable();
}

// (query) · (relation JOIN relation) · ((query) UNION (query)) · (a, b)
const Relation* Parser::ParseRelationBracket(bool lateral, uint32_t begin) {
  const Level level(*this);
  static constexpr KeywordSet kCommands = {"DESCRIBE", "SHOW",   "SUMMARIZE", "PIVOT",
                                           "UNPIVOT",  "INSERT", "UPDATE",    "DELETE"};
  const bool pivots = Peek(1).keyword == K("PIVOT") || Peek(1).keyword == K("UNPIVOT");
  if (AtQuery(1) ||
      (kCommands.Contains(Peek(1).keyword) && Peek(2).keyword != K(".") &&
       Peek(2).kind == TokenKind::kWord && Peek(2).keyword != K("JOIN")) ||
      pivots) {
    Expect("(");
    const Node* const query = ParseQueryOrCommand();
    Expect(")");
    return ParseDerived(query, lateral, begin);
  }
  Expect("(");
  const uint32_t inner_begin = Here();
  NodeCollector<Relation> relations(*this);
  relations.Add(ParseRelation());
  // What looked like a relation was the first part of a query, if it is nothing but one.
  const auto* const derived = As<Derived>(nodes_.back());
  if (derived != nullptr && derived->alias.empty() && derived->sample == nullptr &&
      !derived->bare && !derived->lateral && (AtSetOperator() || AtQueryEnd())) {
    const Query* first = As<Query>(derived->query);
    if (first != nullptr) {
      auto* const operand = New<Query>();
      *operand = *first;
      operand->parenthesized = true;
      operand->span = derived->span;
      const Query* const query = ParseQueryFrom(nullptr, operand, inner_begin);
      Expect(")");
      return ParseDerived(query, lateral, begin);
    }
  }
  while (Accept(",")) relations.Add(ParseRelation());
  auto* const nested = New<Nested>();
  nested->relations = relations.Take();
  Expect(")");
  ParseAliasAndSample(*nested);
  return Finish(nested, begin);
}

const Relation* Parser::ParseDerived(const Node* query, bool lateral, uint32_t begin) {
  auto* const derived = New<Derived>();
  derived->lateral = lateral;
  derived->query = query;
  ParseAliasAndSample(*derived);
  return Finish(derived, begin);
}

const Node* Parser::ParseQueryOrCommand() {
  static constexpr KeywordSet kCommands = {"DESCRIBE", "SHOW", "SUMMARIZE"};
  static constexpr KeywordSet kChanges = {"INSERT", "UPDATE", "DELETE", "MERGE"};
  if (LooksAtAny(kChanges)) return ParseStatement();
  if (LooksAtAny(kCommands)) return ParseCommand();
  return ParseQuery();
}

// f(x) · UNNEST(a, b) WITH ORDINALITY · TABLE(f(x)) · ROWS FROM (f(x), g(y))
const Relation* Parser::ParseFunctionRelation(bool lateral, uint32_t begin) {
  auto* const function = New<Function>();
  function->lateral = lateral;
  NodeCollector<Call> calls(*this);
  if (LooksAt("ROWS", "FROM", "(")) {
    Skip(3);
    function->wrapper = "ROWS FROM";
    do {
      calls.Add(ParseRelationCall());
    } while (Accept(","));
    Expect(")");
  } else if (LooksAt("TABLE", "(")) {
    Skip(2);
    function->wrapper = "TABLE";
    calls.Add(ParseRelationCall());
    Expect(")");
  } else {
    calls.Add(ParseRelationCall());
  }
  function->calls = calls.Take();
  if (Accept("WITH", "ORDINALITY")) {
    function->with = "WITH ORDINALITY";
  }
  ParseAliasAndSample(*function);
  if (Accept("WITH", "OFFSET")) {
    function->with = "WITH OFFSET";
    if (Accept("AS") || AtAlias()) function->offset = ParseIdentifier("a name");
  }
  return Finish(function, begin);
}

const Table* Parser::ParseTable() {
  const uint32_t begin = Here();
  auto* const table = New<Table>();
  if (LooksAt("ONLY") && AtIdentifier(1)) {
    table->only = "ONLY";
    Skip();
  }
  const TokenKind kind = Peek().kind;
  if (LooksAt("IDENTIFIER", "(")) {
    table->source = ParseNamed();
  } else if (kind == TokenKind::kString || kind == TokenKind::kParameter || LooksAt(":") ||
             (kind == TokenKind::kTemplate && Peek(1).keyword != K("."))) {
    table->source = ParseString("a relation");
  } else {
    table->name = ParseName("a relation");
  }
  if (LooksAt("PARTITION", "(")) {
    Skip();
    NodeCollector<Node> items(*this);
    for (const PartitionItem* item : ParsePartition()) items.Add(item);
    table->partitions = items.Take();
  }
  if (LooksAt("(") && Peek(1).kind == TokenKind::kString) table->options = TakeBracket();
  table->as_of = ParseTimeTravel();
  ParseAliasAndSample(*table);
  if (table->as_of == nullptr) table->as_of_last = (table->as_of = ParseTimeTravel()) != nullptr;
  if (LooksAt("WITH", "(")) {
    const size_t from = at_;
    Skip();
    SkipBalanced();
    table->options = TokensFrom(from);
  }
  return Finish(table, begin);
}

// The table that a statement changes: its name, and an alias: without AS only
// where no other word may follow.
const Table* Parser::ParseTableName(bool with_alias) {
  const uint32_t begin = Here();
  auto* const table = New<Table>();
  if (LooksAt("IDENTIFIER", "(")) {
    table->source = ParseNamed();
  } else if (Peek().kind == TokenKind::kString || Peek().kind == TokenKind::kParameter ||
             (Peek().kind == TokenKind::kTemplate && Peek(1).keyword != K("."))) {
    table->source = ParseString("a table");
  } else {
    table->name = ParseName("a table");
  }
  if (Accept("AS")) {
    table->alias.name = ParseAnyWord("a name");
  } else if (with_alias && AtAlias()) {
    table->alias.name = TakeIdentifier();
  }
  return Finish(table, begin);
}

RelationAlias Parser::ParseRelationAlias() {
  RelationAlias alias;
  const bool said = Accept("AS");
  if (said && LooksAt("SET") && Peek(2).keyword == K("=")) return alias;  // UPDATE t AS SET …
  if (said && LooksAt("(")) {
    // AS (a INT, b TEXT): only columns.
  } else if (said) {
    alias.name = ParseAnyWord("an alias");
  } else if (AtAlias()) {
    alias.name = TakeIdentifier();
  } else {
    return alias;
  }
  if (!LooksAt("(") || !(AtIdentifier(1) || Peek(1).kind == TokenKind::kString)) return alias;
  Skip();
  Collector<Identifier> columns(identifiers_, arena_);
  NodeCollector<Type> types(*this);
  do {
    columns.Add(ParseIdentifier("a column"));
    if (!LooksAt(",") && !LooksAt(")")) types.Add(ParseType());
  } while (Accept(","));
  Expect(")");
  if (types.size() != 0 && types.size() != columns.size()) Fail("a type for each column");
  alias.columns = columns.Take();
  alias.types = types.Take();
  return alias;
}

template <class T>
void Parser::ParseAliasAndSample(T& relation) {
  const Sample* const before = LooksAt("TABLESAMPLE") ? ParseSample() : nullptr;
  relation.alias = ParseRelationAlias();
  if (before != nullptr) {
    relation.sample = before;
    relation.sample_first = true;
  } else if (LooksAt("TABLESAMPLE")) {
    relation.sample = ParseSample();
  }
}

const Sample* Parser::ParseSample() {
  const uint32_t begin = Here();
  auto* const sample = New<Sample>();
  const size_t from = at_;
  Skip(LooksAt("TABLESAMPLE") ? 1 : 2);
  sample->word = WordsFrom(from);
  // TABLESAMPLE BERNOULLI (10); USING SAMPLE 10 PERCENT (system, 42)
  const size_t method = at_;
  if (sample->word != "TABLESAMPLE") {
    sample->method = TakeTokensUntil([&] { return AtClause() || AtQueryEnd(); });
    return Finish(sample, begin);
  }
  if (!LooksAt("(")) Skip();
  Expect("(");
  while (!AtEnd() && !LooksAt(";") && !LooksAt(")") && !LooksAt("ON")) SkipBalanced();
  sample->method = TokensFrom(method);
  if (Accept("ON")) sample->on = ParseExpressions();
  const size_t rest = at_;
  Expect(")");
  if (LooksAt("REPEATABLE") || LooksAt("SEED")) {
    Skip();
    TakeBracket();
  }
  sample->rest = TokensFrom(rest);
  return Finish(sample, begin);
}

const Relation* Parser::ParseLateralView(const Relation* input, uint32_t begin) {
  auto* const view = New<LateralView>();
  view->input = input;
  Expect("LATERAL");
  Skip();  // VIEW
  view->outer = Accept("OUTER");
  view->call = ParseRelationCall();
  if (!LooksAt("AS") && AtAlias()) view->table_alias = TakeIdentifier();
  view->worded = Accept("AS");
  if (view->worded) {
    view->columns_parenthesized = Accept("(");
    Collector<Identifier> columns(identifiers_, arena_);
    do {
      columns.Add(ParseIdentifier("a column"));
      // A comma may also go on with FROM a LATERAL VIEW f(x) t AS c, b: then a clause, an alias, a
      // dot or a bracket tells a relation from a column.
    } while (LooksAt(",") && AtIdentifier(1) && !AtRelationAhead(1) && Accept(","));
    view->columns = columns.Take();
    if (view->columns_parenthesized) Expect(")");
  } else if (AtAlias()) {
    // LATERAL VIEW f(x) t a, b: columns without AS.
    Collector<Identifier> columns(identifiers_, arena_);
    do {
      columns.Add(ParseIdentifier("a column"));
    } while (LooksAt(",") && AtIdentifier(1) && !AtRelationAhead(1) && Accept(","));
    view->columns = columns.Take();
  }
  return Finish(view, begin);
}

bool Parser::AtRelationAhead(size_t ahead) const {
  const Token& next = Peek(ahead + 1);
  return next.keyword == K(".") || next.keyword == K("AS") || next.keyword == K("(") ||
         next.keyword == K("TABLESAMPLE") || (next.kind == TokenKind::kWord && next.keyword == 0) ||
         next.kind == TokenKind::kQuotedIdentifier;
}

const TimeTravel* Parser::ParseTimeTravel() {
  const uint32_t begin = Here();
  const size_t from = at_;
  static constexpr KeywordSet kUnits = {"VERSION", "TIMESTAMP", "SYSTEM_TIME", "SYSTEM_VERSION"};
  if (LooksAt("AT", "(") || LooksAt("BEFORE", "(")) {
    auto* const travel = New<TimeTravel>();
    travel->words = LooksAt("AT") ? "AT" : "BEFORE";
    Skip(2);
    travel->unit = ParseAnyWord("VERSION or TIMESTAMP").text;
    Expect("=>");
    travel->value = ParseExpression();
    Expect(")");
    return Finish(travel, begin);
  }
  const bool said_for = LooksAt("FOR") && LooksAtAny(kUnits, 1);
  if (!said_for &&
      !(LooksAtAny(kUnits) && Peek(1).keyword == K("AS") && Peek(2).keyword == K("OF"))) {
    return nullptr;
  }
  auto* const travel = New<TimeTravel>();
  Skip(said_for ? 2 : 1);
  if (Accept("AS", "OF")) {
    travel->words = WordsFrom(from);
    travel->value = ParseOperators(5);
  } else if (Accept("BETWEEN")) {
    travel->words = WordsFrom(from);
    travel->value = ParseOperators(5);
    Expect("AND");
    travel->until = ParseOperators(5);
  } else if (Accept("FROM")) {
    travel->words = WordsFrom(from);
    travel->value = ParseOperators(5);
    Expect("TO");
    travel->until = ParseOperators(5);
  } else {
    Fail("AS OF");
  }
  return Finish(travel, begin);
}

}  // namespace tarn::sql::tree
