#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarn/model/columns.h"
#include "tarn/model/data_file.h"

namespace tarn::iceberg {

// One delete file of a snapshot and what it applies to.
struct LiveDelete {
  DeleteFile file;
  int64_t sequence_number = 0;
  int32_t spec_id = 0;
  std::string partition;  // PartitionKey; empty: of an unpartitioned spec
  std::string data_file;  // DataFile::path of the only file it names; empty: not told
};

// Appends a partition's values as bytes that are equal when the partitions are.
void AppendPartitionKey(const std::vector<ValueColumn>& partition, int64_t row, std::string& key);

// Which delete files apply to a data file (specification, "Scan Planning"):
//   a deletion vector   of the same path, if the data is not younger: data sequence <= delete's
//   position deletes    of the same path or the same partition, likewise; not where a deletion
//                       vector applies
//   equality deletes    of the same partition, or of an unpartitioned spec to every file, if the
//                       data is older: data sequence < delete's
class DeleteIndex {
 public:
  void Add(LiveDelete one);
  bool empty() const { return count_ == 0; }
  // Those for a data file; `partition` is its key.
  void Find(std::string_view path, int32_t spec_id, std::string_view partition,
            int64_t sequence_number, std::vector<DeleteFile>& found) const;

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  template <class T>
  using ByText = std::unordered_map<std::string, T, Hash, std::equal_to<>>;

  size_t count_ = 0;
  std::vector<LiveDelete> global_equality_;
  std::map<int32_t, ByText<std::vector<LiveDelete>>> by_partition_;
  ByText<std::vector<LiveDelete>> by_path_;
  ByText<LiveDelete> vectors_;  // by path; the youngest
};

}  // namespace tarn::iceberg
