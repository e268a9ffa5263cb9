// tarn_sim: many writers, one seed. Prints seed and broken invariant of the first failing runs, and
// the command that replays one.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tarn/base/planted_bug.h"
#include "tests/sim/scenario.h"

namespace tarn::sim {
namespace {

struct Arguments {
  std::string scenario;  // empty: all
  uint64_t first_seed = 1;
  uint64_t seeds = 500;
  bool trace = false;
  bool until_caught = false;  // stop at the first violation, which is what is hoped for
  bool list = false;          // print the names of the scenarios, nothing else
};

int Usage() {
  std::fprintf(stderr,
               "usage: tarn_sim [--scenario NAME] [--seed N | --seeds COUNT [--from N]] "
               "[--trace] [--until-caught] | --list\nscenarios:\n");
  for (const Scenario& scenario : Scenarios()) {
    std::fprintf(stderr, "  %-12s %s\n", scenario.name.c_str(), scenario.about.c_str());
  }
  return 2;
}

bool Parse(int argc, char** argv, Arguments& arguments) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view flag = argv[i];
    if (flag == "--until-caught") {
      arguments.until_caught = true;
      continue;
    }
    if (flag == "--list") {
      arguments.list = true;
      continue;
    }
    if (flag == "--trace") {
      arguments.trace = true;
      continue;
    }
    if (i + 1 == argc) return false;
    const char* const value = argv[++i];
    if (flag == "--scenario") {
      arguments.scenario = value;
    } else if (flag == "--seed") {
      arguments.first_seed = std::strtoull(value, nullptr, 10);
      arguments.seeds = 1;
    } else if (flag == "--seeds") {
      arguments.seeds = std::strtoull(value, nullptr, 10);
    } else if (flag == "--from") {
      arguments.first_seed = std::strtoull(value, nullptr, 10);
    } else {
      return false;
    }
  }
  return true;
}

// The number of seeds that failed.
uint64_t RunSeeds(const Scenario& scenario, const Arguments& arguments) {
  const auto begin = std::chrono::steady_clock::now();
  RunResult sum;
  uint64_t failed = 0;
  for (uint64_t i = 0; i < arguments.seeds; ++i) {
    const uint64_t seed = arguments.first_seed + i;
    const RunResult result = RunScenario(scenario, seed, arguments.trace);
    sum.commits += result.commits;
    sum.acknowledged += result.acknowledged;
    sum.conflicts += result.conflicts;
    sum.unknown += result.unknown;
    sum.deaths += result.deaths;
    sum.reads += result.reads;
    if (result.violations.empty()) continue;
    constexpr uint64_t kShownMax = 5;
    if (++failed > kShownMax) continue;
    std::printf("FAILED %s, seed %llu: %s\n", scenario.name.c_str(),
                static_cast<unsigned long long>(seed), result.violations[0].c_str());
    if (arguments.seeds == 1) {
      for (size_t k = 1; k < result.violations.size(); ++k) {
        std::printf("       %s\n", result.violations[k].c_str());
      }
    }
    std::printf("       replay: tarn_sim --scenario %s --seed %llu\n", scenario.name.c_str(),
                static_cast<unsigned long long>(seed));
    if (arguments.until_caught) return failed;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  std::printf(
      "%-12s %llu seeds, %llu failed, %.1f s: %lld commits, %lld acknowledged, %lld conflicts, "
      "%lld unknown, %lld deaths, %lld reads\n",
      scenario.name.c_str(), static_cast<unsigned long long>(arguments.seeds),
      static_cast<unsigned long long>(failed), seconds, static_cast<long long>(sum.commits),
      static_cast<long long>(sum.acknowledged), static_cast<long long>(sum.conflicts),
      static_cast<long long>(sum.unknown), static_cast<long long>(sum.deaths),
      static_cast<long long>(sum.reads));
  std::fflush(stdout);
  return failed;
}

}  // namespace
}  // namespace tarn::sim

int main(int argc, char** argv) {
  tarn::sim::Arguments arguments;
  if (!tarn::sim::Parse(argc, argv, arguments)) return tarn::sim::Usage();
  if (arguments.list) {
    for (const tarn::sim::Scenario& scenario : tarn::sim::Scenarios()) {
      std::printf("%s\n", scenario.name.c_str());
    }
    return 0;
  }
  if (tarn::planted::kBug != 0) std::printf("with planted bug %d\n", tarn::planted::kBug);
  uint64_t failed = 0;
  bool known = arguments.scenario.empty();
  for (const tarn::sim::Scenario& scenario : tarn::sim::Scenarios()) {
    if (!arguments.scenario.empty() && scenario.name != arguments.scenario) continue;
    known = true;
    failed += tarn::sim::RunSeeds(scenario, arguments);
    if (failed > 0 && arguments.until_caught) break;
  }
  if (!known) return tarn::sim::Usage();
  return failed == 0 ? 0 : 1;
}
