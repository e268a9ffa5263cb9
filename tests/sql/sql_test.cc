// Runs tests/sql/*.sql, each in a lake of its own, statement by statement. A script:
//
//   -- prose: comments before a statement are free
//   SELECT 1 AS one, NULL AS nothing;
//   -->one|nothing            the columns, if that matters (first expectation)
//   --|1|NULL                 a row: in any order unless the statement says ORDER BY
//   --none                    no rows
//   --error conflict: text    the error's code and a part of its text
//   --message text            a part of the message
//   --contains text           some row contains this
//
// Statements without expectations must succeed. ${LAKE} is the lake's folder; ${SHARED} the shared
// material.

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <arrow/type.h>

#include "tarn/base/runtime.h"
#include "tarn/engine/engine.h"
#include "tarn/query/query_session.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

struct Step {
  int line = 0;
  std::string statement;
  std::vector<std::string> rows;
  bool expects_rows = false;
  std::string columns, error, message;
  std::vector<std::string> contains;
};

std::vector<std::string> ScriptNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator("tests/sql")) {
    if (entry.path().extension() == ".sql") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ReplaceAll(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::vector<Step> ReadScript(const std::string& path) {
  std::ifstream in(path);
  std::vector<Step> steps;
  std::string line, pending;
  int number = 0, begin = 0;
  while (std::getline(in, line)) {
    ++number;
    const auto after = [&](std::string_view mark) {
      return line.starts_with(mark) ? std::optional(line.substr(mark.size())) : std::nullopt;
    };
    if (pending.empty() && !steps.empty()) {
      Step& last = steps.back();
      if (auto row = after("--|")) {
        last.rows.push_back(*row);
        last.expects_rows = true;
        continue;
      }
      if (line == "--none") {
        last.expects_rows = true;
        continue;
      }
      if (auto columns = after("-->")) {
        last.columns = *columns;
        continue;
      }
      if (auto error = after("--error ")) {
        last.error = *error;
        continue;
      }
      if (auto message = after("--message ")) {
        last.message = *message;
        continue;
      }
      if (auto part = after("--contains ")) {
        last.contains.push_back(*part);
        continue;
      }
    }
    if (pending.empty() && (line.empty() || line.starts_with("--"))) continue;
    if (pending.empty()) begin = number;
    pending += line + "\n";
    if (line.ends_with(';')) {
      steps.push_back(
          {.line = begin, .statement = pending, .columns = {}, .error = {}, .message = {}});
      pending.clear();
    }
  }
  EXPECT_TRUE(pending.empty()) << path << ": the last statement has no ';'";
  return steps;
}

class SqlTest : public ::testing::TestWithParam<std::string> {};

TEST_P(SqlTest, Script) {
  SystemRuntime system(RuntimeOptions{.threads = 2});
  const auto lake = std::filesystem::temp_directory_path() /
                    ("tarn-sql-" + std::to_string(::getpid()) + "-" + GetParam());
  std::filesystem::remove_all(lake);
  std::filesystem::create_directories(lake);
  ASSERT_TRUE(Engine::InitLake(system.runtime(), lake.string()).ok());
  EngineOptions options;
  options.lake = lake.string();
  auto engine = Engine::Open(system.runtime(), options);
  ASSERT_TRUE(engine.ok()) << engine.error().ToString();
  auto session = (*engine)->OpenSession();
  ASSERT_TRUE(session.ok()) << session.error().ToString();
  const char* shared = std::getenv("TARN_SHARED");

  for (Step& step : ReadScript("tests/sql/" + GetParam() + ".sql")) {
    SCOPED_TRACE("tests/sql/" + GetParam() + ".sql:" + std::to_string(step.line));
    for (std::string* text : {&step.statement, &step.error, &step.message}) {
      ReplaceAll(*text, "${LAKE}", lake.string());
      ReplaceAll(*text, "${SHARED}", shared != nullptr ? shared : "../shared");
    }
    std::vector<std::string> rows;
    std::string columns, message;
    const Status status = (*session)->Run(step.statement, [&](StatementResult result) -> Status {
      message = result.message;
      if (!result.rows) return OkStatus();
      for (const auto& field : result.rows->schema()->fields()) {
        columns += (columns.empty() ? "" : "|") + field->name();
      }
      while (true) {
        TARN_ASSIGN_OR_RETURN(const auto batch, result.rows->Next());
        if (batch == nullptr) return OkStatus();
        for (int64_t row = 0; row < batch->num_rows(); ++row) {
          std::string line;
          for (int column = 0; column < batch->num_columns(); ++column) {
            line += (column == 0 ? "" : "|") + testing::CellText(*batch->column(column), row);
          }
          rows.push_back(std::move(line));
        }
      }
    });
    if (!step.error.empty()) {
      ASSERT_FALSE(status.ok()) << "expected an error: " << step.error;
      const std::string said =
          std::string(ErrorCodeName(status.error().code)) + ": " + status.error().ToString();
      const size_t colon = step.error.find(": ");
      EXPECT_TRUE(said.starts_with(step.error.substr(0, colon)) &&
                  said.find(step.error.substr(colon + 2)) != std::string::npos)
          << said;
      continue;
    }
    ASSERT_TRUE(status.ok()) << step.statement << status.error().ToString();
    if (!step.columns.empty()) {
      EXPECT_EQ(columns, step.columns);
    }
    if (!step.message.empty()) {
      EXPECT_NE(message.find(step.message), std::string::npos) << message;
    }
    for (const std::string& part : step.contains) {
      EXPECT_TRUE(std::any_of(rows.begin(), rows.end(),
                              [&](const auto& row) { return row.find(part) != std::string::npos; }))
          << "no row contains " << part << "\n"
          << ::testing::PrintToString(rows);
    }
    if (step.expects_rows) {
      std::vector<std::string> wanted = step.rows;
      if (step.statement.find("ORDER BY") == std::string::npos) {
        std::sort(wanted.begin(), wanted.end());
        std::sort(rows.begin(), rows.end());
      }
      EXPECT_EQ(rows, wanted);
    }
  }
  session->reset();
  engine->reset();
  std::filesystem::remove_all(lake);
}

INSTANTIATE_TEST_SUITE_P(Scripts, SqlTest, ::testing::ValuesIn(ScriptNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace tarn
