#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/types.h"
#include "tarn/model/value.h"
#include "tarn/storage/storage.h"

namespace tarn::delta {

// One leaf column of one row group, level by level, without building arrays: a checkpoint of a
// million files is read in the columns and rows that matter. Not thread-safe; cursors of one file
// may be used from different threads.
//
// Levels are Parquet's: a row starts where repetition() is 0; a value is there where definition()
// is definition_max(). Views stay valid until the next call of Next or SkipRows.
class LeafCursor {
 public:
  ~LeafCursor();
  LeafCursor(LeafCursor&&) noexcept;
  LeafCursor& operator=(LeafCursor&&) noexcept;

  // Moves to the next entry, the first at first. False at the end of the row group, or on failure:
  // then status() says why.
  bool Next() {
    if (++at_ < filled_) {
      if (has_value_before_) ++value_;
      has_value_before_ = definitions_[at_] == definition_max_;
      return true;
    }
    return Refill();
  }
  const Status& status() const { return status_; }

  int16_t definition() const { return definitions_[at_]; }
  int16_t repetition() const { return repetitions_ == nullptr ? int16_t{0} : repetitions_[at_]; }
  int16_t definition_max() const { return definition_max_; }
  // The level from which an entry of the innermost repeated group is there, be its value null: what
  // tells an empty map from one with a null value. 0 for columns that do not repeat.
  int16_t repeated_definition() const { return repeated_definition_; }
  bool has_value() const { return has_value_before_; }

  // Require has_value() and the column's physical type.
  std::string_view bytes() const;  // BYTE_ARRAY
  int64_t integer() const;         // INT32, INT64, BOOLEAN
  // The value as one of `type`, widened where the table's type has been; null when it is none
  // (wrong type: unknown) or NaN. Timestamps come in µs.
  Value ValueAs(const Type& type) const;

  // For columns without repetition: passes over `rows` entries that Next would give.
  void SkipRows(int64_t rows);

 private:
  friend class CheckpointParquet;
  struct Parts;
  explicit LeafCursor(std::unique_ptr<Parts> parts);
  bool Refill();

  std::unique_ptr<Parts> parts_;
  const int16_t* definitions_ = nullptr;
  const int16_t* repetitions_ = nullptr;  // null: the column does not repeat
  int64_t at_ = -1;
  int64_t filled_ = 0;
  int64_t value_ = 0;
  int16_t definition_max_ = 0;
  int16_t repeated_definition_ = 0;
  bool has_value_before_ = false;
  Status status_;
};

// A checkpoint or sidecar in Parquet, opened: its footer is read. Thread-safe after Open.
class CheckpointParquet {
 public:
  // `name` for messages. kCorrupt when it is no Parquet file (cut, say).
  static Result<std::unique_ptr<CheckpointParquet>> Open(std::shared_ptr<const ObjectReader> object,
                                                         std::string name);
  ~CheckpointParquet();

  const std::string& name() const;
  int row_groups() const;
  int64_t rows(int row_group) const;

  // The leaf at exactly this path, -1 when there is none.
  int Leaf(std::span<const std::string_view> path) const;
  int Leaf(std::initializer_list<std::string_view> path) const {
    return Leaf(std::span(path.begin(), path.size()));
  }
  // The leaves below a group, in file order: a map has two (key, value), a list of scalars one,
  // whatever the file calls what lies between.
  std::vector<int> LeavesBelow(std::initializer_list<std::string_view> path) const;
  // The leaf's path.
  const std::vector<std::string>& PathOf(int leaf) const;

  // In how many entries of the row group the leaf is set, as statistics say; -1: they do not.
  int64_t ValuesSet(int row_group, int leaf) const;
  // Whether they say that it is nowhere set.
  bool AllNull(int row_group, int leaf) const { return ValuesSet(row_group, leaf) == 0; }

  Result<LeafCursor> Cursor(int row_group, int leaf) const;

 private:
  struct Parts;
  explicit CheckpointParquet(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tarn::delta
