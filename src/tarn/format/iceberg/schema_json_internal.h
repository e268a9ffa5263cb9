#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/iceberg/json_internal.h"
#include "tarn/model/schema.h"

namespace tarn::iceberg {

// Iceberg specification, "Appendix C: JSON serialization", "Schemas". int is int32, long int64;
// unknown is void; list elements, map keys and values are fields "element", "key", "value". A
// field's initial-default becomes a value, its write-default SQL text; defaults of nested fields
// are left to their members.
// kCorrupt naming the field; kUnsupported naming a type that Tarn does not have (geometry, …).
Result<Schema> SchemaFromJson(const Json& json, std::string_view where);

// The inverse. kUnsupported naming field and type where a table of this format version cannot have
// it (int8, int16; void, variant and nanoseconds before version 3).
Result<Json> SchemaToJson(const Schema& schema, int32_t format_version);

// Gives every field of the schemas the names that `schema.name-mapping.default` (specification,
// "Column Projection") has for its id; without a mapping a field's own name. So too with a mapping
// whose ids are not those of the table, which Impala has left behind: one that puts a field below
// another parent than the schemas do. kCorrupt.
Status ApplyNameMapping(const std::string* mapping, std::vector<Schema>& schemas);

}  // namespace tarn::iceberg
