#include "tarn/engine/engine.h"

#include <memory>
#include <utility>

#include "tarn/engine/builtins.h"
#include "tarn/engine/catalog_resolver.h"
#include "tarn/engine/lake.h"
#include "tarn/engine/location.h"
#include "tarn/engine/read_sql.h"
#include "tarn/engine/table_write.h"
#include "tarn/query/call_sql.h"
#include "tarn/query/table_upkeep.h"
#include "tarn/storage/local.h"

namespace tarn {
namespace {

// Rows that need their session to stay alive.
class SessionRows final : public BatchStream {
 public:
  SessionRows(std::unique_ptr<QuerySession> session, std::unique_ptr<BatchStream> rows)
      : session_(std::move(session)), rows_(std::move(rows)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return rows_->schema(); }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override { return rows_->Next(); }

 private:
  std::unique_ptr<QuerySession> session_;  // outlives rows_
  std::unique_ptr<BatchStream> rows_;
};

class EngineOverLake final : public Engine {
 public:
  EngineOverLake(Runtime& runtime, EngineOptions options, std::unique_ptr<Storage> storage,
                 std::unique_ptr<Lake> lake)
      : runtime_(runtime),
        query_options_(std::move(options.query)),
        storage_(std::move(storage)),
        builtins_(MakeBuiltins(runtime)),
        lake_(std::move(lake)),
        lake_folder_(lake_ == nullptr ? "" : lake_->folder()),
        resolver_(runtime, *storage_, builtins_.table_formats, lake_.get(),
                  query_options_.default_namespace, std::move(options.relocations)) {}

  ReadBuilder Read(std::string table) override {
    return ReadBuilder([this](const ReadBuilder& read) { return Run(read); }, std::move(table));
  }

  Result<Version> Write(std::string name, BatchStream& rows, const WriteOptions& options) override {
    TARN_ASSIGN_OR_RETURN(const TableReference reference, resolver_.Parse(name));
    TARN_ASSIGN_OR_RETURN(const OpenedTable opened, OpenOrPrepare(reference, {}));
    const Snapshot before = StateOf(opened);
    TARN_ASSIGN_OR_RETURN(Version version, WriteBatches(runtime_, *opened.table,
                                                        builtins_.file_formats, rows, options));
    if (opened.is_new) TARN_RETURN_IF_ERROR(resolver_.Register(reference, *opened.table));
    RunUpkeepAfterWrite(reference, before, *opened.table);
    return version;
  }

  Result<std::unique_ptr<QuerySession>> OpenSession() override {
    return QuerySession::Make(runtime_, resolver_, builtins_.file_formats, query_options_);
  }

  Result<IngestSummary> Ingest(
      const Pipeline& pipeline,
      const std::function<void(const IngestProgress&)>& progress) override {
    TARN_ASSIGN_OR_RETURN(const TableReference reference, resolver_.Parse(pipeline.into));
    TARN_ASSIGN_OR_RETURN(const OpenedTable opened,
                          OpenOrPrepare(reference, {.format = pipeline.table_format}));
    const Snapshot before = StateOf(opened);
    TARN_ASSIGN_OR_RETURN(
        IngestSummary summary,
        RunIngest(runtime_, *opened.table, builtins_.file_formats, pipeline, progress));
    if (opened.is_new && !summary.version.empty()) {
      TARN_RETURN_IF_ERROR(resolver_.Register(reference, *opened.table));
    }
    RunUpkeepAfterWrite(reference, before, *opened.table);
    return summary;
  }

  Result<IngestPlan> Plan(const Pipeline& pipeline) override {
    TARN_ASSIGN_OR_RETURN(const TableReference reference, resolver_.Parse(pipeline.into));
    Result<std::shared_ptr<Table>> table = resolver_.Open(reference);
    if (!table.ok() && table.error().code == ErrorCode::kNotFound) {
      table = resolver_.Locate(reference, {.format = pipeline.table_format});
    }
    if (!table.ok()) return table.error();
    return PlanIngest(runtime_, **table, builtins_.file_formats, pipeline);
  }

  Result<std::shared_ptr<Table>> OpenTable(std::string_view name_or_path) override {
    TARN_ASSIGN_OR_RETURN(const TableReference reference, resolver_.Parse(name_or_path));
    return resolver_.Open(reference);
  }

  Result<TableReference> ParseReference(std::string_view name_or_path) const override {
    return resolver_.Parse(name_or_path);
  }

  const std::string& lake_folder() const override { return lake_folder_; }
  Runtime& runtime() override { return runtime_; }
  TableResolver& resolver() override { return resolver_; }
  const Registry<FileFormat>& file_formats() const override { return builtins_.file_formats; }

 private:
  struct OpenedTable {
    std::shared_ptr<Table> table;
    bool is_new = false;
  };

  static Snapshot StateOf(const OpenedTable& opened) {
    if (opened.is_new) return Snapshot::Empty();
    Result<Snapshot> snapshot = opened.table->Load();
    return snapshot.ok() ? *std::move(snapshot) : Snapshot::Empty();
  }

  // What the table asks for (query/table_upkeep.h). What cannot be done is logged: the rows are in.
  void RunUpkeepAfterWrite(const TableReference& reference, const Snapshot& before,
                           const Table& table) {
    if (before.exists() && !AsksForUpkeep(before)) return;
    const Result<Snapshot> after = table.Load();
    if (!after.ok() || !UpkeepIsDue(before, *after)) return;
    Result<std::unique_ptr<QuerySession>> session = OpenSession();
    const Status done = session.ok() ? (*session)->Run(CallSql("upkeep", reference),
                                                       [](StatementResult) { return OkStatus(); })
                                     : session.status();
    if (!done.ok()) {
      runtime_.log.Warn("upkeep of " + reference.ToText() + ": " + done.error().ToString());
    }
  }

  Result<OpenedTable> OpenOrPrepare(const TableReference& reference, const CreateRequest& request) {
    Result<std::shared_ptr<Table>> table = resolver_.Open(reference);
    if (table.ok()) return OpenedTable{std::move(table).value(), false};
    if (table.error().code != ErrorCode::kNotFound) return table.error();
    TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> made, resolver_.Prepare(reference, request));
    return OpenedTable{std::move(made), true};
  }

  Result<std::unique_ptr<BatchStream>> Run(const ReadBuilder& read) {
    TARN_ASSIGN_OR_RETURN(const TableReference reference, resolver_.Parse(read.table()));
    TARN_ASSIGN_OR_RETURN(const std::string sql, ReadToSql(read, reference));
    TARN_ASSIGN_OR_RETURN(std::unique_ptr<QuerySession> session, OpenSession());
    std::unique_ptr<BatchStream> rows;
    TARN_RETURN_IF_ERROR(session->Run(sql, [&](StatementResult result) {
      rows = std::move(result.rows);
      return OkStatus();
    }));
    if (rows == nullptr) return Internal("read of '" + read.table() + "' gave no rows");
    return std::unique_ptr<BatchStream>(new SessionRows(std::move(session), std::move(rows)));
  }

  Runtime& runtime_;
  const QueryOptions query_options_;
  const std::unique_ptr<Storage> storage_;
  const Builtins builtins_;
  const std::unique_ptr<Lake> lake_;
  const std::string lake_folder_;
  CatalogResolver resolver_;
};

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Open(Runtime& runtime, EngineOptions options) {
  std::unique_ptr<Lake> lake;
  if (!options.lake.empty()) {
    TARN_ASSIGN_OR_RETURN(const std::string folder, AbsolutePath(options.lake));
    TARN_ASSIGN_OR_RETURN(lake, Lake::Open(folder));
  }
  options.query.undrop_column = UndropColumnOf;
  for (auto& [from, to] : options.relocations) {
    TARN_ASSIGN_OR_RETURN(to, AbsolutePath(to));
  }
  TARN_ASSIGN_OR_RETURN(std::unique_ptr<Storage> storage, MakeLocalStorage("/", CreateRoot::kNo));
  return std::unique_ptr<Engine>(
      new EngineOverLake(runtime, std::move(options), std::move(storage), std::move(lake)));
}

Status Engine::InitLake(Runtime& /*runtime*/, const std::string& folder) {
  return Lake::Init(folder);
}

Status Engine::SetLake(const std::string& folder, const LakeSettings& settings) {
  return Lake::Set(folder, settings);
}

std::string Engine::FindLake(const std::string& folder) {
  const Result<std::string> path = AbsolutePath(folder);
  return path.ok() ? Lake::FolderAbove(*path).value_or("") : "";
}

}  // namespace tarn
