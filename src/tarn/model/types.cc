#include "tarn/model/types.h"

#include <utility>

namespace tarn {

Type Type::Decimal(int32_t precision, int32_t scale) {
  return Type{TypeKind::kDecimal, precision, scale, 0, {}};
}
Type Type::Fixed(int32_t length) { return Type{TypeKind::kFixed, 0, 0, length, {}}; }
Type Type::Struct(std::vector<Field> members) {
  return Type{TypeKind::kStruct, 0, 0, 0, std::move(members)};
}
Type Type::List(Field element) {
  element.name = "element";
  Type type = Of(TypeKind::kList);
  type.fields.push_back(std::move(element));
  return type;
}
Type Type::Map(Field key, Field value) {
  key.name = "key";
  key.required = true;
  value.name = "value";
  Type type = Of(TypeKind::kMap);
  type.fields.push_back(std::move(key));
  type.fields.push_back(std::move(value));
  return type;
}

bool Type::IsTimestamp() const {
  return kind == TypeKind::kTimestamp || kind == TypeKind::kTimestampTz ||
         kind == TypeKind::kTimestampNs || kind == TypeKind::kTimestampTzNs;
}

bool operator==(const Type& a, const Type& b) {
  return a.kind == b.kind && a.precision == b.precision && a.scale == b.scale &&
         a.length == b.length && a.fields == b.fields;
}

}  // namespace tarn
