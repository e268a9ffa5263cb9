#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarn/engine/table_diff.h"
#include "tarn/engine/table_facts.h"
#include "tarn/model/commit.h"
#include "tarn/model/schema.h"

namespace tarn::cli {

// What `tarn table …` prints for people: aligned, counts grouped, bytes in units. Long lists of
// files are cut, saying how many more there are.
std::string TableFactsText(const TableFacts& facts);
// With lineage: below each commit what it says that its columns are made of.
enum class WithLineage : uint8_t { kNo, kYes };
std::string HistoryText(const std::vector<Commit>& commits, WithLineage lineage = WithLineage::kNo);
std::string FilesText(const TableFacts& facts);
// id, name (nested ones indented), type, required, comment.
std::string SchemaText(const Schema& schema);
std::string DiffText(const TableDiff& diff);

}  // namespace tarn::cli
