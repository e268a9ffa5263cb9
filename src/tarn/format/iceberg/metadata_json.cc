#include <algorithm>
#include <set>
#include <utility>

#include "tarn/format/iceberg/json_internal.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/schema_json_internal.h"

namespace tarn::iceberg {
namespace {

constexpr std::string_view kInMetadata = "metadata";

class Reader {
 public:
  Reader(const Json& json, const SnapshotList* snapshots) : json_(json), snapshots_(snapshots) {}

  Result<Metadata> Read() {
    TARN_ASSIGN_OR_RETURN(const int64_t version,
                          RequiredInteger(json_, "format-version", kInMetadata));
    if (version < 1 || version > kFormatVersionMax) {
      return Unsupported("iceberg: format version " + std::to_string(version) +
                         "; Tarn reads 1, 2 and 3");
    }
    metadata_.format_version = static_cast<int32_t>(version);
    TARN_RETURN_IF_ERROR(ReadHead());
    TARN_RETURN_IF_ERROR(ReadSchemas());
    TARN_RETURN_IF_ERROR(ReadSpecs());
    TARN_RETURN_IF_ERROR(ReadSortOrders());
    TARN_ASSIGN_OR_RETURN(metadata_.properties, TextMap(json_, "properties", kInMetadata));
    const auto mapping = metadata_.properties.find("schema.name-mapping.default");
    TARN_RETURN_IF_ERROR(ApplyNameMapping(
        mapping == metadata_.properties.end() ? nullptr : &mapping->second, metadata_.schemas));
    TARN_RETURN_IF_ERROR(ReadSnapshots());
    TARN_RETURN_IF_ERROR(ReadRefs());
    TARN_RETURN_IF_ERROR(ReadLogs());
    return std::move(metadata_);
  }

 private:
  bool v1() const { return metadata_.format_version == 1; }

  Status ReadHead() {
    TARN_ASSIGN_OR_RETURN(auto uuid, OptionalText(json_, "table-uuid", kInMetadata));
    if (!uuid && !v1()) return Corrupt("iceberg: metadata: 'table-uuid' is missing");
    metadata_.table_uuid = uuid.value_or("");
    TARN_ASSIGN_OR_RETURN(metadata_.location, RequiredText(json_, "location", kInMetadata));
    TARN_ASSIGN_OR_RETURN(metadata_.last_updated_ms,
                          RequiredInteger(json_, "last-updated-ms", kInMetadata));
    TARN_ASSIGN_OR_RETURN(const int64_t last_column,
                          RequiredInteger(json_, "last-column-id", kInMetadata));
    metadata_.last_column_id = static_cast<int32_t>(last_column);
    if (!v1()) {
      TARN_ASSIGN_OR_RETURN(metadata_.last_sequence_number,
                            RequiredInteger(json_, "last-sequence-number", kInMetadata));
    }
    TARN_ASSIGN_OR_RETURN(const auto next_row, OptionalInteger(json_, "next-row-id", kInMetadata));
    metadata_.next_row_id = next_row.value_or(0);
    return OkStatus();
  }

  Status ReadSchemas() {
    TARN_ASSIGN_OR_RETURN(const Json* schemas, OptionalArray(json_, "schemas", kInMetadata));
    if (schemas != nullptr && !schemas->empty()) {
      for (const Json& json : *schemas) {
        TARN_ASSIGN_OR_RETURN(Schema schema, SchemaFromJson(json, "a schema"));
        metadata_.schemas.push_back(std::move(schema));
      }
      TARN_ASSIGN_OR_RETURN(const auto current,
                            OptionalInteger(json_, "current-schema-id", kInMetadata));
      // Version 1 says which one is current by writing it once more.
      const Json* schema = v1() ? Member(json_, "schema") : nullptr;
      if (!current && schema == nullptr) {
        return Corrupt("iceberg: metadata: 'current-schema-id' is missing");
      }
      if (current) {
        metadata_.current_schema_id = static_cast<int32_t>(*current);
      } else {
        TARN_ASSIGN_OR_RETURN(Schema written, SchemaFromJson(*schema, "the schema"));
        metadata_.current_schema_id = written.id;
        if (metadata_.SchemaById(written.id) == nullptr) {
          metadata_.schemas.push_back(std::move(written));
        }
      }
    } else if (v1()) {
      const Json* json = Member(json_, "schema");
      if (json == nullptr) return Corrupt("iceberg: metadata: no schema");
      TARN_ASSIGN_OR_RETURN(Schema schema, SchemaFromJson(*json, "the schema"));
      metadata_.current_schema_id = schema.id;
      metadata_.schemas.push_back(std::move(schema));
    } else {
      return Corrupt("iceberg: metadata: 'schemas' is missing");
    }
    if (metadata_.SchemaById(metadata_.current_schema_id) == nullptr) {
      return Corrupt("iceberg: metadata: 'current-schema-id' is " +
                     std::to_string(metadata_.current_schema_id) + ", and no schema has this id");
    }
    for (Schema& schema : metadata_.schemas) {
      schema.last_column_id = std::max(schema.last_column_id, metadata_.last_column_id);
    }
    return OkStatus();
  }

  Result<PartitionSpec> ReadFields(const Json& fields, int32_t spec_id) {
    PartitionSpec spec;
    spec.id = spec_id;
    const std::string where = "partition spec " + std::to_string(spec_id);
    for (const Json& json : fields) {
      PartitionField field;
      TARN_ASSIGN_OR_RETURN(const std::string text, RequiredText(json, "transform", where));
      Result<PartitionField> transform = ParseTransform(text);
      if (transform.ok()) {
        field = *std::move(transform);
      } else {
        // "Readers should ignore partition fields with unknown transforms": nothing is pruned.
        field.transform = TransformKind::kVoid;
        metadata_.unknown_transform = text;
      }
      TARN_ASSIGN_OR_RETURN(field.name, RequiredText(json, "name", where));
      TARN_ASSIGN_OR_RETURN(const auto source, OptionalInteger(json, "source-id", where));
      if (source) {
        field.source_id = static_cast<int32_t>(*source);
      } else {
        TARN_ASSIGN_OR_RETURN(const Json* sources, RequiredArray(json, "source-ids", where));
        if (sources->empty() || !sources->front().is_number_integer()) {
          return Corrupt("iceberg: " + where + ": 'source-ids' is empty");
        }
        field.source_id = sources->front().get<int32_t>();
        if (sources->size() > 1) field.transform = TransformKind::kVoid;
        if (sources->size() > 1) metadata_.unknown_transform = text + " of several columns";
      }
      TARN_ASSIGN_OR_RETURN(const auto id, OptionalInteger(json, "field-id", where));
      field.field_id = id ? static_cast<int32_t>(*id)
                          : kFirstPartitionFieldId + static_cast<int32_t>(spec.fields.size());
      spec.fields.push_back(std::move(field));
    }
    return spec;
  }

  Status ReadSpecs() {
    TARN_ASSIGN_OR_RETURN(const Json* specs, OptionalArray(json_, "partition-specs", kInMetadata));
    if (specs != nullptr && !specs->empty()) {
      int32_t highest = 0;
      for (const Json& json : *specs) {
        TARN_ASSIGN_OR_RETURN(const int64_t id, RequiredInteger(json, "spec-id", "partition spec"));
        TARN_ASSIGN_OR_RETURN(const Json* fields, RequiredArray(json, "fields", "partition spec"));
        TARN_ASSIGN_OR_RETURN(PartitionSpec spec, ReadFields(*fields, static_cast<int32_t>(id)));
        highest = std::max(highest, spec.id);
        metadata_.specs.push_back(std::move(spec));
      }
      TARN_ASSIGN_OR_RETURN(const auto current,
                            OptionalInteger(json_, "default-spec-id", kInMetadata));
      if (!current && !v1()) return Corrupt("iceberg: metadata: 'default-spec-id' is missing");
      metadata_.default_spec_id = current ? static_cast<int32_t>(*current) : highest;
    } else if (v1()) {
      TARN_ASSIGN_OR_RETURN(const Json* fields,
                            RequiredArray(json_, "partition-spec", kInMetadata));
      TARN_ASSIGN_OR_RETURN(PartitionSpec spec, ReadFields(*fields, 0));
      metadata_.specs.push_back(std::move(spec));
    } else {
      return Corrupt("iceberg: metadata: 'partition-specs' is missing");
    }
    if (metadata_.SpecById(metadata_.default_spec_id) == nullptr) {
      return Corrupt("iceberg: metadata: 'default-spec-id' is " +
                     std::to_string(metadata_.default_spec_id) + ", and no spec has this id");
    }
    TARN_ASSIGN_OR_RETURN(const auto last,
                          OptionalInteger(json_, "last-partition-id", kInMetadata));
    if (!last && !v1()) return Corrupt("iceberg: metadata: 'last-partition-id' is missing");
    metadata_.last_partition_id = kFirstPartitionFieldId - 1;
    for (const PartitionSpec& spec : metadata_.specs) {
      for (const PartitionField& field : spec.fields) {
        metadata_.last_partition_id = std::max(metadata_.last_partition_id, field.field_id);
      }
    }
    if (last) {
      metadata_.last_partition_id =
          std::max(metadata_.last_partition_id, static_cast<int32_t>(*last));
    }
    return OkStatus();
  }

  Status ReadSortOrders() {
    TARN_ASSIGN_OR_RETURN(const Json* orders, OptionalArray(json_, "sort-orders", kInMetadata));
    TARN_ASSIGN_OR_RETURN(const auto current,
                          OptionalInteger(json_, "default-sort-order-id", kInMetadata));
    if (orders == nullptr) {
      if (!v1()) return Corrupt("iceberg: metadata: 'sort-orders' is missing");
      metadata_.sort_orders = {KnownSortOrder{}};
      return OkStatus();
    }
    if (!current && !v1()) return Corrupt("iceberg: metadata: 'default-sort-order-id' is missing");
    for (const Json& json : *orders) {
      KnownSortOrder known;
      TARN_ASSIGN_OR_RETURN(const int64_t id, RequiredInteger(json, "order-id", "sort order"));
      known.order.id = static_cast<int32_t>(id);
      TARN_ASSIGN_OR_RETURN(const Json* fields, RequiredArray(json, "fields", "sort order"));
      for (const Json& one : *fields) {
        SortField field;
        TARN_ASSIGN_OR_RETURN(const std::string text, RequiredText(one, "transform", "sort order"));
        TARN_ASSIGN_OR_RETURN(const auto source, OptionalInteger(one, "source-id", "sort order"));
        const Result<PartitionField> transform = ParseTransform(text);
        // Without one column it is of several ("source-ids").
        if (!transform.ok() || !source) {
          known.unknown_transform = text;
        } else {
          field.source_id = static_cast<int32_t>(*source);
          field.transform = transform->transform;
          field.parameter = transform->parameter;
        }
        TARN_ASSIGN_OR_RETURN(const std::string direction,
                              RequiredText(one, "direction", "sort order"));
        field.descending = direction == "desc";
        TARN_ASSIGN_OR_RETURN(const std::string nulls,
                              RequiredText(one, "null-order", "sort order"));
        field.nulls_first = nulls == "nulls-first";
        known.order.fields.push_back(field);
      }
      metadata_.sort_orders.push_back(std::move(known));
    }
    metadata_.default_sort_order_id = static_cast<int32_t>(current.value_or(0));
    return OkStatus();
  }

  Status ReadSnapshots() {
    TARN_ASSIGN_OR_RETURN(const auto current,
                          OptionalInteger(json_, "current-snapshot-id", kInMetadata));
    // -1 is how some writers spell none.
    if (current && *current != -1) metadata_.current_snapshot_id = *current;
    TARN_ASSIGN_OR_RETURN(const Json* snapshots, OptionalArray(json_, "snapshots", kInMetadata));
    if (snapshots_ != nullptr) {
      metadata_.snapshots = *snapshots_;
    } else if (snapshots != nullptr) {
      metadata_.snapshots.reserve(snapshots->size());
      for (const Json& json : *snapshots) {
        TARN_ASSIGN_OR_RETURN(SnapshotEntry snapshot, SnapshotFromJson(json));
        metadata_.snapshots.push_back(std::move(snapshot));
      }
    }
    if (metadata_.current_snapshot_id && metadata_.current_snapshot() == nullptr) {
      return Corrupt("iceberg: metadata: 'current-snapshot-id' is " +
                     SnapshotIdText(*metadata_.current_snapshot_id) +
                     ", and no snapshot has this id");
    }
    return OkStatus();
  }

  Status ReadRefs() {
    if (const Json* refs = Member(json_, "refs")) {
      for (const auto& [name, json] : refs->items()) {
        const std::string where = "ref '" + name + "'";
        SnapshotRef ref;
        TARN_ASSIGN_OR_RETURN(ref.snapshot_id, RequiredInteger(json, "snapshot-id", where));
        TARN_ASSIGN_OR_RETURN(const std::string type, RequiredText(json, "type", where));
        ref.is_branch = type == "branch";
        TARN_ASSIGN_OR_RETURN(ref.max_ref_age_ms, OptionalInteger(json, "max-ref-age-ms", where));
        TARN_ASSIGN_OR_RETURN(ref.max_snapshot_age_ms,
                              OptionalInteger(json, "max-snapshot-age-ms", where));
        TARN_ASSIGN_OR_RETURN(ref.min_snapshots_to_keep,
                              OptionalInteger(json, "min-snapshots-to-keep", where));
        metadata_.refs[name] = ref;
      }
    }
    if (metadata_.current_snapshot_id && !metadata_.refs.contains("main")) {
      metadata_.refs["main"] = SnapshotRef{.snapshot_id = *metadata_.current_snapshot_id};
    }
    return OkStatus();
  }

  Status ReadLogs() {
    TARN_ASSIGN_OR_RETURN(const Json* snapshots, OptionalArray(json_, "snapshot-log", kInMetadata));
    if (snapshots != nullptr) {
      for (const Json& json : *snapshots) {
        SnapshotLogEntry entry;
        TARN_ASSIGN_OR_RETURN(entry.timestamp_ms,
                              RequiredInteger(json, "timestamp-ms", "snapshot log"));
        TARN_ASSIGN_OR_RETURN(entry.snapshot_id,
                              RequiredInteger(json, "snapshot-id", "snapshot log"));
        metadata_.snapshot_log.push_back(entry);
      }
    }
    TARN_ASSIGN_OR_RETURN(const Json* files, OptionalArray(json_, "metadata-log", kInMetadata));
    if (files != nullptr) {
      for (const Json& json : *files) {
        MetadataLogEntry entry;
        TARN_ASSIGN_OR_RETURN(entry.timestamp_ms,
                              RequiredInteger(json, "timestamp-ms", "metadata log"));
        TARN_ASSIGN_OR_RETURN(entry.location, RequiredText(json, "metadata-file", "metadata log"));
        metadata_.metadata_log.push_back(std::move(entry));
      }
    }
    return OkStatus();
  }

  const Json& json_;
  const SnapshotList* const snapshots_;
  Metadata metadata_;
};

}  // namespace

Result<SnapshotEntry> SnapshotFromJson(const Json& json) {
  SnapshotEntry snapshot;
  TARN_ASSIGN_OR_RETURN(snapshot.id, RequiredInteger(json, "snapshot-id", "a snapshot"));
  const std::string where = "snapshot " + SnapshotIdText(snapshot.id);
  TARN_ASSIGN_OR_RETURN(snapshot.parent_id, OptionalInteger(json, "parent-snapshot-id", where));
  if (snapshot.parent_id == int64_t{-1}) snapshot.parent_id.reset();
  TARN_ASSIGN_OR_RETURN(const auto sequence, OptionalInteger(json, "sequence-number", where));
  snapshot.sequence_number = sequence.value_or(0);
  TARN_ASSIGN_OR_RETURN(snapshot.timestamp_ms, RequiredInteger(json, "timestamp-ms", where));
  TARN_ASSIGN_OR_RETURN(auto list, OptionalText(json, "manifest-list", where));
  snapshot.manifest_list = list.value_or("");
  if (!list) {
    TARN_ASSIGN_OR_RETURN(const Json* manifests, OptionalArray(json, "manifests", where));
    if (manifests == nullptr) {
      return Corrupt("iceberg: " + where + ": neither 'manifest-list' nor 'manifests'");
    }
    for (const Json& manifest : *manifests) {
      if (!manifest.is_string()) return Corrupt("iceberg: " + where + ": 'manifests'");
      snapshot.manifests.push_back(manifest.get<std::string>());
    }
  }
  TARN_ASSIGN_OR_RETURN(snapshot.summary, TextMap(json, "summary", where));
  TARN_ASSIGN_OR_RETURN(const auto schema, OptionalInteger(json, "schema-id", where));
  if (schema) snapshot.schema_id = static_cast<int32_t>(*schema);
  TARN_ASSIGN_OR_RETURN(snapshot.first_row_id, OptionalInteger(json, "first-row-id", where));
  return snapshot;
}

Result<Metadata> MetadataFromDocument(const Json& json, const SnapshotList* snapshots) {
  if (!json.is_object()) return Corrupt("iceberg: metadata: no object");
  return Reader(json, snapshots).Read();
}

Result<Metadata> MetadataFromJson(Bytes text) {
  TARN_ASSIGN_OR_RETURN(const Json json, ParseJson(text, "metadata"));
  TARN_ASSIGN_OR_RETURN(Metadata metadata, MetadataFromDocument(json));
  metadata.text = std::move(text);
  return metadata;
}

}  // namespace tarn::iceberg
