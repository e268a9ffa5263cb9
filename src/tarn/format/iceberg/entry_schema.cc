#include "tarn/format/iceberg/entry_schema.h"

#include <utility>

#include "tarn/format/iceberg/json_internal.h"

namespace tarn::iceberg {
namespace {

Json FieldOf(const char* name, int32_t id, Json type) {
  Json field;
  field["name"] = name;
  field["type"] = std::move(type);
  field["field-id"] = id;
  return field;
}

Json OptionalOf(const char* name, int32_t id, Json type) {
  Json field;
  field["name"] = name;
  field["type"] = Json::array({"null", std::move(type)});
  field["default"] = nullptr;
  field["field-id"] = id;
  return field;
}

// Read where an older manifest lacks the field; written always.
Json DefaultedOf(const char* name, int32_t id, const char* type, int64_t otherwise) {
  Json field = FieldOf(name, id, type);
  field["default"] = otherwise;
  return field;
}

Json RecordOf(const std::string& name, std::vector<Json> fields) {
  Json record;
  record["type"] = "record";
  record["name"] = name;
  record["fields"] = std::move(fields);
  return record;
}

// "Maps with non-string keys must use an array representation with the map logical type."
Json IdMap(int32_t key_id, int32_t value_id, const char* value_type) {
  Json map;
  map["type"] = "array";
  map["items"] = RecordOf("k" + std::to_string(key_id) + "_v" + std::to_string(value_id),
                          {FieldOf("key", key_id, "int"), FieldOf("value", value_id, value_type)});
  map["logicalType"] = "map";
  return map;
}

Json ListOf(int32_t element_id, Json items) {
  Json list;
  list["type"] = "array";
  list["items"] = std::move(items);
  list["element-id"] = element_id;
  return list;
}

Result<Json> PartitionRecord(const PartitionSpec& spec, const std::vector<Type>& types) {
  Schema schema;
  schema.fields.reserve(spec.fields.size());
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    if (types[i].kind == TypeKind::kVoid) {
      return Unsupported("iceberg: partition field '" + spec.fields[i].name +
                         "': the type of its column is not known");
    }
    schema.fields.push_back(
        {.id = spec.fields[i].field_id, .name = spec.fields[i].name, .type = types[i]});
  }
  if (schema.fields.empty()) return RecordOf("r102", {});
  TARN_ASSIGN_OR_RETURN(const AvroTypePtr record,
                        AvroSchemaOf(schema, "r102", "iceberg-field-name"));
  return ParseJson(AvroSchemaToJson(*record), "partition");
}

}  // namespace

Result<std::string> EntrySchema(const PartitionSpec& spec, const std::vector<Type>& types,
                                int32_t format_version) {
  const bool v1 = format_version == 1;
  std::vector<Json> file;
  file.reserve(20);
  if (!v1) file.push_back(DefaultedOf("content", 134, "int", 0));
  file.push_back(FieldOf("file_path", 100, "string"));
  file.push_back(FieldOf("file_format", 101, "string"));
  TARN_ASSIGN_OR_RETURN(Json partition, PartitionRecord(spec, types));
  file.push_back(FieldOf("partition", 102, std::move(partition)));
  file.push_back(FieldOf("record_count", 103, "long"));
  file.push_back(FieldOf("file_size_in_bytes", 104, "long"));
  // "Deprecated. Always write a default in v1."
  if (v1) file.push_back(DefaultedOf("block_size_in_bytes", 105, "long", int64_t{64} << 20));
  file.push_back(OptionalOf("column_sizes", 108, IdMap(117, 118, "long")));
  file.push_back(OptionalOf("value_counts", 109, IdMap(119, 120, "long")));
  file.push_back(OptionalOf("null_value_counts", 110, IdMap(121, 122, "long")));
  file.push_back(OptionalOf("nan_value_counts", 137, IdMap(138, 139, "long")));
  file.push_back(OptionalOf("lower_bounds", 125, IdMap(126, 127, "bytes")));
  file.push_back(OptionalOf("upper_bounds", 128, IdMap(129, 130, "bytes")));
  file.push_back(OptionalOf("key_metadata", 131, "bytes"));
  file.push_back(OptionalOf("split_offsets", 132, ListOf(133, "long")));
  if (!v1) file.push_back(OptionalOf("equality_ids", 135, ListOf(136, "int")));
  file.push_back(OptionalOf("sort_order_id", 140, "int"));
  if (format_version >= 3) file.push_back(OptionalOf("first_row_id", 142, "long"));
  if (!v1) file.push_back(OptionalOf("referenced_data_file", 143, "string"));
  if (format_version >= 3) {
    file.push_back(OptionalOf("content_offset", 144, "long"));
    file.push_back(OptionalOf("content_size_in_bytes", 145, "long"));
  }
  std::vector<Json> entry;
  entry.reserve(5);
  entry.push_back(FieldOf("status", 0, "int"));
  entry.push_back(v1 ? FieldOf("snapshot_id", 1, "long") : OptionalOf("snapshot_id", 1, "long"));
  if (!v1) {
    entry.push_back(OptionalOf("sequence_number", 3, "long"));
    entry.push_back(OptionalOf("file_sequence_number", 4, "long"));
  }
  entry.push_back(FieldOf("data_file", 2, RecordOf("r2", std::move(file))));
  return RecordOf("manifest_entry", std::move(entry)).dump();
}

std::string ManifestListSchema(int32_t format_version) {
  const bool v1 = format_version == 1;
  std::vector<Json> fields;
  fields.reserve(16);
  fields.push_back(FieldOf("manifest_path", 500, "string"));
  fields.push_back(FieldOf("manifest_length", 501, "long"));
  fields.push_back(FieldOf("partition_spec_id", 502, "int"));
  if (!v1) {
    fields.push_back(FieldOf("content", 517, "int"));
    fields.push_back(FieldOf("sequence_number", 515, "long"));
    fields.push_back(FieldOf("min_sequence_number", 516, "long"));
  }
  fields.push_back(FieldOf("added_snapshot_id", 503, "long"));
  const auto count = [&](const char* name, int32_t id, const char* type) {
    fields.push_back(v1 ? OptionalOf(name, id, type) : FieldOf(name, id, type));
  };
  count("added_files_count", 504, "int");
  count("existing_files_count", 505, "int");
  count("deleted_files_count", 506, "int");
  count("added_rows_count", 512, "long");
  count("existing_rows_count", 513, "long");
  count("deleted_rows_count", 514, "long");
  fields.push_back(
      OptionalOf("partitions", 507,
                 ListOf(508, RecordOf("r508", {FieldOf("contains_null", 509, "boolean"),
                                               OptionalOf("contains_nan", 518, "boolean"),
                                               OptionalOf("lower_bound", 510, "bytes"),
                                               OptionalOf("upper_bound", 511, "bytes")}))));
  fields.push_back(OptionalOf("key_metadata", 519, "bytes"));
  if (format_version >= 3) fields.push_back(OptionalOf("first_row_id", 520, "long"));
  return RecordOf("manifest_file", std::move(fields)).dump();
}

}  // namespace tarn::iceberg
