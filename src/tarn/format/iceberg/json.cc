#include "tarn/format/iceberg/json_internal.h"

namespace tarn::iceberg {
namespace {

Error Missing(const char* key, std::string_view where) {
  return Corrupt("iceberg: " + std::string(where) + ": '" + key + "' is missing");
}

Error WrongType(const char* key, std::string_view where, std::string_view wanted) {
  return Corrupt("iceberg: " + std::string(where) + ": '" + key + "' is not " +
                 std::string(wanted));
}

}  // namespace

Result<Json> ParseJson(std::string_view text, std::string_view what) {
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Corrupt("iceberg: " + std::string(what) + ": not JSON");
  return json;
}

const Json* Member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

Result<std::optional<int64_t>> OptionalInteger(const Json& object, const char* key,
                                               std::string_view where) {
  const Json* member = Member(object, key);
  if (member == nullptr) return std::optional<int64_t>();
  if (!member->is_number_integer()) return WrongType(key, where, "an integer");
  // Snapshot ids beyond 63 bits are met in the wild: their bits are kept.
  if (member->is_number_unsigned()) {
    return std::optional(static_cast<int64_t>(member->get<uint64_t>()));
  }
  return std::optional(member->get<int64_t>());
}

Result<std::optional<std::string>> OptionalText(const Json& object, const char* key,
                                                std::string_view where) {
  const Json* member = Member(object, key);
  if (member == nullptr) return std::optional<std::string>();
  if (!member->is_string()) return WrongType(key, where, "a string");
  return std::optional(member->get<std::string>());
}

Result<std::optional<bool>> OptionalFlag(const Json& object, const char* key,
                                         std::string_view where) {
  const Json* member = Member(object, key);
  if (member == nullptr) return std::optional<bool>();
  if (!member->is_boolean()) return WrongType(key, where, "true or false");
  return std::optional(member->get<bool>());
}

Result<const Json*> OptionalArray(const Json& object, const char* key, std::string_view where) {
  const Json* member = Member(object, key);
  if (member != nullptr && !member->is_array()) return WrongType(key, where, "a list");
  return member;
}

Result<int64_t> RequiredInteger(const Json& object, const char* key, std::string_view where) {
  TARN_ASSIGN_OR_RETURN(const auto value, OptionalInteger(object, key, where));
  if (!value) return Missing(key, where);
  return *value;
}

Result<std::string> RequiredText(const Json& object, const char* key, std::string_view where) {
  TARN_ASSIGN_OR_RETURN(auto value, OptionalText(object, key, where));
  if (!value) return Missing(key, where);
  return *std::move(value);
}

Result<const Json*> RequiredArray(const Json& object, const char* key, std::string_view where) {
  TARN_ASSIGN_OR_RETURN(const Json* value, OptionalArray(object, key, where));
  if (value == nullptr) return Missing(key, where);
  return value;
}

Result<std::map<std::string, std::string>> TextMap(const Json& object, const char* key,
                                                   std::string_view where) {
  std::map<std::string, std::string> texts;
  const Json* member = Member(object, key);
  if (member == nullptr) return texts;
  if (!member->is_object()) return WrongType(key, where, "an object");
  for (const auto& [name, value] : member->items()) {
    texts[name] = value.is_string() ? value.get<std::string>() : value.dump();
  }
  return texts;
}

}  // namespace tarn::iceberg
