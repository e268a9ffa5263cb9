#include "tarn/model/conflict.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "tarn/base/planted_bug.h"
#include "tarn/model/prune.h"

namespace tarn {
namespace {

std::string_view NameOf(const DataFile& file) {
  return file.location.empty() ? std::string_view(file.path) : std::string_view(file.location);
}

std::string_view OperationName(const Operation& operation) {
  if (!operation.name.empty()) return operation.name;
  switch (operation.kind) {
    case OperationKind::kCreate:
      return "create";
    case OperationKind::kReplace:
      return "replace";
    case OperationKind::kAppend:
      return "append";
    case OperationKind::kOverwrite:
      return "overwrite";
    case OperationKind::kDelete:
      return "delete";
    case OperationKind::kUpdate:
      return "update";
    case OperationKind::kRewrite:
      return "rewrite";
    case OperationKind::kAlter:
      return "alter";
    case OperationKind::kRestore:
      return "restore";
    case OperationKind::kOther:
      return "commit";
  }
  return "commit";
}

// "version 8 (WRITE by ada@host with tarn/0.1.0 at 2026-11-30T10:00:00Z)"
std::string Winner(const Commit& theirs) {
  std::string text =
      fmt::format("version {} ({}", theirs.version.text, OperationName(theirs.operation));
  if (!theirs.writer.empty()) text += " by " + theirs.writer;
  if (!theirs.engine.empty()) text += " with " + theirs.engine;
  if (theirs.timestamp_ms != 0) {
    text +=
        " at " + ValueToText(Type::Of(TypeKind::kTimestampTz), Value(theirs.timestamp_ms * 1000));
  }
  return text + ")";
}

// "partition dt=2026-01-01", or the file where there are no partitions.
std::string PlaceOf(const DataFile& file, const TableMetadata& metadata) {
  const PartitionSpec* spec = metadata.SpecById(file.spec_id);
  if (spec == nullptr || spec->fields.empty() || spec->fields.size() != file.partition.size()) {
    return fmt::format("file {}", NameOf(file));
  }
  std::string text = "partition ";
  for (size_t i = 0; i < spec->fields.size(); ++i) {
    const PartitionField& field = spec->fields[i];
    const Field* source = metadata.schema.FindById(field.source_id);
    Type type = source != nullptr ? source->type : Type::Of(TypeKind::kString);
    if (Result<Type> made = TransformedType(field, type); made.ok()) type = *made;
    if (i > 0) text += "/";
    text += field.name + "=" + ValueToText(type, file.partition[i]);
  }
  return text;
}

// Fields equal but for their docs: what rows and readers of the old schema cannot tell apart.
bool SameShape(const std::vector<Field>& a, const std::vector<Field>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [](const Field& left, const Field& right) {
        return left.id == right.id && left.name == right.name && left.required == right.required &&
               left.source_name == right.source_name && left.annotations == right.annotations &&
               left.write_default_sql == right.write_default_sql &&
               left.type.kind == right.type.kind && left.type.precision == right.type.precision &&
               left.type.scale == right.type.scale && left.type.length == right.type.length &&
               SameShape(left.type.fields, right.type.fields);
      });
}

bool OnlyPropertiesChanged(const TableMetadata& before, const TableMetadata& after) {
  return SameShape(before.schema.fields, after.schema.fields) && before.specs == after.specs &&
         before.default_spec_id == after.default_spec_id && before.sort_order == after.sort_order &&
         before.constraints == after.constraints && before.column_match == after.column_match &&
         before.table_id == after.table_id && before.reader_features == after.reader_features &&
         before.writer_features == after.writer_features;
}

std::optional<ConflictReason> Reason(ConflictReason::Kind kind, std::string message) {
  return ConflictReason{kind, std::move(message)};
}

const Expression* FirstMatching(const ReadSet& reads, const DataFile& file,
                                const TableMetadata& metadata) {
  if constexpr (planted::kPartitionFilterIgnored) return nullptr;
  const PartitionSpec* spec = metadata.SpecById(file.spec_id);
  const PartitionSpec unknown;
  for (const Expression& predicate : reads.predicates) {
    if (MayMatch(predicate, metadata.schema, spec != nullptr ? *spec : unknown, file))
      return &predicate;
  }
  return nullptr;
}

std::optional<ConflictReason> FindInMetadata(const Commit& mine, const Commit& theirs,
                                             const Snapshot& base) {
  if (theirs.protocol_changed) {
    return Reason(ConflictReason::Kind::kProtocol,
                  fmt::format("{} changed the table's protocol or features", Winner(theirs)));
  }
  if (!theirs.metadata) return std::nullopt;
  if (mine.metadata) {
    return Reason(
        ConflictReason::Kind::kMetadata,
        fmt::format("{} changed the table's metadata, which this changes too", Winner(theirs)));
  }
  if (!OnlyPropertiesChanged(base.metadata, *theirs.metadata)) {
    return Reason(
        ConflictReason::Kind::kMetadata,
        fmt::format("{} changed the table's schema, partitioning or constraints", Winner(theirs)));
  }
  return std::nullopt;
}

std::optional<ConflictReason> FindInPositions(const Commit& mine, const Commit& theirs) {
  if constexpr (planted::kPositionNotCompared) return std::nullopt;
  for (const PositionMove& move : mine.positions) {
    for (const PositionMove& other : theirs.positions) {
      if (move.source != other.source) continue;
      return Reason(ConflictReason::Kind::kPosition,
                    fmt::format("{} moved the position of source '{}' to {}, which this moves too",
                                Winner(theirs), move.source, other.after));
    }
  }
  return std::nullopt;
}

std::optional<ConflictReason> FindInRemoved(const Commit& mine, const Commit& theirs,
                                            const Snapshot& base) {
  std::set<std::string_view> touched(mine.reads.locations.begin(), mine.reads.locations.end());
  for (const DataFile& file : mine.removed) touched.insert(NameOf(file));
  for (const RowDelete& rows : mine.row_deletes) touched.insert(NameOf(rows.file));
  const auto check = [&](const DataFile& file, ConflictReason::Kind kind,
                         std::string_view did) -> std::optional<ConflictReason> {
    const bool rows_gone = theirs.data_change;  // a rewrite moves rows but loses none
    if (touched.contains(NameOf(file)) || (rows_gone && mine.reads.everything) ||
        (rows_gone && FirstMatching(mine.reads, file, base.metadata) != nullptr)) {
      return Reason(kind, fmt::format("{}: {} {}, which this read or replaces",
                                      PlaceOf(file, base.metadata), Winner(theirs), did));
    }
    return std::nullopt;
  };
  for (const DataFile& file : theirs.removed) {
    if (auto reason = check(file, ConflictReason::Kind::kRemoved, "removed rows")) return reason;
  }
  for (const RowDelete& rows : theirs.row_deletes) {
    if (auto reason = check(rows.file, ConflictReason::Kind::kRowsDeleted, "deleted rows"))
      return reason;
  }
  return std::nullopt;
}

std::optional<ConflictReason> FindInAdded(const Commit& mine, const Commit& theirs,
                                          const Snapshot& base) {
  if (!theirs.data_change || mine.reads.empty()) return std::nullopt;
  for (const DataFile& file : theirs.added) {
    if (mine.reads.everything) {
      return Reason(ConflictReason::Kind::kRowsAdded,
                    fmt::format("{}: {} added rows; this replaces the whole table",
                                PlaceOf(file, base.metadata), Winner(theirs)));
    }
    if (const Expression* predicate = FirstMatching(mine.reads, file, base.metadata)) {
      return Reason(ConflictReason::Kind::kRowsAdded,
                    fmt::format("{}: {} added rows that may match {}, which this read or replaces",
                                PlaceOf(file, base.metadata), Winner(theirs),
                                ExpressionToText(*predicate, base.metadata.schema)));
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ConflictReason> FindConflict(const Commit& mine, const Commit& theirs,
                                           const Snapshot& base, Isolation isolation) {
  if (auto reason = FindInMetadata(mine, theirs, base)) return reason;
  if (auto reason = FindInRemoved(mine, theirs, base)) return reason;
  if (isolation == Isolation::kSerializable) {
    if (auto reason = FindInAdded(mine, theirs, base)) return reason;
  }
  return FindInPositions(mine, theirs);
}

}  // namespace tarn
