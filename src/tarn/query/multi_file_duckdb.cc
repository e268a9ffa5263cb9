#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "duckdb.hpp"
#include "duckdb/catalog/catalog.hpp"
#include "duckdb/catalog/catalog_entry/table_function_catalog_entry.hpp"
#include "duckdb/common/multi_file/multi_file_data.hpp"
#include "duckdb/common/multi_file/multi_file_function.hpp"
#include "duckdb/common/multi_file/multi_file_list.hpp"
#include "duckdb/common/multi_file/multi_file_reader.hpp"
#include "duckdb/function/partition_stats.hpp"
#include "duckdb/function/replacement_scan.hpp"
#include "duckdb/function/table_function.hpp"
#include "duckdb/parser/expression/constant_expression.hpp"
#include "duckdb/parser/expression/function_expression.hpp"
#include "duckdb/parser/parsed_data/create_table_function_info.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/tableref/table_function_ref.hpp"
#include "duckdb/planner/expression/bound_columnref_expression.hpp"
#include "duckdb/planner/expression/bound_reference_expression.hpp"
#include "duckdb/planner/expression_iterator.hpp"
#include "duckdb/planner/operator/logical_filter.hpp"
#include "duckdb/planner/operator/logical_get.hpp"
#include "duckdb/planner/planner.hpp"
#include "duckdb/planner/table_filter.hpp"
#include "parquet_reader.hpp"

#include "tarn/duck/expression_duckdb.h"
#include "tarn/duck/types_duckdb.h"
#include "tarn/duck/variant_duckdb.h"
#include "tarn/model/prune.h"
#include "tarn/query/multi_file.h"

namespace tarn {

namespace {

// What tarn_scan and the replacement scan share; kept by DuckDB's catalog.
struct ScanInfo : duckdb::TableFunctionInfo {
  FindScan find_scan;
  FindTableByName find_table;
  std::shared_ptr<ObjectFiles> files;
  const Registry<FileFormat>* file_formats = nullptr;
  std::shared_ptr<DuckSession::CallbackError> errors;
  duckdb::table_function_bind_t parquet_bind = nullptr;

  // Leaves the error for the statement and ends the callback. Not an InternalException: that would
  // make the whole database unusable.
  [[noreturn]] void Fail(const Error& error) const {
    {
      std::lock_guard lock(errors->mutex);
      if (!errors->error) errors->error = error;
    }
    throw duckdb::InvalidInputException(error.message);
  }
};

// Which file of which plan DuckDB was handed. Every file of our scans carries one.
struct FileTicket : duckdb::ExtendedOpenFileInfo {
  std::shared_ptr<const ScanPlan> plan;
  size_t batch = 0;
  int64_t row = 0;
  // Position in the statically pruned list: what `file_index` says. It must not depend on filters
  // that arrive while the query runs: DuckDB joins two scans of one list on it (late
  // materialisation).
  duckdb::idx_t position = 0;

  const FileBatch& files() const { return plan->batches[batch]; }
};

const FileTicket& TicketOf(const duckdb::OpenFileInfo& file) {
  return static_cast<const FileTicket&>(*file.extended_info);
}

// The files of a scan after pruning by what DuckDB has pushed down; decoded when first needed.
class ScanFileList : public duckdb::MultiFileList {
 public:
  ScanFileList(duckdb::shared_ptr<ScanInfo> info, std::shared_ptr<TableScan> scan,
               Expression filter)
      : info_(std::move(info)), scan_(std::move(scan)), filter_(std::move(filter)) {}

  const std::shared_ptr<TableScan>& scan() const { return scan_; }

  std::shared_ptr<const ScanPlan> plan() const {
    std::lock_guard lock(mutex_);
    if (!plan_) {
      auto planned = scan_->Plan(filter_);
      if (!planned.ok()) info_->Fail(planned.error());
      SetPlan(std::move(planned).value());
    }
    return plan_;
  }

  // Conjuncts of WHERE, before any file is opened.
  duckdb::unique_ptr<duckdb::MultiFileList> ComplexFilterPushdown(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& /*options*/,
      duckdb::MultiFilePushdownInfo& info,
      duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& filters) const override {
    const FieldOfBinding field_of = [&](const duckdb::ColumnBinding& binding) -> const Field* {
      if (binding.table_index != info.table_index) return nullptr;
      if (binding.column_index >= info.column_ids.size()) return nullptr;
      return ColumnAt(info.column_ids[binding.column_index]);
    };
    std::vector<Expression> terms;
    for (const auto& filter : filters) {
      Expression term = FromDuckExpression(context, *filter, field_of);
      if (term.op != Expression::Op::kOpaque) terms.push_back(std::move(term));
    }
    if (terms.empty()) return nullptr;
    terms.push_back(filter_);
    return duckdb::make_uniq<ScanFileList>(info_, scan_, Expression::And(std::move(terms)));
  }

  // Filters known only now, when the query starts: the smallest and largest key of a join's other
  // side. Partition values decide; bounds that were not decoded keep their file.
  duckdb::unique_ptr<duckdb::MultiFileList> DynamicFilterPushdown(
      duckdb::ClientContext& context, const duckdb::MultiFileOptions& /*options*/,
      const duckdb::vector<duckdb::string>& /*names*/,
      const duckdb::vector<duckdb::LogicalType>& types,
      const duckdb::vector<duckdb::column_t>& column_ids,
      duckdb::TableFilterSet& filters) const override {
    const std::shared_ptr<const ScanPlan> whole = plan();
    if (whole->files_kept < 2) return nullptr;
    std::vector<Expression> terms;
    for (const auto& [index, filter] : filters.filters) {
      const Field* field = ColumnAt(column_ids[index]);
      if (field == nullptr) continue;
      const duckdb::BoundColumnRefExpression column(types[column_ids[index]],
                                                    duckdb::ColumnBinding(0, index));
      terms.push_back(FromDuckExpression(context, *filter->ToExpression(column),
                                         [field](const duckdb::ColumnBinding&) { return field; }));
    }
    const Expression filter = Expression::And(std::move(terms));
    if (filter.IsTrue() || filter.op == Expression::Op::kOpaque) return nullptr;
    const TableMetadata& metadata = whole->snapshot.metadata;
    std::vector<duckdb::idx_t> kept;
    duckdb::idx_t position = 0;
    for (const FileBatch& batch : whole->batches) {
      const PartitionSpec* spec = metadata.SpecById(batch.spec_id);
      std::vector<uint8_t> keep(static_cast<size_t>(batch.size), 1);
      if (spec != nullptr) keep = MayMatch(filter, metadata.schema, *spec, batch);
      for (const uint8_t may_match : keep) {
        if (may_match) kept.push_back(position);
        ++position;
      }
    }
    if (kept.size() == position) return nullptr;
    auto narrowed = duckdb::make_uniq<ScanFileList>(info_, scan_, filter_);
    narrowed->SetPlan(whole);
    narrowed->kept_ = std::move(kept);
    return narrowed;
  }

  duckdb::vector<duckdb::OpenFileInfo> GetAllFiles() const override {
    duckdb::vector<duckdb::OpenFileInfo> files;
    const duckdb::idx_t count = GetTotalFileCount();
    files.reserve(count);
    for (duckdb::idx_t i = 0; i < count; ++i) files.push_back(GetFile(i));
    return files;
  }
  duckdb::FileExpandResult GetExpandResult() const override {
    const duckdb::idx_t count = GetTotalFileCount();
    if (count > 1) return duckdb::FileExpandResult::MULTIPLE_FILES;
    return count == 1 ? duckdb::FileExpandResult::SINGLE_FILE : duckdb::FileExpandResult::NO_FILES;
  }
  duckdb::idx_t GetTotalFileCount() const override {
    const std::shared_ptr<const ScanPlan> files = plan();
    return kept_ ? kept_->size() : static_cast<duckdb::idx_t>(files->files_kept);
  }
  duckdb::unique_ptr<duckdb::NodeStatistics> GetCardinality(
      duckdb::ClientContext& /*context*/) const override {
    int64_t rows = 0;
    for (const FileBatch& batch : plan()->batches) {
      for (const int64_t count : batch.record_count) rows += std::max<int64_t>(count, 0);
      for (const DeleteFile& deletes : batch.deletes) rows -= deletes.row_count;
    }
    return duckdb::make_uniq<duckdb::NodeStatistics>(
        static_cast<duckdb::idx_t>(std::max<int64_t>(rows, 0)));
  }
  // Rows of all files less those deleted; nothing unless every file's count is known, or after
  // WHERE has narrowed the list.
  std::optional<int64_t> ExactCount() const {
    if (!filter_.IsTrue() || kept_) return std::nullopt;
    int64_t rows = 0;
    for (const FileBatch& batch : plan()->batches) {
      for (const int64_t count : batch.record_count) {
        if (count < 0) return std::nullopt;
        rows += count;
      }
      for (const DeleteFile& deletes : batch.deletes) {
        if (deletes.kind != DeleteKind::kDeletionVector) return std::nullopt;
        rows -= deletes.row_count;
      }
    }
    return rows;
  }
  duckdb::unique_ptr<duckdb::MultiFileList> Copy() const override {
    auto copy = duckdb::make_uniq<ScanFileList>(info_, scan_, filter_);
    std::lock_guard lock(mutex_);
    if (plan_) copy->SetPlan(plan_);
    copy->kept_ = kept_;
    return copy;
  }

 protected:
  duckdb::OpenFileInfo GetFile(duckdb::idx_t i) const override {
    const std::shared_ptr<const ScanPlan> files = plan();
    const duckdb::idx_t count =
        kept_ ? kept_->size() : static_cast<duckdb::idx_t>(files->files_kept);
    if (i >= count) return {};
    auto ticket = duckdb::make_shared_ptr<FileTicket>();
    ticket->plan = files;
    ticket->position = kept_ ? (*kept_)[i] : i;
    const auto batch =
        std::upper_bound(ends_.begin(), ends_.end(), static_cast<int64_t>(ticket->position));
    ticket->batch = static_cast<size_t>(batch - ends_.begin());
    const int64_t begin = ticket->batch == 0 ? 0 : ends_[ticket->batch - 1];
    ticket->row = static_cast<int64_t>(ticket->position) - begin;
    const TableHome& home = scan_->table().home;
    const std::string_view spelled = ticket->files().path[static_cast<size_t>(ticket->row)];
    auto object = home.ObjectOf(spelled);
    if (!object.ok()) info_->Fail(object.error());
    duckdb::OpenFileInfo file(ticket->files().format == "parquet"
                                  ? info_->files->NameOf(home.storage, *object)
                                  : NameOfConverted(ticket->files().format, *object));
    file.extended_info = std::move(ticket);
    return file;
  }

 private:
  // A file of a format that DuckDB does not read, as the table's columns.
  std::string NameOfConverted(const std::string& format, const Path& object) const {
    auto file_format = info_->file_formats->Find(format);
    if (!file_format.ok()) info_->Fail(file_format.error().WithContext(scan_->Title()));
    FileReadOptions options;
    options.match = scan_->snapshot().metadata.column_match;
    options.schema.fields = scan_->columns();
    // The file's rows are not judged here.
    for (Field& field : options.schema.fields) field.required = false;
    return info_->files->NameOfRows(
        fmt::format("{}\n{}", static_cast<const void*>(scan_.get()), object.str()), options.schema,
        [scan = scan_, format = *file_format, object,
         options]() -> Result<std::unique_ptr<BatchStream>> {
          TARN_ASSIGN_OR_RETURN(auto reader, scan->table().home.storage.OpenReader(object));
          return format->Read(std::move(reader), options);
        });
  }

  const Field* ColumnAt(duckdb::column_t column) const {
    return column < scan_->columns().size() ? &scan_->columns()[column] : nullptr;
  }

  void SetPlan(std::shared_ptr<const ScanPlan> plan) const {
    int64_t end = 0;
    ends_.clear();
    for (const FileBatch& batch : plan->batches) ends_.push_back(end += batch.size);
    plan_ = std::move(plan);
  }

  duckdb::shared_ptr<ScanInfo> info_;
  std::shared_ptr<TableScan> scan_;
  Expression filter_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const ScanPlan> plan_;
  mutable std::vector<int64_t> ends_;  // of each batch: positions before it and in it
  std::optional<std::vector<duckdb::idx_t>> kept_;
};

class SkipRows : public duckdb::DeleteFilter {
 public:
  explicit SkipRows(TableScan::SkippedRows rows) : rows_(std::move(rows)) {}

  duckdb::idx_t Filter(duckdb::row_t start, duckdb::idx_t count,
                       duckdb::SelectionVector& kept) override {
    if (!kept.data()) kept.Initialize(STANDARD_VECTOR_SIZE);
    const auto& bitmap = rows_.bitmap;
    const uint64_t limit = bitmap.size() * 64;
    duckdb::idx_t size = 0;
    for (duckdb::idx_t i = 0; i < count; ++i) {
      const uint64_t row = static_cast<uint64_t>(start) + i;
      const bool skip =
          row < limit ? ((bitmap[row >> 6] >> (row & 63)) & 1) != 0 : rows_.rest_deleted;
      kept.set_index(size, i);
      size += !skip;
    }
    return size;
  }

 private:
  TableScan::SkippedRows rows_;
};

bool HoldsVariant(const Type& type) {
  return type.kind == TypeKind::kVariant ||
         std::any_of(type.fields.begin(), type.fields.end(),
                     [](const Field& field) { return HoldsVariant(field.type); });
}

duckdb::MultiFileColumnDefinition DefinitionOf(const Field& field) {
  duckdb::MultiFileColumnDefinition definition(field.name, ToDuckType(field.type));
  definition.identifier = duckdb::Value::INTEGER(field.id);
  definition.default_expression = duckdb::make_uniq<duckdb::ConstantExpression>(
      ToDuckValue(field.type, field.initial_default.value_or(Value())));
  // DuckDB's remapping makes no scalar of a struct, which is what decoding a variant is: such
  // columns are cast as a whole (ColumnMatcher gives the file's members the table's names).
  if (HoldsVariant(field.type)) return definition;
  for (const Field& child : field.type.fields) {
    if (child.type.kind != TypeKind::kVoid) definition.children.push_back(DefinitionOf(child));
  }
  return definition;
}

// Fits the columns that one file has to those of the table: gives every local column the id of the
// table's field that it is (or one that nothing has), at every depth, and corrects what the file's
// own annotations say too loosely.
class ColumnMatcher {
 public:
  explicit ColumnMatcher(ColumnMatch match) : match_(match) {}

  void Match(duckdb::ParquetReader& reader, const std::vector<Field>& fields) {
    if (match_ == ColumnMatch::kByIdElseAlias) {
      match_ = HaveIds(reader.columns) ? ColumnMatch::kById : ColumnMatch::kByAlias;
    }
    MatchSiblings(reader.root_schema->children, reader.columns, fields);
  }

 private:
  using Locals = duckdb::vector<duckdb::MultiFileColumnDefinition>;
  using LocalSchemas = duckdb::vector<duckdb::ParquetColumnSchema>;

  // Returns whether a type changed.
  bool MatchSiblings(LocalSchemas& schemas, Locals& locals, const std::vector<Field>& fields) {
    std::vector<const Field*> owner(locals.size(), nullptr);
    for (const Field& field : fields) {
      if (field.type.kind == TypeKind::kVoid) continue;
      if (const auto found = Find(locals, field)) owner[*found] = &field;
    }
    bool changed = false;
    for (size_t i = 0; i < locals.size(); ++i) {
      changed |= Adopt(schemas[i], locals[i], owner[i]);
      if (!rename_) continue;
      locals[i].name = owner[i] != nullptr ? owner[i]->name : "nobody's " + std::to_string(i);
      changed = true;
    }
    return changed;
  }

  static bool IsId(const duckdb::Value& id) {
    return !id.IsNull() && id.type().id() == duckdb::LogicalTypeId::INTEGER;
  }
  static bool HaveIds(const Locals& locals) {
    return std::any_of(locals.begin(), locals.end(), [](const auto& local) {
      return IsId(local.identifier) || HaveIds(local.children);
    });
  }

  static std::optional<size_t> FindByAlias(const Locals& locals, const Field& field) {
    for (const std::string& alias : field.aliases) {
      for (size_t i = 0; i < locals.size(); ++i) {
        if (duckdb::StringUtil::CIEquals(locals[i].name, alias)) return i;
      }
    }
    return std::nullopt;
  }

  std::optional<size_t> Find(const Locals& locals, const Field& field) const {
    if (match_ == ColumnMatch::kByAlias) return FindByAlias(locals, field);
    std::optional<size_t> ignoring_case;
    const bool by_id = match_ == ColumnMatch::kById &&
                       !field.annotations.contains(std::string(TableScan::kByNameAnnotation));
    for (size_t i = 0; i < locals.size(); ++i) {
      if (by_id) {
        const duckdb::Value& id = locals[i].identifier;
        if (IsId(id) && id.GetValue<int32_t>() == field.id) return i;
        continue;
      }
      if (locals[i].name == field.file_name()) return i;
      if (!ignoring_case && duckdb::StringUtil::CIEquals(locals[i].name, field.file_name())) {
        ignoring_case = i;
      }
    }
    return ignoring_case;
  }

  bool Adopt(duckdb::ParquetColumnSchema& schema, duckdb::MultiFileColumnDefinition& local,
             const Field* field) {
    using duckdb::LogicalTypeId;
    local.identifier = duckdb::Value::INTEGER(field != nullptr ? field->id : --unowned_);
    if (field == nullptr) {
      for (auto& child : local.children) child.identifier = duckdb::Value::INTEGER(--unowned_);
      return false;
    }
    const LogicalTypeId id = local.type.id();
    switch (field->type.kind) {
      case TypeKind::kVariant:
        // Read as the struct it is; the cast to the table's type decodes it.
        local.children.clear();
        if (id != LogicalTypeId::VARIANT) return false;
        schema.schema_type = duckdb::ParquetColumnSchemaType::COLUMN;
        return SetType(schema, local, StructOf(schema));
      case TypeKind::kString:
        // Old writers leave strings without an annotation.
        if (id != LogicalTypeId::BLOB) return false;
        return SetType(schema, local, duckdb::LogicalType::VARCHAR);
      case TypeKind::kBinary:
      case TypeKind::kFixed:
        if (id != LogicalTypeId::VARCHAR) return false;
        return SetType(schema, local, duckdb::LogicalType::BLOB);
      case TypeKind::kTimestampTz:
        // INT96 and unannotated timestamps are instants when the table says so; a cast would ask
        // the session's time zone.
        if (id != LogicalTypeId::TIMESTAMP && id != LogicalTypeId::TIMESTAMP_NS) return false;
        return SetType(schema, local, duckdb::LogicalType::TIMESTAMP_TZ);
      case TypeKind::kTimestamp:
        if (id != LogicalTypeId::TIMESTAMP_TZ) return false;
        return SetType(schema, local, duckdb::LogicalType::TIMESTAMP);
      case TypeKind::kStruct: {
        if (id != LogicalTypeId::STRUCT) return false;
        const bool outer = std::exchange(rename_, HoldsVariant(field->type));
        const bool changed = MatchSiblings(schema.children, local.children, field->type.fields);
        rename_ = outer;
        if (!changed) return false;
        duckdb::child_list_t<duckdb::LogicalType> members;
        for (const auto& child : local.children) members.emplace_back(child.name, child.type);
        return SetType(schema, local, duckdb::LogicalType::STRUCT(std::move(members)));
      }
      case TypeKind::kList: {
        if (id != LogicalTypeId::LIST || local.children.size() != 1) return false;
        // DuckDB's remapping knows elements by this name, whatever the file calls them.
        local.children[0].name = "list";
        if (!Adopt(schema.children[0], local.children[0], &field->type.fields[0])) return false;
        return SetType(schema, local, duckdb::LogicalType::LIST(local.children[0].type));
      }
      case TypeKind::kMap: {
        if (id != LogicalTypeId::MAP || local.children.size() != 1) return false;
        auto& entry = local.children[0];
        if (entry.children.size() != 2) return false;
        auto& entry_schema = schema.children[0];
        entry.children[0].name = "key";
        entry.children[1].name = "value";
        entry.identifier = duckdb::Value::INTEGER(--unowned_);
        bool changed = Adopt(entry_schema.children[0], entry.children[0], &field->type.fields[0]);
        changed |= Adopt(entry_schema.children[1], entry.children[1], &field->type.fields[1]);
        if (!changed) return false;
        const auto type = duckdb::LogicalType::MAP(entry.children[0].type, entry.children[1].type);
        SetType(entry_schema, entry, duckdb::ListType::GetChildType(type));
        return SetType(schema, local, type);
      }
      default:
        return false;
    }
  }

  static duckdb::LogicalType StructOf(const duckdb::ParquetColumnSchema& schema) {
    duckdb::child_list_t<duckdb::LogicalType> members;
    for (const auto& child : schema.children) members.emplace_back(child.name, child.type);
    return duckdb::LogicalType::STRUCT(std::move(members));
  }

  static bool SetType(duckdb::ParquetColumnSchema& schema, duckdb::MultiFileColumnDefinition& local,
                      duckdb::LogicalType type) {
    schema.type = type;
    local.type = std::move(type);
    return true;
  }

  ColumnMatch match_;
  bool rename_ = false;  // within a column that is cast by the names of its members
  int32_t unowned_ = 0;  // ids of columns that are nobody's count down from -1
};

// The local column behind the expression that makes a global one, if there is exactly one.
std::optional<duckdb::idx_t> ReferencedLocal(duckdb::unique_ptr<duckdb::Expression>& expression) {
  std::optional<duckdb::idx_t> index;
  duckdb::ExpressionIterator::VisitExpressionMutable<duckdb::BoundReferenceExpression>(
      expression,
      [&](duckdb::BoundReferenceExpression& reference,
          duckdb::unique_ptr<duckdb::Expression>& /*owner*/) { index = reference.index; });
  return index;
}

class ScanReader : public duckdb::MultiFileReader {
 public:
  explicit ScanReader(duckdb::shared_ptr<ScanInfo> info) : info_(std::move(info)) {}

  static duckdb::unique_ptr<duckdb::MultiFileReader> Create(const duckdb::TableFunction& function) {
    return duckdb::make_uniq<ScanReader>(
        duckdb::shared_ptr_cast<duckdb::TableFunctionInfo, ScanInfo>(function.function_info));
  }

  duckdb::shared_ptr<duckdb::MultiFileList> CreateFileList(
      duckdb::ClientContext& /*context*/, const duckdb::vector<duckdb::string>& paths,
      const duckdb::FileGlobInput& /*glob*/) override {
    if (paths.size() != 1) throw duckdb::BinderException("tarn_scan takes one key");
    auto found = info_->find_scan(paths[0]);
    if (!found.ok()) info_->Fail(found.error());
    scan_ = *found;
    return duckdb::make_shared_ptr<ScanFileList>(info_, scan_, Expression::True());
  }

  bool Bind(duckdb::MultiFileOptions& options, duckdb::MultiFileList& /*files*/,
            duckdb::vector<duckdb::LogicalType>& return_types,
            duckdb::vector<duckdb::string>& names,
            duckdb::MultiFileReaderBindData& bind_data) override {
    options.auto_detect_hive_partitioning = false;
    options.hive_partitioning = false;
    for (const Field& field : scan_->columns()) bind_data.schema.push_back(DefinitionOf(field));
    bind_data.mapping = duckdb::MultiFileColumnMappingMode::BY_FIELD_ID;
    duckdb::MultiFileColumnDefinition::ExtractNamesAndTypes(bind_data.schema, names, return_types);
    return true;
  }

  duckdb::ReaderInitializeType InitializeReader(
      duckdb::MultiFileReaderData& reader_data, const duckdb::MultiFileBindData& bind_data,
      const duckdb::vector<duckdb::MultiFileColumnDefinition>& global_columns,
      const duckdb::vector<duckdb::ColumnIndex>& global_column_ids,
      duckdb::optional_ptr<duckdb::TableFilterSet> table_filters, duckdb::ClientContext& context,
      duckdb::MultiFileGlobalState& global_state) override {
    auto& reader = reader_data.reader->Cast<duckdb::ParquetReader>();
    const FileTicket& ticket = TicketOf(reader.file);
    reader.file_list_idx = ticket.position;
    ColumnMatcher(scan_->snapshot().metadata.column_match).Match(reader, scan_->columns());
    FinalizeBind(reader_data, bind_data.file_options, bind_data.reader_bind, global_columns,
                 global_column_ids, context, global_state.multi_file_reader_state.get());
    AddPartitionValues(reader_data, ticket, global_column_ids);
    const auto outcome =
        CreateMapping(context, reader_data, global_columns, global_column_ids, table_filters,
                      global_state.file_list, bind_data.reader_bind, bind_data.virtual_columns);
    if (outcome == duckdb::ReaderInitializeType::SKIP_READING_FILE) return outcome;
    if (table_filters) FilterAfterCasts(reader_data, *table_filters);
    auto skipped = scan_->RowsToSkip(ticket.files(), ticket.row);
    if (!skipped.ok()) {
      info_->Fail(skipped.error().WithContext(
          std::string(ticket.files().path[static_cast<size_t>(ticket.row)])));
    }
    if (!skipped->none()) {
      reader.deletion_filter = duckdb::make_uniq<SkipRows>(std::move(skipped).value());
    }
    return outcome;
  }

  duckdb::unique_ptr<duckdb::MultiFileReader> Copy() const override {
    auto copy = duckdb::make_uniq<ScanReader>(info_);
    copy->scan_ = scan_;
    copy->function_name = function_name;
    return copy;
  }

 private:
  // Columns that the table is partitioned by as they are have one value per file, which the
  // metadata knows, whether the file repeats it or not.
  void AddPartitionValues(duckdb::MultiFileReaderData& reader_data, const FileTicket& ticket,
                          const duckdb::vector<duckdb::ColumnIndex>& global_column_ids) const {
    const FileBatch& files = ticket.files();
    const PartitionSpec* spec = scan_->snapshot().metadata.SpecById(files.spec_id);
    if (spec == nullptr || spec->fields.empty()) return;
    for (size_t i = 0; i < global_column_ids.size(); ++i) {
      const duckdb::idx_t column = global_column_ids[i].GetPrimaryIndex();
      if (column >= scan_->columns().size()) continue;
      const Field& field = scan_->columns()[column];
      for (size_t p = 0; p < spec->fields.size(); ++p) {
        const PartitionField& part = spec->fields[p];
        if (part.source_id != field.id || part.transform != TransformKind::kIdentity) continue;
        reader_data.constant_map.Add(
            duckdb::MultiFileGlobalIndex(i),
            ToDuckValue(field.type, files.partition[p].Get(static_cast<size_t>(ticket.row))));
      }
    }
  }

  // DuckDB moves a filter on a column that is cast while read to the other side of the cast by
  // casting its constant, which is wrong where that loses something: `d = 1.25` over a file of
  // decimal(9,1), `x > 1.5` over integers, times over dates. There the filter is evaluated after
  // the cast. Between integers the constant either fits or DuckDB does the same itself.
  static void FilterAfterCasts(duckdb::MultiFileReaderData& reader_data,
                               const duckdb::TableFilterSet& filters) {
    auto& reader = *reader_data.reader;
    if (!reader.filters) return;
    for (const auto& [global_index, filter] : filters.filters) {
      auto& expression = reader_data.expressions[global_index];
      if (expression->GetExpressionClass() == duckdb::ExpressionClass::BOUND_REF) continue;
      const auto local = ReferencedLocal(expression);
      if (!local || !reader.filters->filters.contains(*local)) continue;
      const duckdb::idx_t column = reader.column_indexes[*local].GetPrimaryIndex();
      const duckdb::LogicalType& from = reader.columns[column].type;
      const duckdb::LogicalType to = expression->return_type;
      if (from.IsIntegral() && to.IsIntegral()) continue;
      duckdb::ExpressionIterator::VisitExpressionMutable<duckdb::BoundReferenceExpression>(
          expression,
          [](duckdb::BoundReferenceExpression& reference,
             duckdb::unique_ptr<duckdb::Expression>& /*owner*/) { reference.index = 0; });
      reader.filters->filters[*local] = filter->Copy();
      reader.expression_map[column] = std::move(expression);
      expression = duckdb::make_uniq<duckdb::BoundReferenceExpression>(to, *local);
    }
  }

  duckdb::shared_ptr<ScanInfo> info_;
  std::shared_ptr<TableScan> scan_;
};

duckdb::unique_ptr<duckdb::FunctionData> BindScan(duckdb::ClientContext& context,
                                                  duckdb::TableFunctionBindInput& input,
                                                  duckdb::vector<duckdb::LogicalType>& return_types,
                                                  duckdb::vector<duckdb::string>& names) {
  // Bounds of floating-point columns leave NaN out, which DuckDB orders above all numbers.
  input.named_parameters["can_have_nan"] = duckdb::Value::BOOLEAN(true);
  return input.info->Cast<ScanInfo>().parquet_bind(context, input, return_types, names);
}

// EXPLAIN's lines of a scan.
duckdb::InsertionOrderPreservingMap<duckdb::string> DescribeScan(
    duckdb::TableFunctionToStringInput& input) {
  duckdb::InsertionOrderPreservingMap<duckdb::string> lines;
  const auto& bound = input.bind_data->Cast<duckdb::MultiFileBindData>();
  const auto& list = static_cast<const ScanFileList&>(*bound.file_list);
  lines["Table"] = list.scan()->Title();
  const std::shared_ptr<const ScanPlan> plan = list.plan();
  lines["Files"] = fmt::format("{} of {}", plan->files_kept, plan->files_seen);
  return lines;
}

// count(*) without WHERE from the log's own counts, so no file is opened; nothing (and so an
// ordinary scan) where some file's count is not known.
duckdb::vector<duckdb::PartitionStatistics> CountRows(duckdb::ClientContext& /*context*/,
                                                      duckdb::GetPartitionStatsInput& input) {
  const auto& bound = input.bind_data->Cast<duckdb::MultiFileBindData>();
  const std::optional<int64_t> rows =
      static_cast<const ScanFileList&>(*bound.file_list).ExactCount();
  if (!rows) return {};
  duckdb::PartitionStatistics all;
  all.row_start = 0;
  all.count = static_cast<duckdb::idx_t>(*rows);
  all.count_type = duckdb::CountType::COUNT_EXACT;
  return {std::move(all)};
}

struct ReplacementData : duckdb::ReplacementScanData {
  duckdb::shared_ptr<ScanInfo> info;
};

duckdb::unique_ptr<duckdb::TableRef> CallOf(const std::string& function, const std::string& key) {
  duckdb::vector<duckdb::unique_ptr<duckdb::ParsedExpression>> arguments;
  arguments.push_back(duckdb::make_uniq<duckdb::ConstantExpression>(duckdb::Value(key)));
  auto call = duckdb::make_uniq<duckdb::TableFunctionRef>();
  call->function = duckdb::make_uniq<duckdb::FunctionExpression>(function, std::move(arguments));
  return call;
}

duckdb::unique_ptr<duckdb::TableRef> Replace(
    duckdb::ClientContext& /*context*/, duckdb::ReplacementScanInput& input,
    duckdb::optional_ptr<duckdb::ReplacementScanData> data) {
  const ScanInfo& info = *data->Cast<ReplacementData>().info;
  if (input.schema_name.starts_with(kScanKeyPrefix)) return CallOf("tarn_scan", input.schema_name);
  if (input.schema_name.starts_with(kBatchesKeyPrefix)) {
    return CallOf("tarn_batches", input.schema_name);
  }
  std::vector<std::string> parts;
  for (const std::string* part : {&input.catalog_name, &input.schema_name, &input.table_name}) {
    if (!part->empty()) parts.push_back(*part);
  }
  auto found = info.find_table(parts);
  if (!found.ok()) {
    if (found.error().code == ErrorCode::kNotFound) return nullptr;
    info.Fail(found.error());
  }
  return CallOf("tarn_scan", *found);
}

}  // namespace

Status InstallScan(DuckSession& session, std::shared_ptr<ObjectFiles> files,
                   const Registry<FileFormat>& file_formats, FindScan find_scan,
                   FindTableByName find_table) {
  TARN_RETURN_IF_ERROR(InstallVariantCast(session));
  auto info = duckdb::make_shared_ptr<ScanInfo>();
  info->find_scan = std::move(find_scan);
  info->find_table = std::move(find_table);
  info->files = std::move(files);
  info->file_formats = &file_formats;
  info->errors = session.callback_error();
  try {
    duckdb::Connection& connection = session.connection();
    duckdb::ClientContext& context = *connection.context;
    connection.BeginTransaction();
    duckdb::Catalog& catalog = duckdb::Catalog::GetSystemCatalog(context);
    auto& parquet = catalog.GetEntry<duckdb::TableFunctionCatalogEntry>(context, DEFAULT_SCHEMA,
                                                                        "parquet_scan");
    duckdb::TableFunctionSet set("tarn_scan");
    for (duckdb::TableFunction function : parquet.functions.functions) {
      if (function.arguments[0] != duckdb::LogicalType::VARCHAR) continue;
      info->parquet_bind = function.bind;
      function.name = set.name;
      function.function_info = info;
      function.bind = BindScan;
      function.get_multi_file_reader = ScanReader::Create;
      function.to_string = DescribeScan;
      function.get_partition_stats = CountRows;
      // These answer from Parquet footers alone: they know nothing of deletes, ids and constants.
      function.serialize = nullptr;
      function.deserialize = nullptr;
      function.get_bind_info = nullptr;
      function.statistics = nullptr;
      set.AddFunction(std::move(function));
    }
    duckdb::CreateTableFunctionInfo create(std::move(set));
    create.on_conflict = duckdb::OnCreateConflict::REPLACE_ON_CONFLICT;
    catalog.CreateFunction(context, create);
    connection.Commit();

    auto data = duckdb::make_uniq<ReplacementData>();
    data->info = info;
    auto& scans = duckdb::DBConfig::GetConfig(context).replacement_scans;
    scans.insert(scans.begin(), duckdb::ReplacementScan(Replace, std::move(data)));
  } catch (const std::exception& exception) {
    return ToError(exception, {}).WithContext("duckdb: tarn_scan");
  }
  return OkStatus();
}

Result<Expression> BindPredicate(DuckSession& session, const std::string& key,
                                 const TableScan& scan, const std::string& alias,
                                 const std::string& where) {
  const std::string sql = "SELECT 1 FROM tarn_scan(" + QuoteLiteral(key) + ") AS " +
                          QuoteIdentifier(alias) + " WHERE (" + where + "\n)";
  Expression predicate = Expression::Opaque(where);
  try {
    duckdb::ClientContext& context = *session.connection().context;
    context.RunFunctionInTransaction([&] {
      duckdb::Parser parser(context.GetParserOptions());
      parser.ParseQuery(sql);
      if (parser.statements.size() != 1) return;
      duckdb::Planner planner(context);
      planner.CreatePlan(std::move(parser.statements[0]));
      // Anything but one filter over the table (a subquery's join, say) stays opaque.
      const duckdb::LogicalOperator* node = planner.plan.get();
      while (node->type == duckdb::LogicalOperatorType::LOGICAL_PROJECTION) {
        node = node->children[0].get();
      }
      if (node->type != duckdb::LogicalOperatorType::LOGICAL_FILTER) return;
      const duckdb::LogicalOperator& child = *node->children[0];
      if (child.type != duckdb::LogicalOperatorType::LOGICAL_GET) return;
      const auto& get = child.Cast<duckdb::LogicalGet>();
      std::vector<Expression> terms;
      for (const auto& term : node->expressions) {
        terms.push_back(FromDuckExpression(
            context, *term, [&](const duckdb::ColumnBinding& binding) -> const Field* {
              if (binding.table_index != get.table_index) return nullptr;
              const auto& ids = get.GetColumnIds();
              if (binding.column_index >= ids.size()) return nullptr;
              const duckdb::idx_t column = ids[binding.column_index].GetPrimaryIndex();
              return column < scan.columns().size() ? &scan.columns()[column] : nullptr;
            }));
      }
      predicate = Expression::And(std::move(terms));
    });
  } catch (const std::exception& exception) {
    {
      std::lock_guard lock(session.callback_error()->mutex);
      auto& error = session.callback_error()->error;
      if (error) return *std::exchange(error, std::nullopt);
    }
    return ToError(exception, {});
  }
  return predicate;
}

}  // namespace tarn
