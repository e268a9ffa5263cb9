#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarn {

// A named place at which tests kill the real program: with TARN_CRASH_POINT=name[:n] in the
// environment, the n-th (default first) arrival of the process at `name` ends it by SIGKILL.
// Otherwise nothing happens; cost: one comparison.
void CrashPoint(std::string_view name);

// All names there are, in the order a commit meets them. CrashPoint asserts that its name is here, so
// a test that walks the list has been everywhere.
const std::vector<std::string>& CrashPointNames();

}  // namespace tarn
