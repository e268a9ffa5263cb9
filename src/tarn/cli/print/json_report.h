#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

namespace tarn::cli {

// One JSON document as --json prints it: indented, closed by a line end. Text that is no UTF-8 gets
// U+FFFD where it is broken.
std::string JsonText(const nlohmann::ordered_json& document);

// "2026-11-30T10:00:00.123Z".
std::string TimeOfMillis(int64_t millis);

// A version as a number where it is one, else as text.
nlohmann::ordered_json VersionJson(std::string_view version);

}  // namespace tarn::cli
