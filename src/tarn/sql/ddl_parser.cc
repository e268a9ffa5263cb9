#include "tarn/sql/ddl_parser.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/sql/reference_parser.h"
#include "tarn/sql/tokenizer.h"
#include "tarn/sql/type_parser.h"

namespace tarn::sql {
namespace {

// "( … )" at the cursor: the text between.
Result<Fragment> ParseParenthesised(TokenCursor& cursor) {
  if (!cursor.Peek().IsOperator("(")) return cursor.Expected("'('");
  const size_t close = cursor.MatchingBracket();
  Fragment inner = cursor.TextOf(cursor.position() + 1, close);
  if (close == cursor.end()) {
    cursor.MoveTo(close);
    return cursor.Expected("')'");
  }
  if (inner.empty()) {
    cursor.Skip();
    return cursor.Expected("an expression");
  }
  cursor.MoveTo(close);
  cursor.Skip();
  return inner;
}

// An expression that ends before ',' or ')' or one of the words that may follow a DEFAULT.
Result<std::string> ParseDefault(TokenCursor& cursor) {
  const size_t begin = cursor.position();
  const size_t end = cursor.FindOutsideBrackets([&](const Token& token) {
    return token.IsOperator(",") || token.IsOperator(")") || token.Is("comment") ||
           token.Is("first") || token.Is("after") || token.Is("check") || token.Is("not") ||
           token.Is("generated");
  });
  if (end == begin) return cursor.Expected("the default's expression");
  cursor.MoveTo(end);
  return cursor.TextOf(begin, end).text;
}

Status ParseColumnOptions(TokenCursor& cursor, ColumnDefinition& column) {
  while (true) {
    if (cursor.Accept({"not", "null"})) {
      column.field.required = true;
    } else if (cursor.Accept("null")) {
      column.field.required = false;
    } else if (cursor.Accept("comment")) {
      TARN_ASSIGN_OR_RETURN(column.field.doc, cursor.ExpectString("the comment in quotes"));
    } else if (cursor.Accept("default")) {
      TARN_ASSIGN_OR_RETURN(std::string sql, ParseDefault(cursor));
      column.field.write_default_sql = std::move(sql);
    } else if (cursor.Accept("check")) {
      TARN_ASSIGN_OR_RETURN(Fragment check, ParseParenthesised(cursor));
      column.check = std::move(check.text);
    } else if (cursor.Accept({"generated", "always", "as"})) {
      if (cursor.Peek().Is("identity")) {
        return Unsupported("sql: identity columns are not supported; number the rows in the query");
      }
      TARN_ASSIGN_OR_RETURN(Fragment generated, ParseParenthesised(cursor));
      column.generated = std::move(generated.text);
    } else if (cursor.Accept("first")) {
      column.first = true;
    } else if (cursor.Accept("after")) {
      TARN_ASSIGN_OR_RETURN(column.after, cursor.ExpectIdentifier("the name of a column"));
    } else if (cursor.LooksAt({"primary", "key"}) || cursor.Peek().Is("unique") ||
               cursor.Peek().Is("references")) {
      return Unsupported(
          fmt::format("sql: {} is not supported: no open table format enforces it; leave it out",
                      cursor.Peek().Is("primary")  ? "PRIMARY KEY"
                      : cursor.Peek().Is("unique") ? "UNIQUE"
                                                   : "REFERENCES"));
    } else {
      return OkStatus();
    }
  }
}

}  // namespace

Result<ColumnDefinition> ParseColumnDefinition(TokenCursor& cursor) {
  ColumnDefinition column;
  const size_t begin = cursor.position();
  std::vector<std::string> parts;
  do {
    TARN_ASSIGN_OR_RETURN(std::string part, cursor.ExpectIdentifier("the name of a column"));
    parts.push_back(std::move(part));
  } while (cursor.AcceptOperator("."));
  column.field.name = parts.back();
  parts.pop_back();
  column.parent = ColumnPathToText(parts);
  cursor.AcceptOperator(":");
  TARN_ASSIGN_OR_RETURN(column.field.type, ParseType(cursor));
  TARN_RETURN_IF_ERROR(ParseColumnOptions(cursor, column));
  column.span = cursor.TextOf(begin, cursor.position()).span;
  return column;
}

Result<std::map<std::string, std::string>> ParseProperties(TokenCursor& cursor) {
  std::map<std::string, std::string> properties;
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator("("));
  while (true) {
    std::string key;
    if (cursor.Peek().kind == TokenKind::kString) {
      key = cursor.Next().Value();
    } else {
      TARN_ASSIGN_OR_RETURN(key, cursor.ExpectIdentifier("the key of a property"));
      while (cursor.AcceptOperator(".")) {
        TARN_ASSIGN_OR_RETURN(std::string part, cursor.ExpectIdentifier("the key's next part"));
        key += "." + part;
      }
    }
    if (!cursor.AcceptOperator("=")) cursor.AcceptOperator("==");
    std::string sign;
    if (cursor.AcceptOperator("-")) sign = "-";
    const Token& value = cursor.Peek();
    if (value.kind != TokenKind::kString && value.kind != TokenKind::kNumber &&
        value.kind != TokenKind::kWord) {
      return cursor.Expected(fmt::format("the value of '{}'", key));
    }
    if (!properties.emplace(key, sign + cursor.Next().Value()).second) {
      return Invalid(fmt::format("sql: property '{}' is given twice", key));
    }
    if (!cursor.AcceptOperator(",")) break;
  }
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return properties;
}

namespace {

std::string CanonicalTransform(const std::string& word) {
  if (word == "years") return "year";
  if (word == "months") return "month";
  if (word == "days" || word == "date") return "day";
  if (word == "hours" || word == "date_hour") return "hour";
  return word;
}

// A column, or a transform of one.
Result<PartitionItem> ParsePartitionTerm(TokenCursor& cursor) {
  PartitionItem item;
  const size_t begin = cursor.position();
  if (cursor.Peek(1).IsOperator("(")) {
    item.transform = CanonicalTransform(AsciiLower(cursor.Next().text));
    static const std::vector<std::string> kKnown = {"bucket", "truncate", "year", "month",
                                                    "day",    "hour",     "void", "identity"};
    bool known = false;
    for (const std::string& name : kKnown) known = known || name == item.transform;
    if (!known) {
      return Invalid("sql: no partition transform '" + item.transform + "'" +
                     DidYouMean(item.transform, kKnown));
    }
    cursor.Skip();
    const bool numbered = item.transform == "bucket" || item.transform == "truncate";
    // Spark writes bucket(16, id), DuckDB and Trino bucket(id, 16).
    for (int i = 0; i < (numbered ? 2 : 1); ++i) {
      if (i > 0) TARN_RETURN_IF_ERROR(cursor.ExpectOperator(","));
      const Token& token = cursor.Peek();
      if (numbered && token.kind == TokenKind::kNumber) {
        const auto [end, error] = std::from_chars(
            token.text.data(), token.text.data() + token.text.size(), item.parameter);
        if (error != std::errc() || end != token.text.data() + token.text.size()) {
          return cursor.Expected("a whole number");
        }
        cursor.Skip();
      } else {
        TARN_ASSIGN_OR_RETURN(item.column, ParseColumnPath(cursor));
      }
    }
    if (item.column.empty()) return cursor.Expected("the name of a column");
    TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  } else {
    TARN_ASSIGN_OR_RETURN(item.column, ParseColumnPath(cursor));
  }
  item.span = cursor.TextOf(begin, cursor.position()).span;
  return item;
}

Result<PartitionItem> ParsePartitionItem(TokenCursor& cursor) {
  const size_t begin = cursor.position();
  const bool column = !cursor.Peek(1).IsOperator("(");
  TARN_ASSIGN_OR_RETURN(PartitionItem item, ParsePartitionTerm(cursor));
  if (column && !cursor.Peek().IsOperator(",") && !cursor.Peek().IsOperator(")")) {
    TARN_ASSIGN_OR_RETURN(Type type, ParseType(cursor));
    item.type = std::move(type);
    if (cursor.Accept("comment")) TARN_RETURN_IF_ERROR(cursor.ExpectString("the comment"));
    item.span = cursor.TextOf(begin, cursor.position()).span;
  }
  return item;
}

Result<Constraint> ParseConstraint(TokenCursor& cursor) {
  Constraint constraint;
  if (cursor.Accept("constraint")) {
    TARN_ASSIGN_OR_RETURN(constraint.name, cursor.ExpectIdentifier("the constraint's name"));
  }
  if (!cursor.Peek().Is("check")) {
    return Unsupported("sql: only CHECK constraints are supported; leave out '" +
                       std::string(cursor.Peek().text) + "'");
  }
  cursor.Skip();
  TARN_ASSIGN_OR_RETURN(Fragment check, ParseParenthesised(cursor));
  constraint.check = std::move(check.text);
  return constraint;
}

Status ParseColumnList(TokenCursor& cursor, CreateTable& create) {
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator("("));
  while (true) {
    const bool table_level =
        (cursor.Peek().Is("constraint") && cursor.Peek(1).IsIdentifier() &&
         cursor.Peek(2).kind == TokenKind::kWord) ||
        (cursor.Peek().Is("check") && cursor.Peek(1).IsOperator("(")) ||
        (cursor.LooksAt({"primary", "key"}) && cursor.Peek(2).IsOperator("(")) ||
        (cursor.Peek().Is("unique") && cursor.Peek(1).IsOperator("(")) ||
        (cursor.LooksAt({"foreign", "key"}) && cursor.Peek(2).IsOperator("("));
    if (table_level) {
      TARN_ASSIGN_OR_RETURN(Constraint constraint, ParseConstraint(cursor));
      create.constraints.push_back(std::move(constraint));
    } else {
      TARN_ASSIGN_OR_RETURN(ColumnDefinition column, ParseColumnDefinition(cursor));
      if (!column.parent.empty()) {
        return Invalid("sql: column '" + column.parent + "." + column.field.name +
                       "': a nested column is declared inside its struct's type");
      }
      create.columns.push_back(std::move(column));
    }
    if (!cursor.AcceptOperator(",")) break;
  }
  return cursor.ExpectOperator(")");
}

Status ParsePartitionedBy(TokenCursor& cursor, CreateTable& create) {
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator("("));
  do {
    TARN_ASSIGN_OR_RETURN(PartitionItem item, ParsePartitionItem(cursor));
    create.partitioned_by.push_back(std::move(item));
  } while (cursor.AcceptOperator(","));
  return cursor.ExpectOperator(")");
}

// One clause after the column list; false if none stands here.
Result<bool> ParseCreateClause(TokenCursor& cursor, CreateTable& create) {
  if (cursor.Accept("using") || cursor.Accept({"stored", "as"})) {
    TARN_ASSIGN_OR_RETURN(std::string format, cursor.ExpectIdentifier("the name of a format"));
    create.format = AsciiLower(format);
  } else if (cursor.Accept({"partitioned", "by"}) || cursor.Accept({"partition", "by"})) {
    TARN_RETURN_IF_ERROR(ParsePartitionedBy(cursor, create));
  } else if (cursor.Accept("location")) {
    TARN_ASSIGN_OR_RETURN(create.location, cursor.ExpectString("the location in quotes"));
  } else if (cursor.Accept("comment")) {
    TARN_ASSIGN_OR_RETURN(create.comment, cursor.ExpectString("the comment in quotes"));
  } else if (cursor.Accept("tblproperties") || cursor.Accept("options")) {
    TARN_ASSIGN_OR_RETURN(auto properties, ParseProperties(cursor));
    create.properties.merge(properties);
  } else if (cursor.LooksAt({"cluster", "by"}) || cursor.LooksAt({"clustered", "by"})) {
    return Error(Unsupported("sql: CLUSTER BY at creation is not supported; leave it out"));
  } else {
    return false;
  }
  return true;
}

}  // namespace

Result<CreateTable> ParseCreateTable(TokenCursor& cursor, bool or_replace) {
  CreateTable create;
  create.or_replace = or_replace;
  create.if_not_exists = cursor.Accept({"if", "not", "exists"});
  TARN_ASSIGN_OR_RETURN(create.table, ParseTableName(cursor));
  if (!create.table.suffix.empty()) {
    return Invalid("sql: " + create.table.ToText() + " is no name for a table");
  }
  if (cursor.Peek().IsOperator("(") && !cursor.Peek(1).Is("select") && !cursor.Peek(1).Is("with")) {
    TARN_RETURN_IF_ERROR(ParseColumnList(cursor, create));
  }
  while (true) {
    TARN_ASSIGN_OR_RETURN(const bool more, ParseCreateClause(cursor, create));
    if (!more) break;
  }
  cursor.Accept("as");
  if (!cursor.AtEnd()) {
    const Token& token = cursor.Peek();
    if (!token.Is("select") && !token.Is("with") && !token.Is("from") && !token.Is("values") &&
        !token.Is("table") && !token.Is("pivot") && !token.Is("unpivot") &&
        !token.IsOperator("(")) {
      return cursor.Expected(
          "USING, PARTITIONED BY, LOCATION, COMMENT, TBLPROPERTIES, AS or the end");
    }
    create.query = cursor.TextOf(cursor.position(), cursor.end());
    cursor.MoveTo(cursor.end());
  }
  if (create.columns.empty() && !create.query && create.location.empty()) {
    return cursor.Expected("columns, or AS and a query");
  }
  return create;
}

namespace {

Result<AddPartitionField> ParseNewPartitionField(TokenCursor& cursor) {
  AddPartitionField add;
  TARN_ASSIGN_OR_RETURN(add.item, ParsePartitionTerm(cursor));
  if (cursor.Accept("as")) {
    TARN_ASSIGN_OR_RETURN(add.name, cursor.ExpectIdentifier("the partition field's name"));
  }
  return add;
}

}  // namespace

Result<std::vector<SortItem>> ParseSortItems(TokenCursor& cursor) {
  std::vector<SortItem> items;
  const bool brackets = cursor.AcceptOperator("(");
  do {
    SortItem item;
    TARN_ASSIGN_OR_RETURN(item.key, ParsePartitionTerm(cursor));
    item.descending = cursor.Accept("desc");
    if (!item.descending) cursor.Accept("asc");
    item.nulls_first = !item.descending;
    if (cursor.Accept("nulls")) {
      item.nulls_first = cursor.Accept("first");
      if (!item.nulls_first) TARN_RETURN_IF_ERROR(cursor.Expect("last"));
    }
    items.push_back(std::move(item));
  } while (cursor.AcceptOperator(","));
  if (brackets) TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return items;
}

namespace {

// WRITE [DISTRIBUTED BY PARTITION] [[LOCALLY] ORDERED BY …] | WRITE UNORDERED, the cursor behind
// WRITE.
Result<AlterAction> ParseWriteOrder(TokenCursor& cursor) {
  SetWriteOrder order;
  const auto distributed = [&] {
    const bool said = cursor.Accept({"distributed", "by", "partition"});
    if (said) order.distribution = "hash";
    return said;
  };
  bool said = distributed();
  order.keeps_order = true;
  const bool locally = cursor.Accept("locally");
  if (cursor.Accept({"ordered", "by"})) {
    said = true;
    order.keeps_order = false;
    TARN_ASSIGN_OR_RETURN(order.items, ParseSortItems(cursor));
    if (!distributed() && !locally && !order.distribution) order.distribution = "range";
  } else if (!locally && cursor.Accept("unordered")) {
    said = true;
    order.keeps_order = false;
    if (!distributed() && !order.distribution) order.distribution = "none";
  } else if (locally) {
    return cursor.Expected("ORDERED BY");
  }
  if (!said) {
    return cursor.Expected("ORDERED BY, LOCALLY ORDERED BY, DISTRIBUTED BY PARTITION or UNORDERED");
  }
  return AlterAction(std::move(order));
}

Result<AlterAction> ParseAddAction(TokenCursor& cursor) {
  if (cursor.Peek().Is("constraint")) {
    TARN_ASSIGN_OR_RETURN(Constraint constraint, ParseConstraint(cursor));
    return AlterAction(AddConstraint{std::move(constraint)});
  }
  if (cursor.Accept({"partition", "field"})) {
    TARN_ASSIGN_OR_RETURN(AddPartitionField field, ParseNewPartitionField(cursor));
    return AlterAction(std::move(field));
  }
  AddColumns add;
  const bool plural = cursor.Accept("columns");
  if (!plural) cursor.Accept("column");
  add.if_not_exists = cursor.Accept({"if", "not", "exists"});
  const bool brackets = cursor.AcceptOperator("(");
  do {
    TARN_ASSIGN_OR_RETURN(ColumnDefinition column, ParseColumnDefinition(cursor));
    add.columns.push_back(std::move(column));
  } while ((brackets || plural) && cursor.AcceptOperator(","));
  if (brackets) TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return AlterAction(std::move(add));
}

Result<AlterAction> ParseDropAction(TokenCursor& cursor) {
  if (cursor.Accept("constraint")) {
    DropConstraint drop;
    drop.if_exists = cursor.Accept({"if", "exists"});
    TARN_ASSIGN_OR_RETURN(drop.name, cursor.ExpectIdentifier("the constraint's name"));
    return AlterAction(std::move(drop));
  }
  if (cursor.Accept({"partition", "field"})) {
    DropPartitionField drop;
    TARN_ASSIGN_OR_RETURN(drop.item, ParsePartitionTerm(cursor));
    return AlterAction(std::move(drop));
  }
  DropColumns drop;
  const bool plural = cursor.Accept("columns");
  if (!plural) cursor.Accept("column");
  drop.if_exists = cursor.Accept({"if", "exists"});
  const bool brackets = cursor.AcceptOperator("(");
  do {
    TARN_ASSIGN_OR_RETURN(std::string path, ParseColumnPath(cursor));
    drop.paths.push_back(std::move(path));
  } while ((brackets || plural) && cursor.AcceptOperator(","));
  if (brackets) TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return AlterAction(std::move(drop));
}

Result<AlterAction> ParseAlterColumn(TokenCursor& cursor) {
  cursor.Accept("column");
  TARN_ASSIGN_OR_RETURN(std::string path, ParseColumnPath(cursor));
  if (cursor.Accept({"set", "data", "type"}) || cursor.Accept({"set", "type"}) ||
      cursor.Accept("type")) {
    TARN_ASSIGN_OR_RETURN(Type type, ParseType(cursor));
    return AlterAction(AlterColumnType{std::move(path), std::move(type)});
  }
  if (cursor.Accept("comment")) {
    TARN_ASSIGN_OR_RETURN(std::string comment, cursor.ExpectString("the comment in quotes"));
    return AlterAction(CommentColumn{std::move(path), std::move(comment)});
  }
  if (cursor.Accept({"set", "not", "null"})) return AlterAction(SetNotNull{std::move(path)});
  if (cursor.Accept({"drop", "not", "null"})) return AlterAction(DropNotNull{std::move(path)});
  if (cursor.Accept({"set", "default"})) {
    TARN_ASSIGN_OR_RETURN(std::string sql, ParseDefault(cursor));
    return AlterAction(SetDefault{std::move(path), std::move(sql)});
  }
  if (cursor.Accept({"drop", "default"})) return AlterAction(SetDefault{std::move(path), {}});
  if (cursor.Accept("first"))
    return AlterAction(PlaceColumn{.path = std::move(path), .first = true});
  if (cursor.Accept("after")) {
    TARN_ASSIGN_OR_RETURN(std::string after, cursor.ExpectIdentifier("the name of a column"));
    return AlterAction(PlaceColumn{.path = std::move(path), .after = std::move(after)});
  }
  return cursor.Expected(
      "TYPE, COMMENT, SET NOT NULL, DROP NOT NULL, SET DEFAULT, DROP DEFAULT, FIRST or AFTER");
}

Result<AlterAction> ParseUnsetProperties(TokenCursor& cursor) {
  UnsetProperties unset;
  unset.if_exists = cursor.Accept({"if", "exists"});
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator("("));
  do {
    std::string key;
    if (cursor.Peek().kind == TokenKind::kString) {
      key = cursor.Next().Value();
    } else {
      TARN_ASSIGN_OR_RETURN(key, cursor.ExpectIdentifier("the key of a property"));
      while (cursor.AcceptOperator(".")) {
        TARN_ASSIGN_OR_RETURN(std::string part, cursor.ExpectIdentifier("the key's next part"));
        key += "." + part;
      }
    }
    unset.keys.push_back(std::move(key));
  } while (cursor.AcceptOperator(","));
  TARN_RETURN_IF_ERROR(cursor.ExpectOperator(")"));
  return AlterAction(std::move(unset));
}

Result<AlterAction> ParseAlterAction(TokenCursor& cursor) {
  if (LooksAtReferenceAction(cursor)) {
    TARN_ASSIGN_OR_RETURN(ChangeReference change, ParseReferenceAction(cursor));
    return AlterAction(std::move(change));
  }
  if (cursor.Accept({"replace", "partition", "field"})) {
    ReplacePartitionField replace;
    TARN_ASSIGN_OR_RETURN(replace.item, ParsePartitionTerm(cursor));
    TARN_RETURN_IF_ERROR(cursor.Expect("with"));
    TARN_ASSIGN_OR_RETURN(replace.with, ParseNewPartitionField(cursor));
    return AlterAction(std::move(replace));
  }
  if (cursor.Accept("write")) return ParseWriteOrder(cursor);
  if (cursor.Accept("add")) return ParseAddAction(cursor);
  if (cursor.Accept("drop")) return ParseDropAction(cursor);
  if (cursor.Accept({"rename", "to"})) {
    TARN_ASSIGN_OR_RETURN(TableName to, ParseTableName(cursor));
    return AlterAction(RenameTable{std::move(to)});
  }
  if (cursor.Accept("rename")) {
    cursor.Accept("column");
    TARN_ASSIGN_OR_RETURN(std::string path, ParseColumnPath(cursor));
    TARN_RETURN_IF_ERROR(cursor.Expect("to"));
    TARN_ASSIGN_OR_RETURN(std::string name, cursor.ExpectIdentifier("the column's new name"));
    return AlterAction(RenameColumnTo{std::move(path), std::move(name)});
  }
  if (cursor.Accept("undrop")) {
    cursor.Accept("column");
    TARN_ASSIGN_OR_RETURN(std::string path, ParseColumnPath(cursor));
    UndropColumn undrop{std::move(path)};
    if (cursor.Accept("as")) {
      TARN_ASSIGN_OR_RETURN(undrop.new_name, cursor.ExpectIdentifier("the column's new name"));
    }
    return AlterAction(std::move(undrop));
  }
  if (cursor.Accept("alter") || cursor.Accept("change")) return ParseAlterColumn(cursor);
  if (cursor.Accept({"set", "tblproperties"})) {
    TARN_ASSIGN_OR_RETURN(auto properties, ParseProperties(cursor));
    return AlterAction(SetProperties{std::move(properties)});
  }
  if (cursor.Accept({"unset", "tblproperties"})) return ParseUnsetProperties(cursor);
  return cursor.Expected(
      "ADD, DROP, RENAME, UNDROP, ALTER COLUMN, SET TBLPROPERTIES, UNSET TBLPROPERTIES, or CREATE, "
      "REPLACE or DROP of a BRANCH or TAG");
}

}  // namespace

Result<AlterTable> ParseAlterTable(TokenCursor& cursor) {
  AlterTable alter;
  alter.if_exists = cursor.Accept({"if", "exists"});
  TARN_ASSIGN_OR_RETURN(alter.table, ParseTableName(cursor));
  do {
    TARN_ASSIGN_OR_RETURN(AlterAction action, ParseAlterAction(cursor));
    alter.actions.push_back(std::move(action));
  } while (cursor.AcceptOperator(","));
  return alter;
}

}  // namespace tarn::sql
