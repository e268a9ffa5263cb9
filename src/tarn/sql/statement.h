#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tarn/model/types.h"
#include "tarn/sql/token.h"

namespace tarn::sql {

// A piece of SQL that is left to the engine behind (a query, an expression), as the user wrote it.
struct Fragment {
  std::string text = {};
  SourceSpan span = {};  // in the whole script
  bool empty() const { return text.empty(); }
};

// How a statement names a table: the parts of a dotted name ("ns", "t"), or one path.
//   ns.t               parts {ns, t}
//   'some/folder'      path; also a single quoted identifier that contains a '/'
//   delta.`some/folder`  path and format: a word, and a quoted path with a '/' in it
struct TableName {
  std::vector<std::string> parts = {};
  std::string path = {};    // set instead of parts
  std::string format = {};  // "delta", …, only if said
  // Parts after a path: 'some/folder'.history. Always empty for dotted names, where the reader of
  // `parts` decides which are the table's.
  std::vector<std::string> suffix = {};
  SourceSpan span = {};
  std::string ToText() const;
  friend bool operator==(const TableName&, const TableName&) = default;
};

// VERSION AS OF 3 · TIMESTAMP AS OF '2026-11-30 10:00:00' · FOR VERSION | SYSTEM_VERSION |
// TIMESTAMP | SYSTEM_TIME AS OF … · AT (VERSION => 3) · AT (TIMESTAMP => …).
struct TimeTravel {
  enum class Kind : uint8_t { kVersion, kTimestamp } kind = Kind::kVersion;
  // The value where it is one literal (string or number, without quotes); else only the expression.
  std::optional<std::string> literal = {};
  Fragment expression = {};
  SourceSpan span = {};  // from VERSION (or FOR, AT) to the end of the value
};

// A query whose rows are wanted: SELECT, WITH, FROM, VALUES, TABLE, PIVOT, UNPIVOT, SUMMARIZE, (…).
struct Query {
  Fragment query;
};

struct Explain {
  bool analyze = false;
  Fragment statement;  // what is explained; parse it again
};

// One column of CREATE TABLE or ADD COLUMN: `field` has id 0 at every depth; `required`, `doc` and
// `write_default_sql` are filled from NOT NULL, COMMENT and DEFAULT.
struct ColumnDefinition {
  std::string parent =
      {};  // ADD COLUMN a.b: path of the parent ("a"), spelled as Schema::FindByPath
  Field field = {};
  std::string check = {};      // CHECK (…) beside the column: a constraint without a name
  std::string generated = {};  // GENERATED ALWAYS AS (…): for a refusal by name
  bool first = false;          // ADD COLUMN … FIRST
  std::string after = {};      // ADD COLUMN … AFTER x
  SourceSpan span = {};
};

// PARTITIONED BY (day, bucket(16, id), region STRING).
struct PartitionItem {
  std::string column = {};
  std::string transform = "identity";  // bucket, truncate, year(s), month(s), day(s), hour(s), void
  int32_t parameter = 0;
  std::optional<Type> type = {};  // Hive's form declares the column here: it becomes the last one
  SourceSpan span = {};
};

struct Constraint {
  std::string name = {};  // may be empty
  std::string check = {};
};

struct CreateTable {
  TableName table;
  bool or_replace = false;
  bool if_not_exists = false;
  // Empty when only the query gives them, or with a location and no query: the table that stands
  // there already gets the name.
  std::vector<ColumnDefinition> columns = {};
  std::vector<Constraint> constraints = {};
  std::vector<PartitionItem> partitioned_by = {};
  std::string format = {};  // USING delta
  std::string location = {};
  std::string comment = {};
  std::map<std::string, std::string> properties = {};  // TBLPROPERTIES and OPTIONS
  std::optional<Fragment> query = {};                  // AS SELECT …
};

struct CreateNamespace {
  std::vector<std::string> name;
  bool if_not_exists = false;
};

struct DropNamespace {
  std::vector<std::string> name;
  bool if_exists = false;
  bool cascade = false;
};

// INSERT INTO | INSERT OVERWRITE | INSERT INTO … REPLACE WHERE.
struct Insert {
  enum class Mode : uint8_t { kInto, kOverwrite, kReplaceWhere } mode = Mode::kInto;
  TableName table;
  std::vector<std::string> columns = {};  // (a, b): empty if not said
  bool by_name = false;                   // BY NAME
  // PARTITION (day = '2026-01-01', region): a value is an expression's text; without one, dynamic.
  struct Partition {
    std::string column;
    std::optional<std::string> value;
  };
  std::vector<Partition> partitions = {};
  bool if_not_exists = false;  // … PARTITION (…) IF NOT EXISTS
  std::optional<Fragment> replace_where = {};
  Fragment query;  // SELECT, VALUES, TABLE, FROM …
};

// DELETE FROM, and TRUNCATE TABLE (without a predicate).
struct Delete {
  TableName table;
  std::string alias = {};
  std::optional<Fragment> where = {};
};

struct Update {
  TableName table;
  std::string alias = {};
  struct Assignment {
    std::string column;  // a path, spelled as Schema::FindByPath
    Fragment value;
  };
  std::vector<Assignment> assignments;
  std::optional<Fragment> where = {};
};

struct DropTable {
  TableName table;
  bool if_exists = false;
  bool purge = false;
};

// Column paths are spelled as Schema::FindByPath reads them: "a.b", `x.y`.b.
struct AddColumns {
  std::vector<ColumnDefinition> columns;
  bool if_not_exists = false;
};
struct DropColumns {
  std::vector<std::string> paths;
  bool if_exists = false;
};
struct RenameColumnTo {
  std::string path;
  std::string new_name;
};
struct UndropColumn {
  std::string path;
  std::string new_name = {};  // UNDROP COLUMN a AS b: where `a` is taken meanwhile
};
struct AlterColumnType {
  std::string path;
  Type type;
};
struct CommentColumn {
  std::string path;
  std::string comment;
};
struct SetNotNull {
  std::string path;
};
struct DropNotNull {
  std::string path;
};
struct SetDefault {
  std::string path;
  std::optional<std::string> sql;  // empty: DROP DEFAULT
};
struct PlaceColumn {
  std::string path;
  bool first = false;
  std::string after = {};
};
struct SetProperties {
  std::map<std::string, std::string> properties;
};
struct UnsetProperties {
  std::vector<std::string> keys;
  bool if_exists = false;
};
struct AddConstraint {
  Constraint constraint;
};
// ADD PARTITION FIELD bucket(16, id) AS shard. An item without a transform may be a field's name.
struct AddPartitionField {
  PartitionItem item;
  std::string name = {};
};
struct DropPartitionField {
  PartitionItem item;
};
struct ReplacePartitionField {
  PartitionItem item;
  AddPartitionField with;
};
// WRITE … ORDERED BY: how rows are to be written from now on.
struct SortItem {
  PartitionItem key;
  bool descending = false;
  bool nulls_first = true;
};
struct SetWriteOrder {
  std::vector<SortItem> items = {};              // empty: UNORDERED
  std::optional<std::string> distribution = {};  // "none", "hash", "range", where that is said
  bool keeps_order = false;                      // only the distribution changes
};
struct DropConstraint {
  std::string name;
  bool if_exists = false;
};
struct RenameTable {
  TableName to;
};
struct CommentTable {
  std::string comment;
};
// CREATE | CREATE OR REPLACE | REPLACE | DROP BRANCH | TAG: a name for a state of the table.
struct ChangeReference {
  enum class Do : uint8_t { kCreate, kReplace, kCreateOrReplace, kDrop } action = Do::kCreate;
  bool is_branch = true;  // else a tag
  bool lenient = false;   // IF NOT EXISTS, IF EXISTS
  std::string name = {};
  std::optional<std::string> version = {};       // AS OF VERSION; else the newest
  std::optional<int64_t> keep_name_ms = {};      // RETAIN
  std::optional<int64_t> keep_versions_ms = {};  // WITH SNAPSHOT RETENTION
  std::optional<int64_t> keep_versions_min = {};
};
using AlterAction =
    std::variant<AddColumns, DropColumns, RenameColumnTo, UndropColumn, AlterColumnType,
                 CommentColumn, SetNotNull, DropNotNull, SetDefault, PlaceColumn, SetProperties,
                 UnsetProperties, AddConstraint, DropConstraint, AddPartitionField,
                 DropPartitionField, ReplacePartitionField, SetWriteOrder, RenameTable,
                 CommentTable, ChangeReference>;

// ALTER TABLE (and COMMENT ON): all actions together or none.
struct AlterTable {
  TableName table;
  bool if_exists = false;
  std::vector<AlterAction> actions;
};

struct ShowTables {
  std::optional<std::string> within = {};  // a namespace
  std::optional<std::string> like = {};
};

struct ShowNamespaces {
  std::optional<std::string> like = {};
};

// DESCRIBE and its kin: what is known of one table, or of a query's columns.
struct Describe {
  enum class What : uint8_t {
    kColumns,     // DESCRIBE t, SHOW COLUMNS FROM t
    kExtended,    // DESCRIBE EXTENDED | FORMATTED t
    kDetail,      // DESCRIBE DETAIL t
    kHistory,     // DESCRIBE HISTORY t
    kProperties,  // SHOW TBLPROPERTIES t
    kPartitions,  // SHOW PARTITIONS t
    kCreate,      // SHOW CREATE TABLE t
  } what = What::kColumns;
  TableName table = {};
  std::optional<Fragment> query = {};  // DESCRIBE SELECT …: instead of a table
};

struct UseNamespace {
  std::vector<std::string> name;
};

// CALL system.procedure(value, name => value): what is done to a table beside its rows.
struct Call {
  std::vector<std::string> procedure;
  struct Argument {
    std::string name = {};  // lower case; empty: by its place
    Fragment value;
  };
  std::vector<Argument> arguments = {};
};

// What Tarn has no tree for: the engine behind may know it (SET x = 1), or it is refused by
// `words`.
struct Other {
  std::string words;  // "MERGE INTO", "CREATE VIEW", "SET": upper case, for messages
};

// One statement. `text` is all of it, as written, without the semicolon.
struct Statement {
  std::variant<Query, Explain, CreateTable, CreateNamespace, DropNamespace, Insert, Delete, Update,
               DropTable, AlterTable, ShowTables, ShowNamespaces, Describe, UseNamespace, Call,
               Other>
      body;
  std::string text = {};
  SourceSpan span = {};
};

}  // namespace tarn::sql
