#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tarn {

// A named place at which tests kill the real program: with TARN_CRASH_POINT=name[:n] in the
// environment, the n-th (default first) arrival of the process at `name` ends it by SIGKILL.
// With TARN_HOLD_POINT=name:file it waits there, at most a minute, until `file` exists: two
// processes are brought to one place that way. Otherwise nothing happens; cost: two comparisons.
void CrashPoint(std::string_view name);

// All names there are, in the order a commit meets them. CrashPoint asserts that its name is here,
// so a test that walks the list has been everywhere.
const std::vector<std::string>& CrashPointNames();

}  // namespace tarn
