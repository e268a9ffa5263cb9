#pragma once

#include <string_view>

#include "tarn/sql/tree_expressions.h"
#include "tarn/sql/tree_node.h"

// Queries and relations (what stands after FROM).
namespace tarn::sql::tree {

// ---- Queries.

// name [(columns)] AS [MATERIALIZED] (query). PostgreSQL and DuckDB: the query may be a statement
// with RETURNING.
struct Cte : NodeOf<NodeKind::kCte> {
  Identifier name = {};
  List<Identifier> columns = {};
  std::string_view materialized = {};  // MATERIALIZED, NOT MATERIALIZED
  const Node* query = nullptr;         // Query, Insert, Update, Delete, Merge
  Tokens tail = {};                    // SEARCH …, CYCLE …, MAX RECURSION LEVEL …
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
    visit("columns", columns);
    visit("materialized", materialized);
    visit("query", query);
    visit("tail", tail);
  }
};

// A CTE sees those before it; with RECURSIVE, itself.
struct With : NodeOf<NodeKind::kWith> {
  bool recursive = false;
  List<const Cte*> ctes = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("recursive", recursive);
    visit("ctes", ctes);
  }
};

// One step of pipe syntax: |> WHERE … Which fields are used depends on the step:
//   SELECT, EXTEND, SET, CALL   items (SET: Alias of value AS column)
//   DROP, RENAME                names; items (RENAME: Alias of Column AS new name)
//   WHERE, LIMIT                condition; offset
//   AGGREGATE                   items, group_by (Aliases)
//   ORDER BY                    order_by
//   AS                          alias
//   JOIN, LATERAL VIEW, PIVOT, UNPIVOT: relation, whose leftmost input is null
//   UNION, EXCEPT, INTERSECT    set_operation, whose first operand is a Values without rows
struct Pipe : NodeOf<NodeKind::kPipe> {
  std::string_view step = {};  // upper case
  bool distinct = false;
  List<const Alias*> items = {};
  List<const Alias*> group_by = {};
  List<Identifier> names = {};
  List<const SortItem*> order_by = {};
  const Expression* condition = nullptr;
  const Expression* offset = nullptr;
  Identifier alias = {};
  const Relation* relation = nullptr;
  const Node* set_operation = nullptr;
  const Node* sample = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("step", step);
    visit("distinct", distinct);
    visit("items", items);
    visit("group_by", group_by);
    visit("names", names);
    visit("order_by", order_by);
    visit("condition", condition);
    visit("offset", offset);
    visit("alias", alias);
    visit("relation", relation);
    visit("set_operation", set_operation);
    visit("sample", sample);
  }
};

// WITH … body ORDER BY … LIMIT … |> …
struct Query : NodeOf<NodeKind::kQuery> {
  const With* with = nullptr;
  // A body in parentheses is a Query of its own with `parenthesized` set, and may have a WITH,
  // an order and a limit inside.
  const QueryBody* body = nullptr;
  bool parenthesized = false;
  List<const SortItem*> order_by = {};
  bool order_by_all = false;  // ORDER BY ALL: an item that is `ALL` is kept as a Column
  List<const SortItem*> sort_by = {};
  List<const Expression*> distribute_by = {};
  List<const Expression*> cluster_by = {};
  // LIMIT x; DuckDB's LIMIT 10%; LIMIT ALL has a Column `ALL`. Hive's LIMIT 2, 5 is offset, limit.
  const Expression* limit = nullptr;
  bool limit_percent = false;
  bool limit_comma = false;
  bool offset_first = false;  // OFFSET … LIMIT … (Trino)
  const Expression* offset = nullptr;
  bool fetch = false;  // the limit was written FETCH FIRST … ROWS ONLY
  bool fetch_ties = false;
  Tokens tail = {};  // FOR UPDATE …, WITH NO DATA
  List<const Pipe*> pipes = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("parenthesized", parenthesized);
    visit("body", body);
    visit("order_by", order_by);
    visit("order_by_all", order_by_all);
    visit("sort_by", sort_by);
    visit("distribute_by", distribute_by);
    visit("cluster_by", cluster_by);
    visit("limit", limit);
    visit("limit_percent", limit_percent);
    visit("limit_comma", limit_comma);
    visit("offset_first", offset_first);
    visit("offset", offset);
    visit("fetch", fetch);
    visit("fetch_ties", fetch_ties);
    visit("tail", tail);
    visit("pipes", pipes);
  }
};

// SELECT TRANSFORM (a, b) … USING 'script' AS (k STRING, v INT); MAP a, b USING …; REDUCE …
struct Transform : NodeOf<NodeKind::kTransform> {
  std::string_view word = {};  // TRANSFORM, MAP, REDUCE
  bool parenthesized = false;
  std::string_view quantifier = {};
  List<const Expression*> arguments = {};
  Tokens input_format = {};  // ROW FORMAT …, RECORDWRITER …
  const Expression* script = nullptr;
  bool columns_parenthesized = false;
  List<const TypeField*> columns = {};  // none said: key and value
  Tokens output_format = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("parenthesized", parenthesized);
    visit("quantifier", quantifier);
    visit("arguments", arguments);
    visit("input_format", input_format);
    visit("script", script);
    visit("columns_parenthesized", columns_parenthesized);
    visit("columns", columns);
    visit("output_format", output_format);
  }
};

// w AS (PARTITION BY …)
struct NamedWindow : NodeOf<NodeKind::kNamedWindow> {
  Identifier name = {};
  const Window* window = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
    visit("window", window);
  }
};

// SELECT … FROM … WHERE … GROUP BY … HAVING … QUALIFY … WINDOW … (also FROM t SELECT …).
struct Select : NodeOf<NodeKind::kSelect> {
  bool from_first = false;  // FROM t SELECT …; without items: FROM t
  bool select_said = false;
  List<std::string_view> hints = {};  // each with its /*+ and */
  std::string_view quantifier = {};   // DISTINCT, ALL, STREAM
  List<const Expression*> distinct_on = {};
  List<const Alias*> items = {};  // empty with `transform`, or FROM t alone
  const Transform* transform = nullptr;
  Name into = {};                   // PostgreSQL: SELECT … INTO t
  List<const Relation*> from = {};  // what commas separate
  // Of a multi-insert's branch, which adds to the shared FROM: its innermost input is null.
  const Relation* lateral_view = nullptr;
  const Expression* where = nullptr;
  List<const Expression*> group_by = {};      // expressions, Rows, GroupingSets
  bool group_by_all = false;                  // GROUP BY ALL
  std::string_view group_by_quantifier = {};  // GROUP BY DISTINCT, or ALL before items (Trino)
  std::string_view group_by_with = {};        // a, b WITH ROLLUP | CUBE
  // a, b GROUPING SETS (…): Hive and Spark; the items before it name the keys.
  const GroupingSet* grouping_sets = nullptr;
  const Expression* having = nullptr;
  const Expression* qualify = nullptr;
  List<const NamedWindow*> windows = {};
  const Node* sample = nullptr;  // DuckDB: USING SAMPLE …
  template <class V>
  void Fields(V&& visit) const {
    visit("from_first", from_first);
    visit("select_said", select_said);
    visit("hints", hints);
    visit("quantifier", quantifier);
    visit("distinct_on", distinct_on);
    visit("items", items);
    visit("transform", transform);
    visit("into", into);
    visit("from", from);
    visit("lateral_view", lateral_view);
    visit("where", where);
    visit("group_by", group_by);
    visit("group_by_all", group_by_all);
    visit("group_by_quantifier", group_by_quantifier);
    visit("group_by_with", group_by_with);
    visit("grouping_sets", grouping_sets);
    visit("having", having);
    visit("qualify", qualify);
    visit("windows", windows);
    visit("sample", sample);
  }
};

// a UNION ALL b UNION ALL c: a chain of one operator is one node, joined from the left; another
// operator makes another node around it. Columns are matched by position, or BY NAME.
struct SetOperation : NodeOf<NodeKind::kSetOperation> {
  std::string_view word = {};        // UNION, EXCEPT, INTERSECT, MINUS
  std::string_view quantifier = {};  // ALL, DISTINCT
  bool by_name = false;
  List<const QueryBody*> operands = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("quantifier", quantifier);
    visit("by_name", by_name);
    visit("operands", operands);
  }
};

// VALUES (1, 'a'), (2, 'b'): rows are Rows, Parenthesized (one column), or plain expressions.
struct Values : NodeOf<NodeKind::kValues> {
  List<const Expression*> rows = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("rows", rows);
  }
};

// TABLE t
struct TableQuery : NodeOf<NodeKind::kTableQuery> {
  Name name = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
  }
};

// ---- Relations. Their aliases and samples:

// [AS] t [(a, b)]; with types after the columns for functions that give records (PostgreSQL).
struct RelationAlias {
  Identifier name = {};
  List<Identifier> columns = {};
  List<const Type*> types = {};  // empty, or one per column
  bool empty() const { return name.empty() && columns.empty(); }
};

// TABLESAMPLE BERNOULLI (10) · (10 PERCENT) · (BUCKET 1 OUT OF 32 ON x) REPEATABLE (1)
struct Sample : NodeOf<NodeKind::kSample> {
  std::string_view word = {};       // TABLESAMPLE, USING SAMPLE
  Tokens method = {};               // everything up to ON, or to the closing bracket
  List<const Expression*> on = {};  // of BUCKET … ON
  Tokens rest = {};                 // the closing bracket, REPEATABLE (…)
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("method", method);
    visit("on", on);
    visit("rest", rest);
  }
};

// FOR VERSION AS OF 3 · TIMESTAMP AS OF '…' · FOR SYSTEM_TIME AS OF … · AT (VERSION => 3)
struct TimeTravel : NodeOf<NodeKind::kTimeTravel> {
  std::string_view words = {};  // upper case: FOR VERSION AS OF; "AT": in parentheses with =>
  std::string_view unit = {};   // of AT: VERSION, TIMESTAMP
  const Expression* value = nullptr;
  const Expression* until = nullptr;  // BETWEEN value AND until, FROM value TO until
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("unit", unit);
    visit("value", value);
    visit("until", until);
  }
};

// A table, view or CTE by name, a file by path, or a template.
struct Table : NodeOf<NodeKind::kTable> {
  Name name = {};                      // empty if `source` is set
  const Expression* source = nullptr;  // 'file.csv' (a Literal), {{ ref('x') }} (a Parameter),
                                       // IDENTIFIER(…) (a Call)
  std::string_view only = {};          // ONLY t, PostgreSQL
  List<const Node*> partitions = {};   // t PARTITION (ds = '1'): PartitionItem
  const TimeTravel* as_of = nullptr;
  bool as_of_last = false;  // said behind the alias
  RelationAlias alias = {};
  const Sample* sample = nullptr;
  bool sample_first = false;  // said before the alias
  Tokens options = {};        // WITH (NOLOCK), Hive's ('k' = 'v')
  template <class V>
  void Fields(V&& visit) const {
    visit("only", only);
    visit("name", name);
    visit("source", source);
    visit("partitions", partitions);
    visit("options", options);
    visit("as_of", as_of);
    visit("as_of_last", as_of_last);
    visit("alias", alias);
    visit("sample", sample);
    visit("sample_first", sample_first);
  }
};

// (query) t · LATERAL (query) t · VALUES (1), (2) AS t(a), where `bare` is set
struct Derived : NodeOf<NodeKind::kDerived> {
  bool lateral = false;
  bool bare = false;
  bool table_word = false;      // TABLE (VALUES …): Hive
  const Node* query = nullptr;  // Query; or a statement with RETURNING, SHOW …
  RelationAlias alias = {};
  const Sample* sample = nullptr;
  bool sample_first = false;  // said before the alias
  template <class V>
  void Fields(V&& visit) const {
    visit("lateral", lateral);
    visit("bare", bare);
    visit("table_word", table_word);
    visit("query", query);
    visit("alias", alias);
    visit("sample", sample);
    visit("sample_first", sample_first);
  }
};

// range(10) r · UNNEST(a, b) WITH ORDINALITY AS t(x, y, n) · TABLE(f(…)) · LATERAL f(x) ·
// ROWS FROM (f(x), g(y)) · noop(ON t PARTITION BY a)
struct Function : NodeOf<NodeKind::kFunction> {
  bool lateral = false;
  std::string_view wrapper = {};  // TABLE, ROWS FROM
  List<const Call*> calls = {};   // one, but for ROWS FROM
  std::string_view with = {};     // WITH ORDINALITY, WITH OFFSET: one more column, at the end
  Identifier offset = {};         // WITH OFFSET AS offset
  RelationAlias alias = {};
  const Sample* sample = nullptr;
  bool sample_first = false;  // said before the alias
  template <class V>
  void Fields(V&& visit) const {
    visit("lateral", lateral);
    visit("wrapper", wrapper);
    visit("calls", calls);
    visit("with", with);
    visit("offset", offset);
    visit("alias", alias);
    visit("sample", sample);
    visit("sample_first", sample_first);
  }
};

enum class JoinKind : uint8_t {
  kInner,
  kLeft,
  kRight,
  kFull,
  kCross,
  kLeftSemi,
  kRightSemi,
  kLeftAnti,
  kRightAnti,
  kAsof,
  kAsofLeft,
  kPositional,
  kCrossApply,
  kOuterApply,
};

struct Join : NodeOf<NodeKind::kJoin> {
  const Relation* left = nullptr;
  JoinKind join = JoinKind::kInner;
  std::string_view words = {};  // as written, upper case: LEFT OUTER JOIN, NATURAL JOIN, …
  bool natural = false;
  const Relation* right = nullptr;
  const Expression* on = nullptr;
  List<Identifier> using_columns = {};  // in the result once, and first
  Identifier using_alias = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("left", left);
    visit("words", words);
    visit("right", right);
    visit("on", on);
    visit("using_columns", using_columns);
    visit("using_alias", using_alias);
  }
};

// (a JOIN b ON …) [t]
struct Nested : NodeOf<NodeKind::kNested> {
  List<const Relation*> relations = {};  // one, but for Hive's (a, b)
  RelationAlias alias = {};
  const Sample* sample = nullptr;
  bool sample_first = false;  // said before the alias
  template <class V>
  void Fields(V&& visit) const {
    visit("relations", relations);
    visit("alias", alias);
    visit("sample", sample);
    visit("sample_first", sample_first);
  }
};

// input LATERAL VIEW [OUTER] explode(x) t AS a, b: the rows of `input`, each with those of the
// call. After FROM a, b the input is b; the call sees a as well.
struct LateralView : NodeOf<NodeKind::kLateralView> {
  const Relation* input = nullptr;
  bool outer = false;
  const Call* call = nullptr;
  Identifier table_alias = {};  // may be left out
  bool worded = false;          // AS before the columns
  List<Identifier> columns = {};
  bool columns_parenthesized = false;
  template <class V>
  void Fields(V&& visit) const {
    visit("input", input);
    visit("outer", outer);
    visit("call", call);
    visit("table_alias", table_alias);
    visit("worded", worded);
    visit("columns", columns);
    visit("columns_parenthesized", columns_parenthesized);
  }
};

// input PIVOT (sum(x) AS s FOR k IN ('a' AS a, 'b'));
// DuckDB: PIVOT input ON k IN (…) USING sum(x) GROUP BY y, where `statement` is set
struct Pivot : NodeOf<NodeKind::kPivot> {
  const Relation* input = nullptr;
  bool statement = false;
  List<const Alias*> aggregates = {};
  bool key_parenthesized = false;
  List<const Expression*> keys = {};  // what follows FOR, or ON
  bool in_said = false;
  List<const Alias*> values = {};      // the IN list; of several keys Rows
  const Node* values_query = nullptr;  // IN (SELECT …), IN (ANY …) as a Parameter
  bool values_bracketed = false;       // … in brackets
  List<const Expression*> group_by = {};
  RelationAlias alias = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("input", input);
    visit("statement", statement);
    visit("aggregates", aggregates);
    visit("key_parenthesized", key_parenthesized);
    visit("keys", keys);
    visit("in_said", in_said);
    visit("values", values);
    visit("values_query", values_query);
    visit("values_bracketed", values_bracketed);
    visit("group_by", group_by);
    visit("alias", alias);
  }
};

// One entry of UNPIVOT's IN: a column, or several in parentheses, and what to call them.
struct UnpivotItem : NodeOf<NodeKind::kUnpivotItem> {
  List<const Expression*> columns = {};  // Column; DuckDB: Star (COLUMNS(…))
  bool parenthesized = false;
  const Expression* label = nullptr;  // AS 'jan' (Literal) or AS jan (Column)
  template <class V>
  void Fields(V&& visit) const {
    visit("columns", columns);
    visit("parenthesized", parenthesized);
    visit("label", label);
  }
};

// input UNPIVOT [INCLUDE NULLS] (value FOR name IN (a, b AS 'x'));
// DuckDB: UNPIVOT input ON a, b INTO NAME n VALUE v, where `statement` is set
struct Unpivot : NodeOf<NodeKind::kUnpivot> {
  const Relation* input = nullptr;
  bool statement = false;
  std::string_view nulls = {};   // INCLUDE NULLS, EXCLUDE NULLS
  List<Identifier> values = {};  // the columns that hold values: several in parentheses
  bool values_parenthesized = false;
  Identifier name = {};  // the column that holds names
  List<const UnpivotItem*> items = {};
  RelationAlias alias = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("input", input);
    visit("statement", statement);
    visit("nulls", nulls);
    visit("values", values);
    visit("values_parenthesized", values_parenthesized);
    visit("name", name);
    visit("items", items);
    visit("alias", alias);
  }
};

struct MatchRecognize : NodeOf<NodeKind::kMatchRecognize> {
  const Relation* input = nullptr;
  List<const Expression*> partition_by = {};
  List<const SortItem*> order_by = {};
  List<const Alias*> measures = {};
  Tokens rows = {};                 // ONE ROW PER MATCH, AFTER MATCH SKIP …, INITIAL, SEEK
  Tokens pattern = {};              // what stands in PATTERN (…)
  Tokens subset = {};               // what follows SUBSET
  List<const Alias*> defines = {};  // condition AS variable
  RelationAlias alias = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("input", input);
    visit("partition_by", partition_by);
    visit("order_by", order_by);
    visit("measures", measures);
    visit("rows", rows);
    visit("pattern", pattern);
    visit("subset", subset);
    visit("defines", defines);
    visit("alias", alias);
  }
};

}  // namespace tarn::sql::tree
