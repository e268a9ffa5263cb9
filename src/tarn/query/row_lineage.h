#pragma once

#include <string>
#include <vector>

#include "tarn/model/schema.h"
#include "tarn/scan/plan.h"

namespace tarn {

// What a statement that moves rows selects of their lineage.
struct LineageColumn {
  std::string name;
  std::string sql;
  bool of_last_change = false;  // else the row's number
};

// The columns `fields` (WriteTicket::row_lineage; empty: none) of the rows of `plan`, read as
// `alias` with these columns hidden and no file skipped: what a file says, else what follows from a
// row's place in it.
std::vector<LineageColumn> LineageOfRows(const ScanPlan& plan, const std::vector<Field>& fields,
                                         const std::string& alias);

}  // namespace tarn
