#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "tarn/datafile/avro_plan_internal.h"
#include "tarn/datafile/avro_varint_internal.h"

namespace tarn {
namespace {

using Json = nlohmann::ordered_json;

Error NoValue(const AvroType& type, const Json& json) {
  return Invalid("the default " + json.dump(-1, ' ', false, Json::error_handler_t::replace) +
                 " is no " + AvroTypeToText(type));
}

template <class T>
void AppendRaw(T value, std::string& out) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

// Bytes are spelled as code points below 256.
bool BytesOf(const std::string& text, std::string* bytes) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<uint8_t>(text[i]);
    if (byte < 0x80) {
      *bytes += static_cast<char>(byte);
    } else if ((byte == 0xC2 || byte == 0xC3) && i + 1 < text.size()) {
      *bytes += static_cast<char>((byte & 3) << 6 | (static_cast<uint8_t>(text[++i]) & 0x3F));
    } else {
      return false;
    }
  }
  return true;
}

Status Append(const AvroType& type, const Json& json, std::string& out);

Status AppendNested(const AvroType& type, const Json& json, std::string& out) {
  switch (type.kind) {
    case AvroKind::kRecord:
      if (!json.is_object()) return NoValue(type, json);
      for (const AvroField& field : type.fields) {
        const auto found = json.find(field.name);
        if (found != json.end()) {
          TARN_RETURN_IF_ERROR(Append(*field.type, *found, out));
        } else if (field.default_json) {
          TARN_ASSIGN_OR_RETURN(const std::string bytes,
                                EncodeAvroDefault(*field.type, *field.default_json));
          out += bytes;
        } else {
          return NoValue(type, json);
        }
      }
      return OkStatus();
    case AvroKind::kArray:
      if (!json.is_array()) return NoValue(type, json);
      if (!json.empty()) AppendAvroLong(static_cast<int64_t>(json.size()), out);
      for (const Json& item : json) TARN_RETURN_IF_ERROR(Append(*type.children[0], item, out));
      AppendAvroLong(0, out);
      return OkStatus();
    case AvroKind::kMap:
      if (!json.is_object()) return NoValue(type, json);
      if (!json.empty()) AppendAvroLong(static_cast<int64_t>(json.size()), out);
      for (const auto& [key, value] : json.items()) {
        AppendAvroLong(static_cast<int64_t>(key.size()), out);
        out += key;
        TARN_RETURN_IF_ERROR(Append(*type.children[0], value, out));
      }
      AppendAvroLong(0, out);
      return OkStatus();
    default:
      break;
  }
  // Older writers and specifications mean the first branch only; newer ones any.
  for (size_t branch = 0; branch < type.children.size(); ++branch) {
    std::string bytes;
    AppendAvroLong(static_cast<int64_t>(branch), bytes);
    if (!Append(*type.children[branch], json, bytes).ok()) continue;
    out += bytes;
    return OkStatus();
  }
  return NoValue(type, json);
}

Status Append(const AvroType& type, const Json& json, std::string& out) {
  switch (type.kind) {
    case AvroKind::kNull:
      return json.is_null() ? OkStatus() : Status(NoValue(type, json));
    case AvroKind::kBoolean:
      if (!json.is_boolean()) return NoValue(type, json);
      out += json.get<bool>() ? '\1' : '\0';
      return OkStatus();
    case AvroKind::kInt:
    case AvroKind::kLong: {
      if (!json.is_number_integer()) return NoValue(type, json);
      if (json.is_number_unsigned() && json.get<uint64_t>() > INT64_MAX) return NoValue(type, json);
      const auto value = json.get<int64_t>();
      if (type.kind == AvroKind::kInt && (value < INT32_MIN || value > INT32_MAX)) {
        return NoValue(type, json);
      }
      AppendAvroLong(value, out);
      return OkStatus();
    }
    case AvroKind::kFloat:
    case AvroKind::kDouble: {
      double value = 0;
      if (json.is_number()) {
        value = json.get<double>();
      } else if (json == "NaN") {
        value = std::numeric_limits<double>::quiet_NaN();
      } else if (json == "Infinity" || json == "-Infinity") {
        value = std::numeric_limits<double>::infinity() * (json == "Infinity" ? 1 : -1);
      } else {
        return NoValue(type, json);
      }
      if (type.kind == AvroKind::kFloat) {
        AppendRaw(static_cast<float>(value), out);
      } else {
        AppendRaw(value, out);
      }
      return OkStatus();
    }
    case AvroKind::kString:
      if (!json.is_string()) return NoValue(type, json);
      AppendAvroLong(static_cast<int64_t>(json.get_ref<const std::string&>().size()), out);
      out += json.get_ref<const std::string&>();
      return OkStatus();
    case AvroKind::kBytes:
    case AvroKind::kFixed: {
      std::string bytes;
      if (!json.is_string() || !BytesOf(json.get_ref<const std::string&>(), &bytes)) {
        return NoValue(type, json);
      }
      if (type.kind == AvroKind::kBytes) {
        AppendAvroLong(static_cast<int64_t>(bytes.size()), out);
      } else if (bytes.size() != static_cast<size_t>(type.size)) {
        return NoValue(type, json);
      }
      out += bytes;
      return OkStatus();
    }
    case AvroKind::kEnum:
      for (size_t i = 0; i < type.symbols.size(); ++i) {
        if (json != type.symbols[i]) continue;
        AppendAvroLong(static_cast<int64_t>(i), out);
        return OkStatus();
      }
      return NoValue(type, json);
    default:
      return AppendNested(type, json, out);
  }
}

}  // namespace

Result<std::string> EncodeAvroDefault(const AvroType& type, const std::string& text) {
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) return Invalid("the default '" + text + "' is no JSON");
  std::string bytes;
  TARN_RETURN_IF_ERROR(Append(type, json, bytes));
  return bytes;
}

}  // namespace tarn
