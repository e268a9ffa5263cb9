#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/model/schema.h"
#include "tarn/model/statistics.h"
#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn::delta {

// PROTOCOL.md, "Per-file Statistics". Whatever is missing, of the wrong type or unreadable is
// unknown: statistics never make a table unreadable.

// Leaf fields whose statistics are wanted: scalars outside lists and maps, by the names they have
// in data files (physical names, where the table maps columns).
class StatsFields {
 public:
  struct Field {
    int32_t id = 0;
    Type type;
    std::vector<std::string> path;
  };

  // Ids that are no such leaf are left out. Sorted by id, each once.
  StatsFields(const Schema& schema, std::vector<int32_t> ids);
  // Every leaf of the schema.
  static StatsFields All(const Schema& schema);

  const std::vector<Field>& fields() const { return fields_; }

 private:
  StatsFields() = default;
  std::vector<Field> fields_;
};

// What a file's statistics say of one field.
struct FieldStats {
  Value lower;              // null: unknown
  Value upper;              // null: unknown
  int64_t null_count = -1;  // -1: unknown
  int64_t nan_count = -1;   // -1: unknown
};

struct FileStats {
  int64_t record_count = -1;
  bool tight = true;
  std::vector<FieldStats> fields;  // as StatsFields::fields()

  // Everything unknown, for `count` fields. Keeps memory.
  void Reset(size_t count);
  // With wide bounds a null count says something only when it is 0 or all; bounds of timestamps
  // that were cut to milliseconds are widened where they are read.
  void ApplyWideBounds();
};

// Timestamps are cut down to milliseconds by most writers: a bound without microseconds is moved
// out by 999 µs (the lower one only before 1970, where cutting may mean rounding up). `micros` of a
// bound that has microseconds is exact.
int64_t WidenLowerMicros(int64_t micros);
int64_t WidenUpperMicros(int64_t micros);

// Whether a string bound may have been cut (32 code points is what writers keep).
bool MayBeTruncated(const Type& type, const Value& bound);

// The statistics as the model has them, for those fields of which something is known.
std::vector<ColumnStatistics> ToColumnStatistics(const StatsFields& wanted, const FileStats& stats);

// Reads the text of add.stats. Keeps its buffers. Not thread-safe; `wanted` outlives it.
class StatsReader {
 public:
  explicit StatsReader(const StatsFields& wanted);
  ~StatsReader();

  void Read(std::string_view json, FileStats& into);
  // The same of a text with JsonIndex::kPadding readable bytes behind it.
  void ReadPadded(std::string_view json, FileStats& into);

 private:
  struct Parts;
  std::string padded_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tarn::delta
