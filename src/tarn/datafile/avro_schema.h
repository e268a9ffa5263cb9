#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn {

// Avro schemas as values (Apache Avro 1.12 specification, "Schema Declaration").

enum class AvroKind : uint8_t {
  kNull,
  kBoolean,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kBytes,
  kString,
  kFixed,
  kEnum,
  kRecord,
  kArray,
  kMap,
  kUnion,
};

// A logical type that its underlying type can carry; anything else is kNone, as the specification
// asks of readers, and stays among the attributes.
enum class AvroLogical : uint8_t {
  kNone,
  kDecimal,  // bytes, fixed; precision 1…38
  kDate,
  kTimeMillis,
  kTimeMicros,
  kTimestampMillis,  // with adjust-to-utc: false (Iceberg) the same as the local one
  kTimestampMicros,
  kTimestampNanos,
  kLocalTimestampMillis,
  kLocalTimestampMicros,
  kLocalTimestampNanos,
  kUuid,      // string, fixed(16)
  kDuration,  // fixed(12)
  kMap,       // Iceberg: an array of records of key and value
};

struct AvroType;
// Immutable, and shared where a named type is used more than once.
using AvroTypePtr = std::shared_ptr<const AvroType>;

// What a schema says beside the members below, in its order: name and JSON text. Logical types and
// ids stand here as they are spelled.
using AvroAttributes = std::vector<std::pair<std::string, std::string>>;

struct AvroField {
  std::string name;
  AvroTypePtr type;
  std::vector<std::string> aliases = {};
  std::string doc = {};
  std::optional<std::string> default_json = {};  // JSON text
  int32_t field_id = 0;                          // the attribute "field-id"; 0: none
  AvroAttributes attributes = {};
};

struct AvroType {
  AvroKind kind = AvroKind::kNull;
  AvroLogical logical = AvroLogical::kNone;
  std::string name = {};  // of records, enums and fixed: with its namespace
  std::vector<std::string> aliases = {};
  std::string doc = {};
  int32_t precision = 0;                           // kDecimal
  int32_t scale = 0;                               // kDecimal
  int32_t size = 0;                                // kFixed: bytes
  std::vector<std::string> symbols = {};           // kEnum
  std::optional<std::string> symbol_default = {};  // kEnum
  std::vector<AvroField> fields = {};              // kRecord
  std::vector<AvroTypePtr> children = {};          // array: items; map: values; union: its branches
  int32_t element_id = 0;                          // "element-id" of an array; 0: none
  int32_t key_id = 0;                              // "key-id", "value-id" of a map
  int32_t value_id = 0;
  AvroAttributes attributes = {};
};

// The schema in JSON `text`. kCorrupt naming the place ("field 'a.b': no type 'strnig'") where it
// is no Avro schema; kUnsupported for a record that contains itself, more than 64 levels, a fixed
// of more than 64 KiB, and a schema whose named types multiply out to over 100,000 fields.
Result<AvroTypePtr> ParseAvroSchema(std::string_view text);

// The inverse: one line of JSON. Named types are spelled at their first use, attributes kept.
std::string AvroSchemaToJson(const AvroType& type);

// "int", "timestamp-micros", "fixed(16)", "union[null, string]": for messages.
std::string AvroTypeToText(const AvroType& type);

// Ends the name of the attribute that says what a field is called in tables where Avro forbids that
// name; a table format's own name begins it.
inline constexpr const char* kNameAttributeSuffix = "-field-name";

// What a field is called in tables: by that attribute, else its name.
std::string ColumnNameOf(const AvroField& field);

// For a union of null and one other type: that type, and the branch of null; else null.
struct AvroOptional {
  const AvroTypePtr* value = nullptr;
  int null_branch = 0;
};
AvroOptional OptionalOf(const AvroType& type);

// For an array whose items are records of two fields (or null, as BigQuery has it): that record;
// else null. Such arrays stand for maps.
const AvroType* EntryOf(const AvroType& array);

// A table's columns as Iceberg writes them (specification, "Appendix A: Avro"): ids on every field,
// element, key and value; names that Avro forbids escaped, with `name_attribute`
// (kNameAttributeSuffix) saying them; an optional column a union with null first and null as
// default; maps whose keys are no strings arrays of records. Void columns are left out.
// kUnsupported naming a variant column.
Result<AvroTypePtr> AvroSchemaOf(const Schema& schema, std::string_view record_name,
                                 std::string_view name_attribute);

}  // namespace tarn
