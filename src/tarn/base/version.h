#pragma once

#include <string_view>

namespace tarn {

// As CMakeLists.txt's project() says; what `tarn version` prints.
inline constexpr std::string_view kTarnVersion = "0.1.0";
// How Tarn calls itself in the metadata of tables it writes.
inline constexpr std::string_view kTarnEngine = "tarn/0.1.0";

}  // namespace tarn
