#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tarn::lineage {

// What becomes of a view that a query reads. Temporary views are always looked through.
enum class Views : uint8_t {
  kKept,      // it is an input, like a table
  kExpanded,  // the tables below it are
};

struct AnalyzeOptions {
  // Where names of one part are looked for: "db", or "catalog.db". Absent: "default" for Hive and
  // Spark, else such names stay as they are.
  std::optional<std::string> default_db = {};
  Views views = Views::kKept;
  // Values of ${name} in table names; SET in the script adds to them.
  std::vector<std::pair<std::string, std::string>> variables = {};
};

}  // namespace tarn::lineage
