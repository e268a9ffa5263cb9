#include "tarn/ingest/ingest.h"

#include <algorithm>
#include <set>
#include <utility>

#include <arrow/record_batch.h>

#include "tarn/base/text.h"
#include "tarn/base/writer_name.h"
#include "tarn/ingest/given_schema.h"
#include "tarn/ingest/ingest_lineage.h"
#include "tarn/ingest/schema_plan.h"
#include "tarn/ingest/source/file_ledger.h"
#include "tarn/ingest/source/observe_files.h"
#include "tarn/ingest/source/row_source.h"
#include "tarn/ingest/source/source_file.h"
#include "tarn/ingest/write_mode.h"
#include "tarn/storage/local.h"
#include "tarn/write/write_rows.h"

namespace tarn {
namespace {

Result<Snapshot> LoadOrEmpty(const Table& table) {
  Result<Snapshot> snapshot = table.Load();
  if (!snapshot.ok() && snapshot.error().code == ErrorCode::kNotFound) return Snapshot::Empty();
  return snapshot;
}

// The state of the table that a load starts from.
struct Base {
  Snapshot snapshot;
  FileLedger ledger;
};

class Loader {
 public:
  Loader(Runtime& runtime, Table& table, const Registry<FileFormat>& file_formats,
         Pipeline pipeline, std::function<void(const IngestProgress&)> progress)
      : runtime_(runtime),
        table_(table),
        file_formats_(file_formats),
        pipeline_(std::move(pipeline)),
        progress_(std::move(progress)),
        makers_(BuiltinTransforms()),
        started_micros_(runtime.clock.NowMicros()) {}

  Result<IngestSummary> Run() {
    TARN_RETURN_IF_ERROR(Open());
    totals_.files_total = static_cast<int64_t>(files_.size());
    for (const SourceFile& file : files_) totals_.bytes_total += file.size_bytes;
    std::vector<SourceFile> left = files_;
    bool first = true;
    do {
      TARN_RETURN_IF_ERROR(pipeline_.mode == IngestMode::kAppend ? Append(&left, first)
                                                                 : Overwrite(&left, first));
      first = false;
    } while (!left.empty());
    summary_.elapsed_ms = (runtime_.clock.NowMicros() - started_micros_) / 1000;
    return std::move(summary_);
  }

  // Made anew on what another left, as often as needed.
  Status Append(std::vector<SourceFile>* left, bool first) {
    return RerunOnConflict<bool>(runtime_, [&] { return LoadSome(left, first); }).status();
  }

  // Not made anew: it would undo rows that whoever runs it never saw. Only the ledger is followed
  // to where it stands now; the rows are judged against the table as first seen, so what is still a
  // conflict then is one of rows.
  Status Overwrite(std::vector<SourceFile>* left, bool first) {
    std::optional<std::string> judged_at = "none";
    for (int attempt = 0; attempt < kRunsMax; ++attempt) {
      Status done = LoadSome(left, first).status();
      if (done.ok() || done.error().code != ErrorCode::kConflict) return done;
      if (!ledger_taken_ && judged_at == ledger_before_) return done;
      // Losing the race for the ledger's next object judged nothing yet.
      if (!ledger_taken_) judged_at = ledger_before_;
    }
    return Unavailable("ingest: other loads into this table are always faster; run it again later");
  }

  Result<IngestPlan> Plan() {
    TARN_RETURN_IF_ERROR(Open());
    TARN_ASSIGN_OR_RETURN(const Base base, LoadBase());
    TARN_ASSIGN_OR_RETURN(std::vector<SourceFile> pending, Pending(base, files_));
    IngestPlan plan;
    plan.files_known = static_cast<int64_t>(files_.size() - pending.size());
    for (const SourceFile& file : pending) plan.files.push_back(file.shown);
    plan.partition_by = pipeline_.partition_by;
    if (pending.empty()) {
      plan.schema = base.snapshot.metadata.schema;
      return plan;
    }
    TARN_ASSIGN_OR_RETURN(const SourceSchema source, Observe(base, pending, Look::kAtAll));
    TARN_ASSIGN_OR_RETURN(SchemaPlan schema, PlanFor(base, source));
    plan.schema = schema.metadata ? schema.metadata->schema : base.snapshot.metadata.schema;
    plan.changes = std::move(schema.changes);
    if (pipeline_.mode == IngestMode::kOverwrite && base.snapshot.exists()) {
      plan.changes.push_back("remove all rows there are");
    }
    return plan;
  }

 private:
  Status Open() {
    if (table_.storage == nullptr) return Invalid("table '" + table_.name + "' is read-only");
    TARN_ASSIGN_OR_RETURN(local_, MakeLocalStorage("/", CreateRoot::kNo));
    if (!pipeline_.schema && !pipeline_.schema_from.empty()) {
      TARN_ASSIGN_OR_RETURN(pipeline_.schema,
                            ReadGivenSchema(*local_, file_formats_, pipeline_.schema_from));
    }
    TARN_ASSIGN_OR_RETURN(files_, FindSourceFiles(*local_, pipeline_));
    return {};
  }

  Result<Base> LoadBase() const {
    Base base;
    TARN_ASSIGN_OR_RETURN(base.snapshot, LoadOrEmpty(table_));
    std::optional<std::string> position;
    const auto found = base.snapshot.positions.find(kFileLedgerSource);
    if (found != base.snapshot.positions.end()) position = found->second;
    TARN_ASSIGN_OR_RETURN(base.ledger,
                          FileLedger::Load(*table_.storage, table_.home.root, position));
    return base;
  }

  // The files of `among` that are to be loaded.
  Result<std::vector<SourceFile>> Pending(const Base& base,
                                          const std::vector<SourceFile>& among) const {
    if (pipeline_.mode != IngestMode::kAppend) return among;
    std::vector<SourceFile> pending;
    for (const SourceFile& file : among) {
      const LedgerEntry* known = base.ledger.Find(file.path);
      if (known == nullptr) {
        pending.push_back(file);
        continue;
      }
      // A file that was only touched is the same; one that grew or was rewritten is refused, since
      // its old rows are in the table and nobody knows which.
      if (known->size_bytes == file.size_bytes && known->modified_ms == file.modified_ms) continue;
      TARN_ASSIGN_OR_RETURN(const std::string fingerprint, FingerprintOf(*local_, file));
      if (fingerprint == known->fingerprint && known->size_bytes == file.size_bytes) continue;
      return Invalid(file.shown + ": was loaded before and has changed since (" +
                     HumanBytes(known->size_bytes) + ", now " + HumanBytes(file.size_bytes) +
                     "); give new rows a new file name, or load all again with --mode overwrite");
    }
    return pending;
  }

  Result<SourceSchema> Observe(const Base& base, const std::vector<SourceFile>& files, Look look) {
    ObserveOptions options;
    options.look = look;
    options.variants = VariantsFor(pipeline_);
    if (pipeline_.schema) {
      for (const Field& field : pipeline_.schema->fields)
        options.known.insert(AsciiLower(field.name));
    }
    if (pipeline_.transforms.empty()) {
      for (const Field& field : base.snapshot.metadata.schema.fields) {
        options.known.insert(AsciiLower(field.name));
      }
    }
    return ObserveFiles(runtime_, *local_, file_formats_, files, pipeline_, options);
  }

  Result<SchemaPlan> PlanFor(const Base& base, const SourceSchema& source) {
    return PlanSchema(runtime_, makers_, pipeline_, source, base.snapshot,
                      std::string(table_.format->name()));
  }

  // What was loaded before is then gone, and may be loaded again.
  bool ReplacesAllRows(const Base& base) const {
    if (pipeline_.mode == IngestMode::kAppend) return false;
    if (pipeline_.mode == IngestMode::kOverwrite) return true;
    return base.snapshot.exists() ? base.snapshot.metadata.default_spec().IsUnpartitioned()
                                  : pipeline_.partition_by.empty();
  }

  // Nothing of text is looked at beforehand where the table or the user says what columns there
  // are.
  bool ColumnsAreKnown(const Base& base) const {
    return pipeline_.transforms.empty() && (pipeline_.schema.has_value() || base.snapshot.exists());
  }

  static bool AnyText(const std::vector<SourceFile>& files) {
    return std::any_of(files.begin(), files.end(), [](const SourceFile& file) {
      return file.format == SourceFormat::kJsonLines || file.format == SourceFormat::kCsv;
    });
  }

  Result<SourceSchema> FirstLook(const Base& base, const std::vector<SourceFile>& files) {
    if (!ColumnsAreKnown(base)) return Observe(base, files, Look::kAtBeginning);
    std::vector<SourceFile> columnar;
    for (const SourceFile& file : files) {
      if (!AnyText({file})) columnar.push_back(file);
    }
    TARN_ASSIGN_OR_RETURN(SourceSchema source, Observe(base, columnar, Look::kAtBeginning));
    source.complete = columnar.size() == files.size();
    return source;
  }

  // One commit: of `*left`, what is still to be loaded and fits; what remains stays in `*left`.
  Result<bool> LoadSome(std::vector<SourceFile>* left, bool first) {
    TARN_ASSIGN_OR_RETURN(const Base base, LoadBase());
    if (!seen_ || !seen_->exists()) seen_ = base.snapshot;
    TARN_ASSIGN_OR_RETURN(std::vector<SourceFile> pending, Pending(base, *left));
    summary_.files_skipped += static_cast<int64_t>(left->size() - pending.size());
    for (const SourceFile& file : *left) {
      if (std::none_of(pending.begin(), pending.end(),
                       [&](const SourceFile& other) { return other.path == file.path; })) {
        totals_.bytes_total -= file.size_bytes;
        --totals_.files_total;
      }
    }
    *left = std::move(pending);
    if (left->empty()) return true;
    std::vector<SourceFile> now;
    int64_t bytes = 0;
    const bool whole = pipeline_.mode != IngestMode::kAppend;
    while (now.size() < left->size()) {
      const SourceFile& next = (*left)[now.size()];
      if (!whole && !now.empty() && bytes + next.size_bytes > pipeline_.commit_bytes) break;
      bytes += next.size_bytes;
      now.push_back(next);
    }
    std::map<std::string, LedgerEntry> entries;
    for (const SourceFile& file : now) {
      TARN_ASSIGN_OR_RETURN(std::string fingerprint, FingerprintOf(*local_, file));
      entries[file.path] = {file.size_bytes, file.modified_ms, std::move(fingerprint)};
    }
    const bool replace = first && ReplacesAllRows(base);
    TARN_ASSIGN_OR_RETURN(
        const FileLedger::Extension ledger,
        base.ledger.Plan(*table_.storage, table_.home.root, entries,
                         replace ? FileLedger::Extend::kReplace : FileLedger::Extend::kAdd));
    ledger_before_ = ledger.move.before;
    ledger_taken_ = false;
    TARN_ASSIGN_OR_RETURN(SourceSchema source, FirstLook(base, now));
    bool closer_look = false;
    Result<int64_t> rows = Load(base, now, source, ledger, &closer_look);
    if (!rows.ok() && closer_look) {
      TARN_ASSIGN_OR_RETURN(source, Observe(base, now, Look::kAtAll));
      rows = Load(base, now, source, ledger, &closer_look);
    }
    if (!rows.ok()) return rows.error();
    summary_.rows += rows.value();
    summary_.files_loaded += static_cast<int64_t>(now.size());
    summary_.bytes_read += bytes;
    totals_.files_done += static_cast<int64_t>(now.size());
    totals_.bytes_read += bytes;
    totals_.rows += rows.value();
    left->erase(left->begin(), left->begin() + static_cast<std::ptrdiff_t>(now.size()));
    return true;
  }

  // Decodes, writes and commits `files`. *closer_look: the schema was drawn from too little.
  Result<int64_t> Load(const Base& base, const std::vector<SourceFile>& files,
                       const SourceSchema& source, const FileLedger::Extension& ledger,
                       bool* closer_look) {
    *closer_look = false;
    Result<SchemaPlan> planned = PlanFor(base, source);
    if (!planned.ok()) {
      // A column that a step or the partitioning names may come later in the files.
      *closer_look = !source.complete;
      return planned.error();
    }
    const SchemaPlan& plan = planned.value();
    RowSource::Parts parts{runtime_,   *local_,         file_formats_,
                           files,      pipeline_,       plan.decode,
                           plan.chain, progress_,       [&] { return PutLedger(ledger); },
                           totals_,    started_micros_, NeverEmpty(base, plan)};
    TARN_ASSIGN_OR_RETURN(const auto rows, RowSource::Make(std::move(parts)));
    WriteRequest request;
    request.mode = WriteModeOf(pipeline_.mode);
    request.writer = WriterName();
    request.positions = {ledger.move};
    request.metadata = plan.metadata;
    const TableMetadata& metadata = plan.metadata ? *plan.metadata : base.snapshot.metadata;
    request.lineage = LineageOfLoad(Join(pipeline_.paths, " "), plan.chain, metadata.schema,
                                    request.mode == WriteMode::kOverwriteAll);
    request.operation.parameters["source"] = Join(pipeline_.paths, " ");
    request.operation.metrics["sourceFiles"] = std::to_string(files.size());
    Result<WriteResult> written =
        WriteRows(runtime_, table_, pipeline_.mode == IngestMode::kAppend ? base.snapshot : *seen_,
                  file_formats_, *rows, request);
    if (!written.ok()) {
      *closer_look = rows->needs_a_closer_look();
      return Failed(written.error(), base, ledger);
    }
    summary_.version = written->version.text;
    summary_.columns_added.insert(summary_.columns_added.end(), plan.columns_added.begin(),
                                  plan.columns_added.end());
    for (const std::string& warning : plan.warnings) {
      if (std::find(summary_.warnings.begin(), summary_.warnings.end(), warning) ==
          summary_.warnings.end()) {
        summary_.warnings.push_back(warning);
      }
    }
    return written->rows;
  }

  std::vector<std::string> NeverEmpty(const Base& base, const SchemaPlan& plan) const {
    if (table_.format->traits().tells_empty_from_null) return {};
    const TableMetadata& metadata = plan.metadata ? *plan.metadata : base.snapshot.metadata;
    std::vector<std::string> names;
    for (const PartitionField& field : metadata.default_spec().fields) {
      const Field* column = metadata.schema.FindById(field.source_id);
      if (column == nullptr) continue;
      // As the source spells it: the batches are not the table's yet.
      const std::optional<size_t> index = plan.chain.output().IndexOf(column->name);
      if (index) names.push_back(plan.chain.output().fields[*index].name);
    }
    return names;
  }

  // Before the commit that names it.
  Status PutLedger(const FileLedger::Extension& ledger) {
    TARN_ASSIGN_OR_RETURN(const PutOutcome outcome,
                          table_.storage->PutIfAbsent(ledger.object, ledger.json));
    if (outcome == PutOutcome::kAlreadyExists) {
      ledger_taken_ = true;
      return Conflict("another load took " + ledger.object.str() + "; start again");
    }
    ledger_is_ours_ = true;
    return {};
  }

  Error Failed(Error error, const Base& base, const FileLedger::Extension& ledger) {
    // After an unknown outcome the ledger may be in force.
    if (ledger_is_ours_ && error.code != ErrorCode::kUnknownOutcome) {
      const Status removed = table_.storage->Remove(ledger.object);
      if (!removed.ok()) runtime_.log.Warn("ingest: " + removed.error().ToString());
    }
    ledger_is_ours_ = false;
    // Two loads that both create the table: the second adds to it.
    if (error.code == ErrorCode::kAlreadyExists && !base.snapshot.exists()) {
      error.code = ErrorCode::kConflict;
    }
    return error;
  }

  std::optional<Snapshot> seen_;              // the table when the first attempt began
  std::optional<std::string> ledger_before_;  // where the last attempt expected the ledger
  bool ledger_taken_ = false;                 // it lost the race for the ledger's next object
  Runtime& runtime_;
  Table& table_;
  const Registry<FileFormat>& file_formats_;
  Pipeline pipeline_;
  const std::function<void(const IngestProgress&)> progress_;
  const Registry<TransformMaker> makers_;
  const int64_t started_micros_;
  std::unique_ptr<Storage> local_;
  std::vector<SourceFile> files_;
  IngestProgress totals_;
  IngestSummary summary_;
  bool ledger_is_ours_ = false;
};

}  // namespace

Result<IngestSummary> RunIngest(Runtime& runtime, Table& table,
                                const Registry<FileFormat>& file_formats, const Pipeline& pipeline,
                                const std::function<void(const IngestProgress&)>& progress) {
  return Loader(runtime, table, file_formats, pipeline, progress).Run();
}

Result<IngestPlan> PlanIngest(Runtime& runtime, Table& table,
                              const Registry<FileFormat>& file_formats, const Pipeline& pipeline) {
  return Loader(runtime, table, file_formats, pipeline, nullptr).Plan();
}

}  // namespace tarn
