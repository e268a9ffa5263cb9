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
#include "tarn/engine/lake.h"
#include "tarn/engine/read_builder.h"
#include "tarn/engine/table_write.h"
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

// Tarn as a library: tables by name (through the lake's catalog) or path, SQL, ingestion, and
// batches of Arrow in and out. Thread-safe unless said; sessions are not.
class Engine {
 public:
  // kNotFound if the lake's folder does not exist. `runtime` outlives the engine.
  static Result<std::unique_ptr<Engine>> Open(Runtime& runtime, EngineOptions options);
  // Makes `folder` a lake: `.tarn/catalog.db`. kAlreadyExists; kInvalid on a network file system.
  static Status InitLake(Runtime& runtime, const std::string& folder);
  // Tells the lake `folder`. kNotFound if it is none.
  static Status SetLake(const std::string& folder, const LakeSettings& settings);
  // The nearest lake at or above `folder`; empty if there is none.
  static std::string FindLake(const std::string& folder);
  virtual ~Engine() = default;

  // Reading one table without SQL.
  virtual ReadBuilder Read(std::string table) = 0;
  // Appends (or overwrites with) `rows`; creates the table if there is none, partitioned by
  // `partition_by`.
  using WriteOptions = BatchWriteOptions;
  // Gives the version that holds the rows. Rows must fit the table's columns (Conform); NOT NULL
  // and CHECK hold or nothing is committed. Errors: kInvalid, kConflict, kUnknownOutcome as
  // Transaction::Publish.
  virtual Result<Version> Write(std::string table, BatchStream& rows,
                                const WriteOptions& options) = 0;

  virtual Result<std::unique_ptr<QuerySession>> OpenSession() = 0;
  virtual Result<IngestSummary> Ingest(
      const Pipeline& pipeline, const std::function<void(const IngestProgress&)>& progress) = 0;
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

}  // namespace tarn
