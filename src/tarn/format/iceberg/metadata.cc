#include "tarn/format/iceberg/metadata.h"

#include <algorithm>

namespace tarn::iceberg {
namespace {

template <class Entries, class Id>
auto FindById(const Entries& entries, Id id) -> decltype(&*entries.begin()) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [id](const auto& one) { return one.id == id; });
  return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const std::string& SnapshotEntry::operation() const {
  static const std::string none;
  const auto found = summary.find("operation");
  return found == summary.end() ? none : found->second;
}

const Schema* Metadata::SchemaById(int32_t id) const { return FindById(schemas, id); }
const PartitionSpec* Metadata::SpecById(int32_t id) const { return FindById(specs, id); }
const SnapshotEntry* Metadata::SnapshotById(int64_t id) const { return FindById(snapshots, id); }

const Schema& Metadata::current_schema() const { return *SchemaById(current_schema_id); }

const SnapshotEntry* Metadata::current_snapshot() const {
  return current_snapshot_id ? SnapshotById(*current_snapshot_id) : nullptr;
}

SortOrder SortOrderOf(const Metadata& metadata) {
  for (const KnownSortOrder& known : metadata.sort_orders) {
    if (known.order.id != metadata.default_sort_order_id) continue;
    const bool told = known.unknown_transform.empty() &&
                      CheckSortOrder(known.order, metadata.current_schema()).ok();
    return told ? known.order : SortOrder{};
  }
  return {};
}

std::string SnapshotIdText(int64_t id) { return std::to_string(static_cast<uint64_t>(id)); }

}  // namespace tarn::iceberg
