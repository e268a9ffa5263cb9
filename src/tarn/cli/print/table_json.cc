#include "tarn/cli/print/table_json.h"

#include <nlohmann/json.hpp>

#include "tarn/cli/print/json_report.h"

namespace tarn::cli {
namespace {

using Json = nlohmann::ordered_json;

// -1 is how counts say that they are not known.
Json CountJson(int64_t count) { return count < 0 ? Json(nullptr) : Json(count); }

Json TotalsJson(const FileTotals& totals) {
  return {{"files", totals.files},
          {"rows", CountJson(totals.rows)},
          {"bytes", totals.bytes},
          {"deleted_rows", totals.deleted_rows}};
}

Json PartitionJson(const TableMetadata& metadata, const PartitionFacts& partition) {
  Json json = Json::object();
  const PartitionSpec* spec = metadata.SpecById(partition.spec_id);
  const auto& values = partition.values;
  for (size_t i = 0; spec != nullptr && i < values.size() && i < spec->fields.size(); ++i) {
    json[spec->fields[i].name] = values[i] ? Json(*values[i]) : Json(nullptr);
  }
  return json;
}

int64_t DeletedRowsOf(const PartitionFacts& partition, const DataFile& file) {
  const auto found = partition.deleted_rows.find(file.path);
  return found == partition.deleted_rows.end() ? 0 : found->second;
}

Json FileJson(const DataFile& file, int64_t deleted) {
  Json json = {{"path", file.path},
               {"format", file.format},
               {"bytes", file.size_bytes},
               {"records", CountJson(file.record_count)},
               {"deleted_rows", deleted}};
  if (file.modified_ms > 0) json["modified"] = TimeOfMillis(file.modified_ms);
  return json;
}

Json BoundsJson(const Schema& schema, const DataFile& file) {
  Json bounds = Json::object();
  for (const ColumnStatistics& statistics : file.statistics) {
    const Field* field = schema.FindById(statistics.field_id);
    if (field == nullptr) continue;
    Json one = Json::object();
    if (statistics.lower && !IsNull(*statistics.lower)) {
      one["lower"] = ValueToText(field->type, *statistics.lower);
    }
    if (statistics.upper && !IsNull(*statistics.upper)) {
      one["upper"] = ValueToText(field->type, *statistics.upper);
    }
    if (statistics.null_count && *statistics.null_count >= 0) one["nulls"] = *statistics.null_count;
    if (!one.empty()) bounds[schema.PathOf(field->id)] = std::move(one);
  }
  return bounds;
}

Json PartitionColumnsJson(const TableMetadata& metadata) {
  Json columns = Json::array();
  for (const PartitionField& field : metadata.default_spec().fields) {
    columns.push_back({{"name", field.name},
                       {"source", metadata.schema.PathOf(field.source_id)},
                       {"source_id", field.source_id},
                       {"transform", TransformToText(field)}});
  }
  return columns;
}

Json ConstraintsJson(const TableMetadata& metadata) {
  Json constraints = Json::array();
  for (const CheckConstraint& constraint : metadata.constraints) {
    constraints.push_back({{"name", constraint.name}, {"check", constraint.sql}});
  }
  return constraints;
}

}  // namespace

Json ColumnsJson(const std::vector<Field>& fields) {
  Json columns = Json::array();
  for (const Field& field : fields) {
    Json column = {{"id", field.id},
                   {"name", field.name},
                   {"type", TypeToText(field.type)},
                   {"required", field.required}};
    if (!field.doc.empty()) column["doc"] = field.doc;
    if (field.write_default_sql) column["default"] = *field.write_default_sql;
    if (!field.source_name.empty()) column["file_name"] = field.source_name;
    if (field.type.IsNested()) column["fields"] = ColumnsJson(field.type.fields);
    columns.push_back(std::move(column));
  }
  return columns;
}

Json TableFactsJson(const TableFacts& facts) {
  const TableMetadata& metadata = facts.snapshot.metadata;
  Json partitions = Json::array();
  for (const PartitionFacts& partition : facts.partitions) {
    Json files = Json::array();
    for (const DataFile& file : partition.files) {
      files.push_back(FileJson(file, DeletedRowsOf(partition, file)));
    }
    Json one = {{"partition", PartitionJson(metadata, partition)}};
    one.update(TotalsJson(partition.totals));
    one["files"] = partition.totals.files;
    one["data_files"] = std::move(files);
    partitions.push_back(std::move(one));
  }
  Json totals = TotalsJson(facts.totals);
  return {{"table", facts.name},
          {"format", facts.format},
          {"location", facts.location},
          {"table_id", metadata.table_id},
          {"version", VersionJson(facts.snapshot.version.text)},
          {"timestamp", TimeOfMillis(facts.snapshot.timestamp_ms)},
          {"comment", metadata.description},
          {"columns", ColumnsJson(metadata.schema.fields)},
          {"last_column_id", metadata.schema.last_column_id},
          {"partition_columns", PartitionColumnsJson(metadata)},
          {"sort_order", SortOrderToText(metadata.sort_order, metadata.schema)},
          {"column_match", metadata.column_match == ColumnMatch::kByName ? "name" : "id"},
          {"properties", metadata.properties},
          {"constraints", ConstraintsJson(metadata)},
          {"reader_version", metadata.reader_version},
          {"writer_version", metadata.writer_version},
          {"reader_features", metadata.reader_features},
          {"writer_features", metadata.writer_features},
          {"positions", facts.snapshot.positions},
          {"files", totals["files"]},
          {"rows", totals["rows"]},
          {"bytes", totals["bytes"]},
          {"deleted_rows", totals["deleted_rows"]},
          {"partitions", std::move(partitions)}};
}

Json HistoryJson(const std::string& table, const std::vector<Commit>& commits,
                 WithLineage lineage) {
  Json list = Json::array();
  for (const Commit& commit : commits) {
    list.push_back({{"version", VersionJson(commit.version.text)},
                    {"timestamp", TimeOfMillis(commit.timestamp_ms)},
                    {"operation", commit.operation.name},
                    {"parameters", commit.operation.parameters},
                    {"metrics", commit.operation.metrics},
                    {"engine", commit.engine},
                    {"writer", commit.writer},
                    {"id", commit.id}});
    if (lineage == WithLineage::kYes) {
      // Null: it says nothing, or nothing that can be read.
      list.back()["lineage"] = nullptr;
      if (Json told = Json::parse(commit.lineage, nullptr, false); !told.is_discarded()) {
        list.back()["lineage"] = std::move(told);
      }
    }
  }
  return {{"table", table}, {"commits", std::move(list)}};
}

Json FilesJson(const TableFacts& facts) {
  const TableMetadata& metadata = facts.snapshot.metadata;
  Json files = Json::array();
  for (const PartitionFacts& partition : facts.partitions) {
    for (const DataFile& file : partition.files) {
      Json one = FileJson(file, DeletedRowsOf(partition, file));
      one["partition"] = PartitionJson(metadata, partition);
      if (Json bounds = BoundsJson(metadata.schema, file); !bounds.empty()) {
        one["statistics"] = std::move(bounds);
      }
      files.push_back(std::move(one));
    }
  }
  return {{"table", facts.name},
          {"version", VersionJson(facts.snapshot.version.text)},
          {"files", std::move(files)}};
}

Json SchemaJson(const TableFacts& facts) {
  const TableMetadata& metadata = facts.snapshot.metadata;
  return {{"table", facts.name},
          {"version", VersionJson(facts.snapshot.version.text)},
          {"columns", ColumnsJson(metadata.schema.fields)},
          {"last_column_id", metadata.schema.last_column_id},
          {"partition_columns", PartitionColumnsJson(metadata)},
          {"ddl", SchemaToDdl(metadata.schema)}};
}

Json DiffJson(const std::string& table, const TableDiff& diff) {
  const auto files = [](const std::vector<DataFile>& list) {
    Json json = Json::array();
    for (const DataFile& file : list) {
      int64_t deleted = 0;
      for (const DeleteFile& deletes : file.deletes) deleted += deletes.row_count;
      json.push_back(FileJson(file, deleted));
    }
    return json;
  };
  return {{"table", table},
          {"from", VersionJson(diff.from.text)},
          {"to", VersionJson(diff.to.text)},
          {"schema_changes", diff.schema_changes},
          {"property_changes", diff.property_changes},
          {"other_changes", diff.other_changes},
          {"added", TotalsJson(diff.added)},
          {"removed", TotalsJson(diff.removed)},
          {"rows_deleted_in_files", diff.rows_deleted_in_files},
          {"files_added", files(diff.files_added)},
          {"files_removed", files(diff.files_removed)},
          {"files_with_rows_deleted", files(diff.files_with_rows_deleted)}};
}

}  // namespace tarn::cli
