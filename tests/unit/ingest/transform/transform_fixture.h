#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tarn/ingest/transform/transform.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn::testing {

// Steps over rows given as JSON arrays.
class TransformFixture : public ::testing::Test {
 protected:
  // "col type, …; rows" after the steps; bad rows behind them as "bad <row> <column>: <reason>".
  std::vector<std::string> Run(const std::string& ddl, const std::string& rows,
                               const std::vector<TransformStep>& steps) {
    Schema schema = *ParseColumns(ddl);
    return Run(schema, rows, steps);
  }
  std::vector<std::string> Run(const Schema& schema, const std::string& rows,
                               const std::vector<TransformStep>& steps) {
    auto made = TransformChain::Make(system.runtime(), makers, schema, steps);
    if (!made.ok()) return {"error: " + made.error().ToString()};
    chain = std::move(made).value();
    auto result = chain.Apply(BatchOf(schema, rows));
    if (!result.ok()) return {"error: " + result.error().ToString()};
    EXPECT_TRUE(result->batch->ValidateFull().ok()) << result->batch->ValidateFull().ToString();
    std::vector<std::string> lines = {SchemaToDdl(chain.output())};
    for (int64_t row = 0; row < result->batch->num_rows(); ++row) {
      std::string line;
      for (int i = 0; i < result->batch->num_columns(); ++i) {
        line += (i > 0 ? "|" : "") + CellText(*result->batch->column(i), row);
      }
      lines.push_back(line);
    }
    for (const BadBatchRow& bad : result->bad_rows) {
      lines.push_back("bad " + std::to_string(bad.row) + " " + bad.column + ": " + bad.reason);
    }
    from_rows = result->from_rows;
    return lines;
  }

  SystemRuntime system{RuntimeOptions{.threads = 2}};
  Registry<TransformMaker> makers = BuiltinTransforms();
  TransformChain chain;
  std::vector<int32_t> from_rows;
};

using Lines = std::vector<std::string>;

}  // namespace tarn::testing
