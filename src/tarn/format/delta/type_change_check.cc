#include "tarn/format/delta/type_change_check.h"

#include <string>

#include <nlohmann/json.hpp>

#include "tarn/format/delta/schema_json.h"
#include "tarn/model/evolution.h"

namespace tarn::delta {
namespace {

Status CheckField(const Field& field, const std::string& path) {
  const auto recorded = field.annotations.find("delta.typeChanges");
  if (recorded == field.annotations.end()) return {};
  const nlohmann::json changes = nlohmann::json::parse(recorded->second, nullptr, false);
  const auto unreadable = [&] { return Corrupt("delta: delta.typeChanges of '" + path + "'"); };
  if (!changes.is_array()) return unreadable();
  for (const nlohmann::json& change : changes) {
    if (!change.is_object()) return unreadable();
    const auto from_name = change.find("fromType");
    const auto to_name = change.find("toType");
    if (from_name == change.end() || to_name == change.end() || !from_name->is_string() ||
        !to_name->is_string()) {
      return unreadable();
    }
    TARN_ASSIGN_OR_RETURN(const Type from, TypeFromName(from_name->get<std::string>(), path));
    TARN_ASSIGN_OR_RETURN(const Type to, TypeFromName(to_name->get<std::string>(), path));
    if (from != to && !CanWiden(from, to)) {
      return Unsupported("delta: column '" + path + "' changed from " + TypeToText(from) + " to " +
                         TypeToText(to) + ", which is no widening");
    }
  }
  return {};
}

}  // namespace

Status CheckTypeChanges(const Schema& schema) {
  Status first;
  ForEachField(schema, [&](const Field& field, const std::string& path) {
    if (first.ok()) first = CheckField(field, path);
  });
  return first;
}

}  // namespace tarn::delta
