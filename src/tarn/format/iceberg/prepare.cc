#include "tarn/format/iceberg/prepare.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/base/uuid.h"
#include "tarn/format/iceberg/metadata.h"
#include "tarn/format/iceberg/metrics_modes.h"
#include "tarn/format/iceberg/schema_json_internal.h"
#include "tarn/format/iceberg/snapshot_state.h"
#include "tarn/format/iceberg/table_properties.h"
#include "tarn/model/spec_evolution.h"

namespace tarn::iceberg {
namespace {

constexpr int32_t kVersionDefault = 2;
constexpr const char* kVersionProperty = "format-version";

// The format version asked for by the property, which is no property of the table's.
Result<int32_t> TakeVersion(TableMetadata& wanted, int32_t otherwise) {
  const auto asked = wanted.properties.find(kVersionProperty);
  if (asked == wanted.properties.end()) return otherwise;
  const std::string text = asked->second;
  const std::optional<int64_t> version = ParseInt64(text);
  if (!version || *version < 1 || *version > kFormatVersionMax) {
    return Invalid("iceberg: table property 'format-version' is '" + text + "', expected 1, 2, 3");
  }
  wanted.properties.erase(asked);
  return static_cast<int32_t>(*version);
}

void WidenSmallIntegers(std::vector<Field>& fields) {
  for (Field& field : fields) {
    if (field.type.kind == TypeKind::kInt8 || field.type.kind == TypeKind::kInt16) {
      field.type.kind = TypeKind::kInt32;
    }
    WidenSmallIntegers(field.type.fields);
  }
}

// "Schema Evolution": what a reader may promote.
bool MayPromote(const Type& from, const Type& to) {
  if (from.kind == TypeKind::kInt32 && to.kind == TypeKind::kInt64) return true;
  if (from.kind == TypeKind::kFloat && to.kind == TypeKind::kDouble) return true;
  return from.kind == TypeKind::kDecimal && to.kind == TypeKind::kDecimal &&
         from.scale == to.scale && from.precision <= to.precision;
}

Status CheckEvolution(const Schema& before, const Schema& after) {
  Status status;
  ForEachField(after, [&](const Field& field, const std::string& path) {
    if (!status.ok()) return;
    const Field* was = before.FindById(field.id);
    if (was == nullptr) return;
    if (field.required && !was->required) {
      status = Invalid("iceberg: column '" + path + "' cannot be made required");
    } else if (field.type.kind != was->type.kind || !field.type.IsNested()) {
      if (field.type == was->type || MayPromote(was->type, field.type)) return;
      status = Unsupported("iceberg: column '" + path + "': " + TypeToText(was->type) +
                           " cannot become " + TypeToText(field.type) +
                           "; int32 → int64, float → double and a larger precision can");
    }
  });
  return status;
}

Status CheckSpec(const TableMetadata& metadata, const PartitionSpec& spec) {
  for (const PartitionField& field : spec.fields) {
    const Field* source = metadata.schema.FindById(field.source_id);
    if (source == nullptr) {
      return Invalid("iceberg: partition field '" + field.name + "': its column is not there");
    }
    Result<Type> type = TransformedType(field, source->type);
    if (!type.ok())
      return type.error().WithContext("iceberg: partition field '" + field.name + "'");
  }
  return OkStatus();
}

// "Partition Evolution": version 1 finds partition values by their place, so a field that goes
// leaves a void one behind.
void KeepPlaces(const PartitionSpec& before, const Schema& schema, PartitionSpec& spec) {
  std::vector<PartitionField> fresh = std::move(spec.fields);
  spec.fields.clear();
  for (const PartitionField& old : before.fields) {
    const auto kept = std::find_if(fresh.begin(), fresh.end(), [&](const PartitionField& field) {
      return SameTransform(field, old);
    });
    if (kept != fresh.end()) {
      spec.fields.push_back(std::move(*kept));
      fresh.erase(kept);
      continue;
    }
    if (schema.FindById(old.source_id) == nullptr) continue;
    PartitionField gone = old;
    gone.transform = TransformKind::kVoid;
    gone.parameter = 0;
    if (std::any_of(fresh.begin(), fresh.end(), [&](const PartitionField& field) {
          return AsciiEqualsIgnoreCase(field.name, gone.name);
        })) {
      gone.name += "_" + std::to_string(gone.field_id);
    }
    spec.fields.push_back(std::move(gone));
  }
  for (PartitionField& field : fresh) spec.fields.push_back(std::move(field));
}

// Gives the default spec an id and its fields theirs: the same field keeps the id it has had, and
// the same spec its own.
void NumberSpecs(const TableMetadata* before, TableMetadata& wanted) {
  PartitionSpec spec = wanted.default_spec();
  if (before == nullptr) {
    int32_t last_field = kFirstPartitionFieldId - 1;
    for (PartitionField& field : spec.fields) field.field_id = ++last_field;
    spec.id = wanted.default_spec_id = 0;
    wanted.specs = {std::move(spec)};
    return;
  }
  wanted.specs = before->specs;
  const PartitionSpec& current = before->default_spec();
  // A column's new name does not make another spec.
  if (std::equal(current.fields.begin(), current.fields.end(), spec.fields.begin(),
                 spec.fields.end(), SameTransform)) {
    wanted.default_spec_id = before->default_spec_id;
    return;
  }
  if (wanted.writer_version == 1) KeepPlaces(current, wanted.schema, spec);
  int32_t last_id = -1;
  int32_t last_field = kFirstPartitionFieldId - 1;
  for (const PartitionSpec& other : before->specs) {
    last_id = std::max(last_id, other.id);
    for (const PartitionField& field : other.fields) {
      last_field = std::max(last_field, field.field_id);
    }
  }
  for (PartitionField& field : spec.fields) {
    const auto old = std::find_if(
        current.fields.begin(), current.fields.end(), [&](const PartitionField& known) {
          return SameTransform(known, field) ||
                 (field.transform == TransformKind::kVoid && known.field_id == field.field_id);
        });
    if (old != current.fields.end()) {
      field.field_id = old->field_id;
      if (field.transform != TransformKind::kVoid) field.name = old->name;
      continue;
    }
    field.field_id = 0;
    for (const PartitionSpec& other : before->specs) {
      // In version 1 the id is still that of the void field in the old place.
      if (wanted.writer_version == 1) break;
      for (const PartitionField& known : other.fields) {
        if (SameTransform(known, field) && known.name == field.name) {
          field.field_id = known.field_id;
        }
      }
    }
    if (field.field_id == 0) field.field_id = ++last_field;
  }
  for (const PartitionSpec& other : before->specs) {
    if (other.fields != spec.fields) continue;
    wanted.default_spec_id = other.id;
    return;
  }
  spec.id = last_id + 1;
  wanted.default_spec_id = spec.id;
  wanted.specs.push_back(std::move(spec));
}

// A new order has no id before the document is written: which there have been stands there.
Status PrepareSortOrder(const TableMetadata* before, TableMetadata& wanted) {
  SortOrder& order = wanted.sort_order;
  const Status checked = CheckSortOrder(order, wanted.schema);
  if (!checked.ok()) return checked.error().WithContext("iceberg");
  if (before == nullptr) {
    order.id = order.IsUnsorted() ? 0 : 1;
  } else if (order.fields == before->sort_order.fields) {
    order.id = before->sort_order.id;
  } else {
    order.id = 0;
  }
  return OkStatus();
}

}  // namespace

Result<TableMetadata> PrepareMetadata(Runtime& runtime, const TableMetadata* before,
                                      TableMetadata wanted) {
  TARN_ASSIGN_OR_RETURN(
      const int32_t version,
      TakeVersion(wanted, before != nullptr && before->writer_version > 0 ? before->writer_version
                                                                          : kVersionDefault));
  if (before != nullptr && version < before->writer_version) {
    return Invalid("iceberg: the table has format version " +
                   std::to_string(before->writer_version) + ", which cannot be lowered");
  }
  wanted.reader_version = wanted.writer_version = version;
  wanted.reader_features.clear();
  wanted.writer_features.clear();
  wanted.column_match = ColumnMatch::kByIdElseAlias;
  if (before != nullptr) {
    wanted.table_id = before->table_id;
    wanted.schema.last_column_id =
        std::max(wanted.schema.last_column_id, before->schema.last_column_id);
  }
  if (wanted.table_id.empty()) wanted.table_id = NewUuid(runtime.random);
  WidenSmallIntegers(wanted.schema.fields);
  wanted.schema = AssignFreshIds(std::move(wanted.schema));
  TARN_RETURN_IF_ERROR(ValidateSchema(wanted.schema));
  TARN_RETURN_IF_ERROR(SchemaToJson(wanted.schema, version));
  if (before != nullptr) TARN_RETURN_IF_ERROR(CheckEvolution(before->schema, wanted.schema));
  TARN_RETURN_IF_ERROR(CheckSpec(wanted, wanted.default_spec()));
  NumberSpecs(before, wanted);
  TARN_RETURN_IF_ERROR(PrepareSortOrder(before, wanted));
  TARN_RETURN_IF_ERROR(ParseWriteProperties(wanted.properties));
  TARN_RETURN_IF_ERROR(MetricsModes(wanted.schema, wanted.properties));
  return wanted;
}

Status CheckWritable(const Snapshot& base) {
  if (!base.exists()) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(base));
  if (!state->metadata->unknown_transform.empty()) {
    return Unsupported("iceberg: partition transform '" + state->metadata->unknown_transform +
                       "'; the table is read, not written");
  }
  if (!state->file.named_by_home && !state->file.name.stem.starts_with('v')) {
    return Unsupported(
        "iceberg: a catalog keeps this table's metadata ('" + std::string(state->file.path.name()) +
        "'); open it by its name there: written by its path it would be another table to the "
        "catalog");
  }
  return OkStatus();
}

std::vector<Field> RowLineageFields() {
  constexpr int32_t kRowId = 2147483540;
  constexpr int32_t kLastUpdatedId = 2147483539;
  return {{.id = kRowId, .name = "_row_id", .type = Type::Of(TypeKind::kInt64)},
          {.id = kLastUpdatedId,
           .name = "_last_updated_sequence_number",
           .type = Type::Of(TypeKind::kInt64)}};
}

Result<WriteTicket> MakeWriteTicket(const Snapshot& base, const WriteIntent& intent) {
  TARN_RETURN_IF_ERROR(CheckWritable(base));
  TARN_ASSIGN_OR_RETURN(const WriteProperties properties,
                        ParseWriteProperties(base.metadata.properties));
  TARN_ASSIGN_OR_RETURN(const auto modes,
                        MetricsModes(base.metadata.schema, base.metadata.properties));
  for (const Field& field : base.metadata.schema.fields) {
    if (field.type.kind == TypeKind::kVariant) {
      return Unsupported("iceberg: column '" + field.name + "': variants are read, not written");
    }
  }
  WriteTicket ticket;
  ticket.folder = "data";
  ticket.target_file_size_bytes = properties.target_file_size_bytes;
  ticket.file_format = properties.file_format;
  ticket.compression = properties.compression;
  const bool merge_on_read =
      (intent.operation == OperationKind::kDelete && properties.merge_on_read_deletes) ||
      (intent.operation == OperationKind::kUpdate && properties.merge_on_read_updates);
  // Version 1 knows no delete files.
  ticket.row_deletes = merge_on_read && base.metadata.writer_version >= 2;
  if (base.metadata.writer_version >= 3) ticket.row_lineage = RowLineageFields();
  for (const auto& [id, mode] : modes) {
    if (mode.kind != MetricsMode::Kind::kNone) ticket.statistics_ids.push_back(id);
  }
  return ticket;
}

}  // namespace tarn::iceberg
