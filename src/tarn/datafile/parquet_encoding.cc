#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include <arrow/api.h>

#include "tarn/datafile/parquet_encoding_internal.h"

namespace tarn {
namespace {

constexpr int64_t kSampleRows = 1024;
constexpr double kDictionaryBytes = 512 * 1024;
constexpr double kDistinctShare = 0.1;

// The values that must exist for `distinct` of them to show among `drawn` draws: the root of
// distinct = total (1 - exp(-drawn / total)).
double EstimateDistinct(double distinct, double drawn) {
  if (distinct >= drawn * 0.995) return 1e18;
  double low = distinct, high = 1e12;
  for (int i = 0; i < 80; ++i) {
    const double middle = std::sqrt(low * high);
    (middle * (1 - std::exp(-drawn / middle)) < distinct ? low : high) = middle;
  }
  return high;
}

std::string_view BytesOf(const arrow::Array& array, int64_t row, int width) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return static_cast<const arrow::BinaryArray&>(array).GetView(row);
    default:
      return {reinterpret_cast<const char*>(array.data()->buffers[1]->data()) +
                  (array.offset() + row) * width,
              static_cast<size_t>(width)};
  }
}

}  // namespace

bool DictionaryPays(const std::vector<std::shared_ptr<arrow::Array>>& chunks, int64_t group_rows) {
  if (chunks.empty()) return true;
  const arrow::DataType& type = *chunks[0]->type();
  const bool text = type.id() == arrow::Type::STRING || type.id() == arrow::Type::BINARY;
  const int width = !text && arrow::is_fixed_width(type.id()) ? type.byte_width() : 0;
  if (!text && width <= 0) return type.id() != arrow::Type::BOOL;
  int64_t rows = 0;
  for (const auto& chunk : chunks) rows += chunk->length();
  // Spread, because neighbours are often alike; the step wavers so that a period in the data does
  // not hide its values.
  const int64_t stride = std::max<int64_t>(1, rows / kSampleRows);
  std::unordered_set<std::string_view> seen;
  std::string_view last;
  int64_t drawn = 0, runs = 0, bytes = 0, row = 0, step = 0;
  for (const auto& chunk : chunks) {
    while (row < chunk->length()) {
      if (chunk->IsValid(row)) {
        const std::string_view value = BytesOf(*chunk, row, width);
        if (seen.insert(value).second) bytes += static_cast<int64_t>(value.size()) + 4;
        if (drawn++ == 0 || value != last) ++runs;
        last = value;
      }
      row += stride > 2 ? stride - 1 + step++ % 3 : stride;
    }
    row -= chunk->length();
  }
  if (drawn == 0) return true;
  const double distinct = static_cast<double>(seen.size());
  if (rows > kSampleRows && drawn >= kSampleRows / 4) {
    const double total = EstimateDistinct(distinct, static_cast<double>(drawn));
    const double value_bytes = static_cast<double>(bytes) / distinct;
    return total <= kDistinctShare * static_cast<double>(group_rows) &&
           total * value_bytes <= kDictionaryBytes;
  }
  // A short sample is often the beginning of something longer: neighbours that are alike say
  // nothing of what comes, unless they are nearly all alike.
  return distinct <= 0.05 * static_cast<double>(drawn) ||
         distinct <= 0.5 * static_cast<double>(runs) || drawn <= 16;
}

}  // namespace tarn
