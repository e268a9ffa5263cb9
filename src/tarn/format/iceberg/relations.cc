#include "tarn/format/iceberg/relations.h"

#include <set>
#include <string>
#include <utility>

#include <arrow/api.h>

#include "tarn/format/iceberg/expire.h"
#include "tarn/format/iceberg/file_relations.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/format/iceberg/manifest_list.h"
#include "tarn/format/iceberg/manifest_reader.h"
#include "tarn/format/iceberg/relation_rows.h"
#include "tarn/format/iceberg/single_value.h"
#include "tarn/format/iceberg/snapshot_state.h"

namespace tarn::iceberg {
namespace {

Result<Relation> Snapshots(const Metadata& metadata) {
  RelationRows rows({FieldOf("committed_at", UtcMillis()), FieldOf("snapshot_id", arrow::int64()),
                     FieldOf("parent_id", arrow::int64()), FieldOf("operation", arrow::utf8()),
                     FieldOf("manifest_list", arrow::utf8()), FieldOf("summary", TextMap())});
  for (const SnapshotEntry& snapshot : metadata.snapshots) {
    rows.Number(0, snapshot.timestamp_ms);
    rows.Number(1, snapshot.id);
    rows.Number(2, snapshot.parent_id);
    rows.Text(3, snapshot.operation().empty()
                     ? std::nullopt
                     : std::optional<std::string_view>(snapshot.operation()));
    rows.Text(4, snapshot.manifest_list);
    rows.Texts(5, snapshot.summary, "operation");
  }
  return rows.Finish();
}

Result<Relation> HistoryRows(const IcebergState& state) {
  const Metadata& metadata = *state.metadata;
  std::set<int64_t> ancestors;
  for (const SnapshotEntry* at = state.snapshot(); at != nullptr;) {
    if (!ancestors.insert(at->id).second) break;
    at = at->parent_id ? metadata.SnapshotById(*at->parent_id) : nullptr;
  }
  RelationRows rows({FieldOf("made_current_at", UtcMillis()),
                     FieldOf("snapshot_id", arrow::int64()), FieldOf("parent_id", arrow::int64()),
                     FieldOf("is_current_ancestor", arrow::boolean())});
  for (const SnapshotLogEntry& entry : metadata.snapshot_log) {
    const SnapshotEntry* snapshot = metadata.SnapshotById(entry.snapshot_id);
    rows.Number(0, entry.timestamp_ms);
    rows.Number(1, entry.snapshot_id);
    rows.Number(2, snapshot == nullptr ? std::nullopt : snapshot->parent_id);
    rows.Flag(3, ancestors.contains(entry.snapshot_id));
  }
  return rows.Finish();
}

Result<Relation> Refs(const Metadata& metadata) {
  RelationRows rows({FieldOf("name", arrow::utf8()), FieldOf("type", arrow::utf8()),
                     FieldOf("snapshot_id", arrow::int64()),
                     FieldOf("max_reference_age_in_ms", arrow::int64()),
                     FieldOf("min_snapshots_to_keep", arrow::int32()),
                     FieldOf("max_snapshot_age_in_ms", arrow::int64())});
  for (const auto& [name, ref] : metadata.refs) {
    rows.Text(0, name);
    rows.Text(1, ref.is_branch ? "BRANCH" : "TAG");
    rows.Number(2, ref.snapshot_id);
    rows.Number(3, ref.max_ref_age_ms);
    rows.Number(4, ref.min_snapshots_to_keep);
    rows.Number(5, ref.max_snapshot_age_ms);
  }
  return rows.Finish();
}

Result<Relation> MetadataLogEntries(const IcebergState& state, const Locations& locations,
                                    const TableHome& home) {
  const Metadata& metadata = *state.metadata;
  RelationRows rows({FieldOf("timestamp", UtcMillis()), FieldOf("file", arrow::utf8()),
                     FieldOf("latest_snapshot_id", arrow::int64()),
                     FieldOf("latest_schema_id", arrow::int32()),
                     FieldOf("latest_sequence_number", arrow::int64())});
  std::vector<MetadataLogEntry> entries = metadata.metadata_log;
  entries.push_back({metadata.last_updated_ms, locations.LocationOf(home.Spell(state.file.path))});
  for (const MetadataLogEntry& entry : entries) {
    const SnapshotEntry* latest = nullptr;
    for (const SnapshotLogEntry& made : metadata.snapshot_log) {
      if (made.timestamp_ms <= entry.timestamp_ms) latest = metadata.SnapshotById(made.snapshot_id);
    }
    rows.Number(0, entry.timestamp_ms);
    rows.Text(1, entry.location);
    rows.Number(2, latest == nullptr ? std::nullopt : std::optional(latest->id));
    rows.Number(3, latest == nullptr || !latest->schema_id
                       ? std::nullopt
                       : std::optional<int64_t>(*latest->schema_id));
    rows.Number(4, latest == nullptr ? std::nullopt : std::optional(latest->sequence_number));
  }
  return rows.Finish();
}

std::string TwoDigits(int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// A partition value as people read it: 2026, 2026-11, 2026-11-30-10 for years, months and hours.
std::string HumanText(const PartitionField& field, const Type& type, const Value& value) {
  const auto* number = std::get_if<int64_t>(&value);
  if (number == nullptr) return ValueToText(type, value);
  switch (field.transform) {
    case TransformKind::kYear:
      return std::to_string(1970 + *number);
    case TransformKind::kMonth: {
      const int64_t years = *number >= 0 ? *number / 12 : (*number - 11) / 12;
      return std::to_string(1970 + years) + "-" + TwoDigits(*number - years * 12 + 1);
    }
    case TransformKind::kHour: {
      const int64_t days = *number >= 0 ? *number / 24 : (*number - 23) / 24;
      return ValueToText(Type::Of(TypeKind::kDate), Value(days)) + "-" +
             TwoDigits(*number - days * 24);
    }
    case TransformKind::kDay:
      return ValueToText(Type::Of(TypeKind::kDate), value);
    default:
      return ValueToText(type, value);
  }
}

Status AppendSummaries(RelationRows& rows, int column, const PartitionSpec& spec,
                       const std::vector<Type>& types, const ManifestFile& manifest) {
  auto* list = static_cast<arrow::ListBuilder*>(rows.builder(column));
  auto* record = static_cast<arrow::StructBuilder*>(list->value_builder());
  rows.Keep(list->Append());
  for (size_t i = 0; i < manifest.partitions.size() && i < spec.fields.size(); ++i) {
    const FieldSummary& summary = manifest.partitions[i];
    rows.Keep(record->Append());
    rows.Keep(static_cast<arrow::BooleanBuilder*>(record->field_builder(0))
                  ->Append(summary.contains_null));
    auto* nan = static_cast<arrow::BooleanBuilder*>(record->field_builder(1));
    rows.Keep(summary.contains_nan ? nan->Append(*summary.contains_nan) : nan->AppendNull());
    int at = 2;
    for (const auto* bound : {&summary.lower, &summary.upper}) {
      auto* text = static_cast<arrow::StringBuilder*>(record->field_builder(at++));
      const auto value = *bound ? ValueFromBinary(types[i], **bound) : std::nullopt;
      rows.Keep(value ? text->Append(HumanText(spec.fields[i], types[i], *value))
                      : text->AppendNull());
    }
  }
  return OkStatus();
}

Result<Relation> Manifests(Runtime& runtime, const TableHome& home, const IcebergState& state,
                           const Locations& locations) {
  const auto summary = arrow::struct_(
      {FieldOf("contains_null", arrow::boolean()), FieldOf("contains_nan", arrow::boolean()),
       FieldOf("lower_bound", arrow::utf8()), FieldOf("upper_bound", arrow::utf8())});
  RelationRows rows({FieldOf("content", arrow::int8()), FieldOf("path", arrow::utf8()),
                     FieldOf("length", arrow::int64()),
                     FieldOf("partition_spec_id", arrow::int32()),
                     FieldOf("added_snapshot_id", arrow::int64()),
                     FieldOf("added_data_files_count", arrow::int32()),
                     FieldOf("existing_data_files_count", arrow::int32()),
                     FieldOf("deleted_data_files_count", arrow::int32()),
                     FieldOf("added_delete_files_count", arrow::int32()),
                     FieldOf("existing_delete_files_count", arrow::int32()),
                     FieldOf("deleted_delete_files_count", arrow::int32()),
                     FieldOf("partition_summaries", arrow::list(summary))});
  if (state.snapshot() == nullptr) return rows.Finish();
  TARN_ASSIGN_OR_RETURN(const std::vector<ManifestFile> manifests,
                        ReadManifests(runtime, home, locations, *state.snapshot()));
  for (const ManifestFile& manifest : manifests) {
    const PartitionSpec* spec = state.metadata->SpecById(manifest.spec_id);
    if (spec == nullptr) {
      return Corrupt("iceberg: manifest '" + manifest.location + "': no partition spec " +
                     std::to_string(manifest.spec_id));
    }
    const bool data = manifest.content == ManifestContent::kData;
    rows.Number(0, data ? 0 : 1);
    rows.Text(1, manifest.location);
    rows.Number(2, manifest.length);
    rows.Number(3, manifest.spec_id);
    rows.Number(4, manifest.added_snapshot_id);
    int column = 5;
    for (const bool of_data : {true, false}) {
      for (const auto* count :
           {&manifest.added_files, &manifest.existing_files, &manifest.deleted_files}) {
        rows.Number(column++, of_data == data ? *count : std::optional<int64_t>(0));
      }
    }
    TARN_RETURN_IF_ERROR(AppendSummaries(
        rows, column, *spec,
        PartitionTypes(*state.metadata, state.metadata->current_schema(), *spec), manifest));
  }
  return rows.Finish();
}

}  // namespace

std::vector<std::string_view> RelationNames() {
  return {"snapshots",        "history",    "refs",  "metadata_log_entries", "manifests",
          "entries",          "partitions", "files", "data_files",           "delete_files",
          "position_deletes", "objects"};
}

Result<Relation> ReadRelation(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                              std::string_view name, DeletedRowsReader& deleted_rows) {
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  const Locations locations(home, state->metadata->location);
  if (name == "snapshots") return Snapshots(*state->metadata);
  if (name == "history") return HistoryRows(*state);
  if (name == "refs") return Refs(*state->metadata);
  if (name == "metadata_log_entries") return MetadataLogEntries(*state, locations, home);
  if (name == "objects") return NeededObjects(runtime, home, *state);
  if (name == "manifests") return Manifests(runtime, home, *state, locations);
  const FileRelations files(runtime, home, snapshot, *state);
  if (name == "entries") return files.Entries();
  if (name == "files") return files.Files(FileRelations::Which::kAll);
  if (name == "data_files") return files.Files(FileRelations::Which::kData);
  if (name == "delete_files") return files.Files(FileRelations::Which::kDeletes);
  if (name == "partitions") return files.Partitions();
  if (name == "position_deletes") return files.PositionDeletes(deleted_rows);
  return NotFound("iceberg: no relation '" + std::string(name) + "'");
}

}  // namespace tarn::iceberg
