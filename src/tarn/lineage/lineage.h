#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/sql/token.h"

namespace tarn::lineage {

// What SQL statements read, write and compute, as plain values: they outlive the text and the tree
// they came from. Spans are byte offsets in the script that was analysed, half open.

// How an output depends on an input: the words of OpenLineage's columnLineage facet 1-2-0. The
// first three carry values (DIRECT), the rest decide which rows or which branch (INDIRECT).
// Along a chain the strongest wins (aggregation over transformation over identity); one INDIRECT
// step makes the whole path INDIRECT.
enum class EdgeKind : uint8_t {
  kIdentity,        // copied or renamed
  kTransformation,  // any expression, cast, function, generator, value of a window function
  kAggregation,
  kJoin,     // dataset: ON, USING, NATURAL, MERGE … ON
  kGroupBy,  // dataset: group keys, also those of GROUP BY ALL and of PIVOT
  kFilter,   // dataset: WHERE, HAVING, QUALIFY, WHEN … AND; column: those of a scalar subquery
  kSort,     // dataset: ORDER BY, SORT BY; column: ORDER BY inside an aggregate
  kWindow,   // column: partition and order keys of a window
  kConditional,  // column: condition of CASE and IF, FILTER of an aggregate, key of a PIVOT
};

constexpr bool IsDirect(EdgeKind kind) { return kind <= EdgeKind::kAggregation; }
// One step further in: an INDIRECT step wins over all within it, else the stronger DIRECT one.
constexpr EdgeKind Deeper(EdgeKind outer, EdgeKind inner) {
  if (!IsDirect(outer)) return outer;
  if (!IsDirect(inner)) return inner;
  return outer < inner ? inner : outer;
}
// "IDENTITY", "GROUP_BY", …
std::string_view EdgeKindName(EdgeKind kind);

// Indices into StatementLineage::datasets and ::columns: names are spelled once, edges are numbers.
enum class DatasetId : uint32_t {};
enum class ColumnId : uint32_t {};
inline constexpr ColumnId kEveryColumn{UINT32_MAX};  // a WHERE acts on every column of an output

enum class DatasetKind : uint8_t {
  kTable,
  kView,
  kPath,       // a file or folder that is read: "path:/lake/raw/x.parquet"
  kDirectory,  // one that is written: "dir:hdfs://nn/out", "dir:file:/tmp/x" for a local one
  kQuery,      // the rows of a plain query: "<query>"
};

// A dataset. `name` is catalog.db.table as far as it is known, folded as the dialect folds it; a
// part that holds a dot keeps back-ticks.
struct Dataset {
  std::string name;
  DatasetKind kind = DatasetKind::kTable;
  bool known = false;  // its columns came from the schema or from an earlier statement
  friend bool operator==(const Dataset&, const Dataset&) = default;
};

struct Column {
  DatasetId dataset{};
  std::string name;  // folded, unquoted
  friend bool operator==(const Column&, const Column&) = default;
};

// A column that a statement writes (or gives), in the target's order.
struct OutputColumn {
  ColumnId column{};
  std::string projection;      // the select item's own name; may differ from the target's
  sql::SourceSpan expression;  // the select item without its alias; empty for a static partition
  friend bool operator==(const OutputColumn&, const OutputColumn&) = default;
};

// `input` makes, or decides about, `output` of `target`.
struct Edge {
  DatasetId target{};  // a multi-insert has several
  ColumnId output{};   // or kEveryColumn
  ColumnId input{};
  sql::SourceSpan where;  // the expression or predicate, so that a page can underline it
  EdgeKind kind = EdgeKind::kIdentity;
  bool masking = false;  // hashing and the like on every DIRECT path: the input cannot be read back
  friend bool operator==(const Edge&, const Edge&) = default;
};

enum class Operation : uint8_t {
  kQuery,
  kInsert,
  kInsertOverwrite,
  kMultiInsert,
  kCreateTable,
  kCreateTableAsSelect,
  kCreateTableLike,
  kCloneTable,
  kCreateView,
  kCreateMaterializedView,
  kCreateTemporaryView,
  kAlterTable,
  kAlterView,
  kRename,
  kExchangePartition,
  kDrop,
  kTruncate,
  kMerge,
  kUpdate,
  kDelete,
  kLoad,
  kExport,
  kImport,
  kCopy,
  kCache,
  kMaintenance,  // OPTIMIZE, VACUUM, ANALYZE, CALL, …: no flow of data
  kSession,      // USE, SET, temporary functions, …
  kCondition,    // what a script reads to decide how to go on: IF, WHILE, FOR, SET x = (…)
  kOther,
};
// "create table as select", "insert overwrite", …
std::string_view OperationName(Operation operation);

// A change of names or shapes; no flow of data by itself.
struct DdlEffect {
  std::string op;  // "CREATE_TABLE", "DROP_TABLE", "TRUNCATE", "RENAME_TABLE", "ADD_COLUMNS", …
  std::string object;     // the dataset; empty for a rename
  std::string from = {};  // RENAME_TABLE, RENAME_COLUMN, EXCHANGE_PARTITION
  std::string to = {};
  std::vector<std::string> columns = {};  // those added, dropped or changed
  friend bool operator==(const DdlEffect&, const DdlEffect&) = default;
};

// PARTITION (ds = '1', hr) of a target.
struct PartitionValue {
  DatasetId dataset{};
  std::string column;
  std::optional<std::string> value;  // verbatim SQL; absent: dynamic
  friend bool operator==(const PartitionValue&, const PartitionValue&) = default;
};

enum class WarningCode : uint8_t {
  kSyntax,           // this statement could not be read
  kUnknownTable,     // no schema: its columns are those that the statement names
  kUnknownColumn,    // a name found nowhere: it has no source
  kAmbiguousColumn,  // a name that several tables without schema may have: it has no source
  kGuessedColumn,    // a name taken for a column of the only table without schema
  kUnknownStar,      // `*` over a table without schema: its columns cannot be listed
  kColumnCount,      // the query's columns are not as many as the target's
  kUnusedCte,        // a WITH entry that nothing reads
  kUnsupported,      // understood as SQL, but its lineage is not
  kTooDeep,          // views or queries nested too deep to follow
};
// "unknown_table", …
std::string_view WarningCodeName(WarningCode code);

struct Warning {
  WarningCode code = WarningCode::kSyntax;
  sql::SourceSpan where;
  std::string message;
  friend bool operator==(const Warning&, const Warning&) = default;
};

// One statement.
struct StatementLineage {
  Operation operation = Operation::kOther;
  sql::SourceSpan span;
  std::vector<Dataset> datasets;  // every one that an id below means
  std::vector<DatasetId> inputs;  // read, in the order of the text
  std::vector<DatasetId> outputs;
  std::vector<Column> columns;
  std::vector<OutputColumn> output_columns;  // also those made of constants
  // Sorted by target and output (those of kEveryColumn last), then in the order of the text.
  std::vector<Edge> edges;
  std::vector<PartitionValue> partitions;
  std::vector<DdlEffect> ddl;
  std::vector<DatasetId> schema_from;  // CREATE TABLE … LIKE: shape, not data
  std::vector<DatasetId> maintenance;
  std::vector<std::string> transient;  // temporary views and caches that were looked through
  bool through_views = false;  // a view of the schema was read (and kept, or looked through)
  std::vector<Warning> warnings;

  const Dataset& dataset(DatasetId id) const { return datasets[static_cast<size_t>(id)]; }
  const Column& column(ColumnId id) const { return columns[static_cast<size_t>(id)]; }
  friend bool operator==(const StatementLineage&, const StatementLineage&) = default;
};

// The edges that end in `output` of `target`. O(log edges).
std::span<const Edge> EdgesInto(const StatementLineage& lineage, DatasetId target, ColumnId output);

// "db.table.column".
std::string QualifiedName(const StatementLineage& lineage, ColumnId column);

}  // namespace tarn::lineage
