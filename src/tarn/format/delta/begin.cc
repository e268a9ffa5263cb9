#include "tarn/format/delta/begin.h"

#include <algorithm>
#include <string>

#include "tarn/format/delta/invariants.h"
#include "tarn/format/delta/metadata_action.h"
#include "tarn/format/delta/stats_columns.h"
#include "tarn/format/delta/table_properties.h"
#include "tarn/format/delta/writer_features.h"

namespace tarn::delta {
namespace {

bool HasDataType(const Type& type) {
  if (type.kind != TypeKind::kStruct) return type.kind != TypeKind::kVoid;
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [](const Field& field) { return HasDataType(field.type); });
}

// "Void Type": void columns are left out of files, so they may not stand where a file must have
// something: in a list or map, or alone in a struct or table.
Status CheckVoids(const Schema& schema) {
  Status status;
  bool any = schema.fields.empty();
  const auto refuse = [&](const std::string& path) {
    status = Unsupported("delta: column '" + path +
                         "' has no type yet, so no data can be written; give it one first");
  };
  for (const Field& field : schema.fields) any = any || HasDataType(field.type);
  if (!any) refuse(schema.fields.front().name);
  ForEachField(schema, [&](const Field& field, const std::string& path) {
    if (!status.ok() || !field.type.IsNested()) return;
    if (field.type.kind == TypeKind::kStruct) {
      if (!HasDataType(field.type)) refuse(path);
      return;
    }
    for (const Field& child : field.type.fields) {
      if (child.type.kind == TypeKind::kVoid) refuse(path);
    }
  });
  return status;
}

}  // namespace

Result<WriteTicket> MakeWriteTicket(const Snapshot& base, const WriteIntent&) {
  TARN_RETURN_IF_ERROR(CheckWritable(base.metadata));
  TARN_RETURN_IF_ERROR(CheckVoids(base.metadata.schema));
  TARN_ASSIGN_OR_RETURN(const TableProperties properties,
                        ParseTableProperties(base.metadata.properties));
  WriteTicket ticket;
  ticket.file_prefix = "part-";
  if (properties.target_file_size_bytes) {
    ticket.target_file_size_bytes = *properties.target_file_size_bytes;
  }
  ticket.compression = properties.compression;
  ticket.hive_folders = !properties.randomize_file_prefixes;
  // A property counts only where the protocol has its feature.
  const Protocol protocol = ToProtocol(base.metadata);
  ticket.row_deletes = properties.deletion_vectors && Supports(protocol, "deletionVectors");
  ticket.change_data = properties.change_data_feed && Supports(protocol, "changeDataFeed");
  TARN_ASSIGN_OR_RETURN(ticket.statistics_ids, StatisticsIds(base.metadata, properties));
  if (Supports(protocol, "invariants")) {
    TARN_ASSIGN_OR_RETURN(ticket.conditions, ColumnInvariants(base.metadata.schema));
  }
  return ticket;
}

}  // namespace tarn::delta
