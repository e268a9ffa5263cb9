#include "tarn/format/delta/checkpoint_files.h"

#include <algorithm>
#include <utility>

#include "tarn/format/delta/checkpoint_columns_internal.h"
#include "tarn/model/prune.h"

namespace tarn::delta {
namespace {

std::vector<std::string_view> StatsPath(std::string_view member,
                                        const std::vector<std::string>& field) {
  std::vector<std::string_view> path = {"add", "stats_parsed", member};
  path.insert(path.end(), field.begin(), field.end());
  return path;
}

bool IsTimestamp(const Type& type) {
  return type.kind == TypeKind::kTimestamp || type.kind == TypeKind::kTimestampTz;
}

}  // namespace

struct CheckpointRows::Parts {
  struct BoundsLeaves {
    RowColumn lower, upper, nulls, nans;
  };

  Parts(const FilePlan& file_plan, std::shared_ptr<const CheckpointParquet> parquet, int group,
        const SeenFiles& seen_files)
      : plan(file_plan),
        file(std::move(parquet)),
        seen(seen_files),
        rows(file->rows(group)),
        partitions(plan),
        stats_reader(plan.wanted),
        path(*file, group, file->Leaf({"add", "path"})),
        size(*file, group, file->Leaf({"add", "size"})),
        modified(*file, group, file->Leaf({"add", "modificationTime"})),
        stats_text(*file, group, file->Leaf({"add", "stats"})),
        record_count(*file, group, file->Leaf({"add", "stats_parsed", "numRecords"})),
        tight(*file, group, file->Leaf({"add", "stats_parsed", "tightBounds"})),
        vector_storage(*file, group, file->Leaf({"add", "deletionVector", "storageType"})),
        vector_path(*file, group, file->Leaf({"add", "deletionVector", "pathOrInlineDv"})),
        vector_offset(*file, group, file->Leaf({"add", "deletionVector", "offset"})),
        vector_size(*file, group, file->Leaf({"add", "deletionVector", "sizeInBytes"})),
        vector_rows(*file, group, file->Leaf({"add", "deletionVector", "cardinality"})) {
    for (const StatsFields::Field& field : plan.wanted.fields()) {
      const auto leaf = [&](std::string_view member) {
        return RowColumn(*file, group, file->Leaf(StatsPath(member, field.path)));
      };
      bounds.push_back({leaf("minValues"), leaf("maxValues"), leaf("nullCount"), leaf("nanCount")});
    }
  }

  const FilePlan& plan;
  const std::shared_ptr<const CheckpointParquet> file;
  const SeenFiles& seen;
  const int64_t rows;
  PartitionCache partitions;
  StatsReader stats_reader;
  MapColumn partition_column;
  RowColumn path, size, modified, stats_text, record_count, tight;
  RowColumn vector_storage, vector_path, vector_offset, vector_size, vector_rows;
  std::vector<BoundsLeaves> bounds;

  int64_t row = 0;
  int64_t files_seen = 0;
  FileStats stats;
  std::string uri, path_scratch, tuple_key;
  const PartitionTuple* tuple = nullptr;
  DeletionVectorDescriptor vector;

  static int64_t IntOr(const LeafCursor* cursor, int64_t otherwise) {
    return cursor == nullptr ? otherwise : cursor->integer();
  }

  // Sets `tuple` to that of the next row.
  Status NextTuple() {
    TARN_RETURN_IF_ERROR(partition_column.Next());
    const std::string& key = partition_column.key();
    // Neighbours mostly have the same partition.
    if (tuple != nullptr && key == tuple_key) return {};
    tuple_key = key;
    tuple = partitions.Find(key);
    if (tuple != nullptr) return {};
    Result<const PartitionTuple*> added = partitions.Add(key, MapColumn::TextsOf(key));
    if (!added.ok()) return added.error().WithContext("delta: '" + file->name() + "'");
    tuple = *added;
    return {};
  }

  Result<const DeletionVectorDescriptor*> VectorAt(int64_t at) {
    const DeletionVectorDescriptor* none = nullptr;
    TARN_ASSIGN_OR_RETURN(const LeafCursor* storage, vector_storage.At(at));
    if (storage == nullptr) return none;
    if (storage->bytes().size() != 1) {
      return Corrupt("delta: '" + file->name() + "': 'deletionVector.storageType'");
    }
    vector = {};
    vector.storage_type = storage->bytes()[0];
    TARN_ASSIGN_OR_RETURN(const LeafCursor* text, vector_path.At(at));
    if (text == nullptr) {
      return Corrupt("delta: '" + file->name() + "': 'deletionVector.pathOrInlineDv' is missing");
    }
    vector.path_or_inline = text->bytes();
    TARN_ASSIGN_OR_RETURN(const LeafCursor* offset, vector_offset.At(at));
    if (offset != nullptr) vector.offset = static_cast<int32_t>(offset->integer());
    TARN_ASSIGN_OR_RETURN(const LeafCursor* bytes, vector_size.At(at));
    vector.size_bytes = static_cast<int32_t>(IntOr(bytes, 0));
    TARN_ASSIGN_OR_RETURN(const LeafCursor* cardinality, vector_rows.At(at));
    vector.cardinality = IntOr(cardinality, 0);
    return &vector;
  }

  Status StatsAt(int64_t at) {
    TARN_ASSIGN_OR_RETURN(const LeafCursor* count, record_count.At(at));
    if (count == nullptr) {
      // No columns for this file: the text, if there is one.
      TARN_ASSIGN_OR_RETURN(const LeafCursor* text, stats_text.At(at));
      if (text == nullptr) {
        stats.Reset(plan.wanted.fields().size());
      } else {
        stats_reader.Read(text->bytes(), stats);
      }
      return {};
    }
    stats.Reset(plan.wanted.fields().size());
    stats.record_count = count->integer();
    TARN_ASSIGN_OR_RETURN(const LeafCursor* is_tight, tight.At(at));
    stats.tight = IntOr(is_tight, 1) != 0;
    for (size_t i = 0; i < bounds.size(); ++i) {
      const Type& type = plan.wanted.fields()[i].type;
      FieldStats& field = stats.fields[i];
      TARN_ASSIGN_OR_RETURN(const LeafCursor* lower, bounds[i].lower.At(at));
      if (lower != nullptr) field.lower = lower->ValueAs(type);
      TARN_ASSIGN_OR_RETURN(const LeafCursor* upper, bounds[i].upper.At(at));
      if (upper != nullptr) field.upper = upper->ValueAs(type);
      if (IsTimestamp(type)) {
        if (auto* micros = std::get_if<int64_t>(&field.lower)) *micros = WidenLowerMicros(*micros);
        if (auto* micros = std::get_if<int64_t>(&field.upper)) *micros = WidenUpperMicros(*micros);
      }
      TARN_ASSIGN_OR_RETURN(const LeafCursor* nulls, bounds[i].nulls.At(at));
      field.null_count = IntOr(nulls, -1);
      TARN_ASSIGN_OR_RETURN(const LeafCursor* nans, bounds[i].nans.At(at));
      field.nan_count = IntOr(nans, -1);
    }
    stats.ApplyWideBounds();
    return {};
  }

  Status Row(int64_t at, FileBatch& batch) {
    if (!plan.spec.IsUnpartitioned() || tuple == nullptr) TARN_RETURN_IF_ERROR(NextTuple());
    // Size is required in every add, so it tells files from other actions without their paths.
    const bool path_needed = tuple->keep || !seen.empty() || !size.there();
    const DeletionVectorDescriptor* deletes = nullptr;
    if (!path_needed) {
      TARN_ASSIGN_OR_RETURN(const LeafCursor* there, size.At(at));
      if (there != nullptr) ++files_seen;
      return {};
    }
    TARN_ASSIGN_OR_RETURN(const LeafCursor* path_value, path.At(at));
    if (path_value == nullptr) return {};
    uri.assign(path_value->bytes());
    const std::string_view key = FileKey(plan.home, uri, path_scratch);
    if (!seen.empty() || tuple->keep) {
      TARN_ASSIGN_OR_RETURN(deletes, VectorAt(at));
    }
    if (!seen.empty() &&
        seen.IsDead(key, deletes == nullptr ? std::string() : deletes->UniqueId())) {
      return {};
    }
    ++files_seen;
    if (!tuple->keep) return {};
    TARN_RETURN_IF_ERROR(StatsAt(at));
    TARN_ASSIGN_OR_RETURN(const LeafCursor* size_value, size.At(at));
    TARN_ASSIGN_OR_RETURN(const LeafCursor* modified_value, modified.At(at));
    AppendRow(batch,
              {uri, key, IntOr(size_value, 0), IntOr(modified_value, 0), tuple, &stats, deletes});
    return {};
  }
};

CheckpointRows::CheckpointRows(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CheckpointRows::~CheckpointRows() = default;

Result<std::unique_ptr<CheckpointRows>> CheckpointRows::Open(
    const FilePlan& plan, std::shared_ptr<const CheckpointParquet> file, int row_group,
    const SeenFiles& seen) {
  auto parts = std::make_unique<Parts>(plan, std::move(file), row_group, seen);
  if (!parts->path.there()) {
    parts->row = parts->rows;  // no add in this row group
  } else if (!plan.spec.IsUnpartitioned()) {
    TARN_RETURN_IF_ERROR(
        parts->partition_column.Open(*parts->file, row_group, {"add", "partitionValues"}));
  }
  return std::unique_ptr<CheckpointRows>(new CheckpointRows(std::move(parts)));
}

Result<std::optional<FileBatch>> CheckpointRows::Next(int64_t rows) {
  Parts& parts = *parts_;
  if (parts.row >= parts.rows) return std::optional<FileBatch>();
  FileBatch batch = parts.plan.EmptyBatch();
  const int64_t end = std::min(parts.rows, parts.row + rows);
  for (; parts.row < end; ++parts.row) TARN_RETURN_IF_ERROR(parts.Row(parts.row, batch));
  if (batch.size > 0 && !parts.plan.wanted.fields().empty() && !parts.plan.filter.IsTrue()) {
    batch = batch.Filter(
        MayMatch(parts.plan.filter, parts.plan.metadata.schema, parts.plan.spec, batch));
  }
  return std::optional<FileBatch>(std::move(batch));
}

int64_t CheckpointRows::files_seen() const { return parts_->files_seen; }

}  // namespace tarn::delta
