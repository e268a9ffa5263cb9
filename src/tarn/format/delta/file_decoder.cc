#include "tarn/format/delta/file_decoder.h"

#include "tarn/format/delta/location.h"
#include "tarn/format/delta/partition_values.h"
#include "tarn/model/prune.h"

namespace tarn::delta {
namespace {

// More distinct tuples than this are not worth keeping: every file has its own.
constexpr size_t kTuplesMax = 1 << 16;

std::vector<int32_t> WantedIds(const PartitionSpec& spec, const FileRequest& request) {
  std::vector<int32_t> ids = BoundsNeeded(request.filter, spec);
  ids.insert(ids.end(), request.bounds_of.begin(), request.bounds_of.end());
  return ids;
}

// Whether a relative URI is its own decoded path: nothing encoded, no scheme, no odd segment.
bool IsPlain(std::string_view uri) {
  if (uri.empty() || uri.front() == '/' || uri.front() == '.' || uri.back() == '/') return false;
  for (size_t i = 0; i < uri.size(); ++i) {
    const char c = uri[i];
    if (c == '%' || c == ':' || c == '\0') return false;
    if (c == '/' && (uri[i + 1] == '/' || uri[i + 1] == '.')) return false;
  }
  return true;
}

}  // namespace

FilePlan::FilePlan(const TableHome& table_home, const Snapshot& snapshot,
                   const FileRequest& request)
    : home(table_home),
      metadata(snapshot.metadata),
      spec(snapshot.metadata.default_spec()),
      filter(request.filter),
      wanted(request.all_bounds ? StatsFields::All(snapshot.metadata.schema)
                                : StatsFields(snapshot.metadata.schema, WantedIds(spec, request))) {
  for (const PartitionField& field : spec.fields) {
    const Field* column = metadata.schema.FindById(field.source_id);
    partition_names.push_back(column->file_name());
    partition_types.push_back(column->type);
  }
}

FileBatch FilePlan::EmptyBatch() const {
  FileBatch batch;
  batch.spec_id = spec.id;
  for (const Type& type : partition_types) batch.partition.push_back(ValueColumn::Of(type));
  for (const StatsFields::Field& field : wanted.fields()) {
    batch.bounds.push_back(
        {field.id, ValueColumn::Of(field.type), ValueColumn::Of(field.type), {}, {}});
  }
  return batch;
}

const PartitionTuple* PartitionCache::Find(std::string_view key) const {
  const auto found = tuples_.find(key);
  return found == tuples_.end() ? nullptr : &found->second;
}

Result<const PartitionTuple*> PartitionCache::Add(std::string_view key,
                                                  const PartitionTexts& texts) {
  if (tuples_.size() >= kTuplesMax) tuples_.clear();
  DataFile file;
  file.spec_id = plan_.spec.id;
  for (size_t i = 0; i < plan_.partition_names.size(); ++i) {
    std::optional<std::string_view> text;
    for (const auto& [name, value] : texts) {
      if (name == plan_.partition_names[i] && value) text = *value;
    }
    TARN_ASSIGN_OR_RETURN(Value value, PartitionValueFromText(plan_.partition_types[i], text));
    file.partition.push_back(std::move(value));
  }
  PartitionTuple tuple;
  tuple.keep =
      plan_.filter.IsTrue() || MayMatch(plan_.filter, plan_.metadata.schema, plan_.spec, file);
  tuple.values = std::move(file.partition);
  return &tuples_.insert_or_assign(std::string(key), std::move(tuple)).first->second;
}

void AppendRow(FileBatch& batch, const AddRow& row) {
  // Locations are kept only from the first that differs from its path.
  if (batch.location.empty() && row.uri != row.path) {
    for (size_t i = 0; i < batch.path.size(); ++i) batch.location.Append(batch.path[i]);
    batch.location.Append(row.uri);
  } else if (!batch.location.empty()) {
    batch.location.Append(row.uri);
  }
  batch.path.Append(row.path);
  batch.size_bytes.push_back(row.size_bytes);
  batch.modified_ms.push_back(row.modified_ms);
  batch.record_count.push_back(row.stats->record_count);
  for (size_t i = 0; i < batch.partition.size(); ++i) {
    batch.partition[i].Append(row.partition->values[i]);
  }
  for (size_t i = 0; i < batch.bounds.size(); ++i) {
    const FieldStats& stats = row.stats->fields[i];
    BoundsColumns& bounds = batch.bounds[i];
    bounds.lower.Append(stats.lower);
    bounds.upper.Append(stats.upper);
    bounds.null_count.push_back(stats.null_count);
    bounds.nan_count.push_back(stats.nan_count);
  }
  ++batch.size;
  if (row.deletion_vector == nullptr && batch.delete_offsets.empty()) return;
  const auto rows = static_cast<size_t>(batch.size);
  // Offsets begin with the first file that has deletes.
  if (batch.delete_offsets.empty()) batch.delete_offsets.assign(rows, 0);
  if (row.deletion_vector != nullptr) batch.deletes.push_back(ToDeleteFile(*row.deletion_vector));
  batch.delete_offsets.push_back(static_cast<uint32_t>(batch.deletes.size()));
}

std::string_view FileKey(const TableHome& home, std::string_view uri, std::string& scratch) {
  if (IsPlain(uri)) return uri;
  Result<std::string> spelled = SpellLocation(home, uri);
  if (spelled.ok()) {
    scratch = *std::move(spelled);
  } else {
    scratch = kOutsideMark;
    scratch += DecodeLocation(uri);
  }
  return scratch;
}

Status CheckInside(const TableHome& home, const FileBatch& batch) {
  if (batch.location.empty()) return {};
  for (size_t i = 0; i < batch.path.size(); ++i) {
    if (!batch.path[i].starts_with(kOutsideMark)) continue;
    TARN_RETURN_IF_ERROR(SpellLocation(home, batch.location[i]));
    return Invalid("delta: '" + std::string(batch.location[i]) + "' lies outside the store");
  }
  return {};
}

DeleteFile ToDeleteFile(const DeletionVectorDescriptor& descriptor) {
  DeleteFile deletes;
  deletes.location = std::string(1, descriptor.storage_type) + descriptor.path_or_inline;
  if (descriptor.offset) deletes.offset = *descriptor.offset;
  deletes.size_bytes = descriptor.size_bytes;
  deletes.row_count = descriptor.cardinality;
  return deletes;
}

Result<DeletionVectorDescriptor> ToDescriptor(const DeleteFile& deletes) {
  if (deletes.kind != DeleteKind::kDeletionVector || deletes.location.empty()) {
    return Corrupt("delta: '" + deletes.location + "' is no deletion vector");
  }
  DeletionVectorDescriptor descriptor;
  descriptor.storage_type = deletes.location[0];
  descriptor.path_or_inline = deletes.location.substr(1);
  if (deletes.offset) {
    if (*deletes.offset < 0 || *deletes.offset > INT32_MAX) {
      return Corrupt("delta: deletion vector '" + deletes.location + "': offset out of range");
    }
    descriptor.offset = static_cast<int32_t>(*deletes.offset);
  }
  if (deletes.size_bytes < 0 || deletes.size_bytes > INT32_MAX) {
    return Corrupt("delta: deletion vector '" + deletes.location + "': size out of range");
  }
  descriptor.size_bytes = static_cast<int32_t>(deletes.size_bytes);
  descriptor.cardinality = deletes.row_count;
  return descriptor;
}

}  // namespace tarn::delta
