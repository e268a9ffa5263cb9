#include "tarn/format/iceberg/delete_index.h"

#include <utility>

namespace tarn::iceberg {

void AppendPartitionKey(const std::vector<ValueColumn>& partition, int64_t row, std::string& key) {
  const auto append = [&](const auto& value) {
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));
  };
  const auto i = static_cast<size_t>(row);
  for (const ValueColumn& column : partition) {
    key.push_back(static_cast<char>(column.valid[i]));
    if (column.valid[i] == 0) continue;
    if (const auto* texts = std::get_if<StringColumn>(&column.values)) {
      append((*texts)[i].size());
      key.append((*texts)[i]);
    } else if (const auto* integers = std::get_if<std::vector<int64_t>>(&column.values)) {
      append((*integers)[i]);
    } else if (const auto* doubles = std::get_if<std::vector<double>>(&column.values)) {
      append((*doubles)[i]);
    } else {
      append(std::get<std::vector<Int128>>(column.values)[i]);
    }
  }
}

void DeleteIndex::Add(LiveDelete one) {
  ++count_;
  if (one.file.kind == DeleteKind::kDeletionVector) {
    auto& known = vectors_[one.data_file];
    if (known.file.location.empty() || known.sequence_number < one.sequence_number) {
      known = std::move(one);
    }
  } else if (one.file.kind == DeleteKind::kEqualityDeletes && one.partition.empty()) {
    global_equality_.push_back(std::move(one));
  } else if (!one.data_file.empty()) {
    by_path_[one.data_file].push_back(std::move(one));
  } else {
    by_partition_[one.spec_id][one.partition].push_back(std::move(one));
  }
}

void DeleteIndex::Find(std::string_view path, int32_t spec_id, std::string_view partition,
                       int64_t sequence_number, std::vector<DeleteFile>& found) const {
  bool vector_applies = false;
  if (const auto vector = vectors_.find(path); vector != vectors_.end()) {
    if (sequence_number <= vector->second.sequence_number) {
      vector_applies = true;
      found.push_back(vector->second.file);
    }
  }
  const auto take = [&](const std::vector<LiveDelete>& deletes) {
    for (const LiveDelete& one : deletes) {
      const bool equality = one.file.kind == DeleteKind::kEqualityDeletes;
      const bool applies = equality ? sequence_number < one.sequence_number
                                    : !vector_applies && sequence_number <= one.sequence_number;
      if (applies) found.push_back(one.file);
    }
  };
  take(global_equality_);
  if (const auto of_spec = by_partition_.find(spec_id); of_spec != by_partition_.end()) {
    const auto of_partition = of_spec->second.find(partition);
    if (of_partition != of_spec->second.end()) take(of_partition->second);
  }
  if (const auto of_path = by_path_.find(path); of_path != by_path_.end()) take(of_path->second);
}

}  // namespace tarn::iceberg
