#include <arrow/c/bridge.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog.hpp"
#include "duckdb/common/arrow/arrow_converter.hpp"
#include "duckdb/common/arrow/arrow_util.hpp"
#include "duckdb/common/arrow/arrow_wrapper.hpp"
#include "duckdb/function/table/arrow.hpp"
#include "duckdb/main/chunk_scan_state/query_result.hpp"
#include "duckdb/parser/parsed_data/create_table_function_info.hpp"

#include "tarn/base/uuid.h"
#include "tarn/duck/duck_session.h"
#include "tarn/duck/types_duckdb.h"

namespace tarn {

namespace {

// Rows of one Arrow batch: large enough that a batch's fixed cost vanishes, small enough that a
// hundred columns stay in a few megabytes.
constexpr duckdb::idx_t kBatchRows = 65536;

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

struct RegisteredBatches {
  std::shared_ptr<arrow::Schema> schema;
  Batches batches;
};

// Names of RegisterBatches; shared with the table function that reads them.
struct BatchRegistry : duckdb::TableFunctionInfo {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<RegisteredBatches>> entries;
};

class ProjectedReader : public arrow::RecordBatchReader {
 public:
  ProjectedReader(std::shared_ptr<RegisteredBatches> source, std::vector<int> columns)
      : source_(std::move(source)), columns_(std::move(columns)) {
    arrow::FieldVector fields;
    for (int column : columns_) fields.push_back(source_->schema->field(column));
    schema_ = arrow::schema(std::move(fields));
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    if (next_ == source_->batches.size()) {
      *batch = nullptr;
      return arrow::Status::OK();
    }
    const auto& whole = source_->batches[next_++];
    arrow::ArrayVector arrays;
    for (int column : columns_) arrays.push_back(whole->column(column));
    *batch = arrow::RecordBatch::Make(schema_, whole->num_rows(), std::move(arrays));
    return arrow::Status::OK();
  }

 private:
  std::shared_ptr<RegisteredBatches> source_;
  std::vector<int> columns_;
  std::shared_ptr<arrow::Schema> schema_;
  size_t next_ = 0;
};

// What a scan of registered batches is bound to: keeps them alive.
struct BatchScanData : duckdb::ArrowScanFunctionData {
  BatchScanData(duckdb::stream_factory_produce_t produce,
                std::shared_ptr<RegisteredBatches> batches)
      : ArrowScanFunctionData(produce, reinterpret_cast<uintptr_t>(batches.get())),
        source(std::move(batches)) {}
  std::shared_ptr<RegisteredBatches> source;
};

duckdb::unique_ptr<duckdb::ArrowArrayStreamWrapper> ProduceBatches(
    uintptr_t factory, duckdb::ArrowStreamParameters& parameters) {
  auto* entry = reinterpret_cast<RegisteredBatches*>(factory);
  std::vector<int> columns;
  // Keys are positions in the projection; names may be ambiguous but for exact matches.
  for (const std::string& name : parameters.projected_columns.columns) {
    columns.push_back(entry->schema->GetFieldIndex(name));
  }
  auto reader = std::make_shared<ProjectedReader>(std::make_shared<RegisteredBatches>(*entry),
                                                  std::move(columns));
  auto wrapper = duckdb::make_uniq<duckdb::ArrowArrayStreamWrapper>();
  const arrow::Status exported =
      arrow::ExportRecordBatchReader(std::move(reader), &wrapper->arrow_array_stream);
  if (!exported.ok()) throw duckdb::InvalidInputException(exported.ToString());
  return wrapper;
}

duckdb::unique_ptr<duckdb::FunctionData> BindBatches(
    duckdb::ClientContext& context, duckdb::TableFunctionBindInput& input,
    duckdb::vector<duckdb::LogicalType>& return_types, duckdb::vector<duckdb::string>& names) {
  auto& registry = input.info->Cast<BatchRegistry>();
  const std::string name = duckdb::StringValue::Get(input.inputs[0]);
  std::shared_ptr<RegisteredBatches> source;
  {
    std::lock_guard lock(registry.mutex);
    const auto found = registry.entries.find(name);
    if (found == registry.entries.end()) {
      throw duckdb::BinderException("no batches are registered as '" + name + "'");
    }
    source = found->second;
  }
  auto data = duckdb::make_uniq<BatchScanData>(ProduceBatches, source);
  const arrow::Status exported =
      arrow::ExportSchema(*source->schema, &data->schema_root.arrow_schema);
  if (!exported.ok()) throw duckdb::InvalidInputException(exported.ToString());
  duckdb::ArrowTableFunction::PopulateArrowTableSchema(context, data->arrow_table,
                                                       data->schema_root.arrow_schema);
  names = data->arrow_table.GetNames();
  return_types = data->arrow_table.GetTypes();
  data->all_types = return_types;
  return data;
}

// Calls Interrupt on a connection while a statement runs and the Runtime is cancelled: DuckDB
// itself asks nobody. One thread per session, asleep while nothing runs.
class Watcher {
 public:
  Watcher(const Cancellation& cancellation, duckdb::Connection& connection)
      : cancellation_(cancellation), connection_(connection) {}
  ~Watcher() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
  }

  void Begin() {
    std::lock_guard lock(mutex_);
    ++running_;
    if (!thread_.joinable()) thread_ = std::thread([this] { Loop(); });
    changed_.notify_all();
  }
  void End() {
    std::lock_guard lock(mutex_);
    --running_;
  }

 private:
  void Loop() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      if (running_ == 0) {
        changed_.wait(lock, [this] { return stop_ || running_ > 0; });
        continue;
      }
      if (cancellation_.cancelled()) connection_.Interrupt();
      changed_.wait_for(lock, std::chrono::milliseconds(50));
    }
  }

  const Cancellation& cancellation_;
  duckdb::Connection& connection_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::thread thread_;
  int running_ = 0;
  bool stop_ = false;
};

class Watched {
 public:
  explicit Watched(Watcher& watcher) : watcher_(watcher) { watcher_.Begin(); }
  ~Watched() { watcher_.End(); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;

 private:
  Watcher& watcher_;
};

// UUIDs leave DuckDB as text already; the schema may still call them arrow.uuid in some versions.
class ResultStream : public BatchStream {
 public:
  ResultStream(duckdb::unique_ptr<duckdb::QueryResult> result,
               std::shared_ptr<arrow::Schema> schema, duckdb::ClientProperties properties,
               Watcher& watcher, std::function<bool()> is_running,
               std::function<Error(const duckdb::ErrorData&)> to_error)
      : result_(std::move(result)),
        scan_(*result_),
        schema_(std::move(schema)),
        properties_(std::move(properties)),
        watcher_(watcher),
        is_running_(std::move(is_running)),
        to_error_(std::move(to_error)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (finished_) return std::shared_ptr<arrow::RecordBatch>();
    if (!is_running_()) {
      // DuckDB drops what was not fetched yet and then says "end": a result cut short must not look
      // like a whole one.
      finished_ = true;
      return Internal(
          "sql: a later statement of the session ended a result that was not read whole");
    }
    const Watched watched(watcher_);
    ArrowArray array{};
    duckdb::idx_t count = 0;
    duckdb::ErrorData error;
    try {
      if (!duckdb::ArrowUtil::TryFetchChunk(scan_, properties_, kBatchRows, &array, count, error,
                                            {})) {
        finished_ = true;
        return to_error_(error);
      }
    } catch (const std::exception& exception) {
      finished_ = true;
      return to_error_(duckdb::ErrorData(exception));
    }
    if (count == 0) {
      if (array.release) array.release(&array);
      finished_ = true;
      return std::shared_ptr<arrow::RecordBatch>();
    }
    auto batch = arrow::ImportRecordBatch(&array, schema_);
    if (!batch.ok()) return Internal("sql: result as Arrow: " + batch.status().ToString());
    return *batch;
  }

 private:
  duckdb::unique_ptr<duckdb::QueryResult> result_;
  duckdb::QueryResultChunkScanState scan_;
  std::shared_ptr<arrow::Schema> schema_;
  duckdb::ClientProperties properties_;
  Watcher& watcher_;
  std::function<bool()> is_running_;
  std::function<Error(const duckdb::ErrorData&)> to_error_;
  bool finished_ = false;
};

int64_t MemoryFor(const Runtime& runtime, const DuckOptions& options) {
  if (options.memory_limit_bytes > 0) return options.memory_limit_bytes;
  // The program itself and its libraries take some 64 MB; of what remains, two fifths are for what
  // stands beside DuckDB: writers, batches on their way, the log's state.
  constexpr int64_t kProgramBytes = int64_t{64} << 20;
  constexpr int64_t kLeastBytes = int64_t{64} << 20;
  return std::max(kLeastBytes, (runtime.memory.limit_bytes() - kProgramBytes) / 5 * 3);
}

}  // namespace

struct DuckSession::State {
  explicit State(Runtime& runtime_in) : runtime(runtime_in) {}

  Runtime& runtime;
  std::string spill_folder;
  duckdb::shared_ptr<BatchRegistry> batches = duckdb::make_shared_ptr<BatchRegistry>();
  std::shared_ptr<CallbackError> callback_error = std::make_shared<CallbackError>();
  std::unique_ptr<duckdb::DuckDB> database;
  std::unique_ptr<duckdb::Connection> connection;
  std::unique_ptr<Watcher> watcher;
  // Statements begun: the connection holds the result of the last one only.
  uint64_t statements = 0;

  ~State() {
    watcher.reset();
    connection.reset();
    database.reset();
    std::error_code ignored;
    if (!spill_folder.empty()) std::filesystem::remove_all(spill_folder, ignored);
  }

  void ClearCallbackError() {
    std::lock_guard lock(callback_error->mutex);
    callback_error->error.reset();
  }

  Error Translate(const duckdb::ErrorData& error, std::string_view sql,
                  const SqlOrigin* origin = nullptr) {
    if (runtime.cancellation.cancelled()) return Cancelled("sql: interrupted");
    std::lock_guard lock(callback_error->mutex);
    if (callback_error->error) return *std::exchange(callback_error->error, std::nullopt);
    return ToError(error, sql, origin);
  }
};

DuckSession::DuckSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
DuckSession::~DuckSession() = default;

Result<std::unique_ptr<DuckSession>> DuckSession::Make(Runtime& runtime, DuckOptions options) {
  auto state = std::make_unique<State>(runtime);
  try {
    duckdb::DBConfig config;
    const int threads = options.threads > 0 ? options.threads : runtime.executor.threads();
    if (options.spill_folder.empty()) {
      // A folder of this session alone; DuckDB makes it when it first spills.
      std::error_code error;
      std::filesystem::path folder = std::filesystem::temp_directory_path(error);
      if (error) folder = "/tmp";
      state->spill_folder = (folder / ("tarn-spill-" + NewUuid(runtime.random))).string();
      options.spill_folder = state->spill_folder;
    }
    config.SetOptionByName("threads", duckdb::Value::INTEGER(threads));
    config.SetOptionByName("memory_limit",
                           duckdb::Value(fmt::format("{}B", MemoryFor(runtime, options))));
    config.SetOptionByName("temp_directory", duckdb::Value(options.spill_folder));
    config.SetOptionByName("autoload_known_extensions", duckdb::Value::BOOLEAN(false));
    config.SetOptionByName("autoinstall_known_extensions", duckdb::Value::BOOLEAN(false));
    config.SetOptionByName("allow_community_extensions", duckdb::Value::BOOLEAN(false));
    state->database = std::make_unique<duckdb::DuckDB>(nullptr, &config);
    state->connection = std::make_unique<duckdb::Connection>(*state->database);
    duckdb::Connection& connection = *state->connection;

    duckdb::TableFunction scan("tarn_batches", {duckdb::LogicalType::VARCHAR},
                               duckdb::ArrowTableFunction::ArrowScanFunction, BindBatches,
                               duckdb::ArrowTableFunction::ArrowScanInitGlobal,
                               duckdb::ArrowTableFunction::ArrowScanInitLocal);
    // Not filter_pushdown: DuckDB would then trust the source to have filtered.
    scan.projection_pushdown = true;
    scan.function_info = state->batches;
    connection.BeginTransaction();
    duckdb::CreateTableFunctionInfo info(scan);
    info.on_conflict = duckdb::OnCreateConflict::REPLACE_ON_CONFLICT;
    duckdb::Catalog::GetSystemCatalog(*connection.context)
        .CreateFunction(*connection.context, info);
    connection.Commit();

    const auto settings = connection.Query("SET TimeZone = 'UTC'");
    if (settings->HasError()) return ToError(settings->GetErrorObject(), {});
    if (options.file_access == FileAccess::kDenied) {
      const auto locked =
          connection.Query("SET enable_external_access = false; SET lock_configuration = true");
      if (locked->HasError()) return ToError(locked->GetErrorObject(), {});
    }
    state->watcher = std::make_unique<Watcher>(runtime.cancellation, connection);
  } catch (const std::exception& exception) {
    return ToError(exception, {}).WithContext("duckdb: start");
  }
  return std::unique_ptr<DuckSession>(new DuckSession(std::move(state)));
}

Result<std::unique_ptr<BatchStream>> DuckSession::Query(const std::string& sql,
                                                        const SqlOrigin* origin) {
  TARN_RETURN_IF_ERROR(state_->runtime.cancellation.Check());
  state_->ClearCallbackError();
  const uint64_t statement = ++state_->statements;
  const Watched watched(*state_->watcher);
  try {
    duckdb::unique_ptr<duckdb::QueryResult> result = state_->connection->SendQuery(sql);
    if (result->HasError()) return state_->Translate(result->GetErrorObject(), sql, origin);
    duckdb::ClientProperties properties = result->client_properties;
    properties.time_zone = "UTC";
    ArrowSchema exported{};
    duckdb::ArrowConverter::ToArrowSchema(&exported, result->types, result->names, properties);
    auto schema = arrow::ImportSchema(&exported);
    if (!schema.ok()) return Internal("sql: schema as Arrow: " + schema.status().ToString());
    return std::unique_ptr<BatchStream>(std::make_unique<ResultStream>(
        std::move(result), *schema, std::move(properties), *state_->watcher,
        [state = state_.get(), statement] { return state->statements == statement; },
        [state = state_.get(), sql](const duckdb::ErrorData& error) {
          return state->Translate(error, sql);
        }));
  } catch (const std::exception& exception) {
    return state_->Translate(duckdb::ErrorData(exception), sql, origin);
  }
}

Status DuckSession::Execute(const std::string& sql) {
  TARN_RETURN_IF_ERROR(state_->runtime.cancellation.Check());
  state_->ClearCallbackError();
  ++state_->statements;
  const Watched watched(*state_->watcher);
  try {
    const auto result = state_->connection->Query(sql);
    if (result->HasError()) return state_->Translate(result->GetErrorObject(), sql);
  } catch (const std::exception& exception) {
    return state_->Translate(duckdb::ErrorData(exception), sql);
  }
  return OkStatus();
}

Status DuckSession::RegisterBatches(const std::string& name, std::shared_ptr<arrow::Schema> schema,
                                    std::vector<std::shared_ptr<arrow::RecordBatch>> batches) {
  auto entry = std::make_shared<RegisteredBatches>();
  entry->schema = std::move(schema);
  entry->batches = std::move(batches);
  bool known = false;
  {
    std::lock_guard lock(state_->batches->mutex);
    auto& slot = state_->batches->entries[name];
    known = slot && slot->schema->Equals(*entry->schema, /*check_metadata=*/true);
    slot = std::move(entry);
  }
  if (known) return OkStatus();  // the view binds anew with every statement
  return Execute("CREATE OR REPLACE TEMPORARY VIEW " + QuoteIdentifier(name) +
                 " AS SELECT * FROM tarn_batches(" + QuoteLiteral(name) + ")");
}

Status DuckSession::DropRegistered(const std::string& name) {
  {
    std::lock_guard lock(state_->batches->mutex);
    state_->batches->entries.erase(name);
  }
  return Execute("DROP VIEW IF EXISTS " + QuoteIdentifier(name));
}

duckdb::DuckDB& DuckSession::database() { return *state_->database; }
duckdb::Connection& DuckSession::connection() {
  ++state_->statements;  // whatever it is used for ends the running result
  return *state_->connection;
}
const std::shared_ptr<DuckSession::CallbackError>& DuckSession::callback_error() {
  return state_->callback_error;
}

std::string QuoteIdentifier(std::string_view name) {
  std::string quoted = "\"";
  for (char c : name) {
    quoted += c;
    if (c == '"') quoted += c;
  }
  return quoted + '"';
}

std::string QuoteLiteral(std::string_view text) {
  std::string quoted = "'";
  for (char c : text) {
    quoted += c;
    if (c == '\'') quoted += c;
  }
  return quoted + '\'';
}

}  // namespace tarn
