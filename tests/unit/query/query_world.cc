#include "tests/unit/query/query_world.h"

#include <algorithm>
#include <map>
#include <utility>

#include <arrow/type.h>

#include "tarn/base/text.h"
#include "tarn/duck/file_system.h"
#include "tarn/model/prune.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/query_session.h"
#include "tarn/storage/memory.h"
#include "tests/support/rows_text.h"
#include "tests/support/toy_format.h"

namespace tarn::testing {

namespace {

// The toy format with what scans want: typed partition columns, pruning.
class QueryFormat final : public TableFormat {
 public:
  QueryFormat() : toy_(vault_) {}
  std::string_view name() const override { return "toy"; }
  FormatTraits traits() const override { return {}; }
  Result<bool> Detect(const TableHome& home) const override { return toy_.Detect(home); }
  Result<Snapshot> Load(const TableHome& home, const AsOf& as_of) const override {
    return toy_.Load(home, as_of);
  }
  Result<std::unique_ptr<FileStream>> Files(const TableHome& /*home*/, const Snapshot& snapshot,
                                            const FileRequest& request) const override {
    const auto& state = dynamic_cast<const ToyFormat::State&>(*snapshot.state);
    FileBatch batch;
    const TableMetadata& metadata = snapshot.metadata;
    for (const PartitionField& part : metadata.default_spec().fields) {
      const Field* source = metadata.schema.FindById(part.source_id);
      TARN_ASSIGN_OR_RETURN(const Type type, TransformedType(part, source->type));
      batch.partition.push_back(ValueColumn::Of(type));
    }
    for (const DataFile& file : state.files) AppendFile(batch, file);
    const int64_t seen = batch.size;
    return std::unique_ptr<FileStream>(std::make_unique<OneBatch>(
        batch.Filter(MayMatch(request.filter, metadata.schema, metadata.default_spec(), batch)),
        seen));
  }
  Result<RowSet> DeletedRows(const TableHome&, const Snapshot&, const DataFile&) const override {
    return RowSet();
  }
  Result<History> Commits(const TableHome& home, const Version& after,
                          const std::optional<Version>& until,
                          HistoryDetail detail) const override {
    return toy_.Commits(home, after, until, detail);
  }
  Result<WriteTicket> Begin(const TableHome& home, const Snapshot& base,
                            const WriteIntent& intent) const override {
    return toy_.Begin(home, base, intent);
  }
  Result<TableMetadata> Prepare(const TableMetadata* before, TableMetadata wanted) const override {
    return toy_.Prepare(before, std::move(wanted));
  }
  Result<EncodedCommit> Encode(const TableHome& home, const Snapshot& base,
                               const Commit& commit) const override {
    return toy_.Encode(home, base, commit);
  }
  Result<Relation> ReadRelation(const TableHome&, const Snapshot&,
                                std::string_view name) const override {
    return NotFound("toy: no relation '" + std::string(name) + "'");
  }
  Result<Expiry> PlanExpiry(const TableHome&, const Snapshot&,
                            const ExpiryRequest&) const override {
    return Unsupported("toy: its versions go with its log");
  }
  Result<std::vector<Path>> ExpiredObjects(const TableHome&, const Snapshot&) const override {
    return std::vector<Path>();
  }
  Result<Upkeep> PlanUpkeep(const TableHome&, const Snapshot&, UpkeepWish) const override {
    return Upkeep();
  }

 private:
  class OneBatch final : public FileStream {
   public:
    OneBatch(FileBatch batch, int64_t seen) : batch_(std::move(batch)), seen_(seen) {}
    Result<std::optional<FileBatch>> Next() override {
      if (given_ || batch_.size == 0) return std::optional<FileBatch>();
      given_ = true;
      return std::optional<FileBatch>(std::move(batch_));
    }
    int64_t files_seen() const override { return seen_; }

   private:
    FileBatch batch_;
    int64_t seen_;
    bool given_ = false;
  };

  CommitVault vault_;
  LogFormat toy_;
};

class FolderResolver final : public TableResolver {
 public:
  FolderResolver(Storage& storage, const TableFormat& format)
      : storage_(storage), format_(format) {}

  Result<std::shared_ptr<Table>> Open(const TableReference& reference) override {
    TARN_ASSIGN_OR_RETURN(auto table, At(reference));
    TARN_ASSIGN_OR_RETURN(const bool here, format_.Detect(table->home));
    if (!here) return NotFound("no table '" + reference.ToText() + "'");
    return table;
  }
  Result<std::shared_ptr<Table>> Prepare(const TableReference& reference,
                                         const CreateRequest& request) override {
    if (!request.format.empty() && request.format != "toy") {
      return Unsupported("format '" + request.format + "'");
    }
    return At(reference);
  }
  Status Register(const TableReference& reference, const Table&) override {
    names_[reference.ToText()] = true;
    return OkStatus();
  }
  Status Drop(const TableReference& reference, bool purge) override {
    TARN_ASSIGN_OR_RETURN(auto table, Open(reference));
    names_.erase(reference.ToText());
    const Path folder = purge ? table->home.root : table->home.root / "_log";
    TARN_ASSIGN_OR_RETURN(const auto objects,
                          storage_.List(folder, Path(), 10000, Storage::Depth::kAll));
    for (const ObjectInfo& object : objects) TARN_RETURN_IF_ERROR(storage_.Remove(object.path));
    return OkStatus();
  }
  Result<std::shared_ptr<Table>> RegisterMetadata(const TableReference& reference,
                                                  const std::string& metadata_file) override {
    return Unsupported(reference.ToText() + " at " + metadata_file + ": a folder has no pointers");
  }
  Result<std::vector<std::string>> List(const std::optional<std::string>& within) override {
    std::vector<std::string> names;
    for (const auto& [name, unused] : names_) {
      if (!within || name.starts_with(*within + ".")) names.push_back(name);
    }
    return names;
  }
  Status CreateNamespace(const std::string& name) override {
    return namespaces_.emplace(name, true).second ? OkStatus() : AlreadyExists(name);
  }
  Result<std::vector<std::string>> ListNamespaces() override {
    std::vector<std::string> names;
    for (const auto& [name, unused] : namespaces_) names.push_back(name);
    return names;
  }
  Status DropNamespace(const std::string& name) override {
    return namespaces_.erase(name) == 1 ? OkStatus() : NotFound(name);
  }
  Status Rename(const TableReference&, const TableReference&) override {
    return Unsupported("rename");
  }

 private:
  Result<std::shared_ptr<Table>> At(const TableReference& reference) {
    const std::string folder = reference.path.empty() ? Join(reference.parts, "/") : reference.path;
    TARN_ASSIGN_OR_RETURN(const Path root, Path::Make(folder));
    return std::make_shared<Table>(Table{.name = reference.ToText(),
                                         .home = TableHome{.root = root, .storage = storage_},
                                         .format = &format_,
                                         .storage = &storage_,
                                         .committer = MakePathCommitter(storage_)});
  }

  Storage& storage_;
  const TableFormat& format_;
  std::map<std::string, bool> names_;
  std::map<std::string, bool> namespaces_;
};

}  // namespace

struct QueryWorld::Parts {
  explicit Parts(QueryOptions options_in)
      : options(std::move(options_in)),
        storage(MakeMemoryStorage(system.runtime().clock, system.runtime().random)),
        resolver(*storage, format) {
    file_formats.Add("parquet", MakeParquetFormat(system.runtime()));
    session = *QuerySession::Make(system.runtime(), resolver, file_formats, options);
    duck = *DuckSession::Make(system.runtime(), {.file_access = FileAccess::kAllowed});
    tables = std::make_unique<StatementTables>(resolver, *duck, true);
    context = std::make_unique<StatementContext>(
        StatementContext{system.runtime(), resolver, file_formats, options, *duck, *tables});
    (void)InstallScan(
        *duck, *ObjectFiles::Mount(*duck, system.runtime()), file_formats,
        [this](std::string_view key) { return tables->Find(key); },
        [this](const std::vector<std::string>& parts) { return tables->KeyOfName(parts); });
  }

  SystemRuntime system{RuntimeOptions{.threads = 2}};
  QueryOptions options;
  QueryFormat format;
  std::unique_ptr<MemoryStorage> storage;
  FolderResolver resolver;
  Registry<FileFormat> file_formats;
  std::unique_ptr<QuerySession> session;
  std::unique_ptr<QuerySession> second;
  std::unique_ptr<DuckSession> duck;
  std::unique_ptr<StatementTables> tables;
  std::unique_ptr<StatementContext> context;
};

QueryWorld::QueryWorld(QueryOptions options)
    : parts_(std::make_unique<Parts>(std::move(options))) {}
QueryWorld::~QueryWorld() = default;

std::vector<std::string> QueryWorld::Rows(const std::string& sql) {
  std::vector<std::string> rows;
  const Status status = session().Run(sql, [&](StatementResult result) -> Status {
    rows.clear();
    if (result.rows) rows = RowsText(*result.rows);
    return OkStatus();
  });
  if (status.ok()) return rows;
  return {"error: " + std::string(ErrorCodeName(status.error().code)) + ": " +
          status.error().ToString()};
}

std::string QueryWorld::Message(const std::string& sql) {
  std::string message;
  const Status status = session().Run(sql, [&](StatementResult result) -> Status {
    message = result.message;
    return OkStatus();
  });
  if (status.ok()) return message;
  return "error: " + std::string(ErrorCodeName(status.error().code)) + ": " +
         status.error().ToString();
}

std::string QueryWorld::Columns(const std::string& sql) {
  std::string columns;
  (void)session().Run(sql, [&](StatementResult result) -> Status {
    columns.clear();
    for (const auto& field : result.rows->schema()->fields()) {
      columns += (columns.empty() ? "" : "|") + field->name();
    }
    return OkStatus();
  });
  return columns;
}

QuerySession& QueryWorld::session() { return *parts_->session; }
QuerySession& QueryWorld::Second() {
  if (!parts_->second) {
    parts_->second =
        *QuerySession::Make(runtime(), resolver(), parts_->file_formats, parts_->options);
  }
  return *parts_->second;
}
TableResolver& QueryWorld::resolver() { return parts_->resolver; }
Runtime& QueryWorld::runtime() { return parts_->system.runtime(); }
StatementContext& QueryWorld::context() { return *parts_->context; }

void QueryWorld::BeforeCommit(std::function<void()> other) {
  auto pending = std::make_shared<std::function<void()>>(std::move(other));
  parts_->storage->SetBeforeCall([pending](std::string_view operation, const Path& path) {
    if (path.str().find("_log/") == std::string::npos || !*pending) return;
    if (operation != "create") return;
    std::exchange(*pending, nullptr)();
  });
}

}  // namespace tarn::testing
