#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/lineage/analyze.h"
#include "tarn/lineage/lineage.h"

namespace tarn::lineage {

// A script as one step: what it reads and writes when all of it has run. Names stand alone; ids
// belong to the statements.

struct MergedSource {
  std::string column;  // db.table.column
  EdgeKind kind = EdgeKind::kIdentity;
  bool masking = false;
  sql::SourceSpan where;  // of the first statement that says so
  friend bool operator==(const MergedSource&, const MergedSource&) = default;
};

struct MergedColumn {
  std::string output;
  std::string projection;  // the select item's own name; empty if it has none
  sql::SourceSpan expression;
  std::vector<MergedSource> sources;
  friend bool operator==(const MergedColumn&, const MergedColumn&) = default;
};

// An INDIRECT column that acts on every row of `outputs`.
struct MergedEffect {
  std::string column;
  EdgeKind kind = EdgeKind::kFilter;
  sql::SourceSpan where;
  std::vector<std::string> outputs;
  friend bool operator==(const MergedEffect&, const MergedEffect&) = default;
};

struct MergedLineage {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<MergedColumn> columns;
  std::vector<MergedEffect> effects;
  std::vector<DdlEffect> ddl;
  struct Partition {
    std::string dataset;
    std::string column;
    std::optional<std::string> value;
    friend bool operator==(const Partition&, const Partition&) = default;
  };
  std::vector<Partition> partitions;
  std::vector<std::string> schema_from;
  std::vector<std::string> maintenance;
  std::vector<std::string> transient;
  friend bool operator==(const MergedLineage&, const MergedLineage&) = default;
};

// `script` as one step. Edges stay per statement: a table that is written and then read is both an
// output and an input. A table that the script writes and renames later goes by its new name
// throughout; one that was there before and is renamed is copied, column by column.
MergedLineage MergeScript(const ScriptLineage& script);

}  // namespace tarn::lineage
