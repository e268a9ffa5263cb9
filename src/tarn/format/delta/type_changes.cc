#include "tarn/format/delta/type_changes.h"

#include <map>
#include <string>

#include <nlohmann/json.hpp>

namespace tarn::delta {
namespace {

constexpr char kTypeChanges[] = "delta.typeChanges";

std::string DeltaName(const Type& type) {
  switch (type.kind) {
    case TypeKind::kInt8:
      return "byte";
    case TypeKind::kInt16:
      return "short";
    case TypeKind::kInt32:
      return "integer";
    case TypeKind::kInt64:
      return "long";
    case TypeKind::kTimestamp:
      return "timestamp_ntz";
    default:  // float, double, date, decimal(p,s) are spelled alike
      return TypeToText(type);
  }
}

bool IsSmallInteger(TypeKind kind) {
  return kind == TypeKind::kInt8 || kind == TypeKind::kInt16 || kind == TypeKind::kInt32;
}

// The table of supported changes, which is narrower than the model's CanWiden.
bool DeltaCanWiden(const Type& from, const Type& to) {
  if (from.IsInteger() && to.IsInteger()) return from.kind < to.kind;
  if (to.kind == TypeKind::kDouble) {
    return from.kind == TypeKind::kFloat || IsSmallInteger(from.kind);
  }
  if (from.kind == TypeKind::kDate) return to.kind == TypeKind::kTimestamp;
  if (to.kind == TypeKind::kDecimal) {
    const int32_t integer_digits = to.precision - to.scale;
    if (IsSmallInteger(from.kind)) return integer_digits >= 10;
    if (from.kind == TypeKind::kInt64) return integer_digits >= 20;
    return from.kind == TypeKind::kDecimal && to.scale >= from.scale &&
           integer_digits >= from.precision - from.scale;
  }
  return false;
}

struct Walk {
  const std::map<int32_t, const Field*>& before;
  bool enabled;

  Status Visit(Field& field, Field* nearest, const std::string& path, const std::string& inner) {
    const auto old = before.find(field.id);
    if (old != before.end()) {
      TARN_RETURN_IF_ERROR(Compare(old->second->type, field.type, *nearest, path, inner));
    }
    for (Field& child : field.type.fields) {
      const std::string child_path = path + "." + child.name;
      if (field.type.kind == TypeKind::kStruct) {
        TARN_RETURN_IF_ERROR(Visit(child, &child, child_path, ""));
      } else {
        TARN_RETURN_IF_ERROR(Visit(child, nearest, child_path,
                                   inner.empty() ? child.name : inner + "." + child.name));
      }
    }
    return OkStatus();
  }

  Status Compare(const Type& from, const Type& to, Field& nearest, const std::string& path,
                 const std::string& inner) const {
    if (from.kind == TypeKind::kVoid) return OkStatus();
    if (from.IsNested() && from.kind == to.kind) return OkStatus();  // children are compared alone
    if (from.kind == to.kind && from.precision == to.precision && from.scale == to.scale) {
      return OkStatus();
    }
    const std::string change =
        "column '" + path + "' from " + TypeToText(from) + " to " + TypeToText(to);
    if (!DeltaCanWiden(from, to)) {
      return Unsupported("delta: cannot change " + change + "; add a new column instead");
    }
    if (!enabled) {
      return Unsupported("delta: cannot widen " + change +
                         " on this table; set the table property 'delta.enableTypeWidening' = "
                         "'true' first (readers without the feature then refuse the table)");
    }
    nlohmann::json entry = {{"fromType", DeltaName(from)}, {"toType", DeltaName(to)}};
    if (!inner.empty()) entry["fieldPath"] = inner;
    std::string& text = nearest.annotations[kTypeChanges];
    nlohmann::json changes = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!changes.is_array()) changes = nlohmann::json::array();
    changes.push_back(std::move(entry));
    text = changes.dump();
    return OkStatus();
  }
};

}  // namespace

Status RecordTypeChanges(const Schema& before, Schema& after, bool enabled) {
  std::map<int32_t, const Field*> fields;
  ForEachField(before, [&](const Field& field, const std::string&) { fields[field.id] = &field; });
  Walk walk{fields, enabled};
  for (Field& field : after.fields) {
    TARN_RETURN_IF_ERROR(walk.Visit(field, &field, field.name, ""));
  }
  return OkStatus();
}

}  // namespace tarn::delta
