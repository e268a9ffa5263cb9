#include "tarn/sql/statement_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/sql/ddl_parser.h"
#include "tarn/sql/reference_parser.h"
#include "tarn/sql/token_cursor.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

using Body = decltype(Statement::body);

bool StartsQuery(const Token& token) {
  static constexpr std::array<std::string_view, 9> kWords = {
      "select", "with", "from", "values", "table", "pivot", "unpivot", "summarize", "pivot_wider"};
  return token.IsOperator("(") ||
         std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return token.Is(word); });
}

Fragment Rest(TokenCursor& cursor) {
  Fragment rest = cursor.TextOf(cursor.position(), cursor.end());
  cursor.MoveTo(cursor.end());
  return rest;
}

Result<Fragment> ParseQueryRest(TokenCursor& cursor) {
  if (!StartsQuery(cursor.Peek())) return cursor.Expected("a query");
  return Rest(cursor);
}

Result<std::vector<std::string>> ParseNamespace(TokenCursor& cursor) {
  std::vector<std::string> name;
  do {
    TARN_ASSIGN_OR_RETURN(std::string part, cursor.ExpectIdentifier("the name of a namespace"));
    name.push_back(std::move(part));
  } while (cursor.AcceptOperator("."));
  return name;
}

// "( name, … )", if it is one and not a query in parentheses.
Result<std::vector<std::string>> ParseInsertColumns(TokenCursor& cursor) {
  std::vector<std::string> columns;
  if (!cursor.Peek().IsOperator("(")) return columns;
  const Token& inner = cursor.Peek(1);
  const bool list =
      inner.IsIdentifier() && (cursor.Peek(2).IsOperator(",") || cursor.Peek(2).IsOperator(")"));
  if (!list) return columns;
  cursor.Skip();
  do {
    TARN_ASSIGN_OR_RETURN(std::string column, cursor.ExpectIdentifier("the name of a column"));
    columns.push_back(std::move(column));
  } while (cursor.AcceptOperator(","));
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return columns;
}

Status ParseInsertPartitions(TokenCursor& cursor, Insert& insert) {
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator("("));
  do {
    Insert::Partition partition;
    TARN_ASSIGN_OR_RETURN(partition.column, cursor.ExpectIdentifier("a partition column"));
    if (cursor.AcceptOperator("=") || cursor.AcceptOperator("==")) {
      const size_t begin = cursor.position();
      cursor.MoveTo(cursor.FindOutsideBrackets(
          [](const Token& token) { return token.IsOperator(",") || token.IsOperator(")"); }));
      partition.value = cursor.TextOf(begin, cursor.position()).text;
      if (partition.value->empty()) return cursor.Expected("the partition's value");
    }
    insert.partitions.push_back(std::move(partition));
  } while (cursor.AcceptOperator(","));
  return cursor.ExpectOperator(")");
}

Result<Body> ParseInsert(TokenCursor& cursor) {
  Insert insert;
  if (cursor.Accept("overwrite")) {
    insert.mode = Insert::Mode::kOverwrite;
    cursor.Accept("into");
    if (cursor.LooksAt({"directory"}) || cursor.LooksAt({"local", "directory"})) {
      return Error(Unsupported("sql: INSERT OVERWRITE DIRECTORY is not supported; use COPY … TO"));
    }
  } else {
    if (cursor.LooksAt({"or"})) {
      return Error(
          Unsupported("sql: INSERT OR REPLACE | IGNORE is not supported: tables have no keys"));
    }
    TARN_RETURN_IF_ERROR(cursor.Expect("into"));
  }
  if (cursor.Peek().Is("table") && cursor.Peek(1).kind != TokenKind::kOperator) cursor.Skip();
  TARN_ASSIGN_OR_RETURN(insert.table, ParseTableName(cursor));
  if (cursor.Accept("partition")) TARN_RETURN_IF_ERROR(ParseInsertPartitions(cursor, insert));
  insert.if_not_exists = cursor.Accept({"if", "not", "exists"});
  if (cursor.Accept({"by", "name"})) insert.by_name = true;
  if (cursor.Accept({"by", "position"})) insert.by_name = false;
  TARN_ASSIGN_OR_RETURN(insert.columns, ParseInsertColumns(cursor));
  if (cursor.Accept({"replace", "where"})) {
    insert.mode = Insert::Mode::kReplaceWhere;
    const size_t begin = cursor.position();
    cursor.MoveTo(cursor.FindOutsideBrackets([](const Token& token) {
      return token.Is("select") || token.Is("values") || token.Is("with") || token.Is("table") ||
             token.Is("from");
    }));
    insert.replace_where = cursor.TextOf(begin, cursor.position());
    if (insert.replace_where->empty()) return cursor.Expected("a predicate");
  }
  TARN_ASSIGN_OR_RETURN(insert.query, ParseQueryRest(cursor));
  return Body(std::move(insert));
}

bool IsAliasWord(const Token& token) {
  return token.kind == TokenKind::kQuotedIdentifier ||
         (token.kind == TokenKind::kWord && !token.Is("where") && !token.Is("set") &&
          !token.Is("using") && !token.Is("from") && !token.Is("returning"));
}

std::string ParseAlias(TokenCursor& cursor) {
  if (cursor.Peek().Is("as") && cursor.Peek(1).IsIdentifier()) cursor.Skip();
  return IsAliasWord(cursor.Peek()) ? cursor.Next().Value() : "";
}

Result<std::optional<Fragment>> ParseWhere(TokenCursor& cursor) {
  if (!cursor.Accept("where")) return std::optional<Fragment>();
  if (cursor.AtEnd()) return cursor.Expected("a predicate");
  return std::optional(Rest(cursor));
}

Result<Body> ParseDelete(TokenCursor& cursor) {
  Delete statement;
  cursor.Accept("from");
  TARN_ASSIGN_OR_RETURN(statement.table, ParseTableName(cursor));
  statement.alias = ParseAlias(cursor);
  if (cursor.Peek().Is("using")) {
    return Error(Unsupported("sql: DELETE … USING is not supported; use WHERE … IN (SELECT …)"));
  }
  TARN_ASSIGN_OR_RETURN(statement.where, ParseWhere(cursor));
  return Body(std::move(statement));
}

Result<Body> ParseUpdate(TokenCursor& cursor) {
  Update update;
  TARN_ASSIGN_OR_RETURN(update.table, ParseTableName(cursor));
  update.alias = ParseAlias(cursor);
  TARN_RETURN_IF_ERROR(cursor.Expect("set"));
  do {
    Update::Assignment assignment;
    TARN_ASSIGN_OR_RETURN(assignment.column, ParseColumnPath(cursor));
    TARN_RETURN_IF_ERROR(cursor.ExpectOperator("="));
    const size_t begin = cursor.position();
    cursor.MoveTo(cursor.FindOutsideBrackets([](const Token& token) {
      return token.IsOperator(",") || token.Is("where") || token.Is("from") ||
             token.Is("returning");
    }));
    // IS DISTINCT FROM holds a FROM of its own.
    while (cursor.Peek().Is("from") && cursor.position() > begin) {
      TokenCursor before = cursor;
      before.MoveTo(cursor.position() - 1);
      if (!before.Peek().Is("distinct")) break;
      cursor.Skip();
      cursor.MoveTo(cursor.FindOutsideBrackets([](const Token& token) {
        return token.IsOperator(",") || token.Is("where") || token.Is("from");
      }));
    }
    assignment.value = cursor.TextOf(begin, cursor.position());
    if (assignment.value.empty()) return cursor.Expected("the column's new value");
    update.assignments.push_back(std::move(assignment));
  } while (cursor.AcceptOperator(","));
  if (cursor.Peek().Is("from")) {
    return Error(
        Unsupported("sql: UPDATE … FROM is not supported; use a subquery: SET c = (SELECT …)"));
  }
  TARN_ASSIGN_OR_RETURN(update.where, ParseWhere(cursor));
  return Body(std::move(update));
}

Result<Body> ParseDrop(TokenCursor& cursor) {
  if (cursor.Accept("table")) {
    DropTable drop;
    drop.if_exists = cursor.Accept({"if", "exists"});
    TARN_ASSIGN_OR_RETURN(drop.table, ParseTableName(cursor));
    if (!drop.if_exists) drop.if_exists = cursor.Accept({"if", "exists"});
    drop.purge = cursor.Accept("purge");
    return Body(std::move(drop));
  }
  if (cursor.Accept("schema") || cursor.Accept("database") || cursor.Accept("namespace")) {
    DropNamespace drop;
    drop.if_exists = cursor.Accept({"if", "exists"});
    TARN_ASSIGN_OR_RETURN(drop.name, ParseNamespace(cursor));
    drop.cascade = cursor.Accept("cascade");
    if (!drop.cascade) cursor.Accept("restrict");
    return Body(std::move(drop));
  }
  return Body(Other{});
}

Result<Body> ParseCreate(TokenCursor& cursor) {
  const bool or_replace = cursor.Accept({"or", "replace"});
  const bool external = cursor.Accept("external");
  if (cursor.Accept("table")) {
    TARN_ASSIGN_OR_RETURN(CreateTable create, ParseCreateTable(cursor, or_replace));
    if (external && create.location.empty()) return cursor.Expected("LOCATION '…' of the table");
    return Body(std::move(create));
  }
  if (!or_replace &&
      (cursor.Accept("schema") || cursor.Accept("database") || cursor.Accept("namespace"))) {
    CreateNamespace create;
    create.if_not_exists = cursor.Accept({"if", "not", "exists"});
    TARN_ASSIGN_OR_RETURN(create.name, ParseNamespace(cursor));
    return Body(std::move(create));
  }
  return Body(Other{});
}

Result<std::optional<std::string>> ParseLike(TokenCursor& cursor) {
  if (!cursor.Accept("like") && cursor.Peek().kind != TokenKind::kString) {
    return std::optional<std::string>();
  }
  TARN_ASSIGN_OR_RETURN(std::string pattern, cursor.ExpectString("a pattern in quotes"));
  return std::optional(std::move(pattern));
}

Result<Body> ParseShow(TokenCursor& cursor) {
  if (cursor.Accept("tables") || cursor.Accept({"all", "tables"})) {
    ShowTables show;
    if (cursor.Accept("in") || cursor.Accept("from")) {
      TARN_ASSIGN_OR_RETURN(std::vector<std::string> name, ParseNamespace(cursor));
      show.within = Join(name, ".");
    }
    TARN_ASSIGN_OR_RETURN(show.like, ParseLike(cursor));
    return Body(std::move(show));
  }
  if (cursor.Accept("namespaces") || cursor.Accept("schemas") || cursor.Accept("databases")) {
    ShowNamespaces show;
    TARN_ASSIGN_OR_RETURN(show.like, ParseLike(cursor));
    return Body(std::move(show));
  }
  Describe describe;
  if (cursor.Accept("columns")) {
    if (!cursor.Accept("in")) TARN_RETURN_IF_ERROR(cursor.Expect("from"));
  } else if (cursor.Accept("tblproperties")) {
    describe.what = Describe::What::kProperties;
  } else if (cursor.Accept("partitions")) {
    describe.what = Describe::What::kPartitions;
  } else if (cursor.Accept({"create", "table"})) {
    describe.what = Describe::What::kCreate;
  } else {
    return Body(Other{});
  }
  TARN_ASSIGN_OR_RETURN(describe.table, ParseTableName(cursor));
  return Body(std::move(describe));
}

Result<Body> ParseDescribe(TokenCursor& cursor) {
  Describe describe;
  if (StartsQuery(cursor.Peek()) && !cursor.Peek().Is("table")) {
    describe.query = Rest(cursor);
    return Body(std::move(describe));
  }
  // A table may have one of these names: then no further name follows.
  const auto option = [&](std::string_view word) {
    if (!cursor.Peek().Is(word)) return false;
    const Token& next = cursor.Peek(1);
    if (!next.IsIdentifier() && next.kind != TokenKind::kString) return false;
    cursor.Skip();
    return true;
  };
  if (option("extended") || option("formatted")) {
    describe.what = Describe::What::kExtended;
  } else if (option("detail")) {
    describe.what = Describe::What::kDetail;
  } else if (option("history")) {
    describe.what = Describe::What::kHistory;
  }
  if (option("table") && (option("extended") || option("formatted"))) {
    describe.what = Describe::What::kExtended;
  }
  TARN_ASSIGN_OR_RETURN(describe.table, ParseTableName(cursor));
  return Body(std::move(describe));
}

Result<Body> ParseComment(TokenCursor& cursor) {
  AlterTable alter;
  if (cursor.Accept({"on", "table"})) {
    TARN_ASSIGN_OR_RETURN(alter.table, ParseTableName(cursor));
    TARN_RETURN_IF_ERROR(cursor.Expect("is"));
    CommentTable comment;
    if (!cursor.Accept("null")) {
      TARN_ASSIGN_OR_RETURN(comment.comment, cursor.ExpectString("the comment in quotes"));
    }
    alter.actions.emplace_back(std::move(comment));
    return Body(std::move(alter));
  }
  if (cursor.Accept({"on", "column"})) {
    TARN_ASSIGN_OR_RETURN(alter.table, ParseTableName(cursor));
    if (alter.table.parts.size() < 2) return cursor.Expected("table.column before IS");
    CommentColumn comment;
    comment.path = ColumnPathToText({alter.table.parts.back()});
    alter.table.parts.pop_back();
    TARN_RETURN_IF_ERROR(cursor.Expect("is"));
    if (!cursor.Accept("null")) {
      TARN_ASSIGN_OR_RETURN(comment.comment, cursor.ExpectString("the comment in quotes"));
    }
    alter.actions.emplace_back(std::move(comment));
    return Body(std::move(alter));
  }
  return Body(Other{});
}

Result<Body> ParseExplain(TokenCursor& cursor) {
  Explain explain;
  explain.analyze = cursor.Accept("analyze");
  cursor.Accept("extended");
  cursor.Accept("formatted");
  if (cursor.AtEnd()) return cursor.Expected("a statement to explain");
  explain.statement = Rest(cursor);
  return Body(std::move(explain));
}

// The leading words that name a statement we have no tree for.
std::string LeadingWords(TokenCursor cursor) {
  std::string words;
  for (int i = 0; i < 2 && cursor.Peek().kind == TokenKind::kWord; ++i) {
    if (i > 0) words += ' ';
    for (const char c : cursor.Next().text) {
      words += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    }
    // Only where the second word belongs to the name of the statement, not to an object's.
    if (i == 0 && words != "CREATE" && words != "DROP" && words != "ALTER" && words != "MERGE" &&
        words != "COMMENT" && words != "SHOW") {
      break;
    }
  }
  return words;
}

// WITH … INSERT is Hive's and PostgreSQL's; the common tables then belong to its query.
bool IsWithInsert(const TokenCursor& cursor) {
  return cursor.Peek().Is("with") && cursor.FindOutsideBrackets([](const Token& token) {
    return token.Is("insert") || token.Is("update") || token.Is("delete") || token.Is("merge");
  }) < cursor.FindOutsideBrackets([](const Token& token) { return token.Is("select"); });
}

// CALL system.…(…) or CALL catalog.system.…(…); what else is called is DuckDB's.
bool IsOurCall(const TokenCursor& cursor) {
  if (!cursor.Peek().Is("call")) return false;
  const size_t system = cursor.Peek(1).Is("system") ? 1 : 3;
  return cursor.Peek(system).Is("system") && cursor.Peek(system + 1).IsOperator(".") &&
         (system == 1 || cursor.Peek(2).IsOperator("."));
}

Result<Body> ParseBody(TokenCursor& cursor) {
  const TokenCursor start = cursor;
  if (IsWithInsert(cursor)) {
    return Error(
        Unsupported("sql: WITH before a writing statement is not supported; write INSERT INTO t "
                    "WITH … SELECT"));
  }
  if (StartsQuery(cursor.Peek())) return Body(Query{Rest(cursor)});
  Result<Body> body = Body(Other{});
  if (cursor.Accept("create")) {
    body = ParseCreate(cursor);
  } else if (cursor.Accept("insert")) {
    body = ParseInsert(cursor);
  } else if (cursor.Accept("delete")) {
    body = ParseDelete(cursor);
  } else if (cursor.Accept("update")) {
    body = ParseUpdate(cursor);
  } else if (cursor.Accept("drop")) {
    body = ParseDrop(cursor);
  } else if (cursor.Accept({"alter", "table"})) {
    TARN_ASSIGN_OR_RETURN(AlterTable alter, ParseAlterTable(cursor));
    body = Body(std::move(alter));
  } else if (cursor.Accept({"truncate", "table"}) || cursor.Accept("truncate")) {
    Delete everything;
    TARN_ASSIGN_OR_RETURN(everything.table, ParseTableName(cursor));
    body = Body(std::move(everything));
  } else if (cursor.Accept("show")) {
    body = ParseShow(cursor);
  } else if (cursor.Accept("describe") || cursor.Accept("desc")) {
    body = ParseDescribe(cursor);
  } else if (cursor.Accept("explain")) {
    body = ParseExplain(cursor);
  } else if (cursor.Accept("comment")) {
    body = ParseComment(cursor);
  } else if (IsOurCall(cursor)) {
    cursor.Skip();
    TARN_ASSIGN_OR_RETURN(Call call, ParseCall(cursor));
    body = Body(std::move(call));
  } else if (cursor.Accept("use")) {
    TARN_ASSIGN_OR_RETURN(std::vector<std::string> name, ParseNamespace(cursor));
    body = Body(UseNamespace{std::move(name)});
  }
  if (!body.ok()) return body;
  if (auto* other = std::get_if<Other>(&body.value())) {
    other->words = LeadingWords(start);
    cursor.MoveTo(cursor.end());
  }
  if (!cursor.AtEnd()) return cursor.Expected("the end of the statement");
  return body;
}

}  // namespace

Result<std::vector<Statement>> ParseScript(std::string_view script) {
  TARN_ASSIGN_OR_RETURN(const std::vector<Token> tokens, Tokenize(script));
  std::vector<Statement> statements;
  size_t begin = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::kEnd && !tokens[i].IsOperator(";")) continue;
    if (i > begin) {
      TokenCursor cursor(script, tokens, begin, i);
      Statement statement;
      Fragment whole = cursor.TextOf(begin, i);
      TARN_ASSIGN_OR_RETURN(statement.body, ParseBody(cursor));
      statement.text = std::move(whole.text);
      statement.span = whole.span;
      statements.push_back(std::move(statement));
    }
    begin = i + 1;
  }
  return statements;
}

bool IsIncomplete(std::string_view text) {
  const auto tokens = Tokenize(text);
  if (!tokens.ok()) return true;
  return tokens->size() > 1 && !(*tokens)[tokens->size() - 2].IsOperator(";");
}

}  // namespace tarn::sql
