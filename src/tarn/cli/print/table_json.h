#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "tarn/cli/print/table_text.h"
#include "tarn/engine/table_diff.h"
#include "tarn/engine/table_facts.h"
#include "tarn/model/commit.h"
#include "tarn/model/schema.h"

namespace tarn::cli {

// What `tarn table … --json` prints, as documents; docs/guide/tables.md shows each.

// [{id, name, type, required, doc?, default?, file_name?, fields?: [nested alike]}, …]
nlohmann::ordered_json ColumnsJson(const std::vector<Field>& fields);
nlohmann::ordered_json TableFactsJson(const TableFacts& facts);
nlohmann::ordered_json HistoryJson(const std::string& table, const std::vector<Commit>& commits,
                                   WithLineage lineage = WithLineage::kNo);
nlohmann::ordered_json FilesJson(const TableFacts& facts);
nlohmann::ordered_json SchemaJson(const TableFacts& facts);
nlohmann::ordered_json DiffJson(const std::string& table, const TableDiff& diff);

}  // namespace tarn::cli
