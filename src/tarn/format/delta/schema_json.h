#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn::delta {

// PROTOCOL.md, "Schema Serialization Format", "Column Mapping", and Tarn's property for ids.

enum class ColumnMapping : uint8_t { kNone, kName, kId };

// `delta.columnMapping.mode`. kUnsupported naming a mode that is none of the three.
Result<ColumnMapping> ColumnMappingOf(const std::map<std::string, std::string>& configuration);
std::string_view ColumnMappingName(ColumnMapping mode);  // "none", "name", "id"

inline constexpr std::string_view kSchemaIdsProperty = "tarn.schemaIds";
inline constexpr std::string_view kMaxColumnIdProperty = "delta.columnMapping.maxColumnId";

// The schema of a metaData action. Per field at any depth:
//   id           with a mapping: delta.columnMapping.id; list elements, map keys and values:
//                delta.columnMapping.nested.ids (or parquet.field.nested.ids); else tarn.schemaIds
//                (by physical path); else parquet.field.id; each only where no other field has it;
//                else fresh, above the highest ever used (maxColumnId, "last" of tarn.schemaIds,
//                dropped fields included), parents before children: the same for equal input
//   source_name  delta.columnMapping.physicalName, where `mode` is not none and it differs
//   doc          "comment"
//   write_default_sql  CURRENT_DEFAULT
//   required     not nullable; containsNull and valueContainsNull likewise
//   annotations  every other member of "metadata" as JSON text by key (generation expressions,
//                invariants, identity, __CHAR_VARCHAR_TYPE_STRING, __COLLATIONS, delta.typeChanges,
//                …)
// Element fields carry no metadata of their own. kCorrupt naming the place; kUnsupported naming a
// type that Tarn does not have (geometry, interval, …). `mode` is what the table's protocol lets be
// honoured (features.h, ActiveColumnMapping).
Result<Schema> SchemaFromJson(std::string_view schema_string,
                              const std::map<std::string, std::string>& configuration,
                              ColumnMapping mode);

// A type that is spelled by its name alone ("long", "decimal(10,2)"). kCorrupt; kUnsupported as
// SchemaFromJson; `where` is the column, for the message.
Result<Type> TypeFromName(const std::string& name, const std::string& where);

// The inverse. With a column mapping every field of a struct gets delta.columnMapping.id and
// .physicalName, and fields that hold lists or maps get delta.columnMapping.nested.ids with
// NestedIds::kYes (what Iceberg compatibility asks for; peers keep it). parquet.field.id is never
// written. kUnsupported naming a type that Delta does not have (ns timestamps, time, uuid, fixed).
enum class NestedIds : uint8_t { kNo, kYes };
Result<std::string> SchemaToJson(const Schema& schema, ColumnMapping mode,
                                 NestedIds nested_ids = NestedIds::kNo);

// The value of `tarn.schemaIds`: {"last":7,"ids":{"a":1,"s.x":2,"l.element":3}}. Paths are made of
// names in data files (Field::file_name), so they outlive renames; a part that contains '.' or '`'
// stands in backticks.
std::string SchemaIdsToProperty(const Schema& schema);

struct SchemaIds {
  int32_t last = 0;
  std::map<std::string, int32_t> by_path;
};
// kCorrupt if it is not of that shape; ids below 1 are dropped.
Result<SchemaIds> SchemaIdsFromProperty(std::string_view text);

// The path of every field under which tarn.schemaIds keeps it, by id.
std::map<int32_t, std::string> PhysicalPaths(const Schema& schema);

}  // namespace tarn::delta
