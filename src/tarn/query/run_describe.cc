#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/relations.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/query/target_columns.h"

namespace tarn {

namespace {

using Row = std::vector<std::optional<std::string>>;

// Rows of text under `columns`, as SQL.
std::string ValuesSql(const std::vector<std::string>& columns, const std::vector<Row>& rows) {
  std::string list;
  for (const std::string& column : columns) {
    list += (list.empty() ? "" : ", ") + QuoteIdentifier(column);
  }
  std::string values;
  for (const Row& row : rows) {
    values += values.empty() ? "(" : ", (";
    for (size_t i = 0; i < row.size(); ++i) {
      if (i > 0) values += ", ";
      values += row[i] ? QuoteLiteral(*row[i]) + "::VARCHAR" : "NULL::VARCHAR";
    }
    values += ")";
  }
  if (rows.empty()) {
    values = "(";
    for (size_t i = 0; i < columns.size(); ++i)
      values += i == 0 ? "NULL::VARCHAR" : ", NULL::VARCHAR";
    values += ")";
  }
  return "SELECT * FROM (VALUES " + values + ") v(" + list + ")" +
         (rows.empty() ? " WHERE false" : "");
}

std::optional<std::string> TextOrNull(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

std::vector<Row> ColumnRows(const TableMetadata& metadata) {
  std::vector<Row> rows;
  for (const Field& field : metadata.schema.fields) {
    std::string partition;
    for (const PartitionField& part : metadata.default_spec().fields) {
      if (part.source_id == field.id) partition = TransformToText(part);
    }
    rows.push_back({field.name, field.type.kind == TypeKind::kVoid ? "VOID" : SqlTypeOf(field.type),
                    field.required ? "NO" : "YES", field.write_default_sql, TextOrNull(partition),
                    TextOrNull(field.doc)});
  }
  return rows;
}

std::string LocationOf(const Table& table) {
  std::string uri = table.home.storage.root_uri();
  if (!uri.ends_with('/')) uri += '/';
  return uri + table.home.root.str();
}

std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("''") : std::string(1, c);
  return out + "'";
}

std::string CreateText(const Table& table, const TableMetadata& metadata) {
  std::string text = "CREATE TABLE " + table.name + " (\n";
  for (const Field& field : metadata.schema.fields) {
    text += "  " + QuoteIdentifier(field.name) + " " + TypeToText(field.type);
    if (field.required) text += " NOT NULL";
    if (field.write_default_sql) text += " DEFAULT " + *field.write_default_sql;
    if (!field.doc.empty()) text += " COMMENT " + Quoted(field.doc);
    text += ",\n";
  }
  for (const CheckConstraint& constraint : metadata.constraints) {
    text +=
        "  CONSTRAINT " + QuoteIdentifier(constraint.name) + " CHECK (" + constraint.sql + "),\n";
  }
  text.erase(text.size() - 2, 1);
  text += ")\nUSING " + std::string(table.format->name());
  const std::string parts = SpecToText(metadata.default_spec(), metadata.schema);
  if (!parts.empty()) text += "\nPARTITIONED BY (" + parts + ")";
  text += "\nLOCATION " + Quoted(LocationOf(table));
  if (!metadata.description.empty()) text += "\nCOMMENT " + Quoted(metadata.description);
  std::vector<std::string> properties;
  for (const auto& [key, value] : metadata.properties) {
    // What Tarn keeps about this table's own columns would be wrong in another.
    if (key.starts_with("tarn.")) continue;
    properties.push_back("  " + Quoted(key) + " = " + Quoted(value));
  }
  if (!properties.empty()) text += "\nTBLPROPERTIES (\n" + Join(properties, ",\n") + "\n)";
  return text;
}

Result<StatementResult> FromRelation(StatementContext& context, Relation relation) {
  const std::string name = std::string(kBatchesKeyPrefix) + "describe";
  TARN_RETURN_IF_ERROR(
      context.session.RegisterBatches(name, relation.schema, std::move(relation.batches)));
  return RowsOf(context, "SELECT * FROM tarn_batches(" + QuoteLiteral(name) + ")");
}

std::string LikePattern(const std::string& like) {
  std::string pattern = like;
  std::replace(pattern.begin(), pattern.end(), '*', '%');
  return pattern;
}

}  // namespace

Result<StatementResult> RunDescribe(StatementContext& context, const sql::Describe& describe) {
  using What = sql::Describe::What;
  context.tables.Begin();
  if (describe.query) {
    TARN_ASSIGN_OR_RETURN(auto rows, RunQuery(context, "DESCRIBE " + describe.query->text));
    return StatementResult{.rows = std::move(rows)};
  }
  auto pinned = context.tables.Pin(describe.table);
  if (!pinned.ok()) {
    // A view or file that only DuckDB knows, or t.history.
    if (describe.what != What::kColumns || pinned.error().code == ErrorCode::kCorrupt ||
        pinned.error().code == ErrorCode::kUnsupported) {
      return pinned.error();
    }
    auto rows = RunQuery(context, "DESCRIBE SELECT * FROM " + describe.table.ToText());
    if (!rows.ok()) return pinned.error();
    return StatementResult{.rows = std::move(rows).value()};
  }
  const Table& table = *pinned->table;
  const Snapshot& snapshot = pinned->snapshot;
  const TableMetadata& metadata = snapshot.metadata;
  const std::vector<std::string> column_names = {"column_name", "column_type", "null",
                                                 "default",     "partition",   "comment"};
  switch (describe.what) {
    case What::kColumns:
      return RowsOf(context, ValuesSql(column_names, ColumnRows(metadata)));
    case What::kExtended: {
      std::vector<Row> rows = ColumnRows(metadata);
      auto fact = [&](const std::string& name, const std::string& value) {
        rows.push_back({"# " + name, value, {}, {}, {}, {}});
      };
      fact("table", table.name);
      fact("format", std::string(table.format->name()));
      fact("version", snapshot.version.text);
      fact("location", LocationOf(table));
      if (!metadata.description.empty()) fact("comment", metadata.description);
      for (const auto& [key, value] : metadata.properties) fact("property " + key, value);
      if (!metadata.sort_order.IsUnsorted()) {
        fact("sort order", SortOrderToText(metadata.sort_order, metadata.schema));
      }
      for (const CheckConstraint& constraint : metadata.constraints) {
        fact("constraint " + constraint.name, constraint.sql);
      }
      return RowsOf(context, ValuesSql(column_names, rows));
    }
    case What::kDetail: {
      std::vector<std::string> partitions, properties;
      for (const PartitionField& part : metadata.default_spec().fields)
        partitions.push_back(part.name);
      for (const auto& [key, value] : metadata.properties) properties.push_back(key + "=" + value);
      int64_t files = 0, bytes = 0, records = 0;
      TARN_ASSIGN_OR_RETURN(auto stream, table.format->Files(table.home, snapshot, {}));
      while (true) {
        TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
        if (!batch) break;
        files += batch->size;
        for (const int64_t size : batch->size_bytes) bytes += size;
        for (const int64_t count : batch->record_count) records += std::max<int64_t>(count, 0);
        for (const DeleteFile& deletes : batch->deletes) records -= deletes.row_count;
      }
      return RowsOf(
          context,
          fmt::format(
              "SELECT {} AS format, {} AS id, {} AS name, {} AS description, {} AS location, "
              "make_timestamptz({}) AS created, {} AS version, {} AS partition_columns, "
              "{}::BIGINT AS files, {}::BIGINT AS size_bytes, {}::BIGINT AS record_count, "
              "{} AS properties, {}::INTEGER AS reader_version, {}::INTEGER AS writer_version",
              QuoteLiteral(table.format->name()), QuoteLiteral(metadata.table_id),
              QuoteLiteral(table.name), QuoteLiteral(metadata.description),
              QuoteLiteral(LocationOf(table)), metadata.created_ms * 1000,
              QuoteLiteral(snapshot.version.text), QuoteLiteral(Join(partitions, ", ")), files,
              bytes, records, QuoteLiteral(Join(properties, ", ")), metadata.reader_version,
              metadata.writer_version));
    }
    case What::kHistory: {
      TARN_ASSIGN_OR_RETURN(Relation history, HistoryOf(table, snapshot));
      return FromRelation(context, std::move(history));
    }
    case What::kProperties: {
      std::vector<Row> rows;
      for (const auto& [key, value] : metadata.properties) rows.push_back({key, value});
      return RowsOf(context, ValuesSql({"key", "value"}, rows));
    }
    case What::kPartitions: {
      TARN_ASSIGN_OR_RETURN(Relation partitions, PartitionsOf(table, snapshot));
      return FromRelation(context, std::move(partitions));
    }
    case What::kCreate:
      return RowsOf(context, ValuesSql({"create_statement"}, {{CreateText(table, metadata)}}));
  }
  return Internal("DESCRIBE");
}

Result<StatementResult> RunShowTables(StatementContext& context, const sql::ShowTables& show) {
  TARN_ASSIGN_OR_RETURN(const std::vector<std::string> names, context.resolver.List(show.within));
  std::vector<Row> rows;
  for (const std::string& name : names) {
    const size_t dot = name.rfind('.');
    rows.push_back({dot == std::string::npos ? std::optional<std::string>() : name.substr(0, dot),
                    dot == std::string::npos ? name : name.substr(dot + 1)});
  }
  std::string select = ValuesSql({"namespace", "name"}, rows);
  if (show.like)
    select =
        "SELECT * FROM (" + select + ") WHERE name LIKE " + QuoteLiteral(LikePattern(*show.like));
  return RowsOf(context, select);
}

Result<StatementResult> RunShowNamespaces(StatementContext& context,
                                          const sql::ShowNamespaces& show) {
  TARN_ASSIGN_OR_RETURN(const std::vector<std::string> names, context.resolver.ListNamespaces());
  std::vector<Row> rows;
  rows.reserve(names.size());
  for (const std::string& name : names) rows.push_back({name});
  std::string select = ValuesSql({"namespace"}, rows);
  if (show.like)
    select = "SELECT * FROM (" + select + ") WHERE namespace LIKE " +
             QuoteLiteral(LikePattern(*show.like));
  return RowsOf(context, select);
}

}  // namespace tarn
