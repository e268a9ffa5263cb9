#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "tarn/engine/table_lineage.h"

namespace tarn::cli {

// `tarn lineage --table`, for people:
//
//   sales.daily, version 3
//   total
//     ← sales.orders.amount  AGGREGATION  insert overwrite, version 3, 2026-11-30T10:00:00.000Z
//       ← path:in/*.jsonl.amount  IDENTITY  ingest, versions 1 to 40 (40 commits), 2026-…
//   every row
//     ← sales.orders.day  FILTER  insert overwrite, version 3, 2026-11-30T10:00:00.000Z
//
// Warnings are left to the caller.
std::string TableLineageText(const TableLineage& lineage);

// {table, version, direction, steps: [{from: {dataset, column, version}, to: {…}, kind,
// operation, time, commits, oldest_version, depth}], warnings}
nlohmann::ordered_json TableLineageJson(const TableLineage& lineage);

}  // namespace tarn::cli
