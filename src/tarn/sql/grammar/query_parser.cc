#include "tarn/sql/grammar/parser_internal.h"

namespace tarn::sql::tree {
namespace {

// INTERSECT binds more tightly than the others.
int SetPrecedence(KeywordId keyword) { return keyword == K("INTERSECT") ? 2 : 1; }

}  // namespace

const Query* Parser::ParseQuery() {
  const Level level(*this);
  const uint32_t begin = Here();
  const With* const with = LooksAt("WITH") ? ParseWith() : nullptr;
  return ParseQueryFrom(with, nullptr, begin);
}

const Query* Parser::ParseQueryFrom(const With* with, const QueryBody* first, uint32_t begin) {
  const QueryBody* body = ParseQueryBody(first, 1);
  const bool more = AtQueryEnd();
  // (SELECT 1) is one query, not one around another.
  if (with == nullptr && !more) {
    if (const auto* inner = As<Query>(body)) return inner;
  }
  auto* const query = New<Query>();
  query->with = with;
  query->body = body;
  if (more) ParseQueryEnd(*query);
  if (!more || !AtSetOperator()) return Finish(query, begin);
  // SELECT … LIMIT 10 UNION …: the order and the limit were the first part's alone (Impala).
  query->with = nullptr;
  return ParseQueryFrom(with, Finish(query, body->span.begin), begin);
}

const With* Parser::ParseWith() {
  const uint32_t begin = Here();
  auto* const with = New<With>();
  Expect("WITH");
  with->recursive = LooksAt("RECURSIVE") && Peek(1).keyword != K("AS") && Accept("RECURSIVE");
  NodeCollector<Cte> ctes(*this);
  do {
    ctes.Add(ParseCte());
  } while (Accept(",") && !LooksAt("SELECT"));
  with->ctes = ctes.Take();
  return Finish(with, begin);
}

const Cte* Parser::ParseCte() {
  const uint32_t begin = Here();
  auto* const cte = New<Cte>();
  cte->name = ParseIdentifier("the name of a common table expression");
  if (LooksAt("(")) cte->columns = ParseIdentifiersInBrackets("a column");
  if (LooksAt("MAX") || LooksAt("USING")) {
    cte->tail = TakeTokensUntil([&] { return LooksAt("AS"); });
  }
  if (!Accept("AS") && !LooksAt("(")) FailAt("AS");
  if (Accept("MATERIALIZED")) {
    cte->materialized = "MATERIALIZED";
  } else if (Accept("NOT", "MATERIALIZED")) {
    cte->materialized = "NOT MATERIALIZED";
  }
  Expect("(");
  static constexpr KeywordSet kChanges = {"INSERT", "UPDATE", "DELETE", "MERGE"};
  cte->query = LooksAtAny(kChanges) ? ParseStatement() : ParseQueryOrCommand();
  Expect(")");
  if (LooksAt("SEARCH") || LooksAt("CYCLE")) {
    cte->tail = TakeTokensUntil([&] { return LooksAt(",") || LooksAt("SELECT"); });
  }
  return Finish(cte, begin);
}

bool Parser::AtSetOperator() const {
  static constexpr KeywordSet kOperators = {"UNION", "EXCEPT", "INTERSECT"};
  return LooksAtAny(kOperators) || (LooksAt("MINUS") && AtClause());
}

const QueryBody* Parser::ParseQueryBody(const QueryBody* first, int precedence_min) {
  const Level level(*this);
  const uint32_t begin = first != nullptr ? first->span.begin : Here();
  const QueryBody* left = first != nullptr ? first : ParseQueryPrimary();
  while (AtSetOperator() && SetPrecedence(Peek().keyword) >= precedence_min) {
    auto* const operation = New<SetOperation>();
    NodeCollector<QueryBody> operands(*this);
    operands.Add(left);
    const KeywordId word = Peek().keyword;
    operation->word = kKeywords[word];
    const size_t from = at_;
    // A chain of the same operator, said in the same way, is one node.
    while (Peek().keyword == word) {
      const size_t here = at_;
      Skip();
      static constexpr KeywordSet kQuantifiers = {"ALL", "DISTINCT"};
      const std::string_view quantifier = AcceptAny(kQuantifiers);
      const bool by_name = Accept("BY", "NAME");
      if (here == from) {
        operation->quantifier = quantifier;
        operation->by_name = by_name;
      } else if (quantifier != operation->quantifier || by_name != operation->by_name) {
        at_ = here;
        break;
      }
      operands.Add(ParseQueryBody(nullptr, SetPrecedence(word) + 1));
    }
    operation->operands = operands.Take();
    left = Finish(operation, begin);
    if (failed()) break;
  }
  return left;
}

const QueryBody* Parser::ParseQueryPrimary() {
  switch (Peek().keyword) {
    case K("SELECT"):
      return ParseSelect();
    case K("FROM"):
      return ParseFromFirst();
    case K("VALUES"):
      return ParseValues();
    case K("TABLE"): {
      const uint32_t begin = Here();
      auto* const table = New<TableQuery>();
      Skip();
      table->name = ParseName("a table");
      return Finish(table, begin);
    }
    case K("MAP"):
    case K("REDUCE"):
      if (AtTransform()) return ParseSelectAfter({}, Here());
      break;
    case K("PIVOT"):
    case K("UNPIVOT"):
      return ParsePivotStatement();
    case K("WITH"):
      return ParseQuery();  // Hive: UNION ALL WITH …
    case K("("): {
      const Level level(*this);
      const uint32_t begin = Here();
      Skip();
      // Made just now, and seen by nobody else.
      auto* query = const_cast<Query*>(ParseQuery());
      Expect(")");
      if (query->parenthesized) {  // ((SELECT …))
        auto* const outer = New<Query>();
        outer->body = query;
        query = outer;
      }
      query->parenthesized = true;
      return Finish(query, begin);
    }
    default:
      break;
  }
  Fail("a query");
  return Finish(New<Values>(), Here());
}

bool Parser::AtQueryEnd() const {
  switch (Peek().keyword) {
    case K("ORDER"):
    case K("CLUSTER"):
    case K("DISTRIBUTE"):
    case K("SORT"):
      return Peek(1).keyword == K("BY");
    case K("LIMIT"):
    case K("OFFSET"):
    case K("|>"):
      return true;
    case K("FETCH"):
      return Peek(1).keyword == K("FIRST") || Peek(1).keyword == K("NEXT");
    case K("FOR"):
      return Peek(1).Is("UPDATE") || Peek(1).Is("SHARE") || Peek(1).Is("NO");
    default:
      return false;
  }
}

void Parser::ParseQueryEnd(Query& query) {
  while (AtQueryEnd() && !failed()) {
    if (Accept("ORDER", "BY")) {
      query.order_by = ParseSortItems();
      const auto* const column = As<Column>(query.order_by[0]->expression);
      query.order_by_all = column != nullptr && query.order_by.size() == 1 &&
                           column->name.parts.size() == 1 &&
                           Token{TokenKind::kWord, 0, {}, column->name.parts[0].text}.Is("ALL");
    } else if (Accept("SORT", "BY")) {
      query.sort_by = ParseSortItems();
    } else if (Accept("DISTRIBUTE", "BY")) {
      query.distribute_by = ParseExpressions();
    } else if (Accept("CLUSTER", "BY")) {
      query.cluster_by = ParseExpressions();
    } else if (LooksAt("FOR")) {
      query.tail = TakeTokens();
    } else if (LooksAt("|>")) {
      query.pipes = ParsePipes();
    } else {
      ParseLimit(query);
    }
  }
}

void Parser::ParseLimit(Query& query) {
  if (Accept("LIMIT")) {
    query.offset_first = query.offset != nullptr;
    query.limit = Peek(1).keyword == K("%") ? ParseUnary() : ParseExpression();
    if (Accept(",")) {
      query.limit_comma = true;
      query.offset = query.limit;
      query.limit = ParseExpression();
    }
    if (Accept("%") || Accept("PERCENT")) query.limit_percent = true;
  } else if (Accept("OFFSET")) {
    query.offset = ParseExpression();
    static constexpr KeywordSet kRows = {"ROW", "ROWS"};
    AcceptAny(kRows);
  } else {
    Expect("FETCH");
    query.fetch = true;
    Skip();  // FIRST or NEXT
    static constexpr KeywordSet kRows = {"ROW", "ROWS"};
    if (!LooksAtAny(kRows)) query.limit = ParseExpression();
    if (Accept("PERCENT")) query.limit_percent = true;
    AcceptAny(kRows);
    if (Accept("WITH", "TIES")) {
      query.fetch_ties = true;
    } else {
      Expect("ONLY");
    }
  }
}

const Query* Parser::WrapBody(const QueryBody* body) {
  auto* const query = New<Query>();
  query->body = body;
  return Finish(query, body->span.begin);
}

// ---- SELECT.

const QueryBody* Parser::ParseSelect() { return ParseSelectAfter({}, Here()); }

const QueryBody* Parser::ParseFromFirst() {
  const uint32_t begin = Here();
  Expect("FROM");
  const List<const Relation*> from = ParseRelations();
  return ParseSelectAfter(from, begin);
}

// With `from`, whose FROM begins at `begin`, read before: SELECT may be left out.
const QueryBody* Parser::ParseSelectAfter(List<const Relation*> from, uint32_t begin) {
  auto* const select = New<Select>();
  select->from = from;
  select->from_first = !from.empty();
  const bool transforms = AtTransform();
  select->select_said = Accept("SELECT");
  if (select->select_said || transforms) {
    select->hints = TakeHints();
    if (LooksAt("STREAM") && (AtIdentifier(1) || Peek(1).keyword == K("*"))) {
      select->quantifier = "STREAM";
      Skip();
    } else if (!transforms) {
      static constexpr KeywordSet kQuantifiers = {"DISTINCT", "ALL"};
      select->quantifier = AcceptAny(kQuantifiers);
      if (select->quantifier == "DISTINCT" && Accept("ON", "(")) {
        select->distinct_on = ParseExpressions();
        Expect(")");
      }
    }
    if (AtTransform()) {
      select->transform = ParseTransform();
    } else {
      ParseSelectList(*select);
    }
  } else if (from.empty()) {
    FailAt("SELECT");
  }
  ParseSelectClauses(*select);
  return Finish(select, begin);
}

void Parser::ParseSelectList(Select& select) {
  if ((LooksAt("FROM") || LooksAt(")")) && dialect_.arrow_is_json)
    return;  // PostgreSQL: SELECT FROM t
  NodeCollector<Alias> items(*this);
  do {
    if (items.size() > 0 && (LooksAt("FROM") || LooksAt(")") || AtEnd())) break;
    items.Add(ParseAlias());
  } while (Accept(","));
  select.items = items.Take();
}

List<const Alias*> Parser::ParseAliases() {
  NodeCollector<Alias> items(*this);
  do {
    items.Add(ParseAlias());
  } while (Accept(","));
  return items.Take();
}

const Alias* Parser::ParseAlias() {
  const uint32_t begin = Here();
  auto* const alias = New<Alias>();
  alias->expression = ParseExpression();
  if (Accept("AS")) {
    if (LooksAt("(")) {
      alias->names = ParseIdentifiersInBrackets("a column");
    } else {
      alias->name = ParseAnyWord("a column");
    }
  } else if (AtAlias()) {
    alias->name = TakeIdentifier();
  } else if (LooksAt("(") && AtIdentifier(1)) {
    alias->names = ParseIdentifiersInBrackets("a column");
  }
  return Finish(alias, begin);
}

void Parser::ParseSelectClauses(Select& select) {
  while (!failed()) {
    switch (Peek().keyword) {
      case K("INTO"):
        if (!select.into.empty()) return;
        Skip();
        Accept("TABLE");
        select.into = ParseName("a table");
        break;
      case K("FROM"):
        if (!select.from.empty()) return;
        Skip();
        select.from = ParseRelations();
        break;
      case K("LATERAL"):
        if (!select.from.empty() || select.lateral_view != nullptr) return;
        select.lateral_view = ParseRelationAfter(nullptr, Here(), true);
        break;
      case K("WHERE"):
        if (select.where != nullptr) return;
        Skip();
        select.where = ParseExpression();
        break;
      case K("GROUP"):
        if (Peek(1).keyword != K("BY")) return;
        ParseGroupBy(select);
        break;
      case K("HAVING"):
        Skip();
        select.having = ParseExpression();
        break;
      case K("QUALIFY"):
        Skip();
        select.qualify = ParseExpression();
        break;
      case K("WINDOW"):
        Skip();
        select.windows = ParseNamedWindows();
        break;
      case K("USING"):
        if (!Peek(1).Is("SAMPLE")) return;
        select.sample = ParseSample();
        break;
      default:
        return;
    }
  }
}

List<const NamedWindow*> Parser::ParseNamedWindows() {
  NodeCollector<NamedWindow> windows(*this);
  do {
    const uint32_t begin = Here();
    auto* const window = New<NamedWindow>();
    window->name = ParseIdentifier("a window");
    Expect("AS");
    window->window = ParseWindow();
    windows.Add(Finish(window, begin));
  } while (Accept(","));
  return windows.Take();
}

void Parser::ParseGroupBy(Select& select) {
  Expect("GROUP", "BY");
  static constexpr KeywordSet kQuantifiers = {"ALL", "DISTINCT"};
  if (LooksAtAny(kQuantifiers)) {
    select.group_by_quantifier = AcceptAny(kQuantifiers);
    if (AtEnd() || LooksAt(";") || LooksAt(")") || LooksAt("|>") || AtClause()) {
      select.group_by_all = true;
      select.group_by_quantifier = {};
      return;
    }
  }
  NodeCollector<Expression> keys(*this);
  if (!LooksAt("GROUPING", "SETS")) {
    do {
      keys.Add(ParseGroupingElement());
    } while (Accept(","));
    if (LooksAt("WITH", "ROLLUP") || LooksAt("WITH", "CUBE")) {
      select.group_by_with = Peek(1).keyword == K("CUBE") ? "CUBE" : "ROLLUP";
      Skip(2);
    }
    if (LooksAt("GROUPING", "SETS")) select.grouping_sets = ParseGroupingSet();
  } else {
    do {
      keys.Add(ParseGroupingElement());
    } while (Accept(","));
  }
  select.group_by = keys.Take();
}

const Expression* Parser::ParseGroupingElement() {
  const bool set = LooksAt("GROUPING", "SETS") || LooksAt("ROLLUP", "(") || LooksAt("CUBE", "(");
  return set ? ParseGroupingSet() : ParseExpression();
}

const GroupingSet* Parser::ParseGroupingSet() {
  const Level level(*this);
  const uint32_t begin = Here();
  auto* const set = New<GroupingSet>();
  if (Accept("GROUPING", "SETS")) {
    set->word = "GROUPING SETS";
  } else {
    set->word = LooksAt("CUBE") ? "CUBE" : "ROLLUP";
    Skip();
  }
  Expect("(");
  NodeCollector<Expression> elements(*this);
  if (!LooksAt(")")) {
    do {
      elements.Add(ParseGroupingElement());
    } while (Accept(","));
  }
  set->elements = elements.Take();
  Expect(")");
  return Finish(set, begin);
}

// TRANSFORM (a, b) USING …; MAP a, b USING …: not functions or columns of those names.
bool Parser::AtTransform() const {
  if (LooksAt("TRANSFORM", "(")) {
    const Token& after = tokens_[AfterBracket(at_ + 1)];
    return after.keyword == K("USING") || after.keyword == K("ROW") ||
           after.keyword == K("RECORDWRITER");
  }
  if (!LooksAt("MAP") && !LooksAt("REDUCE")) return false;
  if (Peek(1).keyword == K("[") || Peek(1).keyword == K("{")) return false;
  // The script is what tells; it stands before any clause of a query.
  for (size_t i = at_ + 1; i < end_; ++i) {
    switch (tokens_[i].keyword) {
      case K("("):
        i = AfterBracket(i) - 1;
        break;
      case K("USING"):
        return tokens_[i + 1].kind == TokenKind::kString;
      case K("FROM"):
      case K("SELECT"):
      case K("WHERE"):
      case K(")"):
      case K(";"):
        return false;
      default:
        break;
    }
  }
  return false;
}

const Transform* Parser::ParseTransform() {
  const uint32_t begin = Here();
  auto* const transform = New<Transform>();
  static constexpr KeywordSet kWords = {"TRANSFORM", "MAP", "REDUCE"};
  transform->word = AcceptAny(kWords);
  // MAP (a, b) and MAP (a), (b): brackets around all arguments, or a first expression's own.
  transform->parenthesized = LooksAt("(") && (transform->word == "TRANSFORM" ||
                                              tokens_[AfterBracket(at_)].keyword == K("USING") ||
                                              tokens_[AfterBracket(at_)].keyword == K("ROW"));
  if (transform->parenthesized) Expect("(");
  static constexpr KeywordSet kQuantifiers = {"DISTINCT", "ALL"};
  transform->quantifier = AcceptAny(kQuantifiers);
  transform->arguments = ParseExpressions();
  if (transform->parenthesized) Expect(")");
  transform->input_format = TakeTokensUntil([&] { return LooksAt("USING"); });
  Expect("USING");
  transform->script = ParseString("a script");
  if (Accept("AS")) {
    transform->columns_parenthesized = Accept("(");
    NodeCollector<TypeField> columns(*this);
    do {
      const uint32_t column_begin = Here();
      auto* const column = New<TypeField>();
      column->name = ParseIdentifier("a column");
      if (!LooksAt(",") && !LooksAt(")") && !AtClause() && Peek().kind == TokenKind::kWord &&
          !LooksAt("ROW") && !LooksAt("RECORDREADER")) {
        column->type = ParseType();
      }
      columns.Add(Finish(column, column_begin));
    } while (Accept(","));
    transform->columns = columns.Take();
    if (transform->columns_parenthesized) Expect(")");
  }
  if (LooksAt("ROW") || LooksAt("RECORDREADER")) {
    transform->output_format = TakeTokensUntil([&] { return AtClause() && !LooksAt("WITH"); });
  }
  return Finish(transform, begin);
}

const Values* Parser::ParseValues() {
  const uint32_t begin = Here();
  auto* const values = New<Values>();
  Expect("VALUES");
  NodeCollector<Expression> rows(*this);
  do {
    if (rows.size() > 0 && !LooksAt("(") && AtClause()) break;
    rows.Add(ParseExpression());
  } while (Accept(","));
  values->rows = rows.Take();
  return Finish(values, begin);
}

// The hints between the word before the cursor and the token at it.
List<std::string_view> Parser::TakeHints() {
  if (comments_.empty()) return {};
  const uint32_t from = tokens_[at_ - 1].span.end;
  while (next_comment_ < comments_.size() && comments_[next_comment_].span.begin < from) {
    ++next_comment_;
  }
  Collector<std::string_view> hints(views_, arena_);
  for (size_t i = next_comment_; i < comments_.size() && comments_[i].span.begin < Here(); ++i) {
    if (comments_[i].hint) hints.Add(TextOf(text_, comments_[i].span));
  }
  return hints.Take();
}

}  // namespace tarn::sql::tree
