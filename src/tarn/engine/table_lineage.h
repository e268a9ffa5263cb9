#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/lineage/lineage.h"
#include "tarn/model/commit.h"

namespace tarn {

class Engine;

enum class LineageDirection : uint8_t {
  kUp,    // what it is made of
  kDown,  // what is made of it
};

struct TableLineageRequest {
  std::string table;                        // a name or a folder
  std::optional<std::string> column = {};   // top level; absent: all columns of the version
  std::optional<std::string> version = {};  // absent: the newest (kUp), any (kDown)
  LineageDirection direction = LineageDirection::kUp;
};

// A column of a table, or a field of what was loaded (then without version), as it was called when
// it was read or written.
struct LineagePlace {
  std::string dataset;
  std::string column;  // empty: every column (`to` of what decides about rows)
  std::string version = {};
  friend bool operator==(const LineagePlace&, const LineagePlace&) = default;
};

// One step of the way, by one commit or by several that did the same.
struct LineageStep {
  LineagePlace from;  // its version is what the newest of the commits read
  LineagePlace to;    // the version that the newest of them made
  lineage::EdgeKind kind = lineage::EdgeKind::kIdentity;
  bool masking = false;
  std::string operation;       // of the newest
  int64_t timestamp_ms = 0;    // of the newest
  std::string oldest_version;  // that the oldest of them made
  int64_t commits = 1;
  int32_t depth = 0;  // steps between it and the column that was asked for
};

struct TableLineage {
  std::string table;
  std::string version;  // empty: any
  LineageDirection direction = LineageDirection::kUp;
  // Depth first: the steps below a step follow it. A column reached twice is followed once.
  std::vector<LineageStep> steps;
  std::vector<std::string> warnings;  // commits without lineage, sources that cannot be opened
};

// "AGGREGATION", "TRANSFORMATION+MASKING", …
std::string KindOf(const LineageStep& step);

// Walks what the commits of the lake's tables say of their lineage (lineage/commit_lineage.h), and
// nothing else. Upwards from a version it reads the commits back to the one that wrote the whole
// table; a source that is a table is followed from the version that was read. Downwards it looks
// for commits of the lake's tables that read the table (with a version: that very version).
// What carries values is followed; what only decides (filters, joins, keys, …) is told, and not
// followed further. Columns are found by their ids, whatever they are called now. kNotFound: no
// such table, version or column. O(commits of the tables that are met).
Result<TableLineage> WalkTableLineage(Engine& engine, const TableLineageRequest& request);

// As a drawing: see lineage/lineage_graph.h.
std::string TableLineageDot(const TableLineage& lineage);
std::string TableLineageMermaid(const TableLineage& lineage);

// What one commit says, a line per column: "total ← sales.orders.amount (AGGREGATION)"; nothing if
// it says nothing. kCorrupt as lineage::DecodeCommitLineage.
Result<std::vector<std::string>> CommitLineageLines(const Commit& commit);

}  // namespace tarn
