#include "tarn/format/iceberg/file_relations.h"

#include <algorithm>
#include <map>
#include <utility>

#include <arrow/api.h>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/format/iceberg/delete_index.h"
#include "tarn/format/iceberg/entry_batch.h"
#include "tarn/format/iceberg/file_stream.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/relation_rows.h"
#include "tarn/format/iceberg/single_value.h"
#include "tarn/model/types.h"

namespace tarn::iceberg {
namespace {

Status CheckRelation(const arrow::Status& status) { return Lift(status, "iceberg: relation"); }

std::shared_ptr<arrow::DataType> NumbersById() {
  return arrow::map(arrow::int32(), arrow::int64());
}
std::shared_ptr<arrow::DataType> BytesById() { return arrow::map(arrow::int32(), arrow::binary()); }

Status Append(arrow::ArrayBuilder* into, std::optional<int64_t> number) {
  if (!number) return CheckRelation(into->AppendNull());
  switch (into->type()->id()) {
    case arrow::Type::INT8:
      return CheckRelation(
          static_cast<arrow::Int8Builder*>(into)->Append(static_cast<int8_t>(*number)));
    case arrow::Type::INT32:
      return CheckRelation(
          static_cast<arrow::Int32Builder*>(into)->Append(static_cast<int32_t>(*number)));
    default:
      return CheckRelation(static_cast<arrow::Int64Builder*>(into)->Append(*number));
  }
}

Status Append(arrow::ArrayBuilder* into, std::optional<std::string_view> text) {
  if (!text) return CheckRelation(into->AppendNull());
  return CheckRelation(static_cast<arrow::BinaryBuilder*>(into)->Append(*text));
}

Status AppendValue(arrow::ArrayBuilder* into, const Type& type, const Value& value) {
  if (IsNull(value) || type.kind == TypeKind::kVoid) return CheckRelation(into->AppendNull());
  TARN_ASSIGN_OR_RETURN(const auto one, Repeat(type, value, 1));
  return CheckRelation(into->AppendArraySlice(*one->data(), 0, 1));
}

Status AppendNumbers(arrow::ArrayBuilder* into, const IdMapColumn& column, int64_t row) {
  auto* map = static_cast<arrow::MapBuilder*>(into);
  const auto [begin, end] = column.Entries(row);
  TARN_RETURN_IF_ERROR(CheckRelation(map->Append()));
  for (int64_t at = begin; at < end; ++at) {
    TARN_RETURN_IF_ERROR(Append(map->key_builder(), column.Key(at)));
    TARN_RETURN_IF_ERROR(Append(map->item_builder(), column.Number(at)));
  }
  return OkStatus();
}

Status AppendBytes(arrow::ArrayBuilder* into, const IdMapColumn& column, int64_t row) {
  auto* map = static_cast<arrow::MapBuilder*>(into);
  const auto [begin, end] = column.Entries(row);
  TARN_RETURN_IF_ERROR(CheckRelation(map->Append()));
  for (int64_t at = begin; at < end; ++at) {
    TARN_RETURN_IF_ERROR(Append(map->key_builder(), column.Key(at)));
    TARN_RETURN_IF_ERROR(Append(map->item_builder(), column.Bytes(at)));
  }
  return OkStatus();
}

// A list of numbers, whatever their width in the manifest.
Status AppendList(arrow::ArrayBuilder* into, const std::shared_ptr<arrow::Array>& column,
                  int64_t row) {
  auto* list = static_cast<arrow::ListBuilder*>(into);
  if (column == nullptr || column->type_id() != arrow::Type::LIST || column->IsNull(row)) {
    return CheckRelation(list->AppendNull());
  }
  const auto& lists = static_cast<const arrow::ListArray&>(*column);
  TARN_ASSIGN_OR_RETURN(const auto numbers,
                        IntegerColumn::Make(lists.value_slice(row), "a list of numbers"));
  TARN_RETURN_IF_ERROR(CheckRelation(list->Append()));
  for (int64_t at = 0; at < lists.value_length(row); ++at) {
    TARN_RETURN_IF_ERROR(Append(list->value_builder(), numbers.At(at)));
  }
  return OkStatus();
}

std::optional<int64_t> NumberOf(const IdMapColumn& column, int64_t row, int32_t id) {
  const auto [begin, end] = column.Entries(row);
  for (int64_t at = begin; at < end; ++at) {
    if (column.Key(at) == id) return column.Number(at);
  }
  return std::nullopt;
}

std::optional<std::string_view> BytesOf(const IdMapColumn& column, int64_t row, int32_t id) {
  const auto [begin, end] = column.Entries(row);
  for (int64_t at = begin; at < end; ++at) {
    if (column.Key(at) == id) return column.Bytes(at);
  }
  return std::nullopt;
}

bool IsScalar(const Type& type) {
  return type.kind != TypeKind::kStruct && type.kind != TypeKind::kList &&
         type.kind != TypeKind::kMap && type.kind != TypeKind::kVariant &&
         type.kind != TypeKind::kVoid;
}

}  // namespace

FileRelations::FileRelations(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                             const IcebergState& state)
    : runtime_(runtime),
      home_(home),
      snapshot_(snapshot),
      state_(state),
      locations_(home, state.metadata->location) {
  const Schema& schema = snapshot.metadata.schema;
  for (const PartitionSpec& spec : state.metadata->specs) {
    const std::vector<Type> types = PartitionTypes(*state.metadata, schema, spec);
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      const int32_t id = spec.fields[i].field_id;
      const auto known = std::find_if(partition_.begin(), partition_.end(),
                                      [&](const auto& column) { return column.field_id == id; });
      if (known == partition_.end()) {
        partition_.push_back({id, spec.fields[i].name, types[i]});
      } else if (known->type.kind == TypeKind::kVoid) {
        known->type = types[i];  // dropped in one spec of version 1, there in another
      }
    }
  }
  ForEachField(schema, [&](const Field& field, const std::string& path) {
    if (IsScalar(field.type)) metrics_.push_back({field.id, path, field.type});
  });
}

Status FileRelations::ForEachBatch(EntryWish wish, const Visit& visit) const {
  const SnapshotEntry* snapshot = state_.snapshot();
  if (snapshot == nullptr) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const auto manifests,
                        ReadManifests(runtime_, home_, locations_, *snapshot));
  for (const ManifestFile& manifest : manifests) {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    TARN_ASSIGN_OR_RETURN(const Path path, locations_.Resolve(manifest.location));
    TARN_ASSIGN_OR_RETURN(ManifestReader reader,
                          ManifestReader::Make(runtime_, home_, path, *state_.metadata,
                                               snapshot_.metadata.schema, manifest, wish));
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto entries, reader.Next());
      if (!entries) break;
      TARN_RETURN_IF_ERROR(visit(manifest, *entries));
    }
  }
  return OkStatus();
}

std::shared_ptr<arrow::DataType> FileRelations::PartitionType() const {
  arrow::FieldVector fields;
  for (const PartitionColumn& column : partition_) {
    const auto type = ToArrow(column.type);
    fields.push_back(arrow::field(column.name, type.ok() ? *type : arrow::null()));
  }
  return arrow::struct_(fields);
}

std::shared_ptr<arrow::DataType> FileRelations::MetricsType() const {
  arrow::FieldVector columns;
  for (const MetricColumn& column : metrics_) {
    const auto type = ToArrow(column.type);
    const auto bound = type.ok() ? *type : arrow::null();
    columns.push_back(arrow::field(
        column.path,
        arrow::struct_({FieldOf("column_size", arrow::int64()),
                        FieldOf("value_count", arrow::int64()),
                        FieldOf("null_value_count", arrow::int64()),
                        FieldOf("nan_value_count", arrow::int64()), FieldOf("lower_bound", bound),
                        FieldOf("upper_bound", bound)})));
  }
  return arrow::struct_(columns);
}

std::vector<std::shared_ptr<arrow::Field>> FileRelations::FileFields(bool with_spec) const {
  arrow::FieldVector fields = {FieldOf("content", arrow::int8()),
                               FieldOf("file_path", arrow::utf8()),
                               FieldOf("file_format", arrow::utf8())};
  if (with_spec) fields.push_back(FieldOf("spec_id", arrow::int32()));
  if (!partition_.empty()) fields.push_back(FieldOf("partition", PartitionType()));
  fields.insert(
      fields.end(),
      {FieldOf("record_count", arrow::int64()), FieldOf("file_size_in_bytes", arrow::int64()),
       FieldOf("column_sizes", NumbersById()), FieldOf("value_counts", NumbersById()),
       FieldOf("null_value_counts", NumbersById()), FieldOf("nan_value_counts", NumbersById()),
       FieldOf("lower_bounds", BytesById()), FieldOf("upper_bounds", BytesById()),
       FieldOf("key_metadata", arrow::binary()),
       FieldOf("split_offsets", arrow::list(arrow::int64())),
       FieldOf("equality_ids", arrow::list(arrow::int32())),
       FieldOf("sort_order_id", arrow::int32())});
  if (state_.metadata->format_version >= 3) {
    fields.insert(fields.end(), {FieldOf("first_row_id", arrow::int64()),
                                 FieldOf("referenced_data_file", arrow::utf8()),
                                 FieldOf("content_offset", arrow::int64()),
                                 FieldOf("content_size_in_bytes", arrow::int64())});
  }
  return fields;
}

Status FileRelations::AppendFile(const std::vector<arrow::ArrayBuilder*>& into,
                                 const ManifestFile& manifest, const EntryColumns& entries,
                                 int64_t row, bool with_spec) const {
  size_t at = 0;
  const auto next = [&] { return into[at++]; };
  TARN_RETURN_IF_ERROR(Append(next(), entries.content.Or(row, 0)));
  TARN_RETURN_IF_ERROR(Append(next(), entries.location.At(row)));
  TARN_RETURN_IF_ERROR(Append(next(), entries.format.At(row)));
  if (with_spec) TARN_RETURN_IF_ERROR(Append(next(), int64_t{manifest.spec_id}));
  if (!partition_.empty()) {
    TARN_RETURN_IF_ERROR(AppendPartition(next(), manifest.spec_id, entries, row));
  }
  TARN_RETURN_IF_ERROR(Append(next(), entries.record_count.At(row)));
  TARN_RETURN_IF_ERROR(Append(next(), entries.size_bytes.At(row)));
  for (const IdMapColumn* counts :
       {&entries.column_sizes, &entries.value_counts, &entries.null_counts, &entries.nan_counts}) {
    TARN_RETURN_IF_ERROR(AppendNumbers(next(), *counts, row));
  }
  TARN_RETURN_IF_ERROR(AppendBytes(next(), entries.lower, row));
  TARN_RETURN_IF_ERROR(AppendBytes(next(), entries.upper, row));
  TARN_RETURN_IF_ERROR(Append(next(), entries.key_metadata.At(row)));
  TARN_RETURN_IF_ERROR(AppendList(next(), entries.split_offsets, row));
  TARN_RETURN_IF_ERROR(AppendList(next(), entries.equality_ids, row));
  TARN_RETURN_IF_ERROR(Append(next(), entries.sort_order_id.At(row)));
  if (state_.metadata->format_version >= 3) {
    const int64_t first_row = entries.row_id[static_cast<size_t>(row)];
    TARN_RETURN_IF_ERROR(
        Append(next(), first_row < 0 ? std::nullopt : std::optional<int64_t>(first_row)));
    TARN_RETURN_IF_ERROR(Append(next(), entries.referenced_data_file.At(row)));
    TARN_RETURN_IF_ERROR(Append(next(), entries.content_offset.At(row)));
    TARN_RETURN_IF_ERROR(Append(next(), entries.content_size.At(row)));
  }
  return OkStatus();
}

Status FileRelations::AppendPartition(arrow::ArrayBuilder* into, int32_t spec_id,
                                      const EntryColumns& entries, int64_t row) const {
  std::vector<Value> values;
  values.reserve(entries.partition.size());
  for (const ValueColumn& column : entries.partition) {
    values.push_back(column.Get(static_cast<size_t>(row)));
  }
  return AppendPartition(into, spec_id, values);
}

Status FileRelations::AppendPartition(arrow::ArrayBuilder* into, int32_t spec_id,
                                      const std::vector<Value>& values) const {
  auto* record = static_cast<arrow::StructBuilder*>(into);
  TARN_RETURN_IF_ERROR(CheckRelation(record->Append()));
  const PartitionSpec* spec = state_.metadata->SpecById(spec_id);
  for (size_t column = 0; column < partition_.size(); ++column) {
    Value value;
    for (size_t i = 0; spec != nullptr && i < spec->fields.size() && i < values.size(); ++i) {
      if (spec->fields[i].field_id == partition_[column].field_id) value = values[i];
    }
    TARN_RETURN_IF_ERROR(AppendValue(record->field_builder(static_cast<int>(column)),
                                     partition_[column].type, value));
  }
  return OkStatus();
}

Status FileRelations::AppendMetrics(arrow::ArrayBuilder* into, const EntryColumns& entries,
                                    int64_t row) const {
  auto* record = static_cast<arrow::StructBuilder*>(into);
  TARN_RETURN_IF_ERROR(CheckRelation(record->Append()));
  for (size_t i = 0; i < metrics_.size(); ++i) {
    const MetricColumn& column = metrics_[i];
    auto* of_column =
        static_cast<arrow::StructBuilder*>(record->field_builder(static_cast<int>(i)));
    TARN_RETURN_IF_ERROR(CheckRelation(of_column->Append()));
    int at = 0;
    for (const IdMapColumn* counts : {&entries.column_sizes, &entries.value_counts,
                                      &entries.null_counts, &entries.nan_counts}) {
      TARN_RETURN_IF_ERROR(
          Append(of_column->field_builder(at++), NumberOf(*counts, row, column.field_id)));
    }
    for (const IdMapColumn* bounds : {&entries.lower, &entries.upper}) {
      const auto bytes = BytesOf(*bounds, row, column.field_id);
      const auto value = bytes ? ValueFromBinary(column.type, *bytes) : std::nullopt;
      TARN_RETURN_IF_ERROR(
          AppendValue(of_column->field_builder(at++), column.type, value ? *value : Value()));
    }
  }
  return OkStatus();
}

Result<Relation> FileRelations::Entries() const {
  const auto file_type = arrow::struct_(FileFields(false));
  RelationRows rows({FieldOf("status", arrow::int8()), FieldOf("snapshot_id", arrow::int64()),
                     FieldOf("sequence_number", arrow::int64()),
                     FieldOf("file_sequence_number", arrow::int64()),
                     FieldOf("data_file", file_type), FieldOf("readable_metrics", MetricsType())});
  auto* file = static_cast<arrow::StructBuilder*>(rows.builder(4));
  std::vector<arrow::ArrayBuilder*> into;
  into.reserve(static_cast<size_t>(file_type->num_fields()));
  for (int i = 0; i < file_type->num_fields(); ++i) into.push_back(file->field_builder(i));
  TARN_RETURN_IF_ERROR(ForEachBatch(
      {.bounds = true, .all = true},
      [&](const ManifestFile& manifest, const EntryColumns& entries) -> Status {
        for (int64_t row = 0; row < entries.size; ++row) {
          const auto i = static_cast<size_t>(row);
          rows.Number(0, static_cast<int64_t>(entries.status[i]));
          rows.Number(1, entries.snapshot_id[i]);
          rows.Number(2, entries.sequence_number[i]);
          rows.Number(3, entries.file_sequence_number.Or(row, manifest.sequence_number));
          TARN_RETURN_IF_ERROR(CheckRelation(file->Append()));
          TARN_RETURN_IF_ERROR(AppendFile(into, manifest, entries, row, false));
          TARN_RETURN_IF_ERROR(AppendMetrics(rows.builder(5), entries, row));
        }
        return OkStatus();
      }));
  return rows.Finish();
}

Result<Relation> FileRelations::Files(Which which) const {
  arrow::FieldVector fields = FileFields(true);
  const auto of_file = static_cast<int>(fields.size());
  fields.push_back(FieldOf("readable_metrics", MetricsType()));
  RelationRows rows(std::move(fields));
  std::vector<arrow::ArrayBuilder*> into;
  into.reserve(static_cast<size_t>(of_file));
  for (int i = 0; i < of_file; ++i) into.push_back(rows.builder(i));
  TARN_RETURN_IF_ERROR(
      ForEachBatch({.bounds = true, .all = true},
                   [&](const ManifestFile& manifest, const EntryColumns& entries) -> Status {
                     for (int64_t row = 0; row < entries.size; ++row) {
                       if (entries.status[static_cast<size_t>(row)] == EntryStatus::kDeleted)
                         continue;
                       const bool data = entries.content.Or(row, 0) == 0;
                       if (which != Which::kAll && data != (which == Which::kData)) continue;
                       TARN_RETURN_IF_ERROR(AppendFile(into, manifest, entries, row, true));
                       TARN_RETURN_IF_ERROR(AppendMetrics(rows.builder(of_file), entries, row));
                     }
                     return OkStatus();
                   }));
  return rows.Finish();
}

Result<Relation> FileRelations::Partitions() const {
  struct Totals {
    int32_t spec_id = 0;
    std::vector<Value> values;
    int64_t records = 0, files = 0, bytes = 0;
    int64_t position_records = 0, position_files = 0, equality_records = 0, equality_files = 0;
    std::optional<int64_t> updated_ms, updated_by;
  };
  std::map<std::string, Totals> totals;
  TARN_RETURN_IF_ERROR(
      ForEachBatch({}, [&](const ManifestFile& manifest, const EntryColumns& entries) -> Status {
        for (int64_t row = 0; row < entries.size; ++row) {
          const auto i = static_cast<size_t>(row);
          if (entries.status[i] == EntryStatus::kDeleted) continue;
          std::string key;
          if (!partition_.empty()) key = std::to_string(manifest.spec_id) + ":";
          AppendPartitionKey(entries.partition, row, key);
          const auto [found, is_new] = totals.try_emplace(std::move(key));
          Totals& sum = found->second;
          if (is_new) {
            sum.spec_id = manifest.spec_id;
            for (const ValueColumn& column : entries.partition) sum.values.push_back(column.Get(i));
          }
          const int64_t records = entries.record_count.Or(row, 0);
          switch (entries.content.Or(row, 0)) {
            case 0:
              sum.records += records;
              sum.files += 1;
              sum.bytes += entries.size_bytes.Or(row, 0);
              break;
            case 1:
              sum.position_records += records;
              sum.position_files += 1;
              break;
            default:
              sum.equality_records += records;
              sum.equality_files += 1;
          }
          const SnapshotEntry* made = state_.metadata->SnapshotById(entries.snapshot_id[i]);
          if (made != nullptr && made->timestamp_ms > sum.updated_ms.value_or(INT64_MIN)) {
            sum.updated_ms = made->timestamp_ms;
            sum.updated_by = made->id;
          }
        }
        return OkStatus();
      }));
  arrow::FieldVector fields;
  if (!partition_.empty()) {
    fields = {FieldOf("partition", PartitionType()), FieldOf("spec_id", arrow::int32())};
  }
  const auto first = static_cast<int>(fields.size());
  fields.insert(fields.end(),
                {FieldOf("record_count", arrow::int64()), FieldOf("file_count", arrow::int32()),
                 FieldOf("total_data_file_size_in_bytes", arrow::int64()),
                 FieldOf("position_delete_record_count", arrow::int64()),
                 FieldOf("position_delete_file_count", arrow::int32()),
                 FieldOf("equality_delete_record_count", arrow::int64()),
                 FieldOf("equality_delete_file_count", arrow::int32()),
                 FieldOf("last_updated_at", UtcMillis()),
                 FieldOf("last_updated_snapshot_id", arrow::int64())});
  RelationRows rows(std::move(fields));
  for (const auto& [key, sum] : totals) {
    if (!partition_.empty()) {
      TARN_RETURN_IF_ERROR(AppendPartition(rows.builder(0), sum.spec_id, sum.values));
      rows.Number(1, sum.spec_id);
    }
    int column = first;
    for (const int64_t count : {sum.records, sum.files, sum.bytes, sum.position_records,
                                sum.position_files, sum.equality_records, sum.equality_files}) {
      rows.Number(column++, count);
    }
    rows.Number(column++, sum.updated_ms);
    rows.Number(column, sum.updated_by);
  }
  return rows.Finish();
}

Result<Relation> FileRelations::PositionDeletes(DeletedRowsReader& deleted_rows) const {
  arrow::FieldVector fields = {FieldOf("file_path", arrow::utf8()), FieldOf("pos", arrow::int64())};
  if (!partition_.empty()) fields.push_back(FieldOf("partition", PartitionType()));
  fields.push_back(FieldOf("spec_id", arrow::int32()));
  fields.push_back(FieldOf("delete_file_path", arrow::utf8()));
  RelationRows rows(std::move(fields));
  if (state_.snapshot() == nullptr) return rows.Finish();
  TARN_ASSIGN_OR_RETURN(const auto files, StreamFiles(runtime_, home_, snapshot_, {}));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, files->Next());
    if (!batch) return rows.Finish();
    for (int64_t row = 0; row < batch->size && !batch->delete_offsets.empty(); ++row) {
      const DataFile file = batch->At(row);
      for (const DeleteFile& deletes : file.deletes) {
        if (deletes.kind == DeleteKind::kEqualityDeletes) continue;
        DataFile by_one = file;
        by_one.deletes = {deletes};
        TARN_ASSIGN_OR_RETURN(const RowSet positions, deleted_rows.Read(home_, snapshot_, by_one));
        Status appended;
        positions.ForEach([&](uint64_t position) {
          int column = 0;
          rows.Text(column++, file.location);
          rows.Number(column++, static_cast<int64_t>(position));
          if (!partition_.empty() && appended.ok()) {
            appended = AppendPartition(rows.builder(column), file.spec_id, file.partition);
          }
          if (!partition_.empty()) ++column;
          rows.Number(column++, file.spec_id);
          rows.Text(column, deletes.location);
        });
        TARN_RETURN_IF_ERROR(appended);
      }
    }
  }
}

}  // namespace tarn::iceberg
