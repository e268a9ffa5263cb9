#include "tarn/model/columns.h"

#include <utility>

namespace tarn {

ValueColumn ValueColumn::Of(Type type) {
  ValueColumn column;
  switch (type.kind) {
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      column.values = std::vector<double>();
      break;
    case TypeKind::kDecimal:
      column.values = std::vector<Int128>();
      break;
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid:
    case TypeKind::kVariant:
      column.values = StringColumn();
      break;
    default:
      column.values = std::vector<int64_t>();
      break;
  }
  column.type = std::move(type);
  return column;
}

Value ValueColumn::Get(size_t row) const {
  if (valid[row] == 0) return {};
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&values)) {
    if (type.kind == TypeKind::kBoolean) return (*integers)[row] != 0;
    return (*integers)[row];
  }
  if (const auto* doubles = std::get_if<std::vector<double>>(&values)) return (*doubles)[row];
  if (const auto* decimals = std::get_if<std::vector<Int128>>(&values)) return (*decimals)[row];
  return std::string(std::get<StringColumn>(values)[row]);
}

void ValueColumn::Append(const Value& value) {
  valid.push_back(IsNull(value) ? 0 : 1);
  if (auto* integers = std::get_if<std::vector<int64_t>>(&values)) {
    if (const auto* flag = std::get_if<bool>(&value)) {
      integers->push_back(*flag ? 1 : 0);
    } else {
      const auto* integer = std::get_if<int64_t>(&value);
      integers->push_back(integer != nullptr ? *integer : 0);
    }
  } else if (auto* doubles = std::get_if<std::vector<double>>(&values)) {
    const auto* number = std::get_if<double>(&value);
    doubles->push_back(number != nullptr ? *number : 0.0);
  } else if (auto* decimals = std::get_if<std::vector<Int128>>(&values)) {
    const auto* number = std::get_if<Int128>(&value);
    decimals->push_back(number != nullptr ? *number : Int128{0});
  } else {
    const auto* text = std::get_if<std::string>(&value);
    std::get<StringColumn>(values).Append(text != nullptr ? std::string_view(*text)
                                                          : std::string_view());
  }
}

}  // namespace tarn
