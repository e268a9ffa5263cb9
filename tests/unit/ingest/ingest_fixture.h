#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tarn/ingest/ingest.h"
#include "tarn/scan/read.h"
#include "tarn/storage/local.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"
#include "tests/support/table_stand.h"
#include "tests/support/temp_folder.h"

namespace tarn::testing {

// Files in a folder of their own and a table to load them into.
class IngestFixture : public ::testing::Test {
 protected:
  IngestFixture() : stand(2) {
    stand.file_formats.Add("arrow", MakeIpcFormat(stand.runtime));
    pipeline.into = "t";
  }

  std::string Put(const std::string& name, const std::string& text) {
    const std::string path = folder.path() + "/" + name;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  Result<IngestSummary> Load(std::vector<std::string> patterns) {
    pipeline.paths.clear();
    for (const std::string& pattern : patterns)
      pipeline.paths.push_back(folder.path() + "/" + pattern);
    return RunIngest(stand.runtime, stand.table, stand.file_formats, pipeline, nullptr);
  }

  // What a failed load says, without the folder.
  std::string Refused(std::vector<std::string> patterns) {
    const Result<IngestSummary> summary = Load(std::move(patterns));
    if (summary.ok()) return "loaded";
    std::string text = summary.error().ToString();
    for (size_t at = text.find(folder.path()); at != std::string::npos;
         at = text.find(folder.path())) {
      text.erase(at, folder.path().size() + 1);
    }
    return text;
  }

  std::vector<std::string> Table() {
    const auto snapshot = stand.table.Load();
    if (!snapshot.ok()) return {"error: " + snapshot.error().message};
    const auto plan = PlanScan(stand.format, stand.table.home, *snapshot, {});
    return Sorted(RowsText(
        ReadPlan(stand.runtime, stand.format, stand.table.home, stand.file_formats, *plan, {})));
  }
  std::string Columns() {
    const auto snapshot = stand.table.Load();
    return snapshot.ok() ? SchemaToDdl(snapshot->metadata.schema) : "none";
  }
  std::string VersionNow() {
    const auto snapshot = stand.table.Load();
    return snapshot.ok() ? snapshot->version.text : "none";
  }

  TempFolder folder;
  TableStand stand;
  Pipeline pipeline;
};

}  // namespace tarn::testing
