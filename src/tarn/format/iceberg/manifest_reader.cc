#include "tarn/format/iceberg/manifest_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/avro_reader.h"

namespace tarn::iceberg {
namespace {

struct Wanted {
  int32_t id;
  std::string_view name;
  bool bounds = false;
  bool all = false;
  bool row_ids = false;
};
constexpr Wanted kEntryFields[] = {{0, "status"},
                                   {1, "snapshot_id"},
                                   {3, "sequence_number"},
                                   {2, "data_file"},
                                   {4, "file_sequence_number", false, true}};
constexpr Wanted kFileFields[] = {
    {134, "content"},
    {100, "file_path"},
    {101, "file_format"},
    {102, "partition"},
    {103, "record_count"},
    {104, "file_size_in_bytes"},
    {108, "column_sizes", false, true},
    {109, "value_counts", false, true},
    {110, "null_value_counts", true},
    {137, "nan_value_counts", true},
    {125, "lower_bounds", true},
    {128, "upper_bounds", true},
    {131, "key_metadata", false, true},
    {132, "split_offsets", false, true},
    {135, "equality_ids"},
    {140, "sort_order_id", false, true},
    {142, "first_row_id", false, false, true},
    {143, "referenced_data_file"},
    {144, "content_offset"},
    {145, "content_size_in_bytes"},
};

const AvroField* FindField(const AvroType& record, int32_t id, std::string_view name) {
  const AvroField* by_name = nullptr;
  for (const AvroField& field : record.fields) {
    if (id != 0 && field.field_id == id) return &field;
    if (by_name == nullptr && field.name == name) by_name = &field;
  }
  return by_name;
}

// `record` with the wanted fields only, as the writer has them: the others are skipped, not
// decoded.
template <size_t Count>
AvroType Narrowed(const AvroType& record, const Wanted (&wanted)[Count], EntryWish wish) {
  AvroType narrow = record;
  narrow.fields.clear();
  narrow.fields.reserve(Count);
  for (const Wanted& one : wanted) {
    if ((one.bounds && !wish.bounds) || (one.all && !wish.all)) continue;
    if (one.row_ids && !wish.row_ids && !wish.all) continue;
    if (const AvroField* field = FindField(record, one.id, one.name)) {
      narrow.fields.push_back(*field);
    }
  }
  return narrow;
}

// The record that a field holds, which some writers (BigQuery) make optional; null for another
// type.
const AvroType* RecordIn(const AvroField* field) {
  if (field == nullptr) return nullptr;
  const AvroOptional optional = OptionalOf(*field->type);
  const AvroType& type = optional.value != nullptr ? **optional.value : *field->type;
  return type.kind == AvroKind::kRecord ? &type : nullptr;
}

// The same field with another record in it.
AvroTypePtr WithRecord(const AvroType& type, AvroType record) {
  auto narrow = std::make_shared<AvroType>(std::move(record));
  if (type.kind != AvroKind::kUnion) return narrow;
  auto optional = std::make_shared<AvroType>(type);
  for (AvroTypePtr& branch : optional->children) {
    if (branch->kind == AvroKind::kRecord) branch = narrow;
  }
  return optional;
}

// How the partition's values are found in a manifest of another writer: by id, name, place.
const AvroField* PartitionFieldOf(const AvroType& partition, const PartitionField& field,
                                  size_t place) {
  const AvroField* found = FindField(partition, field.field_id, field.name);
  if (found != nullptr || place >= partition.fields.size()) return found;
  return &partition.fields[place];
}

}  // namespace

std::vector<Type> PartitionTypes(const Metadata& metadata, const Schema& schema,
                                 const PartitionSpec& spec) {
  std::vector<Type> types;
  types.reserve(spec.fields.size());
  for (const PartitionField& field : spec.fields) {
    const Field* source = schema.FindById(field.source_id);
    for (const Schema& other : metadata.schemas) {
      if (source == nullptr) source = other.FindById(field.source_id);
    }
    Type type = Type::Of(TypeKind::kVoid);
    if (source != nullptr) {
      if (Result<Type> made = TransformedType(field, source->type); made.ok()) {
        type = *std::move(made);
      }
    }
    types.push_back(std::move(type));
  }
  return types;
}

Result<ManifestReader> ManifestReader::Make(Runtime& runtime, const TableHome& home,
                                            const Path& path, const Metadata& metadata,
                                            const Schema& schema, const ManifestFile& manifest,
                                            EntryWish wish) {
  ManifestReader reader;
  reader.path_ = path;
  reader.manifest_ = manifest;
  if (wish.row_ids || wish.all) reader.next_row_id_ = manifest.first_row_id;
  const auto in_context = [&](const Error& error) {
    return error.WithContext("iceberg: manifest '" + path.str() + "'");
  };
  reader.spec_ = metadata.SpecById(manifest.spec_id);
  if (reader.spec_ == nullptr) {
    return in_context(Corrupt("no partition spec " + std::to_string(manifest.spec_id)));
  }
  TARN_ASSIGN_OR_RETURN(auto object, home.storage.OpenReader(path));
  TARN_ASSIGN_OR_RETURN(const AvroFile file, AvroFile::Open(std::move(object), path.str()));
  const AvroType& entry = *file.header().schema;
  const AvroField* data_file = FindField(entry, 2, "data_file");
  const AvroType* record = RecordIn(data_file);
  if (entry.kind != AvroKind::kRecord || record == nullptr) {
    return in_context(Corrupt("no entries of data files"));
  }
  reader.partition_types_ = PartitionTypes(metadata, schema, *reader.spec_);
  const AvroType* partition = RecordIn(FindField(*record, 102, "partition"));
  for (size_t i = 0; i < reader.partition_types_.size(); ++i) {
    Type& type = reader.partition_types_[i];
    if (type.kind != TypeKind::kVoid || partition == nullptr) continue;
    const AvroField* value = PartitionFieldOf(*partition, reader.spec_->fields[i], i);
    if (value != nullptr) type = TypeOfAvro(*value->type);
  }
  AvroType wanted = Narrowed(entry, kEntryFields, wish);
  for (AvroField& field : wanted.fields) {
    if (field.name != data_file->name) continue;
    field.type = WithRecord(*field.type, Narrowed(*record, kFileFields, wish));
  }
  AvroReadOptions options;
  options.reader = std::make_shared<AvroType>(std::move(wanted));
  TARN_ASSIGN_OR_RETURN(reader.rows_, file.Read(runtime, options));
  return reader;
}

Result<std::optional<EntryColumns>> ManifestReader::Next() {
  TARN_ASSIGN_OR_RETURN(auto batch, rows_->Next());
  if (batch == nullptr) return std::optional<EntryColumns>();
  Result<EntryColumns> entries = Decode(std::move(batch));
  if (!entries.ok()) return entries.error().WithContext("'" + path_.str() + "'");
  return std::optional<EntryColumns>(*std::move(entries));
}

Result<EntryColumns> ManifestReader::Decode(std::shared_ptr<arrow::RecordBatch> batch) {
  EntryColumns entries;
  entries.size = batch->num_rows();
  const auto record = ColumnOf(*batch, 2, "data_file");
  if (record == nullptr || record->type_id() != arrow::Type::STRUCT) {
    return Corrupt("iceberg: manifest: 'data_file' is missing");
  }
  const auto& file = static_cast<const arrow::StructArray&>(*record);
  const auto numbers = [&](int32_t id, const char* name) {
    return IntegerColumn::Make(ColumnOf(file, id, name), name);
  };
  const auto maps = [&](int32_t id, const char* name) {
    return IdMapColumn::Make(ColumnOf(file, id, name), name);
  };
  const auto bytes = [&](int32_t id, const char* name) {
    return BytesColumn::Make(ColumnOf(file, id, name), name);
  };
  TARN_ASSIGN_OR_RETURN(const auto status,
                        IntegerColumn::Make(ColumnOf(*batch, 0, "status"), "status"));
  TARN_ASSIGN_OR_RETURN(const auto snapshot,
                        IntegerColumn::Make(ColumnOf(*batch, 1, "snapshot_id"), "snapshot_id"));
  TARN_ASSIGN_OR_RETURN(
      const auto sequence,
      IntegerColumn::Make(ColumnOf(*batch, 3, "sequence_number"), "sequence_number"));
  TARN_ASSIGN_OR_RETURN(entries.content, numbers(134, "content"));
  TARN_ASSIGN_OR_RETURN(entries.location, bytes(100, "file_path"));
  TARN_ASSIGN_OR_RETURN(entries.format, bytes(101, "file_format"));
  TARN_ASSIGN_OR_RETURN(entries.record_count, numbers(103, "record_count"));
  TARN_ASSIGN_OR_RETURN(entries.size_bytes, numbers(104, "file_size_in_bytes"));
  TARN_ASSIGN_OR_RETURN(entries.null_counts, maps(110, "null_value_counts"));
  TARN_ASSIGN_OR_RETURN(entries.nan_counts, maps(137, "nan_value_counts"));
  TARN_ASSIGN_OR_RETURN(entries.lower, maps(125, "lower_bounds"));
  TARN_ASSIGN_OR_RETURN(entries.upper, maps(128, "upper_bounds"));
  TARN_ASSIGN_OR_RETURN(
      entries.file_sequence_number,
      IntegerColumn::Make(ColumnOf(*batch, 4, "file_sequence_number"), "file_sequence_number"));
  TARN_ASSIGN_OR_RETURN(entries.column_sizes, maps(108, "column_sizes"));
  TARN_ASSIGN_OR_RETURN(entries.value_counts, maps(109, "value_counts"));
  TARN_ASSIGN_OR_RETURN(entries.key_metadata, bytes(131, "key_metadata"));
  entries.split_offsets = ColumnOf(file, 132, "split_offsets");
  TARN_ASSIGN_OR_RETURN(entries.sort_order_id, numbers(140, "sort_order_id"));
  TARN_ASSIGN_OR_RETURN(const auto first_row_id, numbers(142, "first_row_id"));
  entries.equality_ids = ColumnOf(file, 135, "equality_ids");
  TARN_ASSIGN_OR_RETURN(entries.referenced_data_file, bytes(143, "referenced_data_file"));
  TARN_ASSIGN_OR_RETURN(entries.content_offset, numbers(144, "content_offset"));
  TARN_ASSIGN_OR_RETURN(entries.content_size, numbers(145, "content_size_in_bytes"));

  const auto rows = static_cast<size_t>(entries.size);
  entries.status.resize(rows);
  entries.snapshot_id.resize(rows);
  entries.sequence_number.resize(rows);
  entries.row_id.assign(rows, -1);
  for (size_t row = 0; row < rows; ++row) {
    const auto at = static_cast<int64_t>(row);
    const int64_t said = status.Or(at, -1);
    if (said < 0 || said > 2) {
      return Corrupt("iceberg: manifest: an entry's status is " + std::to_string(said));
    }
    entries.status[row] = static_cast<EntryStatus>(said);
    entries.snapshot_id[row] = snapshot.Or(at, manifest_.added_snapshot_id);
    // "Sequence Number Inheritance": null in what the manifest's own commit added.
    entries.sequence_number[row] = sequence.Or(at, manifest_.sequence_number);
    // "First Row ID Inheritance": counted on over the live entries that have none.
    if (const auto first = first_row_id.At(at)) {
      entries.row_id[row] = *first;
    } else if (next_row_id_ && entries.status[row] != EntryStatus::kDeleted) {
      entries.row_id[row] = *next_row_id_;
      *next_row_id_ += entries.record_count.Or(at, 0);
    }
    if (!entries.location.At(at)) return Corrupt("iceberg: manifest: 'file_path' is missing");
  }
  const auto partition = ColumnOf(file, 102, "partition");
  entries.partition.reserve(partition_types_.size());
  for (size_t i = 0; i < partition_types_.size(); ++i) {
    const PartitionField& field = spec_->fields[i];
    std::shared_ptr<arrow::Array> values;
    if (partition != nullptr && partition->type_id() == arrow::Type::STRUCT) {
      const auto& record_of = static_cast<const arrow::StructArray&>(*partition);
      values = ColumnOf(record_of, field.field_id, field.name);
      if (values == nullptr && static_cast<int>(i) < record_of.num_fields()) {
        values = record_of.field(static_cast<int>(i));
      }
    }
    if (values == nullptr || partition_types_[i].kind == TypeKind::kVoid) {
      ValueColumn nothing = ValueColumn::Of(partition_types_[i]);
      for (size_t row = 0; row < rows; ++row) nothing.Append(Value());
      entries.partition.push_back(std::move(nothing));
      continue;
    }
    TARN_ASSIGN_OR_RETURN(auto column, ValuesOf(values, partition_types_[i], field.name));
    entries.partition.push_back(std::move(column));
  }
  entries.batch = std::move(batch);
  return entries;
}

}  // namespace tarn::iceberg
