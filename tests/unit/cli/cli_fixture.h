#pragma once

#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tarn/cli/run.h"
#include "tests/support/temp_folder.h"
#include "tests/unit/cli/test_console.h"

namespace tarn::cli::testing {

struct Outcome {
  int code = 0;
  std::string out;
  std::string err;
};

inline Outcome Tarn(const std::vector<std::string>& arguments) {
  TestConsole test;
  Outcome outcome;
  outcome.code = Run(arguments, test.console);
  outcome.out = test.out;
  outcome.err = test.err;
  return outcome;
}

// Commands over a fresh lake.
class RunTest : public ::testing::Test {
 protected:
  void SetUp() override {
    lake_ = folder_.path() + "/lake";
    ASSERT_EQ(Tarn({"init", lake_}).code, 0);
  }
  Outcome Sql(const std::string& sql, const std::string& format = "csv") {
    return Tarn({"sql", "--lake", lake_, "--yes", "--format", format, sql});
  }
  // A file of two events: ids 1 and 2, of two days.
  std::string Events() {
    const std::string file = folder_.path() + "/a.jsonl";
    std::ofstream(file) << "{\"id\": 1, \"day\": \"2026-01-01\", \"x\": 1.5}\n{\"id\": 2, \"day\": "
                           "\"2026-01-02\"}\n";
    return file;
  }
  void Load() {
    const Outcome outcome =
        Tarn({"ingest", Events(), "--lake", lake_, "--into", "events", "--partition-by", "day"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Outcome Table(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "table");
    arguments.insert(arguments.end(), {"--lake", lake_});
    return Tarn(arguments);
  }

  tarn::testing::TempFolder folder_;
  std::string lake_;
};

}  // namespace tarn::cli::testing
