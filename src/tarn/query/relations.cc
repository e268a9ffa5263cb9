#include "tarn/query/relations.h"

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/scan/deleted_row_count.h"
#include "tarn/scan/plan.h"

namespace tarn {

namespace {

Status Check(const arrow::Status& status) {
  return status.ok() ? OkStatus() : Internal("relation: " + status.ToString());
}

std::shared_ptr<arrow::DataType> TextMap() { return arrow::map(arrow::utf8(), arrow::utf8()); }
std::shared_ptr<arrow::DataType> UtcMicros() {
  return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
}

// Columns under construction, filled row by row.
class Columns {
 public:
  explicit Columns(arrow::FieldVector fields) : schema_(arrow::schema(std::move(fields))) {
    for (const auto& field : schema_->fields()) {
      builders_.push_back(arrow::MakeBuilder(field->type()).ValueOrDie());
    }
  }

  void Text(int column, std::string_view text) {
    Keep(As<arrow::StringBuilder>(column).Append(text));
  }
  void TextOrNull(int column, std::string_view text) {
    Keep(text.empty() ? builders_[At(column)]->AppendNull()
                      : As<arrow::StringBuilder>(column).Append(text));
  }
  void Number(int column, int64_t number) { Keep(As<arrow::Int64Builder>(column).Append(number)); }
  void Micros(int column, int64_t micros) {
    Keep(As<arrow::TimestampBuilder>(column).Append(micros));
  }
  void Null(int column) { Keep(builders_[At(column)]->AppendNull()); }
  // A map's entries; a value that is absent is NULL.
  template <class Entries>
  void Map(int column, const Entries& entries) {
    auto& map = As<arrow::MapBuilder>(column);
    Keep(map.Append());
    for (const auto& [key, value] : entries) {
      Keep(static_cast<arrow::StringBuilder*>(map.key_builder())->Append(key));
      auto* items = static_cast<arrow::StringBuilder*>(map.item_builder());
      const std::optional<std::string> text = value;
      Keep(text ? items->Append(*text) : items->AppendNull());
    }
  }

  Result<Relation> Finish() {
    TARN_RETURN_IF_ERROR(Check(status_));
    arrow::ArrayVector arrays;
    for (auto& builder : builders_) {
      auto array = builder->Finish();
      if (!array.ok()) return Internal("relation: " + array.status().ToString());
      arrays.push_back(*array);
    }
    const int64_t rows = arrays[0]->length();
    return Relation{schema_, {arrow::RecordBatch::Make(schema_, rows, std::move(arrays))}};
  }

 private:
  static size_t At(int column) { return static_cast<size_t>(column); }
  template <class Builder>
  Builder& As(int column) {
    return static_cast<Builder&>(*builders_[At(column)]);
  }
  void Keep(const arrow::Status& status) {
    if (status_.ok()) status_ = status;
  }

  std::shared_ptr<arrow::Schema> schema_;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders_;
  arrow::Status status_;
};

// The files of a snapshot, one after another, with the number of deleted rows of each.
template <class Visit>
Status ForEachFile(const Table& table, const Snapshot& snapshot, const FileRequest& request,
                   const Visit& visit) {
  if (!snapshot.exists()) return OkStatus();
  TARN_ASSIGN_OR_RETURN(auto files, table.format->Files(table.home, snapshot, request));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, files->Next());
    if (!batch) return OkStatus();
    for (int64_t row = 0; row < batch->size; ++row) {
      const DataFile file = batch->At(row);
      TARN_ASSIGN_OR_RETURN(const int64_t deleted,
                            DeletedRowCount(*table.format, table.home, snapshot, file));
      visit(*batch, file, deleted);
    }
  }
}

}  // namespace

Result<Relation> HistoryOf(const Table& table, const Snapshot& snapshot) {
  TARN_ASSIGN_OR_RETURN(
      const History history,
      table.format->Commits(table.home, Version{}, snapshot.version, HistoryDetail::kPeople));
  const auto* commits = std::get_if<std::vector<Commit>>(&history);
  if (commits == nullptr) return NotFound(table.name + ": its history cannot be read");
  const bool numbers = std::all_of(commits->begin(), commits->end(), [](const Commit& commit) {
    return ParseInt64(commit.version.text).has_value();
  });
  Columns columns({arrow::field("version", numbers ? arrow::int64() : arrow::utf8()),
                   arrow::field("timestamp", UtcMicros()), arrow::field("operation", arrow::utf8()),
                   arrow::field("parameters", TextMap()), arrow::field("metrics", TextMap()),
                   arrow::field("engine", arrow::utf8()), arrow::field("writer", arrow::utf8()),
                   arrow::field("id", arrow::utf8())});
  for (auto commit = commits->rbegin(); commit != commits->rend(); ++commit) {
    if (numbers) {
      columns.Number(0, *ParseInt64(commit->version.text));
    } else {
      columns.Text(0, commit->version.text);
    }
    columns.Micros(1, commit->timestamp_ms * 1000);
    columns.Text(2, commit->operation.name);
    columns.Map(3, commit->operation.parameters);
    columns.Map(4, commit->operation.metrics);
    columns.TextOrNull(5, commit->engine);
    columns.TextOrNull(6, commit->writer);
    columns.TextOrNull(7, commit->id);
  }
  return columns.Finish();
}

Result<Relation> FilesOf(const Table& table, const Snapshot& snapshot) {
  Columns columns({arrow::field("path", arrow::utf8()), arrow::field("size_bytes", arrow::int64()),
                   arrow::field("record_count", arrow::int64()),
                   arrow::field("deleted_rows", arrow::int64()),
                   arrow::field("modified", UtcMicros()), arrow::field("partition", TextMap()),
                   arrow::field("lower_bounds", TextMap()), arrow::field("upper_bounds", TextMap()),
                   arrow::field("null_counts", TextMap())});
  const TableMetadata& metadata = snapshot.metadata;
  FileRequest request;
  request.all_bounds = true;
  using Texts = std::vector<std::pair<std::string, std::optional<std::string>>>;
  TARN_RETURN_IF_ERROR(ForEachFile(
      table, snapshot, request, [&](const FileBatch& batch, const DataFile& file, int64_t deleted) {
        columns.Text(0, file.path);
        columns.Number(1, file.size_bytes);
        if (file.record_count < 0) {
          columns.Null(2);
        } else {
          columns.Number(2, file.record_count);
        }
        columns.Number(3, deleted);
        columns.Micros(4, file.modified_ms * 1000);
        Texts partition, lower, upper, nulls;
        if (const PartitionSpec* spec = metadata.SpecById(batch.spec_id)) {
          for (size_t i = 0; i < spec->fields.size() && i < file.partition.size(); ++i) {
            partition.emplace_back(
                spec->fields[i].name,
                IsNull(file.partition[i])
                    ? std::nullopt
                    : std::optional(ValueToText(batch.partition[i].type, file.partition[i])));
          }
        }
        for (const ColumnStatistics& statistics : file.statistics) {
          const Field* field = metadata.schema.FindById(statistics.field_id);
          if (field == nullptr) continue;
          const std::string path = metadata.schema.PathOf(field->id);
          if (statistics.lower)
            lower.emplace_back(path, ValueToText(field->type, *statistics.lower));
          if (statistics.upper)
            upper.emplace_back(path, ValueToText(field->type, *statistics.upper));
          if (statistics.null_count)
            nulls.emplace_back(path, std::to_string(*statistics.null_count));
        }
        columns.Map(5, partition);
        columns.Map(6, lower);
        columns.Map(7, upper);
        columns.Map(8, nulls);
      }));
  return columns.Finish();
}

Result<Relation> PartitionsOf(const Table& table, const Snapshot& snapshot) {
  struct Totals {
    std::vector<Value> values;
    int64_t files = 0;
    int64_t records = 0;
    int64_t bytes = 0;
  };
  const TableMetadata& metadata = snapshot.metadata;
  const PartitionSpec& spec = metadata.default_spec();
  std::vector<Type> types;
  for (const PartitionField& part : spec.fields) {
    const Field* source = metadata.schema.FindById(part.source_id);
    if (source == nullptr) return Corrupt(table.name + ": a partition column is missing");
    TARN_ASSIGN_OR_RETURN(Type type, TransformedType(part, source->type));
    types.push_back(std::move(type));
  }
  std::map<std::string, Totals> totals;
  if (spec.fields.empty()) totals[""];
  TARN_RETURN_IF_ERROR(ForEachFile(
      table, snapshot, {}, [&](const FileBatch& batch, const DataFile& file, int64_t deleted) {
        std::string key;
        if (batch.spec_id == spec.id) {
          for (size_t i = 0; i < file.partition.size(); ++i) {
            // NULL and the text "NULL" are two partitions.
            key += IsNull(file.partition[i]) ? "N" : "V" + ValueToText(types[i], file.partition[i]);
            key += '\0';
          }
        }
        Totals& sum = totals[key];
        if (batch.spec_id == spec.id) sum.values = file.partition;
        sum.files += 1;
        sum.records += std::max<int64_t>(file.record_count, 0) - deleted;
        sum.bytes += file.size_bytes;
      }));
  Schema schema;
  for (size_t i = 0; i < types.size(); ++i) {
    schema.fields.push_back({.name = spec.fields[i].name, .type = types[i]});
  }
  for (const char* name : {"files", "record_count", "size_bytes"}) {
    schema.fields.push_back({.name = name, .type = Type::Of(TypeKind::kInt64)});
  }
  TARN_ASSIGN_OR_RETURN(const auto arrow_schema, ToArrow(schema));
  std::vector<std::vector<Value>> rows;
  for (const auto& [key, sum] : totals) {
    std::vector<Value> row = sum.values;
    row.resize(types.size());
    row.insert(row.end(), {Value(sum.files), Value(sum.records), Value(sum.bytes)});
    rows.push_back(std::move(row));
  }
  arrow::ArrayVector arrays;
  for (size_t column = 0; column < schema.fields.size(); ++column) {
    arrow::ArrayVector cells;
    for (const auto& row : rows) {
      TARN_ASSIGN_OR_RETURN(auto cell, Repeat(schema.fields[column].type, row[column], 1));
      cells.push_back(std::move(cell));
    }
    auto whole = cells.empty()
                     ? arrow::MakeEmptyArray(arrow_schema->field(static_cast<int>(column))->type())
                     : arrow::Concatenate(cells);
    if (!whole.ok()) return Internal("relation: " + whole.status().ToString());
    arrays.push_back(*whole);
  }
  return Relation{arrow_schema,
                  {arrow::RecordBatch::Make(arrow_schema, static_cast<int64_t>(rows.size()),
                                            std::move(arrays))}};
}

}  // namespace tarn
