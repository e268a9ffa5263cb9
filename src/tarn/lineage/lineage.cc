#include "tarn/lineage/lineage.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace tarn::lineage {
namespace {

constexpr std::array<std::string_view, 9> kEdgeKindNames = {
    "IDENTITY", "TRANSFORMATION", "AGGREGATION", "JOIN",       "GROUP_BY",
    "FILTER",   "SORT",           "WINDOW",      "CONDITIONAL"};

constexpr std::array<std::string_view, 29> kOperationNames = {"query",
                                                              "insert",
                                                              "insert overwrite",
                                                              "multi insert",
                                                              "create table",
                                                              "create table as select",
                                                              "create table like",
                                                              "clone table",
                                                              "create view",
                                                              "create materialized view",
                                                              "create temporary view",
                                                              "alter table",
                                                              "alter view",
                                                              "rename",
                                                              "exchange partition",
                                                              "drop",
                                                              "truncate",
                                                              "merge",
                                                              "update",
                                                              "delete",
                                                              "load",
                                                              "export",
                                                              "import",
                                                              "copy",
                                                              "cache",
                                                              "maintenance",
                                                              "session",
                                                              "condition",
                                                              "other"};

constexpr std::array<std::string_view, 10> kWarningCodeNames = {
    "syntax",       "unknown_table", "unknown_column", "ambiguous_column", "guessed_column",
    "unknown_star", "column_count",  "unused_cte",     "unsupported",      "too_deep"};

}  // namespace

std::string_view EdgeKindName(EdgeKind kind) { return kEdgeKindNames[static_cast<size_t>(kind)]; }

std::string_view OperationName(Operation operation) {
  return kOperationNames[static_cast<size_t>(operation)];
}

std::string_view WarningCodeName(WarningCode code) {
  return kWarningCodeNames[static_cast<size_t>(code)];
}

std::span<const Edge> EdgesInto(const StatementLineage& lineage, DatasetId target,
                                ColumnId output) {
  const auto range =
      std::equal_range(lineage.edges.begin(), lineage.edges.end(),
                       Edge{.target = target, .output = output}, [](const Edge& a, const Edge& b) {
                         return std::tuple(a.target, a.output) < std::tuple(b.target, b.output);
                       });
  return {range.first, range.second};
}

std::string QualifiedName(const StatementLineage& lineage, ColumnId column) {
  const Column& found = lineage.column(column);
  return lineage.dataset(found.dataset).name + "." + found.name;
}

}  // namespace tarn::lineage
