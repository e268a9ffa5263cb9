#include "tarn/format/delta/prepare.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "tarn/base/text.h"
#include "tarn/base/uuid.h"
#include "tarn/format/delta/dropped_columns.h"
#include "tarn/format/delta/features.h"
#include "tarn/format/delta/metadata_action.h"
#include "tarn/format/delta/schema_json.h"
#include "tarn/format/delta/table_properties.h"
#include "tarn/format/delta/type_changes.h"
#include "tarn/format/delta/writer_features.h"
#include "tarn/model/schema.h"

namespace tarn::delta {
namespace {

constexpr std::string_view kModeProperty = "delta.columnMapping.mode";
constexpr std::string_view kFeaturePrefix = "delta.feature.";

using FieldsById = std::map<int32_t, const Field*>;

FieldsById ById(const Schema& schema) {
  FieldsById fields;
  ForEachField(schema, [&](const Field& field, const std::string&) { fields[field.id] = &field; });
  return fields;
}

bool IsTrue(const std::map<std::string, std::string>& properties, std::string_view name) {
  const auto found = properties.find(std::string(name));
  return found != properties.end() && AsciiEqualsIgnoreCase(found->second, "true");
}

// What to use instead of a type that Delta lacks; empty when Delta has it.
std::string_view InsteadOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kTime:
      return "bigint (microseconds) or string";
    case TypeKind::kUuid:
      return "string";
    case TypeKind::kFixed:
      return "binary";
    case TypeKind::kTimestampNs:
      return "timestamp_ntz (microseconds) or bigint";
    case TypeKind::kTimestampTzNs:
      return "timestamp (microseconds) or bigint";
    case TypeKind::kVariant:
      return "string with the JSON text";
    default:
      return {};
  }
}

Status CheckTypes(const Schema& schema) {
  Status status;
  ForEachField(schema, [&](const Field& field, const std::string& path) {
    if (!status.ok()) return;
    if (const std::string_view instead = InsteadOf(field.type.kind); !instead.empty()) {
      status =
          Unsupported("delta: column '" + path + "' has the type " + TypeToText(field.type) +
                      ", which Tarn cannot write to a Delta table; use " + std::string(instead));
    } else if (field.initial_default && !IsNull(*field.initial_default)) {
      status = Unsupported("delta: column '" + path +
                           "': rows written before a column existed read as NULL in Delta; add it "
                           "without a default, then set one for new rows");
    }
  });
  return status;
}

// delta.feature.* and the minimum versions are requests, not properties: they are taken out.
Status TakeRequests(TableMetadata& wanted, Protocol& protocol, std::vector<std::string>& features) {
  for (auto property = wanted.properties.begin(); property != wanted.properties.end();) {
    const auto& [name, value] = *property;
    if (name.starts_with(kFeaturePrefix)) {
      if (value != "supported" && value != "enabled") {
        return Invalid("delta: table property '" + name + "' is '" + value +
                       "', expected supported");
      }
      features.push_back(name.substr(kFeaturePrefix.size()));
    } else if (name == "delta.minReaderVersion" || name == "delta.minWriterVersion") {
      int32_t version = 0;
      const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), version);
      const bool reader = name == "delta.minReaderVersion";
      if (error != std::errc() || end != value.data() + value.size() || version < 1 ||
          version > (reader ? 3 : 7)) {
        return Invalid("delta: table property '" + name + "' is '" + value + "', expected 1 to " +
                       (reader ? "3" : "7"));
      }
      int32_t& least = reader ? protocol.min_reader_version : protocol.min_writer_version;
      least = std::max(least, version);
    } else {
      ++property;
      continue;
    }
    property = wanted.properties.erase(property);
  }
  for (const auto* list : {&wanted.reader_features, &wanted.writer_features}) {
    features.insert(features.end(), list->begin(), list->end());
  }
  // Reader version 3 goes with writer version 7 only.
  if (protocol.min_reader_version >= 3) protocol.min_writer_version = 7;
  return OkStatus();
}

// Constraints are no properties to the model: what comes as one is moved where it is enforced.
Status TakeConstraints(bool new_table, TableMetadata& wanted) {
  constexpr std::string_view kPrefix = "delta.constraints.";
  for (auto property = wanted.properties.begin(); property != wanted.properties.end();) {
    if (!property->first.starts_with(kPrefix)) {
      ++property;
      continue;
    }
    if (!new_table) {
      return Invalid("delta: '" + property->first +
                     "' cannot be set as a property: rows that are there must be checked; use "
                     "ALTER TABLE … ADD CONSTRAINT");
    }
    wanted.constraints.push_back({property->first.substr(kPrefix.size()), property->second});
    property = wanted.properties.erase(property);
  }
  return OkStatus();
}

Status CheckNoSortOrder(const TableMetadata& wanted) {
  if (wanted.sort_order.IsUnsorted()) return OkStatus();
  return Unsupported("delta: a table keeps no order of rows; sort what is inserted");
}

Status CheckRefusedProperties(const std::map<std::string, std::string>& properties) {
  constexpr std::string_view kEnable = "delta.enable";
  for (const auto& [name, value] : properties) {
    if (!name.starts_with(kEnable) || !IsTrue(properties, name)) continue;
    const std::string_view what = std::string_view(name).substr(kEnable.size());
    if (what == "RowTracking" || what == "VariantShredding" || what.find("Compat") != what.npos) {
      return Unsupported("delta: Tarn cannot write tables with '" + name +
                         "' = true; leave the property out");
    }
  }
  return OkStatus();
}

std::vector<std::string> FeaturesNeeded(const TableMetadata& metadata,
                                        const TableProperties& properties, ColumnMapping mode) {
  std::vector<std::string> needed;
  bool ntz = false;
  bool defaults = false;
  ForEachField(metadata.schema, [&](const Field& field, const std::string&) {
    ntz = ntz || field.type.kind == TypeKind::kTimestamp;
    defaults = defaults || field.write_default_sql.has_value();
  });
  if (properties.append_only) needed.push_back("appendOnly");
  if (!metadata.constraints.empty()) needed.push_back("checkConstraints");
  if (properties.change_data_feed) needed.push_back("changeDataFeed");
  if (mode != ColumnMapping::kNone) needed.push_back("columnMapping");
  if (ntz) needed.push_back("timestampNtz");
  if (defaults) needed.push_back("allowColumnDefaults");
  if (properties.deletion_vectors) needed.push_back("deletionVectors");
  if (properties.in_commit_timestamps) needed.push_back("inCommitTimestamp");
  if (properties.type_widening) needed.push_back("typeWidening");
  if (properties.v2_checkpoints) needed.push_back("v2Checkpoint");
  return needed;
}

Status RaiseProtocol(Protocol protocol, const std::vector<std::string>& features,
                     TableMetadata& wanted) {
  // Features without a legacy version first: then one that has one (columnMapping) joins the lists
  // instead of raising versions that would imply more than is used.
  std::vector<const WriterFeature*> known;
  for (const std::string& name : features) {
    const WriterFeature* feature = FindWriterFeature(name);
    if (feature == nullptr || feature->support == WriteSupport::kRefused) {
      return Unsupported("delta: Tarn cannot write tables with the feature '" + name + "'");
    }
    known.push_back(feature);
  }
  std::stable_sort(known.begin(), known.end(), [](const auto* a, const auto* b) {
    return (a->legacy_writer == 0) > (b->legacy_writer == 0);
  });
  // typeWidening-preview is the same feature under its first name.
  const bool previews = Supports(protocol, "typeWidening-preview");
  // A new table that needs lists lists only what it needs: nothing is implied by its old version.
  const bool is_new = wanted.writer_version == 0;
  if (is_new && !known.empty() && known.front()->legacy_writer == 0 &&
      protocol.min_writer_version < 7) {
    protocol.min_writer_version = 7;
  }
  for (const WriterFeature* feature : known) {
    if (previews && feature->name == "typeWidening") continue;
    protocol = WithFeature(std::move(protocol), *feature);
  }
  std::sort(protocol.reader_features.begin(), protocol.reader_features.end());
  std::sort(protocol.writer_features.begin(), protocol.writer_features.end());
  wanted.reader_version = protocol.min_reader_version;
  wanted.writer_version = protocol.min_writer_version;
  wanted.reader_features = std::move(protocol.reader_features);
  wanted.writer_features = std::move(protocol.writer_features);
  return OkStatus();
}

Status NormalizeSpec(TableMetadata& wanted) {
  PartitionSpec spec;
  const PartitionSpec& given = wanted.default_spec();
  for (const PartitionField& field : given.fields) {
    if (field.transform != TransformKind::kIdentity) {
      return Unsupported("delta: partition field '" + field.name + "' is a " +
                         TransformToText(field) +
                         " transform; Delta partitions by columns only: add a column with the "
                         "value and partition by it");
    }
    const auto column =
        std::find_if(wanted.schema.fields.begin(), wanted.schema.fields.end(),
                     [&](const Field& candidate) { return candidate.id == field.source_id; });
    if (column == wanted.schema.fields.end()) {
      return Invalid("delta: partition field '" + field.name + "' is no top-level column");
    }
    if (column->type.IsNested() || column->type.kind == TypeKind::kVoid) {
      return Invalid("delta: column '" + column->name + "' of type " + TypeToText(column->type) +
                     " cannot partition a table");
    }
    spec.fields.push_back({field.source_id, 1000 + static_cast<int32_t>(spec.fields.size()),
                           column->name, TransformKind::kIdentity, 0});
  }
  if (!spec.fields.empty() && spec.fields.size() == wanted.schema.fields.size()) {
    return Invalid("delta: every column partitions the table; at least one must hold data");
  }
  wanted.specs = {std::move(spec)};
  wanted.default_spec_id = 0;
  return OkStatus();
}

// Whether a column that existed has another name or is gone.
bool RenamesOrDrops(const FieldsById& before, const FieldsById& after) {
  return std::any_of(before.begin(), before.end(), [&](const auto& entry) {
    const auto found = after.find(entry.first);
    return found == after.end() || found->second->name != entry.second->name;
  });
}

Result<ColumnMapping> ChooseMapping(const TableMetadata* before, const TableMetadata& wanted,
                                    bool renames_or_drops) {
  const bool said = wanted.properties.contains(std::string(kModeProperty));
  TARN_ASSIGN_OR_RETURN(const ColumnMapping asked, ColumnMappingOf(wanted.properties));
  if (before == nullptr) return asked;
  TARN_ASSIGN_OR_RETURN(const ColumnMapping stands,
                        ActiveColumnMapping(ToProtocol(*before), before->properties));
  const ColumnMapping mode = said ? asked : stands;
  if (mode == stands) {
    return mode == ColumnMapping::kNone && renames_or_drops ? ColumnMapping::kName : mode;
  }
  if (stands == ColumnMapping::kNone && mode == ColumnMapping::kName) return mode;
  return Unsupported("delta: column mapping cannot be changed from '" +
                     std::string(ColumnMappingName(stands)) + "' to '" +
                     std::string(ColumnMappingName(mode)) +
                     (mode == ColumnMapping::kId ? "'; by id is chosen when a table is created"
                                                 : "' on a table with data"));
}

// Characters that engines refuse in the names of Parquet columns.
bool IsPlainName(std::string_view name) {
  return name.find_first_of(" ,;{}()\n\t=") == std::string_view::npos;
}

// Where the names of columns in data files come from.
struct PhysicalNames {
  Runtime& runtime;
  bool new_table = false;
  int32_t last_id_before = 0;            // ids up to here are not new
  std::map<int32_t, std::string> known;  // by id: columns that exist or were dropped
};

void GivePhysicalNames(const PhysicalNames& names, std::vector<Field>& fields, bool in_struct) {
  for (Field& field : fields) {
    if (in_struct) {
      std::string physical;
      if (const auto known = names.known.find(field.id); known != names.known.end()) {
        physical = known->second;
      } else if (names.new_table && IsPlainName(field.name)) {
        physical = field.name;
      } else if (!names.new_table && field.id <= names.last_id_before) {
        physical = field.file_name();  // back from an earlier version
      } else {
        physical = "col-" + NewUuid(names.runtime.random);
      }
      field.source_name = physical == field.name ? "" : physical;
    } else {
      field.source_name.clear();  // elements, keys and values are found by their place
    }
    GivePhysicalNames(names, field.type.fields, field.type.kind == TypeKind::kStruct);
  }
}

void ClearPhysicalNames(std::vector<Field>& fields) {
  for (Field& field : fields) {
    field.source_name.clear();
    ClearPhysicalNames(field.type.fields);
  }
}

// The list of dropped columns after the change: what is back leaves it, what is gone joins it. Of a
// struct that is gone only the struct is listed.
Result<std::vector<DroppedColumn>> UpdateDropped(const TableMetadata& before,
                                                 const FieldsById& after) {
  TARN_ASSIGN_OR_RETURN(std::vector<DroppedColumn> dropped, DroppedColumnsOf(before.properties));
  std::erase_if(dropped,
                [&](const DroppedColumn& column) { return after.contains(column.field.id); });
  std::set<int32_t> covered;
  ForEachField(before.schema, [&](const Field& field, const std::string& path) {
    const bool gone = !after.contains(field.id);
    if (gone && !covered.contains(field.id)) dropped.push_back({path, field});
    if (!gone && !covered.contains(field.id)) return;
    for (const Field& child : field.type.fields) covered.insert(child.id);
  });
  return dropped;
}

}  // namespace

Result<TableMetadata> PrepareMetadata(Runtime& runtime, const TableMetadata* before,
                                      TableMetadata wanted) {
  if (before != nullptr) {
    TARN_RETURN_IF_ERROR(CheckWritable(*before));
    if (wanted.table_id.empty()) wanted.table_id = before->table_id;
    if (wanted.created_ms == 0) wanted.created_ms = before->created_ms;
    wanted.schema.last_column_id =
        std::max(wanted.schema.last_column_id, before->schema.last_column_id);
  }
  if (wanted.table_id.empty()) wanted.table_id = NewUuid(runtime.random);
  if (wanted.created_ms == 0) wanted.created_ms = runtime.clock.NowMicros() / 1000;

  Protocol protocol = before != nullptr ? ToProtocol(*before) : Protocol{};
  std::vector<std::string> features;
  TARN_RETURN_IF_ERROR(TakeRequests(wanted, protocol, features));
  TARN_RETURN_IF_ERROR(TakeConstraints(before == nullptr, wanted));
  TARN_RETURN_IF_ERROR(CheckRefusedProperties(wanted.properties));
  TARN_RETURN_IF_ERROR(CheckNoSortOrder(wanted));
  for (const auto& [name, value] : wanted.properties) {
    if (before != nullptr && before->properties.contains(name)) continue;
    if (const auto suspect = SuspectProperty(name)) runtime.log.Warn(*suspect);
  }
  TARN_ASSIGN_OR_RETURN(const TableProperties properties, ParseTableProperties(wanted.properties));

  TARN_RETURN_IF_ERROR(ValidateSchema(wanted.schema));
  TARN_RETURN_IF_ERROR(CheckTypes(wanted.schema));
  wanted.schema = AssignFreshIds(std::move(wanted.schema));
  TARN_RETURN_IF_ERROR(NormalizeSpec(wanted));

  const FieldsById after = ById(wanted.schema);
  const FieldsById fields_before = before != nullptr ? ById(before->schema) : FieldsById{};
  // A schema that shares no column with the one before replaces it together with the data.
  const bool evolves = std::any_of(fields_before.begin(), fields_before.end(),
                                   [&](const auto& old) { return after.contains(old.first); });
  if (evolves) {
    TARN_RETURN_IF_ERROR(
        RecordTypeChanges(before->schema, wanted.schema, properties.type_widening));
  }

  TARN_ASSIGN_OR_RETURN(
      const ColumnMapping mode,
      ChooseMapping(before, wanted, evolves && RenamesOrDrops(fields_before, after)));
  if (mode == ColumnMapping::kNone) {
    ClearPhysicalNames(wanted.schema.fields);
  } else {
    PhysicalNames names{runtime, before == nullptr, 0, {}};
    if (before != nullptr) {
      names.last_id_before = before->schema.last_column_id;
      TARN_ASSIGN_OR_RETURN(const auto listed, DroppedColumnsOf(before->properties));
      for (const DroppedColumn& column : listed) {
        Schema lone;
        lone.fields = {column.field};
        for (const auto& [id, field] : ById(lone)) names.known[id] = field->file_name();
      }
      for (const auto& [id, field] : fields_before) names.known[id] = field->file_name();
      TARN_ASSIGN_OR_RETURN(const std::vector<DroppedColumn> dropped,
                            UpdateDropped(*before, after));
      wanted.properties.erase(std::string(kDroppedColumnsProperty));
      if (evolves && !dropped.empty()) {
        TARN_ASSIGN_OR_RETURN(wanted.properties[std::string(kDroppedColumnsProperty)],
                              DroppedColumnsToProperty(dropped));
      }
    }
    GivePhysicalNames(names, wanted.schema.fields, /*in_struct=*/true);
    wanted.properties[std::string(kModeProperty)] = ColumnMappingName(mode);
    wanted.properties[std::string(kMaxColumnIdProperty)] =
        std::to_string(wanted.schema.last_column_id);
  }
  wanted.column_match = mode == ColumnMapping::kId ? ColumnMatch::kById : ColumnMatch::kByName;
  wanted.properties[std::string(kSchemaIdsProperty)] = SchemaIdsToProperty(wanted.schema);

  for (std::string& name : FeaturesNeeded(wanted, properties, mode)) {
    features.push_back(std::move(name));
  }
  if (before == nullptr) wanted.writer_version = 0;
  TARN_RETURN_IF_ERROR(RaiseProtocol(std::move(protocol), features, wanted));
  TARN_RETURN_IF_ERROR(CheckWritable(wanted));
  return wanted;
}

}  // namespace tarn::delta
