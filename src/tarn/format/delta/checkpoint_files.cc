#include "tarn/format/delta/checkpoint_files.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tarn/model/prune.h"

namespace tarn::delta {
namespace {

// A column without repetition, opened when first needed and then brought to the row in question.
class RowColumn {
 public:
  RowColumn() = default;
  RowColumn(const CheckpointParquet& file, int row_group, int leaf)
      : file_(&file), row_group_(row_group), leaf_(leaf) {
    // Nowhere set is as good as not there, and costs nothing to read.
    if (leaf_ >= 0 && file.AllNull(row_group, leaf_)) leaf_ = -1;
  }

  bool there() const { return leaf_ >= 0; }

  // The cursor at `row` (of the row group, not before the one asked for last), null where the value
  // is null or the column missing.
  Result<const LeafCursor*> At(int64_t row) {
    if (leaf_ < 0) return static_cast<const LeafCursor*>(nullptr);
    if (!cursor_) {
      TARN_ASSIGN_OR_RETURN(LeafCursor opened, file_->Cursor(row_group_, leaf_));
      cursor_ = std::make_unique<LeafCursor>(std::move(opened));
    }
    if (row_ < row) {
      if (row_ + 1 < row) cursor_->SkipRows(row - row_ - 1);
      row_ = row;
      if (!cursor_->Next()) {
        TARN_RETURN_IF_ERROR(cursor_->status());
        return Corrupt("delta: '" + file_->name() + "': a column ends early");
      }
    }
    return cursor_->has_value() ? cursor_.get() : static_cast<const LeafCursor*>(nullptr);
  }

 private:
  const CheckpointParquet* file_ = nullptr;
  int row_group_ = 0;
  int leaf_ = -1;
  int64_t row_ = -1;
  std::unique_ptr<LeafCursor> cursor_;
};

// add.partitionValues, row by row: each row's entries as one text (lengths, then bytes), which is the
// key of its tuple.
class PartitionColumn {
 public:
  Status Open(const CheckpointParquet& file, int row_group) {
    const std::vector<int> leaves = file.LeavesBelow({"add", "partitionValues"});
    if (leaves.size() != 2) return {};
    for (const int leaf : leaves) {
      TARN_ASSIGN_OR_RETURN(LeafCursor cursor, file.Cursor(row_group, leaf));
      cursors_.push_back(std::move(cursor));
    }
    ahead_ = Step();
    return {};
  }

  // Moves to the next row.
  Status Next() {
    key_.clear();
    if (cursors_.empty()) return {};
    for (bool first = true; ahead_ && (first || cursors_[0].repetition() > 0); first = false) {
      if (cursors_[0].has_value()) {
        AppendPart(cursors_[0].bytes());
        if (cursors_[1].has_value()) {
          AppendPart(cursors_[1].bytes());
        } else {
          AppendLength(kNull);
        }
      }
      ahead_ = Step();
    }
    TARN_RETURN_IF_ERROR(cursors_[0].status());
    return cursors_[1].status();
  }

  const std::string& key() const { return key_; }

  static PartitionTexts TextsOf(std::string_view key) {
    PartitionTexts texts;
    while (!key.empty()) {
      const std::string name(TakePart(key).value_or(std::string_view()));
      const std::optional<std::string_view> value = TakePart(key);
      texts.emplace_back(name, value ? std::optional<std::string>(*value) : std::nullopt);
    }
    return texts;
  }

 private:
  static constexpr uint32_t kNull = UINT32_MAX;

  void AppendLength(uint32_t length) {
    key_.append(reinterpret_cast<const char*>(&length), sizeof(length));
  }
  void AppendPart(std::string_view text) {
    AppendLength(static_cast<uint32_t>(text.size()));
    key_.append(text);
  }
  static std::optional<std::string_view> TakePart(std::string_view& key) {
    uint32_t length = 0;
    std::memcpy(&length, key.data(), sizeof(length));
    key.remove_prefix(sizeof(length));
    if (length == kNull) return std::nullopt;
    const std::string_view text = key.substr(0, length);
    key.remove_prefix(length);
    return text;
  }

  bool Step() {
    const bool key = cursors_[0].Next();
    const bool value = cursors_[1].Next();
    return key && value;
  }

  std::vector<LeafCursor> cursors_;
  bool ahead_ = false;
  std::string key_;
};

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
  PartitionColumn partition_column;
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
    Result<const PartitionTuple*> added = partitions.Add(key, PartitionColumn::TextsOf(key));
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
    AppendRow(batch, {uri, key, IntOr(size_value, 0), IntOr(modified_value, 0), tuple, &stats,
                      deletes});
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
    TARN_RETURN_IF_ERROR(parts->partition_column.Open(*parts->file, row_group));
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
