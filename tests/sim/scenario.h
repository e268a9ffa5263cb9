#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/sim/world.h"
#include "tests/sim/writer.h"

namespace tarn::sim {

// Who meets whom, and what goes wrong meanwhile.
struct Scenario {
  std::string name;
  std::string about;
  int writers_min = 2;
  int writers_max = 5;
  int reborn_max = 0;      // writers that come after one has died
  int power_cuts_max = 0;  // each starts a new set of writers
  WorldOptions world;
  WriterOptions writer;
};

const std::vector<Scenario>& Scenarios();

struct RunResult {
  std::vector<std::string> violations;
  int64_t commits = 0;
  int64_t acknowledged = 0;
  int64_t conflicts = 0;
  int64_t unknown = 0;
  int64_t deaths = 0;
  int64_t reads = 0;
};

// One run: everything in it follows from the seed. With `trace`, each call of the store is printed.
RunResult RunScenario(const Scenario& scenario, uint64_t seed, bool trace);

}  // namespace tarn::sim
