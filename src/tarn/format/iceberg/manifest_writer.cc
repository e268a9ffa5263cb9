#include "tarn/format/iceberg/manifest_writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <arrow/api.h>
#include <arrow/array/concatenate.h>
#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/avro_reader.h"
#include "tarn/datafile/avro_writer.h"
#include "tarn/format/iceberg/columns_internal.h"
#include "tarn/format/iceberg/entry_schema.h"
#include "tarn/format/iceberg/schema_json_internal.h"
#include "tarn/format/iceberg/single_value.h"
#include "tarn/model/statistics.h"

namespace tarn::iceberg {
namespace {

constexpr const char* kInManifest = "iceberg: manifest";

Status CheckManifest(const arrow::Status& status) { return Lift(status, kInManifest); }

// Named arrays that become a record.
class Columns {
 public:
  Status Add(const char* name, arrow::ArrayBuilder& builder) {
    TARN_ASSIGN_OR_RETURN(auto array, Lift(builder.Finish(), kInManifest));
    Add(name, std::move(array));
    return OkStatus();
  }
  void Add(const char* name, std::shared_ptr<arrow::Array> array) {
    fields_.push_back(arrow::field(name, array->type()));
    arrays_.push_back(std::move(array));
  }
  std::shared_ptr<arrow::Array> Record(int64_t rows) const {
    return std::make_shared<arrow::StructArray>(arrow::struct_(fields_), rows, arrays_);
  }
  std::shared_ptr<arrow::RecordBatch> Batch(int64_t rows) const {
    return arrow::RecordBatch::Make(arrow::schema(fields_), rows, arrays_);
  }

 private:
  arrow::FieldVector fields_;
  arrow::ArrayVector arrays_;
};

// A map of field ids to numbers or bytes under construction; a file without entries has none.
template <class ValueBuilder>
class IdMapBuilder {
 public:
  IdMapBuilder()
      : keys_(std::make_shared<arrow::Int32Builder>()),
        values_(std::make_shared<ValueBuilder>()),
        map_(arrow::default_memory_pool(), keys_, values_) {}

  template <class Entries>
  Status Append(const Entries& entries) {
    if (entries.empty()) return CheckManifest(map_.AppendNull());
    TARN_RETURN_IF_ERROR(CheckManifest(map_.Append()));
    for (const auto& [id, value] : entries) {
      TARN_RETURN_IF_ERROR(CheckManifest(keys_->Append(id)));
      TARN_RETURN_IF_ERROR(CheckManifest(values_->Append(value)));
    }
    return OkStatus();
  }
  arrow::ArrayBuilder& builder() { return map_; }

 private:
  std::shared_ptr<arrow::Int32Builder> keys_;
  std::shared_ptr<ValueBuilder> values_;
  arrow::MapBuilder map_;
};

std::optional<Bytes> BoundBytes(const Type& type, const std::optional<Value>& bound, bool upper,
                                const MetricsMode& mode) {
  if (!bound || IsNull(*bound)) return std::nullopt;
  const auto* text = std::get_if<std::string>(&*bound);
  const bool cuts = type.kind == TypeKind::kString || type.kind == TypeKind::kBinary;
  if (text == nullptr || !cuts || mode.kind != MetricsMode::Kind::kTruncate) {
    return ValueToBinary(type, *bound);
  }
  const bool utf8 = type.kind == TypeKind::kString;
  if (!upper) return TruncateLower(*text, utf8, mode.length);
  return TruncateUpper(*text, utf8, mode.length);
}

// A file format as manifests name it.
std::string UpperName(std::string format) {
  for (char& c : format) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return format;
}

// What a manifest keeps of a file's statistics.
struct FileMetrics {
  std::vector<std::pair<int32_t, int64_t>> sizes, values, nulls, nans;
  std::vector<std::pair<int32_t, Bytes>> lower, upper;
};

FileMetrics MetricsOf(const DataFile& file, const Schema& schema,
                      const std::map<int32_t, MetricsMode>& modes) {
  FileMetrics metrics;
  for (const ColumnStatistics& column : file.statistics) {
    const auto mode = modes.find(column.field_id);
    const Field* field = schema.FindById(column.field_id);
    if (field == nullptr || mode == modes.end()) continue;
    if (mode->second.kind == MetricsMode::Kind::kNone) continue;
    const int32_t id = column.field_id;
    if (column.size_bytes) metrics.sizes.emplace_back(id, *column.size_bytes);
    if (column.value_count) metrics.values.emplace_back(id, *column.value_count);
    if (column.null_count) metrics.nulls.emplace_back(id, *column.null_count);
    if (column.nan_count && field->type.IsFloating()) {
      metrics.nans.emplace_back(id, *column.nan_count);
    }
    if (mode->second.kind == MetricsMode::Kind::kCounts) continue;
    if (auto bound = BoundBytes(field->type, column.lower, false, mode->second)) {
      metrics.lower.emplace_back(id, *std::move(bound));
    }
    if (auto bound = BoundBytes(field->type, column.upper, true, mode->second)) {
      metrics.upper.emplace_back(id, *std::move(bound));
    }
  }
  return metrics;
}

Result<std::shared_ptr<arrow::Array>> PartitionRecord(const ManifestShape& shape,
                                                      const std::vector<DataFile>& files) {
  Columns record;
  for (size_t i = 0; i < shape.spec.fields.size(); ++i) {
    arrow::ArrayVector cells;
    cells.reserve(files.size());
    for (const DataFile& file : files) {
      if (i >= file.partition.size()) return Internal("iceberg: a file without partition values");
      TARN_ASSIGN_OR_RETURN(auto cell, Repeat(shape.partition_types[i], file.partition[i], 1));
      cells.push_back(std::move(cell));
    }
    TARN_ASSIGN_OR_RETURN(auto column, Lift(arrow::Concatenate(cells), kInManifest));
    // The names in the schema are those that Avro takes.
    record.Add(shape.spec.fields[i].name.c_str(), std::move(column));
  }
  return record.Record(static_cast<int64_t>(files.size()));
}

Result<AvroTypePtr> ParsedSchema(const ManifestShape& shape) {
  return ParseAvroSchema(shape.entry_schema);
}

// The partition record's arrays under the names that the Avro schema has for them: a name that Avro
// forbids is escaped there.
Result<std::shared_ptr<arrow::Array>> WithAvroNames(const std::shared_ptr<arrow::Array>& record,
                                                    const AvroType& entry) {
  for (const AvroField& field : entry.fields) {
    if (field.name != "data_file") continue;
    for (const AvroField& of_file : field.type->fields) {
      if (of_file.name != "partition") continue;
      const auto& values = static_cast<const arrow::StructArray&>(*record);
      arrow::FieldVector fields;
      arrow::ArrayVector arrays;
      for (int i = 0; i < values.num_fields(); ++i) {
        fields.push_back(arrow::field(of_file.type->fields[static_cast<size_t>(i)].name,
                                      values.field(i)->type()));
        arrays.push_back(values.field(i));
      }
      return std::shared_ptr<arrow::Array>(
          std::make_shared<arrow::StructArray>(arrow::struct_(fields), values.length(), arrays));
    }
  }
  return record;
}

std::string HeaderSpec(const PartitionSpec& spec) {
  Json fields = Json::array();
  for (const PartitionField& field : spec.fields) {
    Json json;
    json["name"] = field.name;
    json["transform"] = TransformToText(field);
    json["source-id"] = field.source_id;
    json["field-id"] = field.field_id;
    fields.push_back(std::move(json));
  }
  return fields.dump();
}

const AvroField* FieldOfFile(const AvroType& entry, int32_t id) {
  for (const AvroField& field : entry.fields) {
    if (field.field_id != 2 || field.type->kind != AvroKind::kRecord) continue;
    for (const AvroField& of_file : field.type->fields) {
      if (of_file.field_id == id) return &of_file;
    }
  }
  return nullptr;
}

// PyIceberg writes equality ids as longs, which Avro does not read as ints: they are read as they
// are there.
AvroTypePtr WithEqualityIdsOf(const AvroTypePtr& written, const AvroType& file) {
  constexpr int32_t kEqualityIds = 135;
  const AvroField* theirs = FieldOfFile(file, kEqualityIds);
  if (theirs == nullptr || FieldOfFile(*written, kEqualityIds) == nullptr) return written;
  auto entry = std::make_shared<AvroType>(*written);
  for (AvroField& field : entry->fields) {
    if (field.field_id != 2) continue;
    auto record = std::make_shared<AvroType>(*field.type);
    for (AvroField& of_file : record->fields) {
      if (of_file.field_id == kEqualityIds) of_file.type = theirs->type;
    }
    field.type = std::move(record);
  }
  return entry;
}

// Counts, and the span of partition values, over the entries of a manifest.
class Summary {
 public:
  Summary(const ManifestShape& shape, ManifestFile& file) : shape_(shape), file_(file) {
    file_.added_files = file_.existing_files = file_.deleted_files = 0;
    file_.added_rows = file_.existing_rows = file_.deleted_rows = 0;
    file_.partitions.resize(shape.spec.fields.size());
    for (FieldSummary& summary : file_.partitions) summary.contains_null = false;
    lower_.resize(shape.spec.fields.size());
    upper_.resize(shape.spec.fields.size());
    for (size_t i = 0; i < shape.partition_types.size(); ++i) {
      if (shape.partition_types[i].IsFloating()) file_.partitions[i].contains_nan = false;
    }
  }

  Status Add(const arrow::RecordBatch& batch) {
    const auto record = ColumnOf(batch, 0, "data_file");
    const auto& file = static_cast<const arrow::StructArray&>(*record);
    TARN_ASSIGN_OR_RETURN(const auto status,
                          IntegerColumn::Make(ColumnOf(batch, 0, "status"), "status"));
    TARN_ASSIGN_OR_RETURN(
        const auto sequence,
        IntegerColumn::Make(ColumnOf(batch, 0, "sequence_number"), "sequence_number"));
    TARN_ASSIGN_OR_RETURN(const auto rows,
                          IntegerColumn::Make(ColumnOf(file, 0, "record_count"), "record_count"));
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      const int64_t records = rows.Or(row, 0);
      switch (static_cast<EntryStatus>(status.Or(row, 0))) {
        case EntryStatus::kAdded:
          ++*file_.added_files;
          *file_.added_rows += records;
          break;
        case EntryStatus::kExisting:
          ++*file_.existing_files;
          *file_.existing_rows += records;
          break;
        case EntryStatus::kDeleted:
          ++*file_.deleted_files;
          *file_.deleted_rows += records;
          break;
      }
      if (status.Or(row, 0) != static_cast<int64_t>(EntryStatus::kDeleted)) {
        least_ = std::min(least_.value_or(INT64_MAX), sequence.Or(row, shape_.sequence_number));
      }
    }
    const auto partition = ColumnOf(file, 0, "partition");
    const auto& values = static_cast<const arrow::StructArray&>(*partition);
    for (size_t i = 0; i < lower_.size(); ++i) {
      TARN_ASSIGN_OR_RETURN(const ValueColumn column,
                            ValuesOf(values.field(static_cast<int>(i)), shape_.partition_types[i],
                                     shape_.spec.fields[i].name));
      for (size_t row = 0; row < column.size(); ++row) Span(i, column.Get(row));
    }
    return OkStatus();
  }

  void Finish() {
    file_.min_sequence_number = least_.value_or(shape_.sequence_number);
    for (size_t i = 0; i < lower_.size(); ++i) {
      const Type& type = shape_.partition_types[i];
      if (lower_[i]) file_.partitions[i].lower = ValueToBinary(type, *lower_[i]);
      if (upper_[i]) file_.partitions[i].upper = ValueToBinary(type, *upper_[i]);
    }
  }

 private:
  void Span(size_t i, Value value) {
    FieldSummary& summary = file_.partitions[i];
    if (IsNull(value)) {
      summary.contains_null = true;
      return;
    }
    const auto* number = std::get_if<double>(&value);
    if (number != nullptr && std::isnan(*number)) {
      summary.contains_nan = true;
      return;
    }
    const Type& type = shape_.partition_types[i];
    if (!lower_[i] || CompareValues(type, value, *lower_[i]) < 0) lower_[i] = value;
    if (!upper_[i] || CompareValues(type, value, *upper_[i]) > 0) upper_[i] = std::move(value);
  }

  const ManifestShape& shape_;
  ManifestFile& file_;
  std::optional<int64_t> least_;
  std::vector<std::optional<Value>> lower_, upper_;
};

// One batch of a manifest that is read again, with statuses as this commit writes them.
class Rewriter {
 public:
  Rewriter(const ManifestShape& shape, const ManifestFile& manifest, const DecideFate& decide)
      : shape_(shape),
        manifest_(manifest),
        decide_(decide),
        next_row_id_(manifest.content == ManifestContent::kData ? manifest.first_row_id
                                                                : std::nullopt) {}

  Result<std::shared_ptr<arrow::RecordBatch>> Rewrite(const arrow::RecordBatch& batch,
                                                      int64_t& deleted) {
    const auto record = ColumnOf(batch, 0, "data_file");
    const auto& file = static_cast<const arrow::StructArray&>(*record);
    TARN_ASSIGN_OR_RETURN(const auto status,
                          IntegerColumn::Make(ColumnOf(batch, 0, "status"), "status"));
    TARN_ASSIGN_OR_RETURN(const auto snapshot,
                          IntegerColumn::Make(ColumnOf(batch, 0, "snapshot_id"), "snapshot_id"));
    TARN_ASSIGN_OR_RETURN(
        const auto sequence,
        IntegerColumn::Make(ColumnOf(batch, 0, "sequence_number"), "sequence_number"));
    TARN_ASSIGN_OR_RETURN(
        const auto file_sequence,
        IntegerColumn::Make(ColumnOf(batch, 0, "file_sequence_number"), "file_sequence_number"));
    TARN_ASSIGN_OR_RETURN(const auto location,
                          BytesColumn::Make(ColumnOf(file, 0, "file_path"), "file_path"));
    TARN_ASSIGN_OR_RETURN(
        const auto referenced,
        BytesColumn::Make(ColumnOf(file, 0, "referenced_data_file"), "referenced_data_file"));
    TARN_ASSIGN_OR_RETURN(const auto records,
                          IntegerColumn::Make(ColumnOf(file, 0, "record_count"), "record_count"));
    TARN_ASSIGN_OR_RETURN(const auto first_row,
                          IntegerColumn::Make(ColumnOf(file, 0, "first_row_id"), "first_row_id"));
    arrow::Int32Builder statuses;
    arrow::Int64Builder snapshots, sequences, file_sequences, first_rows, kept;
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      if (status.Or(row, 0) == static_cast<int64_t>(EntryStatus::kDeleted)) continue;
      const bool gone =
          decide_(location.At(row).value_or(""), referenced.At(row)) == Fate::kDeleted;
      if (gone) ++deleted;
      // "First Row ID Inheritance": what was inherited is written down before the entry moves.
      std::optional<int64_t> first = first_row.At(row);
      if (!first && next_row_id_) {
        first = *next_row_id_;
        *next_row_id_ += records.Or(row, 0);
      }
      TARN_RETURN_IF_ERROR(
          CheckManifest(first ? first_rows.Append(*first) : first_rows.AppendNull()));
      TARN_RETURN_IF_ERROR(CheckManifest(kept.Append(row)));
      TARN_RETURN_IF_ERROR(CheckManifest(statuses.Append(
          static_cast<int32_t>(gone ? EntryStatus::kDeleted : EntryStatus::kExisting))));
      TARN_RETURN_IF_ERROR(CheckManifest(snapshots.Append(
          gone ? shape_.snapshot_id : snapshot.Or(row, manifest_.added_snapshot_id))));
      TARN_RETURN_IF_ERROR(
          CheckManifest(sequences.Append(sequence.Or(row, manifest_.sequence_number))));
      TARN_RETURN_IF_ERROR(
          CheckManifest(file_sequences.Append(file_sequence.Or(row, manifest_.sequence_number))));
    }
    const int64_t rows = kept.length();
    TARN_ASSIGN_OR_RETURN(auto indices, Lift(kept.Finish(), kInManifest));
    TARN_ASSIGN_OR_RETURN(const arrow::Datum files,
                          Lift(arrow::compute::Take(record, indices), kInManifest));
    Columns columns;
    TARN_RETURN_IF_ERROR(columns.Add("status", statuses));
    TARN_RETURN_IF_ERROR(columns.Add("snapshot_id", snapshots));
    if (shape_.format_version > 1) {
      TARN_RETURN_IF_ERROR(columns.Add("sequence_number", sequences));
      TARN_RETURN_IF_ERROR(columns.Add("file_sequence_number", file_sequences));
    }
    TARN_ASSIGN_OR_RETURN(auto data_files, AsWritten(*files.make_array(), first_rows));
    columns.Add("data_file", std::move(data_files));
    return columns.Batch(rows);
  }

 private:
  // The files' columns as they are written: row ids spelled out, equality ids of the
  // specification's type.
  Result<std::shared_ptr<arrow::Array>> AsWritten(const arrow::Array& files,
                                                  arrow::Int64Builder& first_rows) const {
    const auto& record = static_cast<const arrow::StructArray&>(files);
    TARN_ASSIGN_OR_RETURN(const auto column, Lift(first_rows.Finish(), kInManifest));
    Columns columns;
    for (int i = 0; i < record.num_fields(); ++i) {
      const std::string& name = record.type()->field(i)->name();
      std::shared_ptr<arrow::Array> child = record.field(i);
      if (name == "first_row_id") child = column;
      if (name == "equality_ids") {
        TARN_ASSIGN_OR_RETURN(
            child, Lift(arrow::compute::Cast(*child, arrow::list(arrow::int32())), kInManifest));
      }
      columns.Add(name.c_str(), std::move(child));
    }
    return columns.Record(record.length());
  }

  const ManifestShape& shape_;
  const ManifestFile& manifest_;
  const DecideFate& decide_;
  std::optional<int64_t> next_row_id_;
};

}  // namespace

Result<ManifestShape> MakeShape(PartitionSpec spec, std::vector<Type> partition_types,
                                int32_t format_version, int64_t snapshot_id,
                                int64_t sequence_number, const Schema& schema) {
  ManifestShape shape;
  shape.format_version = format_version;
  shape.snapshot_id = snapshot_id;
  shape.sequence_number = sequence_number;
  shape.schema = schema;
  TARN_ASSIGN_OR_RETURN(const Json schema_json, SchemaToJson(schema, format_version));
  shape.schema_json = schema_json.dump();
  shape.spec_json = HeaderSpec(spec);
  TARN_ASSIGN_OR_RETURN(shape.entry_schema, EntrySchema(spec, partition_types, format_version));
  shape.spec = std::move(spec);
  shape.partition_types = std::move(partition_types);
  return shape;
}

Result<EntryBatches> AddedEntries(const ManifestShape& shape, const std::vector<DataFile>& files,
                                  const std::map<int32_t, MetricsMode>& modes,
                                  const Locations& locations) {
  const bool v1 = shape.format_version == 1;
  const auto rows = static_cast<int64_t>(files.size());
  arrow::Int32Builder statuses, contents, orders;
  arrow::Int64Builder snapshots, records, sizes;
  arrow::StringBuilder paths, formats;
  IdMapBuilder<arrow::Int64Builder> column_sizes, value_counts, null_counts, nan_counts;
  IdMapBuilder<arrow::BinaryBuilder> lower, upper;
  auto offset_values = std::make_shared<arrow::Int64Builder>();
  arrow::ListBuilder offsets(arrow::default_memory_pool(), offset_values);
  for (const DataFile& file : files) {
    const std::string location =
        file.location.empty() ? locations.LocationOf(file.path) : file.location;
    TARN_RETURN_IF_ERROR(CheckManifest(statuses.Append(static_cast<int32_t>(EntryStatus::kAdded))));
    TARN_RETURN_IF_ERROR(CheckManifest(snapshots.Append(shape.snapshot_id)));
    TARN_RETURN_IF_ERROR(CheckManifest(contents.Append(0)));
    TARN_RETURN_IF_ERROR(CheckManifest(paths.Append(location)));
    TARN_RETURN_IF_ERROR(CheckManifest(formats.Append(UpperName(file.format))));
    if (file.record_count < 0) return Internal("iceberg: a data file without record count");
    TARN_RETURN_IF_ERROR(CheckManifest(records.Append(file.record_count)));
    TARN_RETURN_IF_ERROR(CheckManifest(sizes.Append(file.size_bytes)));
    const FileMetrics metrics = MetricsOf(file, shape.schema, modes);
    TARN_RETURN_IF_ERROR(column_sizes.Append(metrics.sizes));
    TARN_RETURN_IF_ERROR(value_counts.Append(metrics.values));
    TARN_RETURN_IF_ERROR(null_counts.Append(metrics.nulls));
    TARN_RETURN_IF_ERROR(nan_counts.Append(metrics.nans));
    TARN_RETURN_IF_ERROR(lower.Append(metrics.lower));
    TARN_RETURN_IF_ERROR(upper.Append(metrics.upper));
    TARN_RETURN_IF_ERROR(CheckManifest(file.sort_order_id != 0 ? orders.Append(file.sort_order_id)
                                                               : orders.AppendNull()));
    if (file.split_offsets.empty()) {
      TARN_RETURN_IF_ERROR(CheckManifest(offsets.AppendNull()));
    } else {
      TARN_RETURN_IF_ERROR(CheckManifest(offsets.Append()));
      TARN_RETURN_IF_ERROR(CheckManifest(offset_values->AppendValues(file.split_offsets)));
    }
  }
  Columns data_file;
  if (!v1) TARN_RETURN_IF_ERROR(data_file.Add("content", contents));
  TARN_RETURN_IF_ERROR(data_file.Add("file_path", paths));
  TARN_RETURN_IF_ERROR(data_file.Add("file_format", formats));
  TARN_ASSIGN_OR_RETURN(auto partition, PartitionRecord(shape, files));
  TARN_ASSIGN_OR_RETURN(const AvroTypePtr avro, ParsedSchema(shape));
  TARN_ASSIGN_OR_RETURN(partition, WithAvroNames(partition, *avro));
  data_file.Add("partition", std::move(partition));
  TARN_RETURN_IF_ERROR(data_file.Add("record_count", records));
  TARN_RETURN_IF_ERROR(data_file.Add("file_size_in_bytes", sizes));
  TARN_RETURN_IF_ERROR(data_file.Add("column_sizes", column_sizes.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("value_counts", value_counts.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("null_value_counts", null_counts.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("nan_value_counts", nan_counts.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("lower_bounds", lower.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("upper_bounds", upper.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("split_offsets", offsets));
  TARN_RETURN_IF_ERROR(data_file.Add("sort_order_id", orders));
  Columns entries;
  TARN_RETURN_IF_ERROR(entries.Add("status", statuses));
  TARN_RETURN_IF_ERROR(entries.Add("snapshot_id", snapshots));
  entries.Add("data_file", data_file.Record(rows));
  return EntryBatches{entries.Batch(rows)};
}

Result<EntryBatches> AddedDeleteEntries(const ManifestShape& shape,
                                        const std::vector<NewDelete>& deletes) {
  // "Reserved Field IDs" of position delete files.
  constexpr int32_t kFilePathId = 2147483546;
  constexpr int32_t kPositionId = 2147483545;
  const Type position = Type::Of(TypeKind::kInt64);
  arrow::Int32Builder statuses, contents;
  arrow::Int64Builder snapshots, records, sizes, content_offsets, content_sizes;
  arrow::StringBuilder paths, formats, referenced;
  IdMapBuilder<arrow::BinaryBuilder> lower, upper;
  std::vector<DataFile> files;
  const auto optional = [](arrow::Int64Builder& into, const std::optional<int64_t>& number) {
    return CheckManifest(number ? into.Append(*number) : into.AppendNull());
  };
  for (const NewDelete& one : deletes) {
    TARN_RETURN_IF_ERROR(CheckManifest(statuses.Append(static_cast<int32_t>(EntryStatus::kAdded))));
    TARN_RETURN_IF_ERROR(CheckManifest(snapshots.Append(shape.snapshot_id)));
    TARN_RETURN_IF_ERROR(CheckManifest(contents.Append(1)));
    TARN_RETURN_IF_ERROR(CheckManifest(paths.Append(one.file.location)));
    TARN_RETURN_IF_ERROR(CheckManifest(formats.Append(UpperName(one.file.format))));
    TARN_RETURN_IF_ERROR(CheckManifest(records.Append(one.file.record_count)));
    TARN_RETURN_IF_ERROR(CheckManifest(sizes.Append(one.file.size_bytes)));
    TARN_RETURN_IF_ERROR(CheckManifest(one.referenced_data_file
                                           ? referenced.Append(*one.referenced_data_file)
                                           : referenced.AppendNull()));
    TARN_RETURN_IF_ERROR(optional(content_offsets, one.content_offset));
    TARN_RETURN_IF_ERROR(optional(content_sizes, one.content_size));
    std::vector<std::pair<int32_t, Bytes>> low, high;
    if (one.positions) {
      // A bound of the path is only of use where it is whole, and the same twice.
      if (one.referenced_data_file) {
        low.emplace_back(kFilePathId, *one.referenced_data_file);
        high.emplace_back(kFilePathId, *one.referenced_data_file);
      }
      low.emplace_back(kPositionId, ValueToBinary(position, Value(one.positions->first)));
      high.emplace_back(kPositionId, ValueToBinary(position, Value(one.positions->second)));
    }
    TARN_RETURN_IF_ERROR(lower.Append(low));
    TARN_RETURN_IF_ERROR(upper.Append(high));
    files.push_back(one.file);
  }
  Columns data_file;
  TARN_RETURN_IF_ERROR(data_file.Add("content", contents));
  TARN_RETURN_IF_ERROR(data_file.Add("file_path", paths));
  TARN_RETURN_IF_ERROR(data_file.Add("file_format", formats));
  TARN_ASSIGN_OR_RETURN(auto partition, PartitionRecord(shape, files));
  TARN_ASSIGN_OR_RETURN(const AvroTypePtr avro, ParsedSchema(shape));
  TARN_ASSIGN_OR_RETURN(partition, WithAvroNames(partition, *avro));
  data_file.Add("partition", std::move(partition));
  TARN_RETURN_IF_ERROR(data_file.Add("record_count", records));
  TARN_RETURN_IF_ERROR(data_file.Add("file_size_in_bytes", sizes));
  TARN_RETURN_IF_ERROR(data_file.Add("lower_bounds", lower.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("upper_bounds", upper.builder()));
  TARN_RETURN_IF_ERROR(data_file.Add("referenced_data_file", referenced));
  if (shape.format_version >= 3) {
    TARN_RETURN_IF_ERROR(data_file.Add("content_offset", content_offsets));
    TARN_RETURN_IF_ERROR(data_file.Add("content_size_in_bytes", content_sizes));
  }
  const auto rows = static_cast<int64_t>(deletes.size());
  Columns entries;
  TARN_RETURN_IF_ERROR(entries.Add("status", statuses));
  TARN_RETURN_IF_ERROR(entries.Add("snapshot_id", snapshots));
  entries.Add("data_file", data_file.Record(rows));
  return EntryBatches{entries.Batch(rows)};
}

Result<RewrittenEntries> RewriteEntries(Runtime& runtime, const TableHome& home, const Path& path,
                                        const ManifestShape& shape, const ManifestFile& manifest,
                                        const DecideFate& decide) {
  TARN_ASSIGN_OR_RETURN(auto object, home.storage.OpenReader(path));
  TARN_ASSIGN_OR_RETURN(const AvroFile file, AvroFile::Open(std::move(object), path.str()));
  AvroReadOptions options;
  TARN_ASSIGN_OR_RETURN(const AvroTypePtr written, ParsedSchema(shape));
  options.reader = WithEqualityIdsOf(written, *file.header().schema);
  options.match = ColumnMatch::kById;
  TARN_ASSIGN_OR_RETURN(const auto stream, file.Read(runtime, options));
  Rewriter rewriter(shape, manifest, decide);
  RewrittenEntries rewritten;
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (batch == nullptr) return rewritten;
    TARN_ASSIGN_OR_RETURN(auto entries, rewriter.Rewrite(*batch, rewritten.deleted));
    if (entries->num_rows() > 0) rewritten.batches.push_back(std::move(entries));
  }
}

Result<BuiltManifest> BuildManifest(Runtime& runtime, const ManifestShape& shape,
                                    ManifestContent content, const EntryBatches& batches,
                                    std::string location) {
  BuiltManifest built;
  built.file.location = std::move(location);
  built.file.spec_id = shape.spec.id;
  built.file.content = content;
  built.file.sequence_number = shape.sequence_number;
  built.file.added_snapshot_id = shape.snapshot_id;
  Summary summary(shape, built.file);
  for (const auto& batch : batches) TARN_RETURN_IF_ERROR(summary.Add(*batch));
  summary.Finish();
  AvroWriteOptions options;
  options.schema_json = shape.entry_schema;
  options.metadata = {{"schema", shape.schema_json},
                      {"schema-id", std::to_string(shape.schema.id)},
                      {"partition-spec", shape.spec_json},
                      {"partition-spec-id", std::to_string(shape.spec.id)},
                      {"format-version", std::to_string(shape.format_version)}};
  if (shape.format_version > 1) {
    options.metadata.emplace_back("content",
                                  content == ManifestContent::kData ? "data" : "deletes");
  }
  TARN_ASSIGN_OR_RETURN(built.bytes, WriteAvro(batches, runtime.random, options));
  built.file.length = static_cast<int64_t>(built.bytes.size());
  return built;
}

Result<Bytes> BuildManifestList(Runtime& runtime, const ManifestListHeader& header,
                                const std::vector<ManifestFile>& manifests) {
  arrow::StringBuilder paths;
  arrow::Int64Builder lengths, sequences, min_sequences, snapshots, added_rows, existing_rows,
      deleted_rows, first_rows;
  arrow::Int32Builder specs, contents, added, existing, deleted;
  arrow::BinaryBuilder keys;
  const auto summary_type = arrow::struct_({arrow::field("contains_null", arrow::boolean()),
                                            arrow::field("contains_nan", arrow::boolean()),
                                            arrow::field("lower_bound", arrow::binary()),
                                            arrow::field("upper_bound", arrow::binary())});
  auto nulls = std::make_shared<arrow::BooleanBuilder>();
  auto nans = std::make_shared<arrow::BooleanBuilder>();
  auto lower = std::make_shared<arrow::BinaryBuilder>();
  auto upper = std::make_shared<arrow::BinaryBuilder>();
  auto summaries = std::make_shared<arrow::StructBuilder>(
      summary_type, arrow::default_memory_pool(),
      std::vector<std::shared_ptr<arrow::ArrayBuilder>>{nulls, nans, lower, upper});
  arrow::ListBuilder partitions(arrow::default_memory_pool(), summaries);
  const auto append_bytes = [](arrow::BinaryBuilder& builder, const std::optional<Bytes>& bytes) {
    return CheckManifest(bytes ? builder.Append(*bytes) : builder.AppendNull());
  };
  for (const ManifestFile& manifest : manifests) {
    TARN_RETURN_IF_ERROR(CheckManifest(paths.Append(manifest.location)));
    TARN_RETURN_IF_ERROR(CheckManifest(lengths.Append(manifest.length)));
    TARN_RETURN_IF_ERROR(CheckManifest(specs.Append(manifest.spec_id)));
    TARN_RETURN_IF_ERROR(CheckManifest(contents.Append(static_cast<int32_t>(manifest.content))));
    TARN_RETURN_IF_ERROR(CheckManifest(sequences.Append(manifest.sequence_number)));
    TARN_RETURN_IF_ERROR(CheckManifest(min_sequences.Append(manifest.min_sequence_number)));
    TARN_RETURN_IF_ERROR(CheckManifest(snapshots.Append(manifest.added_snapshot_id)));
    const auto count = [](const std::optional<int64_t>& number) {
      return static_cast<int32_t>(number.value_or(0));
    };
    TARN_RETURN_IF_ERROR(CheckManifest(added.Append(count(manifest.added_files))));
    TARN_RETURN_IF_ERROR(CheckManifest(existing.Append(count(manifest.existing_files))));
    TARN_RETURN_IF_ERROR(CheckManifest(deleted.Append(count(manifest.deleted_files))));
    TARN_RETURN_IF_ERROR(CheckManifest(added_rows.Append(manifest.added_rows.value_or(0))));
    TARN_RETURN_IF_ERROR(CheckManifest(existing_rows.Append(manifest.existing_rows.value_or(0))));
    TARN_RETURN_IF_ERROR(CheckManifest(deleted_rows.Append(manifest.deleted_rows.value_or(0))));
    TARN_RETURN_IF_ERROR(CheckManifest(partitions.Append()));
    for (const FieldSummary& summary : manifest.partitions) {
      TARN_RETURN_IF_ERROR(CheckManifest(summaries->Append()));
      TARN_RETURN_IF_ERROR(CheckManifest(nulls->Append(summary.contains_null)));
      TARN_RETURN_IF_ERROR(CheckManifest(summary.contains_nan ? nans->Append(*summary.contains_nan)
                                                              : nans->AppendNull()));
      TARN_RETURN_IF_ERROR(append_bytes(*lower, summary.lower));
      TARN_RETURN_IF_ERROR(append_bytes(*upper, summary.upper));
    }
    TARN_RETURN_IF_ERROR(append_bytes(keys, manifest.key_metadata));
    TARN_RETURN_IF_ERROR(CheckManifest(manifest.first_row_id
                                           ? first_rows.Append(*manifest.first_row_id)
                                           : first_rows.AppendNull()));
  }
  Columns columns;
  TARN_RETURN_IF_ERROR(columns.Add("manifest_path", paths));
  TARN_RETURN_IF_ERROR(columns.Add("manifest_length", lengths));
  TARN_RETURN_IF_ERROR(columns.Add("partition_spec_id", specs));
  if (header.format_version > 1) {
    TARN_RETURN_IF_ERROR(columns.Add("content", contents));
    TARN_RETURN_IF_ERROR(columns.Add("sequence_number", sequences));
    TARN_RETURN_IF_ERROR(columns.Add("min_sequence_number", min_sequences));
  }
  TARN_RETURN_IF_ERROR(columns.Add("added_snapshot_id", snapshots));
  TARN_RETURN_IF_ERROR(columns.Add("added_files_count", added));
  TARN_RETURN_IF_ERROR(columns.Add("existing_files_count", existing));
  TARN_RETURN_IF_ERROR(columns.Add("deleted_files_count", deleted));
  TARN_RETURN_IF_ERROR(columns.Add("added_rows_count", added_rows));
  TARN_RETURN_IF_ERROR(columns.Add("existing_rows_count", existing_rows));
  TARN_RETURN_IF_ERROR(columns.Add("deleted_rows_count", deleted_rows));
  TARN_RETURN_IF_ERROR(columns.Add("partitions", partitions));
  TARN_RETURN_IF_ERROR(columns.Add("key_metadata", keys));
  if (header.format_version >= 3) TARN_RETURN_IF_ERROR(columns.Add("first_row_id", first_rows));

  AvroWriteOptions options;
  options.schema_json = ManifestListSchema(header.format_version);
  options.metadata = {
      {"snapshot-id", std::to_string(header.snapshot_id)},
      {"parent-snapshot-id", header.parent_id ? std::to_string(*header.parent_id) : "null"},
      {"format-version", std::to_string(header.format_version)}};
  if (header.format_version > 1) {
    options.metadata.emplace_back("sequence-number", std::to_string(header.sequence_number));
  }
  if (header.first_row_id) {
    options.metadata.emplace_back("first-row-id", std::to_string(*header.first_row_id));
  }
  return WriteAvro({columns.Batch(static_cast<int64_t>(manifests.size()))}, runtime.random,
                   options);
}

}  // namespace tarn::iceberg
