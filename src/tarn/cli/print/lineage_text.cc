#include "tarn/cli/print/lineage_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tarn/cli/print/json_report.h"

namespace tarn::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string CommitsText(const LineageStep& step) {
  std::string text = step.operation;
  if (step.commits == 1) {
    text += ", version " + step.to.version;
  } else {
    text += fmt::format(", versions {} to {} ({} commits)", step.oldest_version, step.to.version,
                        step.commits);
  }
  return text + ", " + TimeOfMillis(step.timestamp_ms);
}

std::string PlaceText(const LineagePlace& place) {
  return place.column.empty() ? "every row of " + place.dataset
                              : place.dataset + "." + place.column;
}

Json PlaceJson(const LineagePlace& place) {
  Json json = {{"dataset", place.dataset}, {"column", nullptr}, {"version", nullptr}};
  if (!place.column.empty()) json["column"] = place.column;
  if (!place.version.empty()) json["version"] = VersionJson(place.version);
  return json;
}

}  // namespace

std::string TableLineageText(const TableLineage& lineage) {
  const bool up = lineage.direction == LineageDirection::kUp;
  std::string text = lineage.table;
  if (!lineage.version.empty()) text += ", version " + lineage.version;
  text += '\n';
  if (lineage.steps.empty()) {
    return text + (up ? "  no commit tells what it is made of\n"
                      : "  no commit of the lake tells that it reads it\n");
  }
  std::string title;
  for (const LineageStep& step : lineage.steps) {
    if (step.depth == 0) {
      const std::string& column = up ? step.to.column : step.from.column;
      const std::string next = column.empty() ? "every row" : column;
      if (next != title) text += next + "\n";
      title = next;
    }
    text.append(static_cast<size_t>(step.depth) * 2 + 2, ' ');
    // Below the first level a step that only decides about rows is not one of the column above it.
    if (up && step.depth > 0 && step.to.column.empty()) text += "rows ";
    text += (up ? "← " + PlaceText(step.from) : "→ " + PlaceText(step.to)) + "  " + KindOf(step) +
            "  " + CommitsText(step) + "\n";
  }
  return text;
}

Json TableLineageJson(const TableLineage& lineage) {
  Json steps = Json::array();
  for (const LineageStep& step : lineage.steps) {
    steps.push_back({{"from", PlaceJson(step.from)},
                     {"to", PlaceJson(step.to)},
                     {"kind", KindOf(step)},
                     {"operation", step.operation},
                     {"time", TimeOfMillis(step.timestamp_ms)},
                     {"commits", step.commits},
                     {"oldest_version", VersionJson(step.oldest_version)},
                     {"depth", step.depth}});
  }
  Json json = {{"table", lineage.table}, {"version", nullptr}};
  if (!lineage.version.empty()) json["version"] = VersionJson(lineage.version);
  json["direction"] = lineage.direction == LineageDirection::kUp ? "up" : "down";
  json["steps"] = std::move(steps);
  json["warnings"] = lineage.warnings;
  return json;
}

}  // namespace tarn::cli
