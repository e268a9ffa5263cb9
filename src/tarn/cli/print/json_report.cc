#include "tarn/cli/print/json_report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn::cli {

std::string JsonText(const nlohmann::ordered_json& document) {
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string TimeOfMillis(int64_t millis) {
  std::string text = ValueToText(Type::Of(TypeKind::kTimestampTz), Value(millis * 1000));
  // Always three digits, so that columns of times line up and sort as text.
  const size_t zone = text.rfind('Z');
  const size_t point = text.rfind('.');
  std::string base = text.substr(0, std::min(zone, point));
  const int64_t fraction = ((millis % 1000) + 1000) % 1000;
  std::string digits = std::to_string(fraction);
  digits.insert(0, 3 - digits.size(), '0');
  return base + "." + digits + "Z";
}

nlohmann::ordered_json VersionJson(std::string_view version) {
  constexpr size_t kExactDigits = 15;
  const bool number =
      !version.empty() && version.size() <= kExactDigits &&
      std::all_of(version.begin(), version.end(), [](char c) { return c >= '0' && c <= '9'; }) &&
      (version.size() == 1 || version.front() != '0');
  if (number) return std::strtoll(std::string(version).c_str(), nullptr, 10);
  return std::string(version);
}

}  // namespace tarn::cli
