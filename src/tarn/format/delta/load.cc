#include "tarn/format/delta/load.h"

#include <set>
#include <utility>
#include <variant>

#include "tarn/base/planted_bug.h"
#include "tarn/format/delta/features.h"
#include "tarn/format/delta/log_head.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/format/delta/scalar_text.h"
#include "tarn/format/delta/timeline.h"
#include "tarn/format/delta/type_change_check.h"

namespace tarn::delta {
namespace {

constexpr std::string_view kConstraintPrefix = "delta.constraints.";
// Iceberg's convention, which the model follows: partition fields count from here.
constexpr int32_t kFirstPartitionFieldId = 1000;
// A log clean-up may take away what was just listed; after that many looks it is no race.
constexpr int kLooksMax = 3;

struct Heads {
  LogSegment segment;
  LogHead head;
  std::vector<Sidecar> sidecars;
};

// Finds and reads the log of one version. A tail that vanished under our hands is looked for again;
// a checkpoint that cannot be read is passed over.
Result<Heads> ReadHeads(Runtime& runtime, CheckpointHeads& kept, const TableHome& home,
                        std::optional<int64_t> version) {
  std::set<Path> damaged;
  int looks = 0;
  [[maybe_unused]] std::optional<LogSegment> trusted;
  const auto finish = [&](Heads heads) {
    if constexpr (planted::kTornCheckpointTrusted) {
      if (trusted) heads.segment = *trusted;
    }
    return heads;
  };
  while (true) {
    Heads heads;
    TARN_ASSIGN_OR_RETURN(heads.segment, FindSegment(home, version, damaged));
    if (heads.segment.wrong_hint && looks == 0) {
      runtime.log.Warn("delta: '" + home.root.str() + "': _last_checkpoint names version " +
                       std::to_string(*heads.segment.wrong_hint) +
                       ", where no checkpoint can be used; the whole log was listed instead");
    }
    Result<LogHead> tail = ReadTailHead(runtime, home, heads.segment);
    if (!tail.ok()) {
      if (tail.error().code == ErrorCode::kNotFound && ++looks < kLooksMax) continue;
      return std::move(tail).error();
    }
    heads.head = *std::move(tail);
    if (!heads.segment.checkpoint) return finish(std::move(heads));
    const CheckpointObjects& objects = *heads.segment.checkpoint;
    const auto checkpoint = kept.Read(home, objects);
    if (checkpoint.ok()) {
      heads.head.Absorb((*checkpoint)->head);
      heads.sidecars = (*checkpoint)->sidecars;
      return finish(std::move(heads));
    }
    const ErrorCode code = checkpoint.error().code;
    if (code != ErrorCode::kCorrupt && code != ErrorCode::kNotFound &&
        code != ErrorCode::kInvalid) {
      return checkpoint.error();
    }
    const Path& first_part = objects.parts.front().path;
    runtime.log.Warn("delta: checkpoint '" + first_part.str() +
                     "' cannot be read and is passed over: " + checkpoint.error().ToString());
    damaged.insert(first_part);
    if (!trusted) trusted = heads.segment;
  }
}

Error Unreadable(const TableHome& home, int64_t version, std::string_view what) {
  return Corrupt("delta: '" + home.root.str() + "': no " + std::string(what) +
                 " action in the log up to version " + std::to_string(version));
}

Result<Snapshot> Assemble(const TableHome& home, Heads heads) {
  const int64_t version = heads.segment.version;
  auto state = std::make_shared<DeltaState>();
  state->version = version;
  if (!heads.head.protocol) return Unreadable(home, version, "protocol");
  state->protocol = *std::move(heads.head.protocol);
  // The protocol first: what it does not let us read may look wrong in any way.
  const auto in_context = [&](const Error& error) {
    return error.WithContext("'" + home.root.str() + "' version " + std::to_string(version));
  };
  if (Status readable = CheckReadable(state->protocol); !readable.ok()) {
    return in_context(readable.error());
  }
  if (!heads.head.metadata) return Unreadable(home, version, "metaData");
  state->metadata = *std::move(heads.head.metadata);

  Snapshot snapshot;
  snapshot.version.text = std::to_string(version);
  Result<TableMetadata> metadata = ToTableMetadata(state->protocol, state->metadata);
  if (!metadata.ok()) return in_context(metadata.error());
  snapshot.metadata = *std::move(metadata);
  TARN_ASSIGN_OR_RETURN(state->mapping,
                        ActiveColumnMapping(state->protocol, state->metadata.configuration));
  const TimeRules rules{InCommitTimestampsFrom(state->protocol, state->metadata.configuration)};
  int64_t modified_ms = heads.segment.version_modified_ms;
  if (modified_ms == 0 && heads.segment.checkpoint) {
    modified_ms = heads.segment.checkpoint->parts.front().modified_ms;
  }
  snapshot.timestamp_ms = CommitTimeMs(rules, version, heads.head.commit_info, modified_ms);
  for (const auto& [app_id, txn] : heads.head.txns) {
    snapshot.positions[app_id] = std::to_string(txn.version);
  }
  state->segment = std::move(heads.segment);
  state->txns = std::move(heads.head.txns);
  std::erase_if(heads.head.domains, [](const auto& entry) { return entry.second.removed; });
  state->domains = std::move(heads.head.domains);
  state->sidecars = std::move(heads.sidecars);
  state->commit_info = std::move(heads.head.commit_info);
  snapshot.state = std::move(state);
  return snapshot;
}

}  // namespace

Result<int64_t> ParseVersion(std::string_view text) {
  const std::optional<int64_t> number = ParseInteger(text);
  if (!number || *number < 0) {
    return Invalid("delta: '" + std::string(text) + "' is no version; versions are 0, 1, 2, …");
  }
  return *number;
}

Result<TableMetadata> ToTableMetadata(const Protocol& protocol, const MetadataAction& action) {
  if (action.format_provider != "parquet") {
    return Unsupported("delta: data files of format '" + action.format_provider + "'");
  }
  TARN_ASSIGN_OR_RETURN(const ColumnMapping mapping,
                        ActiveColumnMapping(protocol, action.configuration));
  TableMetadata metadata;
  metadata.table_id = action.id;
  metadata.name = action.name;
  metadata.description = action.description;
  metadata.created_ms = action.created_time_ms.value_or(0);
  // Tables of Delta Live Tables begin without a schema.
  if (!action.schema_string.empty()) {
    TARN_ASSIGN_OR_RETURN(metadata.schema,
                          SchemaFromJson(action.schema_string, action.configuration, mapping));
    TARN_RETURN_IF_ERROR(CheckTypeChanges(metadata.schema));
  }
  PartitionSpec spec;
  for (const std::string& column : action.partition_columns) {
    const std::optional<size_t> index = metadata.schema.IndexOf(column);
    if (!index) return Corrupt("delta: partition column '" + column + "' is not in the schema");
    PartitionField field;
    field.source_id = metadata.schema.fields[*index].id;
    field.field_id = kFirstPartitionFieldId + static_cast<int32_t>(spec.fields.size());
    field.name = metadata.schema.fields[*index].name;
    spec.fields.push_back(std::move(field));
  }
  metadata.specs = {std::move(spec)};
  for (const auto& [key, value] : action.configuration) {
    if (key.starts_with(kConstraintPrefix)) {
      metadata.constraints.push_back({key.substr(kConstraintPrefix.size()), value});
    } else {
      metadata.properties[key] = value;
    }
  }
  metadata.column_match = mapping == ColumnMapping::kId ? ColumnMatch::kById : ColumnMatch::kByName;
  metadata.reader_version = protocol.min_reader_version;
  metadata.writer_version = protocol.min_writer_version;
  metadata.reader_features = protocol.reader_features;
  metadata.writer_features = protocol.writer_features;
  return metadata;
}

Result<Snapshot> LoadSnapshot(Runtime& runtime, CheckpointHeads& heads, const TableHome& home,
                              const AsOf& as_of) {
  std::optional<int64_t> version;
  if (const auto* at = std::get_if<AtVersion>(&as_of)) {
    TARN_ASSIGN_OR_RETURN(version, ParseVersion(at->version));
  } else if (const auto* at_time = std::get_if<AtTimestamp>(&as_of)) {
    // The rules for times come from the newest state ("In-Commit Timestamps"). Where that cannot be
    // read, a missing commit say, earlier times still can, by the rules for tables without them.
    TimeRules rules;
    Result<Heads> newest = ReadHeads(runtime, heads, home, std::nullopt);
    if (newest.ok() && newest->head.protocol && newest->head.metadata) {
      rules.in_commit_from =
          InCommitTimestampsFrom(*newest->head.protocol, newest->head.metadata->configuration);
    }
    TARN_ASSIGN_OR_RETURN(version, VersionAsOf(runtime, home, rules, at_time->micros));
  }
  TARN_ASSIGN_OR_RETURN(Heads read, ReadHeads(runtime, heads, home, version));
  return Assemble(home, std::move(read));
}

Result<bool> DetectTable(const TableHome& home) {
  // Nearly every log has one of them: no need to list what may be thousands of objects.
  for (const Path& usual : {CommitPath(home.root, 0), LastCheckpointPath(home.root)}) {
    const Result<ObjectInfo> there = home.storage.Stat(usual);
    if (there.ok()) return true;
    if (there.error().code != ErrorCode::kNotFound) return there.error();
  }
  Path after;
  while (true) {
    constexpr int32_t kPage = 1000;
    TARN_ASSIGN_OR_RETURN(
        const std::vector<ObjectInfo> page,
        home.storage.List(home.root / kLogFolder, after, kPage, Storage::Depth::kShallow));
    for (const ObjectInfo& object : page) {
      const std::optional<LogName> name = ParseLogName(object.path.name());
      if (name && name->kind != LogName::Kind::kChecksum) return true;
    }
    if (static_cast<int32_t>(page.size()) < kPage) return false;
    after = page.back().path;
  }
}

}  // namespace tarn::delta
