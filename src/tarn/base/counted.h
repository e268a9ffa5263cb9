#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tarn {

// "1 row", "2,000 rows" of "row": a noun whose plural ends in s.
std::string Counted(int64_t count, std::string_view noun);

}  // namespace tarn
