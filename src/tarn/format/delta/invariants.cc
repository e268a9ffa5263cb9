#include "tarn/format/delta/invariants.h"

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

namespace tarn::delta {
namespace {

using Json = nlohmann::ordered_json;

Error Unusable(const std::string& path, const std::string& why) {
  return Unsupported(
      "delta: cannot write to a table with the feature 'invariants': that of column '" + path +
      "' " + why);
}

// The annotation is JSON text of a string that is itself JSON.
Result<std::string> ExpressionOf(const std::string& annotation, const std::string& path) {
  const Json text = Json::parse(annotation, nullptr, false);
  if (text.is_string()) {
    const Json json = Json::parse(text.get<std::string>(), nullptr, false);
    const Json::json_pointer place("/expression/expression");
    if (json.is_object() && json.contains(place) && json[place].is_string()) {
      return json[place].get<std::string>();
    }
  }
  return Unusable(path, "is no JSON text with a string at expression.expression");
}

Status Collect(const std::vector<Field>& fields, const std::string& parent, bool in_collection,
               std::vector<CheckConstraint>& into) {
  for (const Field& field : fields) {
    const std::string path = parent.empty() ? field.name : parent + "." + field.name;
    if (const auto found = field.annotations.find("delta.invariants");
        found != field.annotations.end()) {
      if (in_collection) return Unusable(path, "is inside a list or map");
      TARN_ASSIGN_OR_RETURN(std::string sql, ExpressionOf(found->second, path));
      into.push_back({"invariant of " + path, std::move(sql)});
    }
    const bool collection = field.type.kind == TypeKind::kList || field.type.kind == TypeKind::kMap;
    TARN_RETURN_IF_ERROR(Collect(field.type.fields, path, in_collection || collection, into));
  }
  return OkStatus();
}

}  // namespace

Result<std::vector<CheckConstraint>> ColumnInvariants(const Schema& schema) {
  std::vector<CheckConstraint> invariants;
  TARN_RETURN_IF_ERROR(Collect(schema.fields, "", false, invariants));
  return invariants;
}

}  // namespace tarn::delta
