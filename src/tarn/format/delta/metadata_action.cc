#include "tarn/format/delta/metadata_action.h"

#include <string>
#include <string_view>

#include "tarn/format/delta/features.h"
#include "tarn/format/delta/schema_json.h"

namespace tarn::delta {
namespace {

constexpr std::string_view kConstraintPrefix = "delta.constraints.";

}  // namespace

Result<MetadataAction> ToMetadataAction(const TableMetadata& metadata) {
  MetadataAction action;
  action.id = metadata.table_id;
  action.name = metadata.name;
  action.description = metadata.description;
  if (metadata.created_ms != 0) action.created_time_ms = metadata.created_ms;
  for (const auto& [name, value] : metadata.properties) {
    if (!name.starts_with(kConstraintPrefix)) action.configuration[name] = value;
  }
  for (const CheckConstraint& constraint : metadata.constraints) {
    action.configuration[std::string(kConstraintPrefix) + constraint.name] = constraint.sql;
  }
  action.configuration[std::string(kSchemaIdsProperty)] = SchemaIdsToProperty(metadata.schema);
  TARN_ASSIGN_OR_RETURN(const ColumnMapping mode,
                        ActiveColumnMapping(ToProtocol(metadata), metadata.properties));
  TARN_ASSIGN_OR_RETURN(action.schema_string, SchemaToJson(metadata.schema, mode));
  for (const PartitionField& field : metadata.default_spec().fields) {
    const Field* column = metadata.schema.FindById(field.source_id);
    if (column == nullptr) {
      return Invalid("delta: partition field '" + field.name + "' is no column of the table");
    }
    action.partition_columns.push_back(column->name);
  }
  return action;
}

Protocol ToProtocol(const TableMetadata& metadata) {
  Protocol protocol{metadata.reader_version, metadata.writer_version, {}, {}};
  if (protocol.min_reader_version >= 3) protocol.reader_features = metadata.reader_features;
  if (protocol.min_writer_version >= 7) protocol.writer_features = metadata.writer_features;
  return protocol;
}

}  // namespace tarn::delta
