#include "tarn/format/iceberg/json_internal.h"

#include <algorithm>

namespace tarn::iceberg {
namespace {

Error Missing(const char* key, std::string_view where) {
  return Corrupt("iceberg: " + std::string(where) + ": '" + key + "' is missing");
}

Error WrongType(const char* key, std::string_view where, std::string_view wanted) {
  return Corrupt("iceberg: " + std::string(where) + ": '" + key + "' is not " +
                 std::string(wanted));
}

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

size_t SkipSpace(std::string_view text, size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

// Behind the string that begins at `at`, a quote.
size_t SkipString(std::string_view text, size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return std::min(at + 1, text.size());
}

// Behind the value that begins at `at`.
size_t SkipValue(std::string_view text, size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = SkipString(text, at);
      if (depth == 0) return at;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    }
    if (depth == 0 && (c == ',' || IsSpace(c))) return at;
    ++at;
  }
  return at;
}

}  // namespace

std::optional<JsonSpan> FindMember(std::string_view text, std::string_view key) {
  std::optional<JsonSpan> found;
  size_t at = SkipSpace(text, 0);
  if (at == text.size() || text[at] != '{') return std::nullopt;
  for (++at; at < text.size();) {
    at = SkipSpace(text, at);
    if (at == text.size() || text[at] != '"') break;
    const size_t name = at + 1;
    at = SkipString(text, at);
    const std::string_view its = text.substr(name, at - name - 1);
    // Perhaps this one, in other letters.
    if (its.find('\\') != std::string_view::npos) return std::nullopt;
    at = SkipSpace(text, at);
    if (at == text.size() || text[at] != ':') return std::nullopt;
    const size_t begin = SkipSpace(text, at + 1);
    at = SkipValue(text, begin);
    if (its == key) {
      if (found) return std::nullopt;
      found = JsonSpan{begin, at};
    }
    at = SkipSpace(text, at);
    if (at < text.size() && text[at] == ',') ++at;
  }
  return found;
}

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
