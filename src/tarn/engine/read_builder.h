#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"

namespace tarn {

// A read being described: `engine.Read("ns.events").Option("date",
// "2020-01-01").AsOf(3).Batches()`. Not thread-safe; whoever made it must be alive when it runs.
class ReadBuilder {
 public:
  ReadBuilder(std::function<Result<std::unique_ptr<BatchStream>>(const ReadBuilder&)> run,
              std::string table)
      : run_(std::move(run)), table_(std::move(table)) {}

  // Only rows whose partition column (or any column) equals `value`, in text: Option("date",
  // "2020-01-01"). Files without such rows are not opened.
  ReadBuilder& Option(std::string column, std::string value);
  // A version as the format names it. AsOfTimestamp: 'YYYY-MM-DD hh:mm:ss', UTC without a zone.
  ReadBuilder& AsOf(std::string version);
  ReadBuilder& AsOf(int64_t version) { return AsOf(std::to_string(version)); }
  ReadBuilder& AsOfTimestamp(std::string timestamp);
  ReadBuilder& Columns(std::vector<std::string> names);  // top-level ones, in this order
  ReadBuilder& Where(std::string sql);
  // Runs it. kNotFound: the table or version; kInvalid: a column, or a value that is none of its
  // type.
  Result<std::unique_ptr<BatchStream>> Batches() const { return run_(*this); }

  const std::string& table() const { return table_; }
  const std::vector<std::pair<std::string, std::string>>& options() const { return options_; }
  const std::optional<std::string>& version() const { return version_; }
  const std::optional<std::string>& timestamp() const { return timestamp_; }
  const std::vector<std::string>& columns() const { return columns_; }
  const std::string& where() const { return where_; }

 private:
  std::function<Result<std::unique_ptr<BatchStream>>(const ReadBuilder&)> run_;
  std::string table_;
  std::vector<std::pair<std::string, std::string>> options_;
  std::optional<std::string> version_, timestamp_;
  std::vector<std::string> columns_;
  std::string where_;
};

}  // namespace tarn
