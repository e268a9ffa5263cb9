#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"

namespace tarn {

class Engine;

enum class LineageFormat : uint8_t { kTree, kJson, kOpenLineage, kDot, kMermaid };

// tree, json, openlineage, dot, mermaid. kInvalid for others.
Result<LineageFormat> ParseLineageFormat(std::string_view name);
// Their names, for messages.
std::vector<std::string> LineageFormatNames();
// Those of the dialects.
std::vector<std::string> LineageDialectNames();

// A script that is asked about.
struct LineageScript {
  std::string file;  // for headings, job names and the names of models (lineage/project.h)
  std::string sql;
};

struct LineageRequest {
  // Several are a project: each is read after those that make what it reads.
  std::vector<LineageScript> scripts;
  std::string dialect = "generic";
  std::optional<std::string> default_db = {};
  std::string schema_json = {};  // a schema file's text (lineage/schema_file.h); empty: none
  std::vector<std::pair<std::string, std::string>> variables = {};  // ${name} in table names
  LineageFormat format = LineageFormat::kTree;
};

// What every table and column of the scripts is made of, from the text alone. Of several scripts
// tree has a heading for each, json one object each, in an array, with "file" before the rest, the
// others one document of all. Columns of tables come
// from the schema file; without one, from the catalog of `engine` if there is one. kInvalid for an
// unknown dialect or a schema that cannot be read; a statement that cannot be read is a warning of
// the report.
Result<std::string> ReportLineage(const LineageRequest& request, Runtime& runtime,
                                  Engine* engine = nullptr);

}  // namespace tarn
