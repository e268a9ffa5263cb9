#include "tarn/base/crash_point.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdlib>

namespace tarn {
namespace {

struct Wish {
  std::string name;  // empty: none
  long arrivals_left = 1;
};

// TARN_HOLD_POINT=name:file.
struct Hold {
  std::string name;  // empty: none
  std::string file;
};

Hold ReadHold() {
  const char* const text = std::getenv("TARN_HOLD_POINT");
  if (text == nullptr) return {};
  const std::string_view hold(text);
  const size_t colon = hold.find(':');
  if (colon == std::string_view::npos) return {};
  return {std::string(hold.substr(0, colon)), std::string(hold.substr(colon + 1))};
}

void WaitFor(const std::string& file) {
  constexpr int kPollsMax = 3'000;  // a minute: a test that forgets the file must end
  for (int poll = 0; poll < kPollsMax && access(file.c_str(), F_OK) != 0; ++poll) usleep(20'000);
}

Wish ReadWish() {
  const char* const text = std::getenv("TARN_CRASH_POINT");
  if (text == nullptr) return {};
  const std::string_view wish(text);
  const size_t colon = wish.find(':');
  if (colon == std::string_view::npos) return {std::string(wish), 1};
  return {std::string(wish.substr(0, colon)), std::atol(text + colon + 1)};
}

}  // namespace

void CrashPoint(std::string_view name) {
  // The one place that reads the environment behind the composition root's back: what it serves is
  // a test of the whole program.
  static const Wish wish = ReadWish();
  static const Hold hold = ReadHold();
  static std::atomic<long> arrivals_left{wish.arrivals_left};
  assert(std::ranges::count(CrashPointNames(), name) == 1);
  if (!hold.name.empty() && hold.name == name) WaitFor(hold.file);
  if (wish.name.empty() || wish.name != name) return;
  if (--arrivals_left == 0) kill(getpid(), SIGKILL);
}

const std::vector<std::string>& CrashPointNames() {
  static const std::vector<std::string> names = {
      "disk.before_data_sync",    // bytes written, not synced, no name
      "disk.before_name",         // bytes synced, no name
      "disk.named",               // the name exists, its folder is not synced
      "disk.before_replace",      // a temporary name exists
      "commit.before_stage",      //
      "commit.between_stages",    // a manifest without its list, a list without its metadata
      "commit.staged",            // what the commit needs is written
      "commit.before_reveal",     //
      "commit.revealed",          // the commit stands; its writer does not know
      "upkeep.before",            // the commit is acknowledged inside the process
      "upkeep.between_puts",      // a checkpoint without its hint
      "upkeep.before_removals",   //
      "upkeep.between_removals",  // a log half cleaned
  };
  return names;
}

}  // namespace tarn
