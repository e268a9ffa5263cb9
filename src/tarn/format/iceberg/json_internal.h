#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "tarn/base/result.h"
#include "tarn/format/iceberg/metadata.h"

namespace tarn::iceberg {

using Json = nlohmann::ordered_json;

// A JSON document that may come from anyone: kCorrupt, with `what` in front, where it is none.
Result<Json> ParseJson(std::string_view text, std::string_view what);

// MetadataFromJson of what is parsed already.
Result<Metadata> MetadataFromDocument(const Json& json);

// Members of an object; messages name `where`. A member that is null counts as absent. kCorrupt
// when it is missing (the Required ones) or of another type.
const Json* Member(const Json& object, const char* key);
Result<int64_t> RequiredInteger(const Json& object, const char* key, std::string_view where);
Result<std::string> RequiredText(const Json& object, const char* key, std::string_view where);
Result<const Json*> RequiredArray(const Json& object, const char* key, std::string_view where);
Result<std::optional<int64_t>> OptionalInteger(const Json& object, const char* key,
                                               std::string_view where);
Result<std::optional<std::string>> OptionalText(const Json& object, const char* key,
                                                std::string_view where);
Result<std::optional<bool>> OptionalFlag(const Json& object, const char* key,
                                         std::string_view where);
// Null: absent.
Result<const Json*> OptionalArray(const Json& object, const char* key, std::string_view where);
// Empty where absent. Numbers and flags among the values are taken as text.
Result<std::map<std::string, std::string>> TextMap(const Json& object, const char* key,
                                                   std::string_view where);

}  // namespace tarn::iceberg
