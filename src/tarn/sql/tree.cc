#include "tarn/sql/tree.h"

#include <array>

#include "tarn/sql/dialect.h"

namespace tarn::sql::tree {
namespace {

// In the order of NodeKind.
constexpr std::array<std::string_view, 92> kKindNames = {"Literal",
                                                         "Interval",
                                                         "Parameter",
                                                         "Column",
                                                         "Star",
                                                         "Field",
                                                         "Subscript",
                                                         "Unary",
                                                         "Binary",
                                                         "Between",
                                                         "In",
                                                         "Like",
                                                         "Is",
                                                         "Quantified",
                                                         "Case",
                                                         "When",
                                                         "Cast",
                                                         "Call",
                                                         "Argument",
                                                         "TableArgument",
                                                         "Lambda",
                                                         "Row",
                                                         "Array",
                                                         "StructLiteral",
                                                         "StructEntry",
                                                         "Comprehension",
                                                         "Subquery",
                                                         "Exists",
                                                         "Parenthesized",
                                                         "Alias",
                                                         "SortItem",
                                                         "Window",
                                                         "GroupingSet",
                                                         "Type",
                                                         "TypeField",
                                                         "Query",
                                                         "With",
                                                         "Cte",
                                                         "Select",
                                                         "Transform",
                                                         "SetOperation",
                                                         "Values",
                                                         "TableQuery",
                                                         "NamedWindow",
                                                         "Pipe",
                                                         "Table",
                                                         "Derived",
                                                         "Function",
                                                         "Join",
                                                         "Nested",
                                                         "LateralView",
                                                         "Pivot",
                                                         "Unpivot",
                                                         "UnpivotItem",
                                                         "MatchRecognize",
                                                         "Sample",
                                                         "TimeTravel",
                                                         "Insert",
                                                         "PartitionItem",
                                                         "PartitionSpec",
                                                         "MultiInsert",
                                                         "Assignment",
                                                         "Merge",
                                                         "MergeClause",
                                                         "Update",
                                                         "Delete",
                                                         "Truncate",
                                                         "Load",
                                                         "Copy",
                                                         "Export",
                                                         "Import",
                                                         "ColumnDefinition",
                                                         "Clause",
                                                         "CreateTable",
                                                         "CreateView",
                                                         "CreateFunction",
                                                         "CreateOther",
                                                         "Drop",
                                                         "Alter",
                                                         "AlterAction",
                                                         "Cache",
                                                         "Use",
                                                         "Set",
                                                         "Maintain",
                                                         "CallStatement",
                                                         "Explain",
                                                         "Command",
                                                         "Block",
                                                         "If",
                                                         "Branch",
                                                         "Loop",
                                                         "Declare"};

std::string Unquoted(std::string_view text, char quote) {
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 1; i + 1 < text.size(); ++i) {
    plain += text[i];
    if (text[i] == quote && i + 2 < text.size() && text[i + 1] == quote) ++i;
  }
  return plain;
}

// Hive's and Spark's: \0 \b \n \r \t \Z, \% and \_ stay as they are; others mean themselves.
std::string WithoutBackslashes(std::string_view text) {
  static constexpr std::string_view kFrom = "0bnrtZ";
  static constexpr std::string_view kTo("\0\b\n\r\t\x1A", 6);
  std::string plain;
  plain.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      plain += text[i];
      continue;
    }
    const char c = text[++i];
    const size_t known = kFrom.find(c);
    if (c == '%' || c == '_') plain += '\\';
    plain += known == std::string_view::npos ? c : kTo[known];
  }
  return plain;
}

}  // namespace

std::string_view KindName(NodeKind kind) { return kKindNames[static_cast<size_t>(kind)]; }

std::string Identifier::Value() const {
  const bool in_quotes = text.size() >= 2 && (text[0] == '"' || text[0] == '`' || text[0] == '\'');
  return in_quotes ? Unquoted(text, text[0]) : std::string(text);
}

std::string NameText(const Name& name) {
  std::string text;
  for (const Identifier& part : name.parts) {
    if (!text.empty()) text += '.';
    text += part.text;
  }
  return text;
}

std::string StringValue(const Literal& literal, const Dialect& dialect) {
  std::string value;
  for (const std::string_view token : literal.tokens) {
    if (literal.what != Literal::Class::kString) {
      if (!value.empty()) value += ' ';
      value += token;
      continue;
    }
    const bool plain = token[0] == '\'' || token[0] == '"';
    if (plain && dialect.tokens.backslash_escapes) {
      value += WithoutBackslashes(Unquoted(token, token[0]));
    } else {
      value += Token{TokenKind::kString, 0, {}, token}.Value();
    }
  }
  return value;
}

}  // namespace tarn::sql::tree
