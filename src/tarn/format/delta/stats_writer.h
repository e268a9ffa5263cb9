#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarn/model/data_file.h"
#include "tarn/model/schema.h"

namespace tarn::delta {

// Statistics of a data file as the text of add.stats (PROTOCOL.md, "Per-file Statistics"):
// numRecords, tightBounds (only when false), minValues, maxValues, nullCount, and nanCount, which
// is ours (peers skip members they do not know): a column of floating-point numbers has an upper
// bound only if its NaNs were counted and there are none. Nested by the columns' names in data
// files.
//
// A bound is written only where it is true and every reader understands it: no NaN, no infinity, no
// boolean, no binary, no date outside the years 1 to 9999, no text that is not UTF-8. Timestamps
// keep their microseconds, decimals all their digits; floats are spelled as the double they are, so
// that a reader who compares doubles is right too. Immutable; thread-safe.
class StatsWriter {
 public:
  // `schema` outlives it. Cost: one entry per field.
  explicit StatsWriter(const Schema& schema);

  // Nothing when nothing is known of the file, not even its number of rows. Cost: the file's
  // statistics, whatever the width of the schema.
  std::optional<std::string> ToJson(const DataFile& file) const;

 private:
  struct Leaf {
    size_t order;  // in the schema, so that the fields of one struct come together
    const Type* type;
    std::vector<std::string_view> path;  // names in data files from the top
  };
  struct Entry;

  void AddLeaves(const std::vector<Field>& fields, std::vector<std::string_view>& path);
  void AppendTree(std::string& out, const std::vector<Entry>& entries, std::string_view member,
                  bool (*append_value)(std::string&, const Entry&)) const;

  std::unordered_map<int32_t, Leaf> leaves_;
};

// `stats` with tightBounds false, otherwise byte for byte as it was: what is left of a file's
// statistics when rows were deleted from it. Text that is no JSON object comes back unchanged.
std::string WithWideBounds(std::string_view stats);

}  // namespace tarn::delta
