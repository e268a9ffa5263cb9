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

// MetadataFromJson of what is parsed already. `snapshots`, where given, stand for the document's.
Result<Metadata> MetadataFromDocument(const Json& json, const SnapshotList* snapshots = nullptr);
Result<SnapshotEntry> SnapshotFromJson(const Json& json);

// Where the value of a member of the top-level object stands in `text`, which is JSON: [begin,
// end). Nothing where it is not there, or there twice, or its name is spelled with escapes. A scan
// for brackets and quotes: about a nanosecond a byte.
struct JsonSpan {
  size_t begin = 0;
  size_t end = 0;
};
std::optional<JsonSpan> FindMember(std::string_view text, std::string_view key);

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
