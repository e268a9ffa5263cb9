#include "tarn/ingest/transform/unicode_case.h"

#include <algorithm>
#include <iterator>

#include "tarn/base/utf8.h"
#include "tarn/ingest/transform/unicode_case_table_internal.h"

namespace tarn {
namespace {

template <class Row, size_t count>
const Row* Find(const Row (&rows)[count], uint32_t code_point) {
  const Row* row = std::upper_bound(
      std::begin(rows), std::end(rows), code_point,
      [](uint32_t point, const Row& candidate) { return point < candidate.first; });
  if (row == std::begin(rows)) return nullptr;
  --row;
  return code_point <= row->last ? row : nullptr;
}

}  // namespace

bool IsUpperCase(uint32_t code_point) { return Find(unicode::kUpper, code_point) != nullptr; }
bool IsLowerCase(uint32_t code_point) { return Find(unicode::kLower, code_point) != nullptr; }
bool IsDecimalDigit(uint32_t code_point) { return Find(unicode::kDigit, code_point) != nullptr; }

void AppendLower(uint32_t code_point, std::string* utf8) {
  if (code_point == 0x130) {  // İ: SpecialCasing.txt, the one unconditional mapping to two
    utf8->append("i\xCC\x87");
    return;
  }
  const unicode::Mapping* row = Find(unicode::kToLower, code_point);
  if (row != nullptr && (code_point - row->first) % row->step == 0) {
    code_point = static_cast<uint32_t>(static_cast<int32_t>(code_point) + row->delta);
  }
  AppendUtf8(code_point, *utf8);
}

uint32_t NextCodePoint(std::string_view text, size_t* at) {
  const auto byte = [&text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte((*at)++);
  if (lead < 0x80) return lead;
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (more == 0) return 0xFFFD;
  uint32_t code = lead & (0x3Fu >> more);
  for (int i = 0; i < more; ++i) {
    if (*at >= text.size() || (byte(*at) & 0xC0) != 0x80) return 0xFFFD;
    code = (code << 6) | (byte((*at)++) & 0x3Fu);
  }
  return code;
}

}  // namespace tarn
