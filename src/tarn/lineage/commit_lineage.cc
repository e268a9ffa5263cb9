#include "tarn/lineage/commit_lineage.h"

#include <xxhash.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tarn::lineage {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kForm = 1;
constexpr std::string_view kMasking = "+MASKING";

std::string FlowName(const CommitLineage::Flow& flow) {
  return std::string(EdgeKindName(flow.kind)) + std::string(flow.masking ? kMasking : "");
}

std::optional<std::pair<EdgeKind, bool>> ParseFlowName(std::string_view name) {
  const bool masking = name.ends_with(kMasking);
  if (masking) name.remove_suffix(kMasking.size());
  for (auto kind = EdgeKind::kIdentity; kind <= EdgeKind::kConditional;
       kind = static_cast<EdgeKind>(static_cast<int>(kind) + 1)) {
    if (EdgeKindName(kind) == name) return std::pair(kind, masking);
  }
  return std::nullopt;
}

enum class Facts : uint8_t { kNames, kAll };  // of tables and columns

Json ColumnJson(Json json, const std::string& column, int32_t field_id, Facts facts) {
  json.push_back(column);
  if (facts == Facts::kAll && field_id != 0) json.push_back(field_id);
  return json;
}

Json ToJson(const CommitLineage& lineage, Facts facts) {
  Json json;
  json["v"] = kForm;
  json["op"] = lineage.operation;
  if (lineage.replaces) json["replaces"] = true;
  json["sources"] = Json::array();
  for (const CommitLineage::Source& source : lineage.sources) {
    Json entry = {{"name", source.name}};
    if (facts == Facts::kAll && !source.table_id.empty()) entry["id"] = source.table_id;
    if (facts == Facts::kAll && !source.version.empty()) entry["version"] = source.version;
    json["sources"].push_back(std::move(entry));
  }
  json["inputs"] = Json::array();
  for (const CommitLineage::Input& input : lineage.inputs) {
    json["inputs"].push_back(
        ColumnJson(Json::array({input.source}), input.column, input.field_id, facts));
  }
  json["outputs"] = Json::array();
  for (const CommitLineage::Output& output : lineage.outputs) {
    json["outputs"].push_back(ColumnJson(Json::array(), output.column, output.field_id, facts));
  }
  Json flows = Json::object();
  for (const CommitLineage::Flow& flow : lineage.flows) {
    const int64_t output =
        flow.output == CommitLineage::kEveryOutput ? -1 : static_cast<int64_t>(flow.output);
    flows[FlowName(flow)].push_back(Json::array({output, flow.input}));
  }
  json["flows"] = std::move(flows);
  return json;
}

// Names come from SQL: bytes that are no UTF-8 become U+FFFD.
std::string TextOf(const Json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

int32_t FieldIdAt(const Json& entry, size_t index) {
  return index < entry.size() ? entry.at(index).get<int32_t>() : 0;
}

// Throws what nlohmann::json throws for a member of another type.
Result<CommitLineage> FromJson(const Json& json) {
  if (json.at("v").get<int>() != kForm) {
    return Corrupt(fmt::format("lineage of a commit: form {} is not known", json.at("v").dump()));
  }
  CommitLineage lineage;
  lineage.operation = json.at("op").get<std::string>();
  lineage.replaces = json.value("replaces", false);
  for (const Json& entry : json.at("sources")) {
    lineage.sources.push_back(
        {entry.at("name").get<std::string>(), entry.value("id", ""), entry.value("version", "")});
  }
  for (const Json& entry : json.at("inputs")) {
    lineage.inputs.push_back(
        {entry.at(0).get<uint32_t>(), entry.at(1).get<std::string>(), FieldIdAt(entry, 2)});
    if (lineage.inputs.back().source >= lineage.sources.size()) {
      return Corrupt("lineage of a commit: an input of no source");
    }
  }
  for (const Json& entry : json.at("outputs")) {
    lineage.outputs.push_back({entry.at(0).get<std::string>(), FieldIdAt(entry, 1)});
  }
  for (const auto& [name, pairs] : json.at("flows").items()) {
    const auto kind = ParseFlowName(name);
    if (!kind) return Corrupt("lineage of a commit: no kind '" + name + "'");
    for (const Json& pair : pairs) {
      const auto output = pair.at(0).get<int64_t>();
      const auto input = pair.at(1).get<uint32_t>();
      if (output < -1 || output >= static_cast<int64_t>(lineage.outputs.size()) ||
          input >= lineage.inputs.size()) {
        return Corrupt("lineage of a commit: a flow between no columns");
      }
      lineage.flows.push_back(
          {output < 0 ? CommitLineage::kEveryOutput : static_cast<uint32_t>(output), input,
           kind->first, kind->second});
    }
  }
  return lineage;
}

}  // namespace

CommitLineage CommitLineageOf(const StatementLineage& lineage, DatasetId target) {
  CommitLineage compact;
  compact.operation = std::string(OperationName(lineage.operation));
  std::map<DatasetId, uint32_t> sources;
  const auto source_of = [&](DatasetId id) {
    const auto [found, is_new] =
        sources.try_emplace(id, static_cast<uint32_t>(compact.sources.size()));
    if (is_new) compact.sources.push_back({lineage.dataset(id).name});
    return found->second;
  };
  for (const DatasetId id : lineage.inputs) source_of(id);
  std::map<ColumnId, uint32_t> outputs;
  for (const OutputColumn& output : lineage.output_columns) {
    const Column& column = lineage.column(output.column);
    if (column.dataset != target) continue;
    const bool is_new =
        outputs.try_emplace(output.column, static_cast<uint32_t>(compact.outputs.size())).second;
    if (is_new) compact.outputs.push_back({column.name});
  }
  std::map<ColumnId, uint32_t> inputs;
  std::set<std::tuple<uint32_t, uint32_t, EdgeKind, bool>> seen;
  for (const Edge& edge : lineage.edges) {
    if (edge.target != target) continue;
    CommitLineage::Flow flow{.kind = edge.kind, .masking = edge.masking};
    if (edge.output != kEveryColumn) {
      const auto output = outputs.find(edge.output);
      if (output == outputs.end()) continue;
      flow.output = output->second;
    }
    const auto [input, is_new] =
        inputs.try_emplace(edge.input, static_cast<uint32_t>(compact.inputs.size()));
    if (is_new) {
      const Column& column = lineage.column(edge.input);
      compact.inputs.push_back({source_of(column.dataset), column.name});
    }
    flow.input = input->second;
    // The same columns meet in several places of a text.
    if (seen.emplace(flow.output, flow.input, flow.kind, flow.masking).second) {
      compact.flows.push_back(flow);
    }
  }
  SortFlows(compact);
  return compact;
}

void SortFlows(CommitLineage& lineage) {
  std::stable_sort(lineage.flows.begin(), lineage.flows.end(), [](const auto& a, const auto& b) {
    return std::pair(a.kind, a.masking) < std::pair(b.kind, b.masking);
  });
}

std::string HashOf(const CommitLineage& lineage) {
  const std::string text = TextOf(ToJson(lineage, Facts::kNames));
  return fmt::format("{:016x}",
                     static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
}

std::string EncodeCommitLineage(const CommitLineage& lineage) {
  Json json = ToJson(lineage, Facts::kAll);
  json["hash"] = HashOf(lineage);
  std::string text = TextOf(json);
  return text.size() > kCommitLineageBytesMax ? std::string() : text;
}

Result<CommitLineage> DecodeCommitLineage(std::string_view text) {
  try {
    return FromJson(Json::parse(text));
  } catch (const nlohmann::json::exception& error) {
    return Corrupt("lineage of a commit: " + std::string(error.what()));
  }
}

}  // namespace tarn::lineage
