#include "tarn/write/partition_folder.h"

#include <fmt/format.h>

#include "tarn/base/text.h"

namespace tarn {
namespace {

constexpr size_t kSegmentBytesMax = 200;

bool MustEscape(unsigned char c) {
  return c < 0x20 || c == 0x7F ||
         std::string_view("\"#%'*/:=?\\{[]^").find(static_cast<char>(c)) != std::string_view::npos;
}

// FNV-1a: only to keep apart what was cut.
uint64_t Hash(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  return hash;
}

std::string Segment(const std::string& name, const std::string& text) {
  std::string segment = EscapePartitionText(name) + "=" + text;
  if (segment.size() <= kSegmentBytesMax) return segment;
  size_t cut = kSegmentBytesMax - 17;
  // Not within a character, not within an escape.
  while (cut > 0 && (segment[cut] & 0xC0) == 0x80) --cut;
  for (size_t back = 1; back <= 2 && back <= cut; ++back) {
    if (segment[cut - back] == '%') {
      cut -= back;
      break;
    }
  }
  return segment.substr(0, cut) + fmt::format("-{:016x}", Hash(segment));
}

}  // namespace

std::string EscapePartitionText(std::string_view text) {
  const bool utf8 = IsUtf8(text);
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool ends = i + 1 == text.size() && (c == '.' || c == ' ');
    if (MustEscape(c) || ends || (c >= 0x80 && !utf8)) {
      out += fmt::format("%{:02X}", c);
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string PartitionFolder(const Schema& schema, const PartitionSpec& spec,
                            const std::vector<Value>& values) {
  std::string folder;
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    const PartitionField& field = spec.fields[i];
    std::string text(kNullPartitionText);
    if (!IsNull(values[i])) {
      const Field* source = schema.FindById(field.source_id);
      const Result<Type> type = source == nullptr ? Result<Type>(Type::Of(TypeKind::kString))
                                                  : TransformedType(field, source->type);
      const bool raw = type.ok() && type->kind == TypeKind::kBinary &&
                       std::holds_alternative<std::string>(values[i]);
      text = EscapePartitionText(raw ? std::get<std::string>(values[i])
                                     : ValueToText(type.ok() ? *type : source->type, values[i]));
    }
    if (!folder.empty()) folder += '/';
    folder += Segment(field.name, text);
  }
  return folder;
}

}  // namespace tarn
