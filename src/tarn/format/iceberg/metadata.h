#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"
#include "tarn/model/sort_order.h"

namespace tarn::iceberg {

inline constexpr int32_t kFormatVersionMax = 3;
inline constexpr int32_t kFirstPartitionFieldId = 1000;

// Table metadata as values (specification, "Table Metadata").

struct SnapshotEntry {
  int64_t id = 0;
  std::optional<int64_t> parent_id = {};
  int64_t sequence_number = 0;  // 0 in version 1
  int64_t timestamp_ms = 0;
  std::string manifest_list = {};           // empty: `manifests` (version 1 only)
  std::vector<std::string> manifests = {};  // their locations
  std::map<std::string, std::string> summary = {};
  std::optional<int32_t> schema_id = {};
  std::optional<int64_t> first_row_id = {};  // version 3

  const std::string& operation() const;  // "append", "replace", "overwrite", "delete" or empty
};

// Snapshots in the order of the document. Copies share them: a table may have ten thousand, and
// each commit makes the next list.
class SnapshotList {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using difference_type = std::ptrdiff_t;
    using value_type = SnapshotEntry;
    using pointer = const SnapshotEntry*;
    using reference = const SnapshotEntry&;

    Iterator() = default;
    explicit Iterator(const std::shared_ptr<const SnapshotEntry>* at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return at_->get(); }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const std::shared_ptr<const SnapshotEntry>* at_ = nullptr;
  };

  SnapshotList() = default;
  SnapshotList(std::initializer_list<SnapshotEntry> entries) {
    for (const SnapshotEntry& entry : entries) push_back(entry);
  }
  size_t size() const { return entries_.size(); }
  const SnapshotEntry& operator[](size_t i) const { return *entries_[i]; }
  Iterator begin() const { return Iterator(entries_.data()); }
  Iterator end() const { return Iterator(entries_.data() + entries_.size()); }
  void reserve(size_t size) { entries_.reserve(size); }
  void push_back(SnapshotEntry entry) {
    entries_.push_back(std::make_shared<const SnapshotEntry>(std::move(entry)));
  }

 private:
  std::vector<std::shared_ptr<const SnapshotEntry>> entries_;
};

struct SnapshotRef {
  int64_t snapshot_id = 0;
  bool is_branch = true;  // else a tag
  std::optional<int64_t> max_ref_age_ms = {};
  std::optional<int64_t> max_snapshot_age_ms = {};
  std::optional<int64_t> min_snapshots_to_keep = {};
};

// A sort order of the table. A transform that Tarn does not know makes `unknown_transform`: what
// order that is stays untold, and rows are written as they come.
struct KnownSortOrder {
  SortOrder order = {};
  std::string unknown_transform = {};
};

struct SnapshotLogEntry {
  int64_t timestamp_ms = 0;
  int64_t snapshot_id = 0;
};
struct MetadataLogEntry {
  int64_t timestamp_ms = 0;
  std::string location;
};

// One metadata file.
struct Metadata {
  int32_t format_version = 2;
  std::string table_uuid = {};
  std::string location = {};
  int64_t last_sequence_number = 0;
  int64_t last_updated_ms = 0;
  int32_t last_column_id = 0;
  std::vector<Schema> schemas = {};  // name mapping applied
  int32_t current_schema_id = 0;
  std::vector<PartitionSpec> specs = {};
  int32_t default_spec_id = 0;
  int32_t last_partition_id = 0;
  // Partition fields whose transform Tarn does not know stand as void ones; such a table is not
  // written to.
  std::string unknown_transform = {};
  std::vector<KnownSortOrder> sort_orders = {};
  int32_t default_sort_order_id = 0;
  std::map<std::string, std::string> properties = {};
  std::optional<int64_t> current_snapshot_id = {};
  SnapshotList snapshots = {};
  std::vector<SnapshotLogEntry> snapshot_log = {};
  std::vector<MetadataLogEntry> metadata_log = {};
  std::map<std::string, SnapshotRef> refs = {};
  int64_t next_row_id = 0;  // version 3
  // The document itself: a writer changes it, so that what Tarn has no field for stays.
  Bytes text = {};

  const Schema& current_schema() const;
  const Schema* SchemaById(int32_t id) const;
  const PartitionSpec* SpecById(int32_t id) const;
  const SnapshotEntry* SnapshotById(int64_t id) const;
  const SnapshotEntry* current_snapshot() const;  // null: a table without rows
};

// The order that rows are to be written in; none where Tarn cannot follow it.
SortOrder SortOrderOf(const Metadata& metadata);

// As users see it: 64 bits without sign.
std::string SnapshotIdText(int64_t id);

// kCorrupt naming what is missing or cannot be; kUnsupported for another format version, a type.
// What version 2 requires must be there in version 2; leniencies of version 1 are the
// specification's ("Table Metadata Fields", optional in v1).
Result<Metadata> MetadataFromJson(Bytes text);

}  // namespace tarn::iceberg
