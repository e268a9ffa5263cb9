#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/file_decoder.h"
#include "tarn/model/file_batch.h"
#include "tarn/storage/storage.h"

namespace tarn::delta {

// The file actions of one commit, compaction or JSON checkpoint: a key for each, and for adds that
// the plan's filter leaves a row of `batch`.
struct FileActions {
  struct Entry {
    int64_t row = -1;  // of `batch`; -1: a remove, or pruned
    uint64_t key_offset = 0;
    uint32_t path_length = 0;
    uint32_t vector_length = 0;
    bool is_add = false;
  };
  std::vector<Entry> entries;  // in file order
  std::string keys;            // path and vector id of each entry, end to end
  FileBatch batch;             // pruned by partition and statistics, in file order

  std::string_view PathOf(const Entry& entry) const {
    return std::string_view(keys).substr(entry.key_offset, entry.path_length);
  }
  std::string_view VectorOf(const Entry& entry) const {
    return std::string_view(keys).substr(entry.key_offset + entry.path_length, entry.vector_length);
  }
};

// Decodes one object of the log. Of an add that its partition values rule out only the path is
// looked at; statistics are parsed for the rest. kCorrupt naming object and line.
Result<FileActions> DecodeJsonFiles(const FilePlan& plan, const ObjectInfo& object);

}  // namespace tarn::delta
