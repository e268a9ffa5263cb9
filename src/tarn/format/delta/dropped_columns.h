#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// Columns that were dropped from a table with column mapping: their data is still in the files,
// under the physical name, so a column can come back with its old id (ALTER TABLE … UNDROP COLUMN).
inline constexpr std::string_view kDroppedColumnsProperty = "tarn.droppedColumns";
// The oldest entries go when the property would grow beyond this.
inline constexpr size_t kDroppedColumnsBytesMax = 64 << 10;

struct DroppedColumn {
  std::string path;  // as it was spelled when dropped (Schema::FindByPath)
  Field field;       // with the ids at every depth; file_name() is its name in data files
};

// The value of `tarn.droppedColumns`, oldest first; empty when there is none. kCorrupt.
Result<std::vector<DroppedColumn>> DroppedColumnsOf(
    const std::map<std::string, std::string>& properties);
// The inverse: [{"path":"s.a","field":{…a field of the Delta schema, with mapping…}}].
Result<std::string> DroppedColumnsToProperty(const std::vector<DroppedColumn>& columns);

// `metadata` with the column dropped last under `path` back at the end of its struct, under
// `new_name` if that is given; `id` chooses among several of that path. PrepareMetadata then takes
// it off the list. kNotFound: no such column was dropped, or its struct is gone; kAlreadyExists:
// the name is taken.
Result<TableMetadata> UndropColumn(TableMetadata metadata, std::string_view path,
                                   std::optional<int32_t> id, std::string_view new_name);

}  // namespace tarn::delta
