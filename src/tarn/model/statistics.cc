#include "tarn/model/statistics.h"

#include <utility>

#include "tarn/base/utf8.h"

namespace tarn {
namespace {

// Byte length of the first `points` code points.
size_t PrefixBytes(std::string_view text, int32_t points) {
  size_t at = 0;
  for (int32_t i = 0; i < points && at < text.size(); ++i) {
    do ++at;
    while (at < text.size() && (text[at] & 0xC0) == 0x80);
  }
  return at;
}

uint32_t DecodePoint(std::string_view bytes) {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  if (bytes.size() == 1) return byte(0);
  if (bytes.size() == 2) return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
  if (bytes.size() == 3) return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
  return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 | (byte(3) & 0x3F);
}

std::optional<std::string> RaiseLastByte(std::string text) {
  while (!text.empty()) {
    const auto last = static_cast<unsigned char>(text.back());
    text.pop_back();
    if (last != 0xFF) {
      text += static_cast<char>(last + 1);
      return text;
    }
  }
  return std::nullopt;
}

std::optional<std::string> RaiseLastPoint(std::string text) {
  while (!text.empty()) {
    size_t begin = text.size() - 1;
    while (begin > 0 && (text[begin] & 0xC0) == 0x80) --begin;
    const uint32_t point = DecodePoint(std::string_view(text).substr(begin));
    text.resize(begin);
    if (point >= 0x10FFFF) continue;
    AppendUtf8(point == 0xD7FF ? 0xE000 : point + 1, text);  // over the surrogates
    return text;
  }
  return std::nullopt;
}

template <class T>
std::optional<T> Sum(const std::optional<T>& a, const std::optional<T>& b) {
  if (!a || !b) return std::nullopt;
  return *a + *b;
}

bool HoldsNoValue(const ColumnStatistics& column) {
  return column.value_count && column.null_count && *column.value_count == *column.null_count;
}

}  // namespace

std::string TruncateLower(std::string_view text, bool utf8, int32_t length) {
  return std::string(
      text.substr(0, utf8 ? PrefixBytes(text, length) : static_cast<size_t>(length)));
}

std::optional<std::string> TruncateUpper(std::string_view text, bool utf8, int32_t length) {
  const size_t kept = utf8 ? PrefixBytes(text, length) : static_cast<size_t>(length);
  if (kept >= text.size()) return std::string(text);
  std::string prefix(text.substr(0, kept));
  return utf8 ? RaiseLastPoint(std::move(prefix)) : RaiseLastByte(std::move(prefix));
}

ColumnStatistics Merge(const Type& type, const ColumnStatistics& a, const ColumnStatistics& b) {
  ColumnStatistics merged{.field_id = a.field_id};
  merged.value_count = Sum(a.value_count, b.value_count);
  merged.null_count = Sum(a.null_count, b.null_count);
  merged.nan_count = Sum(a.nan_count, b.nan_count);
  merged.size_bytes = Sum(a.size_bytes, b.size_bytes);
  if (HoldsNoValue(a) || HoldsNoValue(b)) {
    const ColumnStatistics& only = HoldsNoValue(a) ? b : a;
    merged.lower = only.lower;
    merged.upper = only.upper;
    merged.lower_exact = only.lower_exact;
    merged.upper_exact = only.upper_exact;
    return merged;
  }
  if (a.lower && b.lower) {
    const ColumnStatistics& least = CompareValues(type, *a.lower, *b.lower) <= 0 ? a : b;
    merged.lower = least.lower;
    merged.lower_exact = least.lower_exact;
  }
  if (a.upper && b.upper) {
    const ColumnStatistics& most = CompareValues(type, *a.upper, *b.upper) >= 0 ? a : b;
    merged.upper = most.upper;
    merged.upper_exact = most.upper_exact;
  }
  return merged;
}

}  // namespace tarn
