#include <algorithm>
#include <set>
#include <utility>

#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/base/uuid.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/query/partition_items.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/statement_lineage.h"
#include "tarn/query/target_columns.h"
#include "tarn/write/write_rows.h"

namespace tarn {

namespace {

// A stream without rows: a table replaced by an empty one.
class NoRows : public BatchStream {
 public:
  explicit NoRows(std::shared_ptr<arrow::Schema> schema) : schema_(std::move(schema)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    return std::shared_ptr<arrow::RecordBatch>();
  }

 private:
  std::shared_ptr<arrow::Schema> schema_;
};

// The columns a statement lists; ids still 0.
Result<std::vector<Field>> ListedColumns(const sql::CreateTable& create) {
  std::vector<Field> fields;
  for (const sql::ColumnDefinition& column : create.columns) {
    if (!column.generated.empty()) {
      return Unsupported("CREATE TABLE: generated columns ('" + column.field.name + "')");
    }
    fields.push_back(column.field);
  }
  // Hive's form declares partition columns where it names them: they come last.
  for (const sql::PartitionItem& item : create.partitioned_by) {
    if (item.type) fields.push_back({.name = item.column, .type = *item.type});
  }
  return fields;
}

Status AddConstraints(const sql::CreateTable& create, TableMetadata& metadata) {
  int unnamed = 0;
  auto add = [&](std::string name, const std::string& check) {
    if (name.empty()) name = "check_" + std::to_string(++unnamed);
    metadata.constraints.push_back({std::move(name), check});
  };
  for (const sql::Constraint& constraint : create.constraints)
    add(constraint.name, constraint.check);
  for (const sql::ColumnDefinition& column : create.columns) {
    if (!column.check.empty()) add({}, column.check);
  }
  return OkStatus();
}

Result<PartitionSpec> SpecOf(const sql::CreateTable& create, const Schema& schema) {
  PartitionSpec spec;
  for (const sql::PartitionItem& item : create.partitioned_by) {
    Result<PartitionField> bound = BindPartitionItem(schema, item);
    if (!bound.ok()) return bound.error().WithContext("CREATE TABLE: PARTITIONED BY");
    PartitionField field = *std::move(bound);
    field.field_id = 1000 + static_cast<int32_t>(spec.fields.size());
    field.name = schema.FindById(field.source_id)->name;
    if (field.transform != TransformKind::kIdentity) field.name += "_" + item.transform;
    spec.fields.push_back(std::move(field));
  }
  return spec;
}

// The new table's state; ids follow those of `before`, if it replaces one.
Result<TableMetadata> MetadataFor(StatementContext& context, const sql::CreateTable& create,
                                  std::vector<Field> fields, const TableMetadata* before) {
  if (fields.empty()) return Invalid("CREATE TABLE: a table needs a column");
  TableMetadata metadata;
  metadata.table_id = before == nullptr ? NewUuid(context.runtime.random) : before->table_id;
  metadata.created_ms = context.runtime.clock.NowMicros() / 1000;
  metadata.name = create.table.parts.empty() ? "" : create.table.parts.back();
  metadata.description = create.comment;
  metadata.properties = create.properties;
  metadata.schema.fields = std::move(fields);
  metadata.schema.last_column_id = before == nullptr ? 0 : before->schema.last_column_id;
  metadata.schema = AssignFreshIds(std::move(metadata.schema));
  TARN_RETURN_IF_ERROR(ValidateSchema(metadata.schema));
  TARN_RETURN_IF_ERROR(AddConstraints(create, metadata));
  TARN_ASSIGN_OR_RETURN(PartitionSpec spec, SpecOf(create, metadata.schema));
  metadata.specs = {std::move(spec)};
  metadata.default_spec_id = 0;
  return metadata;
}

// What CREATE TABLE … AS SELECT stores: the query's columns, or those listed, cast by position.
struct Source {
  std::vector<Field> fields;
  std::string query;   // rewritten, as it stands in the statement
  std::string select;  // the same for the table's columns
};

Result<Source> SourceOf(StatementContext& context, const sql::CreateTable& create) {
  Source source;
  TARN_ASSIGN_OR_RETURN(source.fields, ListedColumns(create));
  if (!create.query) return source;
  TARN_ASSIGN_OR_RETURN(sql::Rewritten query,
                        context.tables.Rewrite(create.query->text, sql::TextKind::kQuery));
  source.query = query.text;
  if (!source.fields.empty() && !create.columns.empty()) {
    sql::Insert insert;
    insert.query = *create.query;
    Schema schema;
    schema.fields = source.fields;
    TARN_ASSIGN_OR_RETURN(source.select, SelectForInsert(context.session, create.table.ToText(),
                                                         schema, insert, query.text));
    return source;
  }
  const SqlOrigin origin{create.query->text, [&](size_t offset) {
                           return query.OriginalOffset(static_cast<uint32_t>(offset));
                         }};
  auto rows = context.session.Query(query.text, &origin);
  if (!rows.ok()) return context.tables.Explain(rows.error());
  TARN_ASSIGN_OR_RETURN(const Schema schema, FromArrow(*(*rows)->schema()));
  source.fields = schema.fields;
  std::set<std::string> names;
  for (Field& field : source.fields) {
    field.id = 0;
    if (field.type.kind == TypeKind::kVoid) {
      return Invalid("CREATE TABLE: column '" + field.name +
                     "' has no type: CAST the NULL to the type it shall have");
    }
    if (!names.insert(AsciiLower(field.name)).second) {
      return Invalid("CREATE TABLE: the query gives two columns '" + field.name +
                     "'; name one with AS");
    }
  }
  source.select = query.text;
  return source;
}

Result<StatementResult> Create(StatementContext& context, const sql::CreateTable& create) {
  const TableReference reference = context.tables.ReferenceOf(create.table);
  auto existing = context.tables.Pin(create.table);
  if (!existing.ok() && existing.error().code != ErrorCode::kNotFound) return existing.error();
  StatementResult result;
  if (existing.ok() && create.if_not_exists) {
    result.message = existing->table->name + " exists already";
    return result;
  }
  if (existing.ok() && !create.or_replace) {
    return AlreadyExists("table " + existing->table->name +
                         " exists already; CREATE OR REPLACE TABLE replaces it");
  }
  // Without columns the table that stands at the location gets the name.
  if (create.columns.empty() && !create.query) {
    TARN_ASSIGN_OR_RETURN(
        const std::shared_ptr<Table> there,
        context.resolver.Open({.path = create.location, .format = AsciiLower(create.format)}));
    TARN_RETURN_IF_ERROR(context.resolver.Register(reference, *there));
    result.message = create.table.ToText() + " names the table at '" + create.location + "' now";
    return result;
  }
  TARN_ASSIGN_OR_RETURN(const Source source, SourceOf(context, create));
  std::shared_ptr<Table> table;
  Snapshot base = Snapshot::Empty();
  if (existing.ok()) {
    table = existing->table;
    base = existing->snapshot;
  } else {
    TARN_ASSIGN_OR_RETURN(
        table, context.resolver.Prepare(reference, {AsciiLower(create.format), create.location}));
  }
  WriteRequest request;
  request.writer = WriterName();
  TARN_ASSIGN_OR_RETURN(request.metadata, MetadataFor(context, create, source.fields,
                                                      base.exists() ? &base.metadata : nullptr));
  request.mode = base.exists() ? WriteMode::kOverwriteAll : WriteMode::kAppend;
  request.operation.kind = base.exists() ? OperationKind::kReplace : OperationKind::kCreate;
  request.operation.name = std::string(base.exists() ? "CREATE OR REPLACE TABLE" : "CREATE TABLE") +
                           (create.query ? " AS SELECT" : "");
  request.isolation = IsolationOf(*table->format, *request.metadata, request.operation.kind);

  if (!create.query && !base.exists()) {
    TARN_ASSIGN_OR_RETURN(TableMetadata prepared,
                          table->format->Prepare(nullptr, std::move(*request.metadata)));
    Commit commit;
    commit.operation = std::move(request.operation);
    commit.metadata = std::move(prepared);
    TARN_RETURN_IF_ERROR(PublishMetadata(context, *table, base, std::move(commit)).status());
    TARN_RETURN_IF_ERROR(context.resolver.Register(reference, *table));
    result.message = table->name + " created";
    return result;
  }
  std::unique_ptr<BatchStream> rows;
  if (create.query) {
    TARN_ASSIGN_OR_RETURN(rows, context.session.Query(source.select));
    if (base.exists()) request.reads = context.tables.ReadsOf(*table);
    request.lineage =
        LineageOfCreate(context.tables, {*table, *request.metadata, base.version}, source.query);
  } else {
    TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(request.metadata->schema));
    rows = std::make_unique<NoRows>(std::move(schema));
  }
  TARN_ASSIGN_OR_RETURN(const WriteResult written, WriteRows(context.runtime, *table, base,
                                                             context.file_formats, *rows, request));
  TARN_RETURN_IF_ERROR(context.resolver.Register(reference, *table));
  result.message =
      fmt::format("{} {}, {}, version {}", table->name, base.exists() ? "replaced" : "created",
                  CountedRows(written.rows), written.version.text);
  return result;
}

}  // namespace

Result<StatementResult> RunCreateTable(StatementContext& context, const sql::CreateTable& create) {
  context.tables.Begin();
  return Create(context, create);
}

}  // namespace tarn
