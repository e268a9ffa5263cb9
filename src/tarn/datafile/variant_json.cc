#include "tarn/datafile/variant_json.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <fmt/format.h>

#include "tarn/base/json_text.h"
#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

constexpr int kVariantDepthMax = 500;  // deeper values are taken for damage, before the stack ends

void AppendDouble(double value, std::string& out) {
  if (std::isnan(value)) {
    out += "\"NaN\"";  // JSON has no numbers for these
  } else if (std::isinf(value)) {
    out += value > 0 ? "\"Infinity\"" : "\"-Infinity\"";
  } else {
    out += fmt::format("{}", value);
  }
}

void AppendQuoted(TypeKind kind, int64_t value, std::string& out) {
  AppendJsonString(ValueToText(Type::Of(kind), Value(value)), out);
}

// Bytes with a cursor that cannot leave them.
class ByteCursor {
 public:
  explicit ByteCursor(std::string_view bytes) : bytes_(bytes) {}
  std::optional<uint64_t> Unsigned(size_t at, size_t width) const {
    if (at > bytes_.size() || width > bytes_.size() - at) return std::nullopt;
    uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, width);  // little-endian, as all machines Tarn runs on
    return value;
  }
  std::optional<int64_t> Signed(size_t at, size_t width) const {
    const auto raw = Unsigned(at, width);
    if (!raw) return std::nullopt;
    const int unused = static_cast<int>(64 - 8 * width);
    return static_cast<int64_t>(*raw << unused) >> unused;
  }
  std::optional<std::string_view> Slice(size_t at, size_t length) const {
    if (at > bytes_.size() || length > bytes_.size() - at) return std::nullopt;
    return bytes_.substr(at, length);
  }
  size_t size() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
};

// VariantEncoding.md, "Metadata encoding".
class Dictionary {
 public:
  static std::optional<Dictionary> Make(std::string_view metadata) {
    Dictionary dictionary(metadata);
    const auto header = dictionary.bytes_.Unsigned(0, 1);
    if (!header || (*header & 0x0F) != 1) return std::nullopt;
    dictionary.width_ = (*header >> 6 & 3) + 1;
    const auto size = dictionary.bytes_.Unsigned(1, dictionary.width_);
    if (!size) return std::nullopt;
    dictionary.size_ = *size;
    return dictionary;
  }
  std::optional<std::string_view> Key(uint64_t id) const {
    if (id >= size_) return std::nullopt;
    const size_t offsets = 1 + width_;
    const auto begin = bytes_.Unsigned(offsets + id * width_, width_);
    const auto end = bytes_.Unsigned(offsets + (id + 1) * width_, width_);
    if (!begin || !end || *begin > *end) return std::nullopt;
    return bytes_.Slice(offsets + (size_ + 1) * width_ + *begin, *end - *begin);
  }

 private:
  explicit Dictionary(std::string_view metadata) : bytes_(metadata) {}
  ByteCursor bytes_;
  size_t width_ = 1;
  uint64_t size_ = 0;
};

// VariantEncoding.md, "Value encoding". False: the bytes break it.
class ValueDecoder {
 public:
  explicit ValueDecoder(const Dictionary& dictionary) : dictionary_(dictionary) {}

  bool Append(std::string_view value, std::string& out, int depth = 0) const {
    if (value.empty() || depth > kVariantDepthMax) return false;
    const ByteCursor bytes(value);
    const auto header = static_cast<unsigned char>(value[0]);
    switch (header & 3) {
      case 0:
        return AppendPrimitive(bytes, header >> 2, out);
      case 1: {
        const auto text = bytes.Slice(1, header >> 2);
        if (!text) return false;
        AppendJsonString(*text, out);
        return true;
      }
      case 2: {
        bool first = true;
        out += '{';
        const bool whole = ForEachMember(value, [&](std::string_view key, std::string_view member) {
          if (!first) out += ',';
          first = false;
          AppendJsonString(key, out);
          out += ':';
          return Append(member, out, depth + 1);
        });
        out += '}';
        return whole;
      }
      default:
        return AppendArray(bytes, header >> 2, out, depth);
    }
  }

  // Calls visit(key, value) for the members of an object; false when `value` is none, is damaged or
  // visit says so.
  template <class Visit>
  bool ForEachMember(std::string_view value, Visit&& visit) const {
    if (value.empty() || (value[0] & 3) != 2) return false;
    const ByteCursor bytes(value);
    const unsigned header = static_cast<unsigned char>(value[0]) >> 2;
    const size_t offset_width = (header & 3) + 1;
    const size_t id_width = (header >> 2 & 3) + 1;
    const size_t count_width = (header >> 4 & 1) != 0 ? 4 : 1;
    const auto count = bytes.Unsigned(1, count_width);
    if (!count || *count > value.size()) return false;
    const size_t ids = 1 + count_width;
    const size_t offsets = ids + *count * id_width;
    const size_t values = offsets + (*count + 1) * offset_width;
    for (uint64_t i = 0; i < *count; ++i) {
      const auto id = bytes.Unsigned(ids + i * id_width, id_width);
      const auto offset = bytes.Unsigned(offsets + i * offset_width, offset_width);
      if (!id || !offset || values + *offset > value.size()) return false;
      const auto key = dictionary_.Key(*id);
      if (!key || !visit(*key, value.substr(values + *offset))) return false;
    }
    return true;
  }

 private:
  bool AppendArray(const ByteCursor& bytes, unsigned header, std::string& out, int depth) const {
    const size_t offset_width = (header & 3) + 1;
    const size_t count_width = (header >> 2 & 1) != 0 ? 4 : 1;
    const auto count = bytes.Unsigned(1, count_width);
    if (!count || *count > bytes.size()) return false;
    const size_t offsets = 1 + count_width;
    const size_t values = offsets + (*count + 1) * offset_width;
    out += '[';
    for (uint64_t i = 0; i < *count; ++i) {
      const auto offset = bytes.Unsigned(offsets + i * offset_width, offset_width);
      if (!offset || values + *offset > bytes.size()) return false;
      if (i > 0) out += ',';
      const auto element = bytes.Slice(values + *offset, bytes.size() - values - *offset);
      if (!Append(*element, out, depth + 1)) return false;
    }
    out += ']';
    return true;
  }

  static bool AppendPrimitive(const ByteCursor& bytes, unsigned type, std::string& out) {
    const auto integer = [&](size_t width) {
      const auto value = bytes.Signed(1, width);
      if (value) out += std::to_string(*value);
      return value.has_value();
    };
    const auto decimal = [&](size_t width) {
      const auto scale = bytes.Unsigned(1, 1);
      if (!scale || *scale > 38 || !bytes.Slice(2, width)) return false;
      Int128 unscaled;
      if (width == 16) {
        std::memcpy(&unscaled, bytes.Slice(2, 16)->data(), 16);
      } else {
        unscaled = *bytes.Signed(2, width);
      }
      out += ValueToText(Type::Decimal(38, static_cast<int32_t>(*scale)), Value(unscaled));
      return true;
    };
    const auto moment = [&](TypeKind kind, size_t width) {
      const auto value = bytes.Signed(1, width);
      if (value) AppendQuoted(kind, *value, out);
      return value.has_value();
    };
    switch (type) {
      case 0:
        out += "null";
        return true;
      case 1:
        out += "true";
        return true;
      case 2:
        out += "false";
        return true;
      case 3:
        return integer(1);
      case 4:
        return integer(2);
      case 5:
        return integer(4);
      case 6:
        return integer(8);
      case 7: {
        const auto raw = bytes.Unsigned(1, 8);
        if (!raw) return false;
        double value;
        std::memcpy(&value, &*raw, 8);
        AppendDouble(value, out);
        return true;
      }
      case 8:
        return decimal(4);
      case 9:
        return decimal(8);
      case 10:
        return decimal(16);
      case 11:
        return moment(TypeKind::kDate, 4);
      case 12:
        return moment(TypeKind::kTimestampTz, 8);
      case 13:
        return moment(TypeKind::kTimestamp, 8);
      case 14: {
        const auto raw = bytes.Unsigned(1, 4);
        if (!raw) return false;
        const auto bits = static_cast<uint32_t>(*raw);
        float value;
        std::memcpy(&value, &bits, 4);
        if (std::isfinite(value)) {
          out += fmt::format("{}", value);
        } else {
          AppendDouble(value, out);
        }
        return true;
      }
      case 15:
      case 16: {
        const auto length = bytes.Unsigned(1, 4);
        if (!length) return false;
        const auto text = bytes.Slice(5, *length);
        if (!text) return false;
        AppendJsonString(type == 15 ? Base64Encode(*text) : std::string(*text), out);
        return true;
      }
      case 17:
        return moment(TypeKind::kTime, 8);
      case 18:
        return moment(TypeKind::kTimestampTzNs, 8);
      case 19:
        return moment(TypeKind::kTimestampNs, 8);
      case 20: {
        const auto raw = bytes.Slice(1, 16);
        if (!raw) return false;
        AppendJsonString(ValueToText(Type::Of(TypeKind::kUuid), Value(std::string(*raw))), out);
        return true;
      }
      default:
        return false;
    }
  }

  const Dictionary& dictionary_;
};

std::shared_ptr<arrow::Array> Child(const arrow::StructArray& array, const char* name) {
  return array.GetFieldByName(name);
}

std::optional<std::string_view> BinaryAt(const std::shared_ptr<arrow::Array>& array, int64_t row) {
  if (array == nullptr || array->IsNull(row)) return std::nullopt;
  switch (array->type_id()) {
    case arrow::Type::BINARY:
    case arrow::Type::STRING:
      return static_cast<const arrow::BinaryArray&>(*array).GetView(row);
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::LARGE_STRING:
      return static_cast<const arrow::LargeBinaryArray&>(*array).GetView(row);
    default:
      return std::nullopt;
  }
}

// VariantShredding.md: a group of `value` and `typed_value` at one row. Returns false for damage;
// `absent` when both are NULL, which within an object means that the key is not there.
class Unshredder {
 public:
  explicit Unshredder(const Dictionary& dictionary) : values_(dictionary) {}

  bool Append(const arrow::StructArray& group, int64_t row, std::string& out, bool& absent,
              int depth = 0) const {
    absent = false;
    if (depth > kVariantDepthMax) return false;
    const auto value = BinaryAt(Child(group, "value"), row);
    const auto typed = Child(group, "typed_value");
    if (typed == nullptr || typed->IsNull(row)) {
      if (value) return values_.Append(*value, out);
      absent = true;
      return true;
    }
    return AppendTyped(*typed, row, value, out, depth);
  }

 private:
  bool AppendTyped(const arrow::Array& typed, int64_t row,
                   const std::optional<std::string_view>& rest, std::string& out, int depth) const {
    if (typed.type_id() == arrow::Type::STRUCT) {
      const auto& object = static_cast<const arrow::StructArray&>(typed);
      out += '{';
      bool first = true;
      for (int i = 0; i < object.num_fields(); ++i) {
        const auto field = object.field(i);
        if (field->type_id() != arrow::Type::STRUCT) return false;
        std::string member;
        bool absent = field->IsNull(row);
        if (!absent && !Append(static_cast<const arrow::StructArray&>(*field), row, member, absent,
                               depth + 1)) {
          return false;
        }
        if (absent) continue;
        if (!first) out += ',';
        first = false;
        AppendJsonString(object.type()->field(i)->name(), out);
        out += ':';
        out += member;
      }
      // Keys that were not shredded stay in `value`, an object without the shredded ones.
      if (rest && !values_.ForEachMember(*rest, [&](std::string_view key, std::string_view member) {
            if (!first) out += ',';
            first = false;
            AppendJsonString(key, out);
            out += ':';
            return values_.Append(member, out);
          })) {
        return false;
      }
      out += '}';
      return true;
    }
    if (typed.type_id() == arrow::Type::LIST) {
      const auto& list = static_cast<const arrow::ListArray&>(typed);
      if (list.values()->type_id() != arrow::Type::STRUCT) return false;
      const auto& elements = static_cast<const arrow::StructArray&>(*list.values());
      out += '[';
      for (int64_t at = list.value_offset(row); at < list.value_offset(row + 1); ++at) {
        if (at > list.value_offset(row)) out += ',';
        bool absent = false;
        if (!Append(elements, at, out, absent, depth + 1)) return false;
        if (absent) out += "null";
      }
      out += ']';
      return true;
    }
    return AppendScalar(typed, row, out);
  }

  static bool AppendScalar(const arrow::Array& typed, int64_t row, std::string& out) {
    const auto schema = FromArrow(*arrow::schema({arrow::field("v", typed.type())}));
    if (!schema.ok()) return false;
    const Type& type = schema->fields[0].type;
    const auto value = ValueAt(typed, row, type);
    if (!value.ok()) return false;
    switch (type.kind) {
      case TypeKind::kFloat:
      case TypeKind::kDouble:
        if (type.kind == TypeKind::kFloat && std::isfinite(std::get<double>(*value))) {
          out += fmt::format("{}", static_cast<float>(std::get<double>(*value)));
        } else {
          AppendDouble(std::get<double>(*value), out);
        }
        return true;
      case TypeKind::kBinary:
        AppendJsonString(Base64Encode(std::get<std::string>(*value)), out);
        return true;
      case TypeKind::kBoolean:
      case TypeKind::kInt8:
      case TypeKind::kInt16:
      case TypeKind::kInt32:
      case TypeKind::kInt64:
      case TypeKind::kDecimal:
        out += ValueToText(type, *value);
        return true;
      default:
        AppendJsonString(ValueToText(type, *value), out);
        return true;
    }
  }

  const ValueDecoder values_;
};

}  // namespace

Result<std::shared_ptr<arrow::Array>> VariantToJson(const arrow::StructArray& variant,
                                                    const std::string& path) {
  const auto metadata = Child(variant, "metadata");
  if (metadata == nullptr) {
    return Corrupt("column '" + path + "': a variant without metadata, but " +
                   variant.type()->ToString());
  }
  arrow::StringBuilder builder;
  std::string text;
  for (int64_t row = 0; row < variant.length(); ++row) {
    if (variant.IsNull(row)) {
      TARN_RETURN_IF_ERROR(Lift(builder.AppendNull(), path));
      continue;
    }
    text.clear();
    const auto bytes = BinaryAt(metadata, row);
    const auto dictionary = bytes ? Dictionary::Make(*bytes) : std::nullopt;
    bool absent = false;
    if (!dictionary || !Unshredder(*dictionary).Append(variant, row, text, absent)) {
      return Corrupt("column '" + path + "': row " + std::to_string(row) +
                     " holds a damaged variant value");
    }
    TARN_RETURN_IF_ERROR(Lift(builder.Append(absent ? "null" : text), path));
  }
  return Lift(builder.Finish(), path);
}

}  // namespace tarn
