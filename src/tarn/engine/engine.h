#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/ingest/ingest.h"
#include "tarn/query/query_session.h"
#include "tarn/table/table.h"

namespace tarn {

struct EngineOptions {
  std::string lake = {};  // the lake's folder; empty: tables by path only
  // Prefixes of locations inside tables' metadata, and where they stand now.
  std::vector<std::pair<std::string, std::string>> relocations = {};
  QueryOptions query = {};
};

// A read being described: `engine.Read("ns.events").Option("date", "2020-01-01").AsOf(3).Batches()`.
class ReadBuilder;

// Tarn as a library: tables by name (through the lake's catalog) or path, SQL, ingestion, and batches
// of Arrow in and out. Thread-safe unless said; sessions are not.
class Engine {
 public:
  // kNotFound if the lake's folder does not exist. `runtime` outlives the engine.
  static Result<std::unique_ptr<Engine>> Open(Runtime& runtime, EngineOptions options);
  // Makes `folder` a lake: `.tarn/catalog.db`. kAlreadyExists; kInvalid on a network file system.
  static Status InitLake(Runtime& runtime, const std::string& folder);
  // The nearest lake at or above `folder`; empty if there is none.
  static std::string FindLake(const std::string& folder);
  virtual ~Engine() = default;

  // Reading one table without SQL.
  virtual ReadBuilder Read(std::string table) = 0;
  // Appends (or overwrites with) `rows`; creates the table if there is none, partitioned by
  // `partition_by`.
  struct WriteOptions {
    IngestMode mode = IngestMode::kAppend;
    std::vector<std::string> partition_by = {};
    std::map<std::string, std::string> properties = {};
  };
  // Gives the version that holds the rows. Rows must fit the table's columns (Conform); NOT NULL and
  // CHECK hold or nothing is committed. Errors: kInvalid, kConflict, kUnknownOutcome as
  // Transaction::Publish.
  virtual Result<Version> Write(std::string table, BatchStream& rows, const WriteOptions& options) = 0;

  virtual Result<std::unique_ptr<QuerySession>> OpenSession() = 0;
  virtual Result<IngestSummary> Ingest(const Pipeline& pipeline,
                                       const std::function<void(const IngestProgress&)>& progress) = 0;
  virtual Result<IngestPlan> Plan(const Pipeline& pipeline) = 0;

  // A table for the commands that look at one (engine/table_facts.h, engine/table_changes.h).
  virtual Result<std::shared_ptr<Table>> OpenTable(std::string_view name_or_path) = 0;
  // A reference as people write it: a path if it looks like one or is a folder and no name of the
  // lake, else a dotted name.
  virtual Result<TableReference> ParseReference(std::string_view name_or_path) const = 0;
  // The lake's folder, absolute; empty without a lake.
  virtual const std::string& lake_folder() const = 0;
  virtual Runtime& runtime() = 0;
  virtual TableResolver& resolver() = 0;
  virtual const Registry<FileFormat>& file_formats() const = 0;
};

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
  // Runs it. kNotFound: the table or version; kInvalid: a column, or a value that is none of its type.
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
