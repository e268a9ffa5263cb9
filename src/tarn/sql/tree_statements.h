#pragma once

#include <string_view>

#include "tarn/sql/tree_expressions.h"
#include "tarn/sql/tree_node.h"
#include "tarn/sql/tree_queries.h"

// Statements. A script's statement is a Query or one of these.
namespace tarn::sql::tree {

// ---- Parts.

// PARTITION (ds = '1', hr): a column with a value (static), or without (dynamic). ALTER and DROP
// also compare: ds > '2024'; Iceberg's partition transforms have an expression instead of a name.
struct PartitionItem : NodeOf<NodeKind::kPartitionItem> {
  Name column = {};
  std::string_view comparison = {};  // =, <, …
  const Expression* value = nullptr;
  const Expression* expression = nullptr;  // a whole predicate, or transform(column)
  template <class V>
  void Fields(V&& visit) const {
    visit("column", column);
    visit("comparison", comparison);
    visit("value", value);
    visit("expression", expression);
  }
};

// target = value, of UPDATE, MERGE, SET. (a, b) = (SELECT …): the target is a Row.
struct Assignment : NodeOf<NodeKind::kAssignment> {
  const Expression* target = nullptr;  // a Column (dotted: a field or alias.column), Row, Subscript
  const Expression* value = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("target", target);
    visit("value", value);
  }
};

// A clause that the grammar takes but does not take apart: ROW FORMAT SERDE '…' WITH …, STORED AS
// ORC, CLUSTERED BY (a) INTO 4 BUCKETS, TBLPROPERTIES (…), COMMENT '…', LOCATION '…'.
struct Clause : NodeOf<NodeKind::kClause> {
  std::string_view word = {};   // its first word, upper case
  Tokens tokens = {};           // all of it
  const Node* value = nullptr;  // LOCATION, COMMENT: the Literal, also in tokens
  template <class V>
  void Fields(V&& visit) const {
    visit("tokens", tokens);
  }
};

// a INT NOT NULL COMMENT 'x' DEFAULT 1: of CREATE, ALTER and views (which have no type).
struct ColumnDefinition : NodeOf<NodeKind::kColumnDefinition> {
  Name name = {};
  bool colon = false;
  const Type* type = nullptr;
  Tokens attributes = {};                     // everything else, up to and after these two
  const Expression* default_value = nullptr;  // DEFAULT x
  const Expression* generated = nullptr;      // GENERATED ALWAYS AS (x)
  std::string_view generated_words = {};      // GENERATED ALWAYS AS, …
  Tokens tail = {};                           // attributes after them
  template <class V>
  void Fields(V&& visit) const {
    visit("name", name);
    visit("colon", colon);
    visit("type", type);
    visit("attributes", attributes);
    visit("default_value", default_value);
    visit("generated_words", generated_words);
    visit("generated", generated);
    visit("tail", tail);
  }
};

// ---- Writing rows.

// INSERT INTO t · INSERT OVERWRITE TABLE t · INSERT OVERWRITE [LOCAL] DIRECTORY '…' …
struct Insert : NodeOf<NodeKind::kInsert> {
  enum class Mode : uint8_t { kInto, kOverwrite, kReplaceWhere, kReplaceUsing };
  const With* with = nullptr;  // before INSERT; one after it belongs to the query
  Mode mode = Mode::kInto;
  std::string_view words = {};  // INSERT INTO TABLE, REPLACE INTO, INSERT OR IGNORE INTO, …
  List<std::string_view> hints = {};
  const Table* table = nullptr;  // or:
  bool directory_said = false;
  bool local = false;
  const Expression* directory = nullptr;  // a Literal; null for Spark's OPTIONS (path …) form
  List<const Clause*> clauses = {};       // of a directory: ROW FORMAT, STORED AS, USING, OPTIONS
  List<const PartitionItem*> partitions = {};
  bool if_not_exists = false;  // … PARTITION (…) IF NOT EXISTS
  bool columns_said = false;
  List<Name> columns = {};           // a dotted name is a field (DuckDB, Delta)
  bool columns_first = false;        // said before PARTITION
  bool by_name = false;              // BY NAME
  std::string_view overriding = {};  // OVERRIDING SYSTEM VALUE, …
  const Expression* replace_where = nullptr;
  List<Name> replace_using = {};
  bool default_values = false;               // DEFAULT VALUES: no query
  List<const Assignment*> assignments = {};  // INSERT … SET a = 1
  const Query* query = nullptr;              // SELECT, VALUES, TABLE t, FROM t SELECT …
  Tokens conflict = {};                      // ON CONFLICT (…) up to DO
  bool conflict_update = false;              // DO UPDATE SET …
  List<const Assignment*> conflict_set = {};
  const Expression* conflict_where = nullptr;
  List<const Alias*> returning = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("words", words);
    visit("hints", hints);
    visit("table", table);
    visit("directory_said", directory_said);
    visit("local", local);
    visit("directory", directory);
    visit("clauses", clauses);
    visit("partitions", partitions);
    visit("if_not_exists", if_not_exists);
    visit("columns_said", columns_said);
    visit("columns", columns);
    visit("columns_first", columns_first);
    visit("by_name", by_name);
    visit("overriding", overriding);
    visit("replace_where", replace_where);
    visit("replace_using", replace_using);
    visit("default_values", default_values);
    visit("assignments", assignments);
    visit("query", query);
    visit("conflict", conflict);
    visit("conflict_update", conflict_update);
    visit("conflict_set", conflict_set);
    visit("conflict_where", conflict_where);
    visit("returning", returning);
  }
};

// FROM t LATERAL VIEW … INSERT … SELECT … WHERE … INSERT … SELECT …: each branch is an Insert whose
// query is a Select without FROM; it reads the shared one.
struct MultiInsert : NodeOf<NodeKind::kMultiInsert> {
  const With* with = nullptr;
  List<const Relation*> from = {};
  List<const Insert*> branches = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("from", from);
    visit("branches", branches);
  }
};

// WHEN [NOT] MATCHED [BY SOURCE | BY TARGET] [AND c] THEN UPDATE … | INSERT … | DELETE | DO NOTHING
struct MergeClause : NodeOf<NodeKind::kMergeClause> {
  enum class When : uint8_t { kMatched, kNotMatched, kNotMatchedBySource };
  enum class Action : uint8_t { kUpdate, kInsert, kDelete, kNothing };
  When when = When::kMatched;
  std::string_view words = {};  // WHEN NOT MATCHED BY TARGET
  const Expression* condition = nullptr;
  Action action = Action::kUpdate;
  std::string_view action_words = {};  // UPDATE SET, UPDATE SET *, INSERT *, INSERT, DELETE, …
  bool all = false;                    // UPDATE SET *, INSERT *: every column, by name
  List<const Assignment*> assignments = {};
  List<Name> columns = {};
  List<const Expression*> values = {};  // of INSERT … VALUES (…)
  bool default_values = false;          // DEFAULT VALUES
  const Expression* where = nullptr;    // Oracle's: UPDATE SET … WHERE
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("condition", condition);
    visit("action", action_words);
    visit("all", all);
    visit("assignments", assignments);
    visit("columns", columns);
    visit("values", values);
    visit("default_values", default_values);
    visit("where", where);
  }
};

// MERGE [WITH SCHEMA EVOLUTION] INTO target USING source ON c WHEN …
struct Merge : NodeOf<NodeKind::kMerge> {
  const With* with = nullptr;
  List<std::string_view> hints = {};
  bool schema_evolution = false;
  bool into = true;
  const Relation* target = nullptr;  // a Table
  const Relation* source = nullptr;
  const Expression* on = nullptr;
  List<Identifier> using_columns = {};  // USING (id) instead of ON
  List<const MergeClause*> clauses = {};
  List<const Alias*> returning = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("hints", hints);
    visit("schema_evolution", schema_evolution);
    visit("into", into);
    visit("target", target);
    visit("source", source);
    visit("on", on);
    visit("using_columns", using_columns);
    visit("clauses", clauses);
    visit("returning", returning);
  }
};

struct Update : NodeOf<NodeKind::kUpdate> {
  const With* with = nullptr;
  const Relation* table = nullptr;  // a Table, or a Join (MySQL)
  List<const Assignment*> assignments = {};
  List<const Relation*> from = {};
  const Expression* where = nullptr;
  List<const SortItem*> order_by = {};
  const Expression* limit = nullptr;
  List<const Alias*> returning = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("table", table);
    visit("assignments", assignments);
    visit("from", from);
    visit("where", where);
    visit("order_by", order_by);
    visit("limit", limit);
    visit("returning", returning);
  }
};

struct Delete : NodeOf<NodeKind::kDelete> {
  const With* with = nullptr;
  bool from_said = true;
  const Relation* table = nullptr;  // a Table
  List<const Relation*> using_relations = {};
  const Expression* where = nullptr;
  List<const SortItem*> order_by = {};
  const Expression* limit = nullptr;
  List<const Alias*> returning = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("from_said", from_said);
    visit("table", table);
    visit("using", using_relations);
    visit("where", where);
    visit("order_by", order_by);
    visit("limit", limit);
    visit("returning", returning);
  }
};

// TRUNCATE [TABLE] a, b PARTITION (…)
struct Truncate : NodeOf<NodeKind::kTruncate> {
  bool table_said = true;
  bool if_exists = false;
  List<Name> names = {};
  List<const PartitionItem*> partitions = {};
  Tokens tail = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("table_said", table_said);
    visit("if_exists", if_exists);
    visit("names", names);
    visit("partitions", partitions);
    visit("tail", tail);
  }
};

// LOAD DATA [LOCAL] INPATH '…' [OVERWRITE] INTO TABLE t PARTITION (…)
struct Load : NodeOf<NodeKind::kLoad> {
  bool local = false;
  const Expression* path = nullptr;
  bool overwrite = false;
  Name table = {};
  List<const PartitionItem*> partitions = {};
  Tokens tail = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("local", local);
    visit("path", path);
    visit("overwrite", overwrite);
    visit("table", table);
    visit("partitions", partitions);
    visit("tail", tail);
  }
};

// COPY INTO t FROM '…' | (SELECT … FROM '…') · COPY t (a, b) FROM '…' · COPY t | (query) TO '…'
struct Copy : NodeOf<NodeKind::kCopy> {
  bool into = false;  // COPY INTO
  bool to = false;    // table or query are written to `place`; else read from it
  const Table* table = nullptr;
  const Query* query = nullptr;  // TO: what is written; INTO: what selects from the place
  List<Name> columns = {};
  const Expression* place = nullptr;  // a Literal; STDIN, STDOUT as a Column; a Column for @stage
  Tokens tail = {};                   // FILEFORMAT = …, WITH (…)
  template <class V>
  void Fields(V&& visit) const {
    visit("into", into);
    visit("to", to);
    visit("table", table);
    visit("columns", columns);
    visit("query", query);
    visit("place", place);
    visit("tail", tail);
  }
};

// EXPORT TABLE t PARTITION (…) TO '…' FOR REPLICATION('…')
struct Export : NodeOf<NodeKind::kExport> {
  Name table = {};
  List<const PartitionItem*> partitions = {};
  const Expression* path = nullptr;
  Tokens tail = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("table", table);
    visit("partitions", partitions);
    visit("path", path);
    visit("tail", tail);
  }
};

// IMPORT [EXTERNAL] TABLE t PARTITION (…) FROM '…' LOCATION '…'
struct Import : NodeOf<NodeKind::kImport> {
  bool external = false;
  Name table = {};
  List<const PartitionItem*> partitions = {};
  const Expression* path = nullptr;
  Tokens tail = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("external", external);
    visit("table", table);
    visit("partitions", partitions);
    visit("path", path);
    visit("tail", tail);
  }
};

// ---- Making and changing objects.

// CREATE [OR REPLACE] [EXTERNAL] TABLE t (…) … AS SELECT …; also REPLACE TABLE.
struct CreateTable : NodeOf<NodeKind::kCreateTable> {
  const With* with = nullptr;   // WITH … CREATE TABLE … AS (Hive does not, some tools write it)
  std::string_view words = {};  // CREATE OR REPLACE EXTERNAL TABLE, REPLACE TABLE, …
  bool or_replace = false;
  bool temporary = false;
  bool external = false;
  bool if_not_exists = false;
  Name name = {};                               // empty: name_expression
  const Expression* name_expression = nullptr;  // IDENTIFIER(…)
  bool columns_said = false;
  List<const ColumnDefinition*> columns = {};  // CREATE TABLE t (a, b) AS: without types
  List<const Clause*> constraints = {};        // PRIMARY KEY (…), LIKE t INCLUDING …
  Name like = {};                              // LIKE t; the columns of t
  Name clone = {};                             // [SHALLOW | DEEP] CLONE t
  std::string_view clone_words = {};           // CLONE, SHALLOW CLONE, DEEP CLONE
  const TimeTravel* clone_as_of = nullptr;
  Name format = {};  // USING delta
  // PARTITIONED BY: ColumnDefinition (Hive), or Column and Call (Spark's transforms).
  std::string_view partitioned_word = {};  // PARTITIONED BY, PARTITIONED ON, PARTITION BY
  List<const Node*> partitioned_by = {};
  const Expression* location = nullptr;  // of a LOCATION clause
  List<const Clause*> clauses = {};      // everything else before the query
  bool as = false;                       // AS before the query
  const Query* query = nullptr;
  const Node* execute = nullptr;  // PostgreSQL: AS EXECUTE …, a Command
  Tokens tail = {};               // WITH [NO] DATA
  template <class V>
  void Fields(V&& visit) const {
    visit("with", with);
    visit("words", words);
    visit("if_not_exists", if_not_exists);
    visit("name", name);
    visit("name_expression", name_expression);
    visit("columns_said", columns_said);
    visit("columns", columns);
    visit("constraints", constraints);
    visit("like", like);
    visit("clone_words", clone_words);
    visit("clone", clone);
    visit("clone_as_of", clone_as_of);
    visit("format", format);
    visit("partitioned_word", partitioned_word);
    visit("partitioned_by", partitioned_by);
    visit("location", location);
    visit("clauses", clauses);
    visit("as", as);
    visit("query", query);
    visit("execute", execute);
    visit("tail", tail);
  }
};

// CREATE [OR REPLACE] [GLOBAL] [TEMPORARY] [MATERIALIZED] VIEW v (a, b) … AS SELECT …
// Spark's CREATE TEMPORARY VIEW v USING csv OPTIONS (path '…') has no query.
struct CreateView : NodeOf<NodeKind::kCreateView> {
  std::string_view words = {};
  bool or_replace = false;
  bool temporary = false;
  bool materialized = false;
  bool recursive = false;
  bool if_not_exists = false;
  Name name = {};
  List<const ColumnDefinition*> columns = {};
  Name format = {};  // USING csv
  std::string_view partitioned_word = {};
  List<const Node*> partitioned_by = {};
  const Expression* location = nullptr;
  List<const Clause*> clauses = {};
  const Query* query = nullptr;
  Tokens tail = {};  // WITH CHECK OPTION, WITH NO DATA
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("if_not_exists", if_not_exists);
    visit("name", name);
    visit("columns", columns);
    visit("format", format);
    visit("partitioned_word", partitioned_word);
    visit("partitioned_by", partitioned_by);
    visit("location", location);
    visit("clauses", clauses);
    visit("query", query);
    visit("tail", tail);
  }
};

// CREATE [TEMPORARY] FUNCTION | MACRO | PROCEDURE f …: of a body that is SQL, that body; else what
// was said, as tokens.
struct CreateFunction : NodeOf<NodeKind::kCreateFunction> {
  std::string_view words = {};  // CREATE OR REPLACE TEMPORARY FUNCTION
  bool or_replace = false;
  bool temporary = false;
  bool macro = false;  // CREATE MACRO
  bool if_not_exists = false;
  Name name = {};
  bool parameters_said = false;
  List<const ColumnDefinition*> parameters = {};
  Tokens returns = {};              // RETURNS …, LANGUAGE …, up to the body
  std::string_view body_word = {};  // AS, RETURN; Hive's macros have none
  bool table_body = false;          // DuckDB: AS TABLE query
  const Node* body = nullptr;       // Expression, Query or a scripting Block
  Tokens tail = {};                 // 'class.name' USING JAR '…', AS $$…$$
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("if_not_exists", if_not_exists);
    visit("name", name);
    visit("parameters_said", parameters_said);
    visit("parameters", parameters);
    visit("returns", returns);
    visit("body_word", body_word);
    visit("table_body", table_body);
    visit("body", body);
    visit("tail", tail);
  }
};

// CREATE SCHEMA, INDEX, SEQUENCE, TYPE, ROLE, …
struct CreateOther : NodeOf<NodeKind::kCreateOther> {
  std::string_view words = {};   // CREATE OR REPLACE
  std::string_view object = {};  // SCHEMA, DATABASE, NAMESPACE, UNIQUE INDEX, …
  bool if_not_exists = false;
  Name name = {};
  bool on = false;
  Name table = {};  // CREATE INDEX i ON t
  Tokens tail = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("object", object);
    visit("if_not_exists", if_not_exists);
    visit("name", name);
    visit("table", table);
    visit("tail", tail);
  }
};

// DROP TABLE a, b · DROP MATERIALIZED VIEW IF EXISTS v CASCADE · DROP TEMPORARY FUNCTION f
struct Drop : NodeOf<NodeKind::kDrop> {
  std::string_view object = {};  // TABLE, VIEW, MATERIALIZED VIEW, SCHEMA, TEMPORARY FUNCTION, …
  bool if_exists = false;
  List<Name> names = {};
  Tokens tail = {};  // PURGE, CASCADE, ON t, …
  template <class V>
  void Fields(V&& visit) const {
    visit("object", object);
    visit("if_exists", if_exists);
    visit("names", names);
    visit("tail", tail);
  }
};

// PARTITION (ds = '1') [LOCATION '…']
struct PartitionSpec : NodeOf<NodeKind::kPartitionSpec> {
  List<const PartitionItem*> items = {};
  const Expression* location = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("items", items);
    visit("location", location);
  }
};

struct AlterAction : NodeOf<NodeKind::kAlterAction> {
  enum class What : uint8_t {
    kRenameTable,        // RENAME TO name
    kSwapWith,           // SWAP WITH name: both names change places
    kSetSchema,          // SET SCHEMA name
    kAddColumns,         // columns
    kReplaceColumns,     // columns: the whole new list
    kDropColumns,        // column_names
    kRenameColumn,       // column_names[0] TO new_column
    kChangeColumn,       // column_names[0] becomes columns[0] (Hive's CHANGE a b INT)
    kAlterColumn,        // ALTER COLUMN column_names[0] …: type if said; the rest in tokens
    kAddPartitions,      // partitions, location
    kDropPartitions,     // partitions
    kRenamePartition,    // Alter::partitions become new_partitions
    kExchangePartition,  // partitions WITH TABLE name: from that table into this one
    kSetLocation,        // location, of `partitions` if said
    kSetQuery,           // ALTER VIEW v AS query
    kOther,              // tokens
  };
  What what = What::kOther;
  std::string_view words = {};  // ADD COLUMNS, RENAME TO, …: upper case
  bool if_exists = false;       // IF EXISTS, IF NOT EXISTS
  Name name = {};
  List<Name> column_names = {};
  Name new_column = {};
  bool parenthesized = false;  // the list of columns
  List<const ColumnDefinition*> columns = {};
  std::string_view type_words = {};  // TYPE, SET DATA TYPE
  const Type* type = nullptr;
  List<const Node*> partitions = {};  // PartitionSpecs
  List<const PartitionItem*> new_partitions = {};
  const Expression* location = nullptr;
  const Query* query = nullptr;
  Tokens tokens = {};  // what else was said
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("if_exists", if_exists);
    visit("name", name);
    visit("column_names", column_names);
    visit("new_column", new_column);
    visit("parenthesized", parenthesized);
    visit("columns", columns);
    visit("type_words", type_words);
    visit("type", type);
    visit("partitions", partitions);
    visit("new_partitions", new_partitions);
    visit("location", location);
    visit("query", query);
    visit("tokens", tokens);
  }
};

// ALTER TABLE t action, action · ALTER [MATERIALIZED] VIEW v action
struct Alter : NodeOf<NodeKind::kAlter> {
  std::string_view object = {};  // TABLE, VIEW, MATERIALIZED VIEW, SCHEMA, …
  bool if_exists = false;
  Name name = {};
  List<const PartitionItem*> partitions = {};  // ALTER TABLE t PARTITION (…) action
  List<const AlterAction*> actions = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("object", object);
    visit("if_exists", if_exists);
    visit("name", name);
    visit("partitions", partitions);
    visit("actions", actions);
  }
};

// ---- Sessions, upkeep, everything else.

// CACHE [LAZY] TABLE t [OPTIONS …] [[AS] query]; UNCACHE TABLE t
struct Cache : NodeOf<NodeKind::kCache> {
  bool uncache = false;
  bool lazy = false;
  bool if_exists = false;
  Name name = {};
  Tokens options = {};
  bool as = false;
  const Query* query = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("uncache", uncache);
    visit("lazy", lazy);
    visit("if_exists", if_exists);
    visit("name", name);
    visit("options", options);
    visit("as", as);
    visit("query", query);
  }
};

// USE db · USE CATALOG c · USE SCHEMA s
struct Use : NodeOf<NodeKind::kUse> {
  std::string_view object = {};  // CATALOG, SCHEMA, DATABASE, NAMESPACE
  Name name = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("object", object);
    visit("name", name);
  }
};

// SET key = value (a text to the end of the statement); of variables: SET VAR x = (SELECT …).
struct Set : NodeOf<NodeKind::kSet> {
  std::string_view words = {};               // SET, SET VAR, SET SESSION, RESET, …
  std::string_view key = {};                 // as written: hive.exec.dynamic.partition, hivevar:x
  bool assigned = false;                     // key = …
  std::string_view value = {};               // as written; of a setting
  List<const Assignment*> assignments = {};  // of variables
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("key", key);
    visit("assigned", assigned);
    visit("value", value);
    visit("assignments", assignments);
  }
};

// OPTIMIZE t WHERE … ZORDER BY (a) · VACUUM t · ANALYZE TABLE t · MSCK REPAIR TABLE t · REFRESH t:
// work on one table that changes none of its rows.
struct Maintain : NodeOf<NodeKind::kMaintain> {
  std::string_view words = {};  // OPTIMIZE, VACUUM, ANALYZE TABLE, MSCK REPAIR TABLE, REFRESH, …
  Name table = {};
  const Expression* where = nullptr;
  Tokens tail = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("table", table);
    visit("where", where);
    visit("tail", tail);
  }
};

// CALL catalog.system.procedure(table => 'db.t', …)
struct CallStatement : NodeOf<NodeKind::kCallStatement> {
  std::string_view word = {};        // CALL, EXEC
  const Expression* call = nullptr;  // a Call
  template <class V>
  void Fields(V&& visit) const {
    visit("word", word);
    visit("call", call);
  }
};

struct Explain : NodeOf<NodeKind::kExplain> {
  Tokens options = {};  // EXTENDED, (TYPE LOGICAL), …
  const Node* statement = nullptr;
  template <class V>
  void Fields(V&& visit) const {
    visit("options", options);
    visit("statement", statement);
  }
};

// What has no data flow: SHOW, DESCRIBE, GRANT, ADD JAR, COMMIT, dfs, …
struct Command : NodeOf<NodeKind::kCommand> {
  std::string_view word = {};  // its first word, upper case
  Tokens tokens = {};          // all of it
  template <class V>
  void Fields(V&& visit) const {
    visit("tokens", tokens);
  }
};

// ---- Scripting (Spark 4, Databricks, Trino routines, PL/HQL).

// [label:] BEGIN statements END [label]
struct Block : NodeOf<NodeKind::kBlock> {
  Identifier label = {};
  Tokens options = {};  // NOT ATOMIC
  List<const Node*> statements = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("label", label);
    visit("options", options);
    visit("statements", statements);
  }
};

// IF c THEN …, ELSEIF c THEN …, CASE WHEN c THEN …; without a condition: ELSE.
struct Branch : NodeOf<NodeKind::kBranch> {
  const Expression* condition = nullptr;
  List<const Node*> statements = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("condition", condition);
    visit("statements", statements);
  }
};

struct If : NodeOf<NodeKind::kIf> {
  bool of_case = false;  // CASE … END CASE
  const Expression* operand = nullptr;
  List<const Branch*> branches = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("of_case", of_case);
    visit("operand", operand);
    visit("branches", branches);
  }
};

// WHILE c DO … · REPEAT … UNTIL c · LOOP … · FOR row AS query DO …
struct Loop : NodeOf<NodeKind::kLoop> {
  Identifier label = {};
  std::string_view word = {};
  Identifier variable = {};
  const Query* query = nullptr;
  const Expression* condition = nullptr;
  List<const Node*> statements = {};
  template <class V>
  void Fields(V&& visit) const {
    visit("label", label);
    visit("word", word);
    visit("variable", variable);
    visit("query", query);
    visit("condition", condition);
    visit("statements", statements);
  }
};

// DECLARE x INT DEFAULT 1 · DECLARE VARIABLE x = (SELECT …) · DECLARE … HANDLER FOR … statement
struct Declare : NodeOf<NodeKind::kDeclare> {
  std::string_view words = {};  // DECLARE, DECLARE OR REPLACE VARIABLE
  List<Name> names = {};
  const Type* type = nullptr;
  std::string_view default_word = {};  // DEFAULT, =
  const Expression* value = nullptr;
  Tokens handler = {};              // EXIT HANDLER FOR SQLEXCEPTION, c CONDITION FOR …
  const Node* statement = nullptr;  // of a handler
  template <class V>
  void Fields(V&& visit) const {
    visit("words", words);
    visit("names", names);
    visit("type", type);
    visit("default_word", default_word);
    visit("value", value);
    visit("handler", handler);
    visit("statement", statement);
  }
};

}  // namespace tarn::sql::tree
