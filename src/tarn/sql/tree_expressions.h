#pragma once

#include <string_view>

#include "tarn/sql/tree_node.h"

// Expressions. Each struct's Fields names its fields in the order of the grammar, for printers and
// walkers; fields of ForEachChild are those that are nodes.
namespace tarn::sql::tree {

struct Query;
struct Window;

// 1 · 1.5BD · 'it''s' · X'0A' · NULL · TRUE · DATE '2024-01-01' · TIMESTAMP '…' · DEFAULT · *
struct Literal : NodeOf<NodeKind::kLiteral> {
  enum class Class : uint8_t { kNumber, kString, kNull, kBoolean, kTyped, kDefault };
  Class what = Class::kNumber;
  std::string_view type = {};  // kTyped: DATE, TIMESTAMP, …, as written
  Tokens tokens = {};          // as written; several strings side by side are one literal
  template <class V>
  void Fields(V&& visit) const {
    visit("type", type);
    visit("tokens", tokens);
  }
};

// INTERVAL '1' DAY · INTERVAL 1 DAY 2 HOURS · INTERVAL '1-2' YEAR TO MONTH · INTERVAL (x) DAY
struct Interval : NodeOf<NodeKind::kInterval> {
  List<const Expression*> values = {};
  List<std::string_view> units = {};  // one per value; of one value: one, none, or the two of TO
  std::string_view sign = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("sign", sign);
    visit("values", values);
    visit("units", units);
  }
};

// What a caller or a template engine fills in: ? · $1 · :name · ${hiveconf:x} · {{ ds }}
struct Parameter : NodeOf<NodeKind::kParameter> {
  std::string_view text = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("text", text);
  }
};

// A dotted name used as a value: column, table.column, column.field…: the resolver decides.
struct Column : NodeOf<NodeKind::kColumn> {
  Name name = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
  }
};

// * · t.* · (expression).* · * EXCEPT (a, b) · * REPLACE (x + 1 AS a) · * RENAME (a AS b) ·
// COLUMNS('regex') · COLUMNS(* EXCLUDE a)
struct Star : NodeOf<NodeKind::kStar> {
  Name qualifier = {};
  const Expression* base = nullptr;   // of (expression).*, instead of a qualifier
  std::string_view except_word = {};  // EXCEPT or EXCLUDE
  List<Name> except = {};
  List<const Node*> replace = {};       // Alias nodes: expression AS name
  List<const Node*> rename = {};        // Alias nodes: Column AS name
  const Expression* pattern = nullptr;  // * LIKE 'a%', COLUMNS('…'): which columns
  bool columns_call = false;            // COLUMNS(…)
  template <class V>
  void Fields(V&& visit) const {
    visit("qualifier", qualifier);
    visit("base", base);
    visit("except_word", except_word);
    visit("except", except);
    visit("replace", replace);
    visit("rename", rename);
    visit("pattern", pattern);
    visit("columns_call", columns_call);
  }
};

// f(x).a · (s).a · x[1].a · v:path.to.a (semi-structured: path_operator is ":")
struct Field : NodeOf<NodeKind::kField> {
  const Expression* base = nullptr;
  std::string_view path_operator = ".";
  Identifier field = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("base", base);
    visit("operator", path_operator);
    visit("field", field);
  }
};

// a[1] · m['k'] · a[1:2] · a[:2:1]
struct Subscript : NodeOf<NodeKind::kSubscript> {
  const Expression* base = nullptr;
  const Expression* index = nullptr;  // or the lower bound of a slice
  const Expression* upper = nullptr;
  const Expression* step = nullptr;
  bool slice = false;
  template <class V>
  void Fields(V&& visit) const {
    visit("base", base);
    visit("index", index);
    visit("upper", upper);
    visit("step", step);
    visit("slice", slice);
  }
};

// -x · NOT x · ~x · PRIOR x; after it: x! · x ISNULL
struct Unary : NodeOf<NodeKind::kUnary> {
  std::string_view symbol = {};  // upper case
  const Expression* operand = nullptr;
  bool postfix = false;
  template <class V>
  void Fields(V&& visit) const {
    visit("symbol", symbol);
    visit("operand", operand);
    visit("postfix", postfix);
  }
};

// a + b, AND, OR, ||, x AT TIME ZONE y, x COLLATE c, x OVERLAPS y, a -> 'x' … A chain of operators
// that bind alike (a + b - c) is one node: its operands from left to right, to be joined from the
// left.
struct Binary : NodeOf<NodeKind::kBinary> {
  std::string_view symbol = {};              // upper case; the first one
  List<std::string_view> more_symbols = {};  // those after it, if any of them is another
  List<const Expression*> operands = {};
  bool IsPredicateLink() const { return symbol == "AND" || symbol == "OR"; }
  // What stands before operand `index`, from 1.
  std::string_view SymbolBefore(size_t index) const {
    return index == 1 || more_symbols.empty() ? symbol : more_symbols[index - 2];
  }
  template <class V>
  void Fields(V&& visit) const {
    visit("symbol", symbol);
    visit("more_symbols", more_symbols);
    visit("operands", operands);
  }
};

struct Between : NodeOf<NodeKind::kBetween> {
  const Expression* operand = nullptr;
  bool negated = false;
  std::string_view symmetry = {};  // SYMMETRIC, ASYMMETRIC
  const Expression* low = nullptr;
  const Expression* high = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("operand", operand);
    visit("negated", negated);
    visit("symmetry", symmetry);
    visit("low", low);
    visit("high", high);
  }
};

// x IN (1, 2) · x NOT IN (SELECT …) · x IN list (DuckDB): one of the three is set.
struct In : NodeOf<NodeKind::kIn> {
  const Expression* operand = nullptr;
  bool negated = false;
  bool listed = false;  // the values are a list in parentheses, which may be empty
  List<const Expression*> values = {};
  const Query* query = nullptr;
  const Expression* list = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("operand", operand);
    visit("negated", negated);
    visit("listed", listed);
    visit("values", values);
    visit("query", query);
    visit("list", list);
  }
};

// x [NOT] LIKE | ILIKE | RLIKE | REGEXP | SIMILAR TO | GLOB pattern [ESCAPE e];
// x LIKE ANY | ALL ('a', 'b')
struct Like : NodeOf<NodeKind::kLike> {
  const Expression* operand = nullptr;
  bool negated = false;
  std::string_view symbol = {};         // LIKE, …
  std::string_view quantifier = {};     // ANY, SOME, ALL
  const Expression* pattern = nullptr;  // of a quantifier: a Row, a Parenthesized or a Subquery
  const Expression* escape = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("operand", operand);
    visit("negated", negated);
    visit("symbol", symbol);
    visit("quantifier", quantifier);
    visit("pattern", pattern);
    visit("escape", escape);
  }
};

// x IS [NOT] NULL | TRUE | FALSE | UNKNOWN | JSON …; x IS [NOT] DISTINCT FROM y
struct Is : NodeOf<NodeKind::kIs> {
  const Expression* operand = nullptr;
  bool negated = false;
  std::string_view test = {};         // NULL, TRUE, …, DISTINCT FROM
  const Expression* other = nullptr;  // of DISTINCT FROM
  template <class V>
  void Fields(V&& visit) const {
    visit("operand", operand);
    visit("negated", negated);
    visit("test", test);
    visit("other", other);
  }
};

// x > ALL (SELECT …) · x = ANY (array)
struct Quantified : NodeOf<NodeKind::kQuantified> {
  const Expression* operand = nullptr;
  std::string_view symbol = {};
  std::string_view quantifier = {};      // ANY, SOME, ALL
  const Expression* argument = nullptr;  // a Subquery or any other expression
  template <class V>
  void Fields(V&& visit) const {
    visit("operand", operand);
    visit("symbol", symbol);
    visit("quantifier", quantifier);
    visit("argument", argument);
  }
};

struct When : NodeOf<NodeKind::kWhen> {
  const Expression* condition = nullptr;  // or the value compared with Case::operand
  const Expression* result = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("condition", condition);
    visit("result", result);
  }
};

struct Case : NodeOf<NodeKind::kCase> {
  const Expression* operand = nullptr;
  List<const When*> whens = {};
  const Expression* otherwise = nullptr;  // ELSE
  template <class V>
  void Fields(V&& visit) const {
    visit("operand", operand);
    visit("whens", whens);
    visit("otherwise", otherwise);
  }
};

// A type: INT · DECIMAL(10, 2) · TIMESTAMP(3) WITH TIME ZONE · ARRAY<INT> · STRUCT<a: INT> · INT[].
struct Type : NodeOf<NodeKind::kType> {
  std::string_view name = {};        // upper case, words joined by one space; "[]": an array of …
  char bracket = '\0';               // '<' or '(' before the arguments; '\0': none
  List<const Node*> arguments = {};  // Type, TypeField, Literal
  std::string_view zone = {};        // WITH TIME ZONE, WITHOUT TIME ZONE, …
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
    visit("bracket", bracket);
    visit("arguments", arguments);
    visit("zone", zone);
  }
};

struct TypeField : NodeOf<NodeKind::kTypeField> {
  Identifier name = {};
  bool colon = false;  // a: INT, not a INT
  const Type* type = nullptr;
  Tokens attributes = {};  // NOT NULL, COMMENT '…'
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
    visit("colon", colon);
    visit("type", type);
    visit("attributes", attributes);
  }
};

// CAST(x AS t [FORMAT 'f']) · TRY_CAST(…) · x::t
struct Cast : NodeOf<NodeKind::kCast> {
  std::string_view word = {};  // CAST, TRY_CAST, SAFE_CAST; "::"
  const Expression* operand = nullptr;
  const Type* type = nullptr;
  const Expression* format = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("operand", operand);
    visit("type", type);
    visit("format", format);
  }
};

// One argument: x · name => x · and those of EXTRACT(YEAR FROM x), TRIM(BOTH 'a' FROM x),
// SUBSTRING(x FROM 1 FOR 2), POSITION(a IN b), OVERLAY(x PLACING y FROM 1): words before a value.
struct Argument : NodeOf<NodeKind::kArgument> {
  Identifier name = {};
  std::string_view arrow = {};        // => or := after a name
  std::string_view keyword = {};      // FROM, FOR, BOTH, …: upper case; stands before the value
  const Expression* value = nullptr;  // a Query node too: ARRAY(SELECT …); null: only the keyword
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
    visit("arrow", arrow);
    visit("keyword", keyword);
    visit("value", value);
  }
};

// A table as an argument: TABLE(t) PARTITION BY a ORDER BY b · ON t PARTITION BY a (Hive).
struct TableArgument : NodeOf<NodeKind::kTableArgument> {
  std::string_view keyword = {};  // TABLE or ON
  const Relation* relation = nullptr;
  List<const Expression*> partition_by = {};
  bool partition_empty = false;     // PARTITION BY ()
  List<const Node*> order_by = {};  // SortItem
  Tokens rest = {};                 // KEEP WHEN EMPTY, COPARTITION …
  template <class V>
  void Fields(V&& visit) const {
    visit("keyword", keyword);
    visit("relation", relation);
    visit("partition_by", partition_by);
    visit("partition_empty", partition_empty);
    visit("order_by", order_by);
    visit("rest", rest);
  }
};

// a · a DESC NULLS LAST: of ORDER BY, SORT BY. USING op (PostgreSQL).
struct SortItem : NodeOf<NodeKind::kSortItem> {
  const Expression* expression = nullptr;
  std::string_view direction = {};  // ASC, DESC; "USING <"
  std::string_view nulls = {};      // FIRST, LAST
  template <class V>
  void Fields(V&& visit) const {
    visit("expression", expression);
    visit("direction", direction);
    visit("nulls", nulls);
  }
};

// f(…): functions, aggregates, windows, and CURRENT_DATE without parentheses.
struct Call : NodeOf<NodeKind::kCall> {
  Name function = {};
  bool bare = false;                    // without parentheses
  bool method = false;                  // x.f(y): the first argument stands before the dot
  std::string_view quantifier = {};     // DISTINCT, ALL
  bool star = false;                    // count(*); count(t.*) has a Star argument
  List<const Node*> arguments = {};     // Expression, Argument, TableArgument, Query
  List<const SortItem*> order_by = {};  // array_agg(x ORDER BY y)
  Tokens tail = {};  // within the parentheses: SEPARATOR ',', ON OVERFLOW …, NULL ON NULL
  const Expression* limit = nullptr;  // array_agg(x ORDER BY y LIMIT 3)
  List<const SortItem*> within_group = {};
  const Expression* filter = nullptr;  // FILTER (WHERE …)
  bool filter_where = true;            // DuckDB: FILTER (…) without WHERE
  std::string_view nulls = {};         // IGNORE NULLS, RESPECT NULLS
  bool nulls_inside = false;           // … within the parentheses
  const Window* over = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("function", function);
    visit("bare", bare);
    visit("method", method);
    visit("quantifier", quantifier);
    visit("star", star);
    visit("arguments", arguments);
    visit("order_by", order_by);
    visit("tail", tail);
    visit("limit", limit);
    visit("within_group", within_group);
    visit("filter", filter);
    visit("filter_where", filter_where);
    visit("nulls", nulls);
    visit("nulls_inside", nulls_inside);
    visit("over", over);
  }
};

// OVER w · OVER (w PARTITION BY … ORDER BY … ROWS BETWEEN … AND …)
struct Window : NodeOf<NodeKind::kWindow> {
  Identifier base = {};                  // the named window it is, or refines
  bool parenthesized = true;             // OVER w has none
  std::string_view partition_word = {};  // PARTITION BY; Hive and Spark: DISTRIBUTE BY
  List<const Expression*> partition_by = {};
  std::string_view order_word = {};  // ORDER BY; SORT BY
  List<const SortItem*> order_by = {};
  std::string_view frame_unit = {};   // ROWS, RANGE, GROUPS
  std::string_view frame_start = {};  // UNBOUNDED PRECEDING, CURRENT ROW, PRECEDING, …
  const Expression* start = nullptr;  // x PRECEDING
  std::string_view frame_end = {};    // set: BETWEEN … AND …
  const Expression* end = nullptr;
  std::string_view exclude = {};  // CURRENT ROW, GROUP, TIES, NO OTHERS
  template <class V>
  void Fields(V&& visit) const {
    visit("base", base);
    visit("parenthesized", parenthesized);
    visit("partition_word", partition_word);
    visit("partition_by", partition_by);
    visit("order_word", order_word);
    visit("order_by", order_by);
    visit("frame_unit", frame_unit);
    visit("frame_start", frame_start);
    visit("start", start);
    visit("frame_end", frame_end);
    visit("end", end);
    visit("exclude", exclude);
  }
};

// x -> x + 1 · (s, x) -> s + x · lambda x : x + 1
struct Lambda : NodeOf<NodeKind::kLambda> {
  List<Identifier> parameters = {};
  bool parenthesized = false;
  bool worded = false;  // DuckDB's lambda x : …
  const Expression* body = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("parameters", parameters);
    visit("parenthesized", parenthesized);
    visit("worded", worded);
    visit("body", body);
  }
};

// (a, b) · ROW(a, b) · (): a value of several, or a row of VALUES. Elements may be Alias nodes.
struct Row : NodeOf<NodeKind::kRow> {
  std::string_view word = {};  // ROW
  List<const Expression*> elements = {};
  bool trailing_comma = false;
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("elements", elements);
    visit("trailing_comma", trailing_comma);
  }
};

// [1, 2] · ARRAY[1, 2]
struct Array : NodeOf<NodeKind::kArray> {
  std::string_view word = {};  // ARRAY
  List<const Expression*> elements = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("elements", elements);
  }
};

struct StructEntry : NodeOf<NodeKind::kStructEntry> {
  const Expression* key = nullptr;
  const Expression* value = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("key", key);
    visit("value", value);
  }
};

// {'a': 1} · MAP {'a': 1}
struct StructLiteral : NodeOf<NodeKind::kStructLiteral> {
  std::string_view word = {};  // MAP, STRUCT
  List<const StructEntry*> entries = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("entries", entries);
  }
};

// [x + 1 FOR x IN list IF x > 0]
struct Comprehension : NodeOf<NodeKind::kComprehension> {
  const Expression* result = nullptr;
  List<Identifier> variables = {};
  const Expression* list = nullptr;
  const Expression* condition = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("result", result);
    visit("variables", variables);
    visit("list", list);
    visit("condition", condition);
  }
};

// (SELECT …) as a value: the query is one in parentheses.
struct Subquery : NodeOf<NodeKind::kSubquery> {
  const Query* query = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("query", query);
  }
};

struct Exists : NodeOf<NodeKind::kExists> {
  const Query* query = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("query", query);
  }
};

// (x): kept, so that text and spans are what was written. Strip() looks through them.
struct Parenthesized : NodeOf<NodeKind::kParenthesized> {
  const Expression* inner = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("inner", inner);
  }
};

// expression [AS] name; expression AS (a, b) for functions that give several columns. An item of
// SELECT, RETURNING, MEASURES, PIVOT …; also of struct(a AS x). Without a name: only the
// expression, so every item of a select list is an Alias.
struct Alias : NodeOf<NodeKind::kAlias> {
  const Expression* expression = nullptr;
  Identifier name = {};
  List<Identifier> names = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("expression", expression);
    visit("name", name);
    visit("names", names);
  }
};

// Of GROUP BY: GROUPING SETS (…), CUBE (…), ROLLUP (…); elements are expressions, Rows (several
// keys; () for none) and GroupingSets.
struct GroupingSet : NodeOf<NodeKind::kGroupingSet> {
  std::string_view word = {};  // GROUPING SETS, CUBE, ROLLUP
  List<const Expression*> elements = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("elements", elements);
  }
};

// `node` without the parentheses around it.
inline const Expression* Strip(const Expression* node) {
  while (const auto* parenthesized = As<Parenthesized>(node)) node = parenthesized->inner;
  return node;
}

}  // namespace tarn::sql::tree
