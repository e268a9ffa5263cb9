#pragma once

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
std::string HistoryText(const std::vector<Commit>& commits);
std::string FilesText(const TableFacts& facts);
// id, name (nested ones indented), type, required, comment.
std::string SchemaText(const Schema& schema);
std::string DiffText(const TableDiff& diff);

}  // namespace tarn::cli
