#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/lineage/analyze.h"

namespace tarn::lineage {

// One of several scripts that read one another's tables: a folder of dbt's models, the steps of a
// nightly run.
struct ProjectScript {
  std::string file;  // its name ends the model's: "models/marts/customers.sql" is `customers`
  std::string sql;
  ScriptLineage lineage = {};  // AnalyzeProject fills it
};

// The file's name without folders and ending.
std::string ModelName(std::string_view file);

// The lineage of all, each read after those that make what it reads, so that `*` and plain names
// are resolved through them. A script of one plain query is a model, as in dbt: a view called as
// its file. What `schema` knows stays as it says. Of scripts that read one another in a circle, one
// is read without the columns of the other. Each script is read twice.
void AnalyzeProject(std::vector<ProjectScript>& scripts, const sql::Dialect& dialect,
                    const SchemaProvider& schema, const AnalyzeOptions& options = {});

}  // namespace tarn::lineage
