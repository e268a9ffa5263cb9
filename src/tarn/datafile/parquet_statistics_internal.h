#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tarn/model/schema.h"
#include "tarn/model/statistics.h"

namespace parquet {
class ColumnChunkMetaData;
class ColumnDescriptor;
class FileMetaData;
}  // namespace parquet

namespace tarn {

// A leaf of a schema in the order of Parquet's columns; void columns have none.
struct Leaf {
  const Field* field = nullptr;
  bool repeated = false;        // within a list or map
  std::vector<int> steps = {};  // child positions (void ones not counted) from the top
};
std::vector<Leaf> LeavesOf(const Schema& schema);

// What a column chunk says of itself, its bounds as values of `type`. Bounds are absent where the
// chunk has none, where its layout cannot be read as `type`, or where a bound is NaN. Exact as
// written (strings uncut). May throw what the Parquet library throws.
struct ChunkStatistics {
  std::optional<int64_t> null_count;
  int64_t value_count = 0;  // nulls included
  std::optional<Value> lower;
  std::optional<Value> upper;
};
ChunkStatistics ReadChunkStatistics(const parquet::ColumnChunkMetaData& chunk,
                                    const parquet::ColumnDescriptor& column, const Type& type);

}  // namespace tarn
