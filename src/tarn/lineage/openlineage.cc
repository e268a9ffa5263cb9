#include "tarn/lineage/openlineage.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/lineage/source_text_internal.h"

namespace tarn::lineage {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kSpec = "https://openlineage.io/spec/2-0-2/OpenLineage.json";
constexpr std::string_view kFacets = "https://openlineage.io/spec/facets/";

class EventWriter {
 public:
  EventWriter(std::string_view sql, const OpenLineageOptions& options)
      : sql_(sql), options_(options) {}

  Json Event(const StatementLineage& statement, size_t number) const {
    Json event = {{"eventTime", options_.event_time},
                  {"producer", options_.producer},
                  {"schemaURL", std::string(kSpec) + "#/$defs/JobEvent"}};
    Json facet = Facet("1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet");
    facet["query"] = std::string(sql_.substr(statement.span.begin, statement.span.size()));
    event["job"] = {{"namespace", options_.job_namespace},
                    {"name", options_.job_name + "." + std::to_string(number)},
                    {"facets", {{"sql", std::move(facet)}}}};
    event["inputs"] = Json::array();
    event["outputs"] = Json::array();
    for (const DatasetId id : statement.inputs) event["inputs"].push_back(Name(statement, id));
    for (const DatasetId id : statement.outputs) {
      Json output = Name(statement, id);
      output["facets"] = {{"schema", SchemaFacet(statement, id)},
                          {"columnLineage", ColumnFacet(statement, id)}};
      event["outputs"].push_back(std::move(output));
    }
    return event;
  }

 private:
  Json Facet(std::string_view schema) const {
    return {{"_producer", options_.producer},
            {"_schemaURL", std::string(kFacets) + std::string(schema)}};
  }

  // hdfs://nn/a/b: the namespace is hdfs://nn, the name /a/b. Without a scheme: file.
  Json Name(const StatementLineage& statement, DatasetId id) const {
    const Dataset& dataset = statement.dataset(id);
    if (dataset.kind != DatasetKind::kPath && dataset.kind != DatasetKind::kDirectory) {
      return {{"namespace", options_.dataset_namespace}, {"name", dataset.name}};
    }
    std::string path = dataset.name.substr(dataset.name.find(':') + 1);
    const size_t scheme = path.find("://");
    if (scheme == std::string::npos) {
      if (path.rfind("file:", 0) == 0) path.erase(0, 5);
      return {{"namespace", "file"}, {"name", path}};
    }
    const size_t slash = std::min(path.find('/', scheme + 3), path.size());
    return {{"namespace", path.substr(0, slash)},
            {"name", slash == path.size() ? "/" : path.substr(slash)}};
  }

  Json SchemaFacet(const StatementLineage& statement, DatasetId id) const {
    Json facet = Facet("1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet");
    facet["fields"] = Json::array();
    for (const OutputColumn& output : statement.output_columns) {
      const Column& column = statement.column(output.column);
      if (column.dataset == id) facet["fields"].push_back({{"name", column.name}});
    }
    return facet;
  }

  Json ColumnFacet(const StatementLineage& statement, DatasetId id) const {
    Json facet = Facet("1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet");
    facet["fields"] = Json::object();
    for (const OutputColumn& output : statement.output_columns) {
      const Column& column = statement.column(output.column);
      if (column.dataset == id) {
        facet["fields"][column.name] = {{"inputFields", Inputs(statement, id, output.column)}};
      }
    }
    facet["dataset"] = Inputs(statement, id, kEveryColumn);
    return facet;
  }

  // One entry per input column, with all the ways it takes.
  Json Inputs(const StatementLineage& statement, DatasetId target, ColumnId output) const {
    Json inputs = Json::array();
    std::vector<ColumnId> seen;
    for (const Edge& edge : EdgesInto(statement, target, output)) {
      size_t at = 0;
      while (at < seen.size() && seen[at] != edge.input) ++at;
      if (at == seen.size()) {
        seen.push_back(edge.input);
        const Column& column = statement.column(edge.input);
        Json input = Name(statement, column.dataset);
        input["field"] = column.name;
        input["transformations"] = Json::array();
        inputs.push_back(std::move(input));
      }
      inputs[at]["transformations"].push_back(
          {{"type", IsDirect(edge.kind) ? "DIRECT" : "INDIRECT"},
           {"subtype", EdgeKindName(edge.kind)},
           {"description", SourceText(sql_, edge.where)},
           {"masking", edge.masking}});
    }
    return inputs;
  }

  std::string_view sql_;
  const OpenLineageOptions& options_;
};

}  // namespace

std::string OpenLineageJson(const ScriptLineage& script, std::string_view sql,
                            const OpenLineageOptions& options) {
  const EventWriter writer(sql, options);
  Json events = Json::array();
  size_t number = 0;
  for (const StatementLineage& statement : script.statements) {
    ++number;
    if (statement.inputs.empty() && statement.outputs.empty()) continue;
    events.push_back(writer.Event(statement, number));
  }
  return events.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace tarn::lineage
