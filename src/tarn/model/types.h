#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/value.h"

namespace tarn {

enum class TypeKind : uint8_t {
  kBoolean,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat,
  kDouble,
  kDecimal,        // precision 1…38, scale 0…precision
  kDate,           // days
  kTime,           // µs since midnight
  kTimestamp,      // µs, no zone
  kTimestampTz,    // µs, an instant (UTC)
  kTimestampNs,    // ns, no zone
  kTimestampTzNs,  // ns, an instant (UTC)
  kString,
  kBinary,
  kFixed,  // `length` bytes
  kUuid,
  kVariant,  // read as JSON text; not written
  kVoid,     // a column without a type yet: always NULL, never in a file
  kStruct,
  kList,
  kMap,
};

struct Field;

// A type. Children of nested types are fields, so every depth has ids and names alike: a struct has
// its members, a list one field "element", a map the fields "key" (required) and "value".
struct Type {
  TypeKind kind = TypeKind::kVoid;
  int32_t precision = 0;  // kDecimal
  int32_t scale = 0;      // kDecimal
  int32_t length = 0;     // kFixed
  std::vector<Field> fields;

  static Type Of(TypeKind kind);
  static Type Decimal(int32_t precision, int32_t scale);
  static Type Fixed(int32_t length);
  static Type Struct(std::vector<Field> members);
  static Type List(Field element);
  static Type Map(Field key, Field value);

  bool IsNested() const { return kind >= TypeKind::kStruct; }
  bool IsTimestamp() const;
  bool IsInteger() const { return kind >= TypeKind::kInt8 && kind <= TypeKind::kInt64; }
  bool IsFloating() const { return kind == TypeKind::kFloat || kind == TypeKind::kDouble; }

  friend bool operator==(const Type&, const Type&);
};

// A column, or a part of one. `id` is 0 until given; an id once given is never used for another
// field.
struct Field {
  int32_t id = 0;
  std::string name;
  Type type = {};
  bool required = false;
  // Its name inside data files where that differs from `name` (Delta's physical name); else empty.
  std::string source_name = {};
  std::string doc = {};
  // What rows written before the field existed read as; what a writer puts when the value is left
  // out. Both null when absent. (Delta knows only the second.)
  std::optional<Value> initial_default = {};
  std::optional<std::string> write_default_sql = {};
  // A format's annotations that Tarn keeps as they are (generation expressions, collations, …):
  // JSON text by key.
  std::map<std::string, std::string> annotations = {};
  // Its names in data files that carry no ids, where columns are found so (ColumnMatch).
  std::vector<std::string> aliases = {};

  // The name to look for in data files.
  const std::string& file_name() const { return source_name.empty() ? name : source_name; }

  friend bool operator==(const Field&, const Field&) = default;
};

// Here because clang wants Field complete where a Type is destroyed.
inline Type Type::Of(TypeKind kind) { return Type{kind, 0, 0, 0, {}}; }

// "int64", "decimal(10,2)", "struct<a: int32 not null, b: list<string>>": for messages, `table
// schema` and DDL. The inverse is ParseType.
std::string TypeToText(const Type& type);
// SQL and Spark spellings too: BIGINT, TIMESTAMP, TIMESTAMP_NTZ, STRUCT<a: INT>, ARRAY<…>, MAP<…>.
// `timestamp` means kTimestampTz as in Delta and Spark. kInvalid with the offending place.
Result<Type> ParseType(std::string_view text);

}  // namespace tarn
