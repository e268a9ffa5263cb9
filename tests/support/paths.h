#pragma once

#include <string_view>

#include "tarn/base/path.h"

namespace tarn::testing {

inline Path P(std::string_view text) { return Path::Make(text).value(); }

}  // namespace tarn::testing
