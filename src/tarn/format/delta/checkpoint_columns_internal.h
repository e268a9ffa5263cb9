#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/parquet_leaf.h"

namespace tarn::delta {

// A column without repetition, opened when first needed and then brought to the row in question.
class RowColumn {
 public:
  RowColumn() = default;
  RowColumn(const CheckpointParquet& file, int row_group, int leaf)
      : file_(&file), row_group_(row_group), leaf_(leaf) {
    // Nowhere set is as good as not there, and costs nothing to read.
    if (leaf_ >= 0 && file.AllNull(row_group, leaf_)) leaf_ = -1;
  }

  bool there() const { return leaf_ >= 0; }

  // The cursor at `row` (of the row group, not before the one asked for last), null where the value
  // is null or the column missing.
  Result<const LeafCursor*> At(int64_t row) {
    if (leaf_ < 0) return static_cast<const LeafCursor*>(nullptr);
    if (!cursor_) {
      TARN_ASSIGN_OR_RETURN(LeafCursor opened, file_->Cursor(row_group_, leaf_));
      cursor_ = std::make_unique<LeafCursor>(std::move(opened));
    }
    if (row_ < row) {
      if (row_ + 1 < row) cursor_->SkipRows(row - row_ - 1);
      row_ = row;
      if (!cursor_->Next()) {
        TARN_RETURN_IF_ERROR(cursor_->status());
        return Corrupt("delta: '" + file_->name() + "': a column ends early");
      }
    }
    return cursor_->has_value() ? cursor_.get() : static_cast<const LeafCursor*>(nullptr);
  }

 private:
  const CheckpointParquet* file_ = nullptr;
  int row_group_ = 0;
  int leaf_ = -1;
  int64_t row_ = -1;
  std::unique_ptr<LeafCursor> cursor_;
};

// A map of texts, row by row: each row's entries as one text (lengths, then bytes), which two rows
// have in common only if their entries are equal and in the same order.
class MapColumn {
 public:
  // Empty in every row when the file has no such map.
  Status Open(const CheckpointParquet& file, int row_group,
              std::initializer_list<std::string_view> path) {
    const std::vector<int> leaves = file.LeavesBelow(path);
    if (leaves.size() != 2 || file.AllNull(row_group, leaves[0])) return {};
    for (const int leaf : leaves) {
      TARN_ASSIGN_OR_RETURN(LeafCursor cursor, file.Cursor(row_group, leaf));
      cursors_.push_back(std::move(cursor));
    }
    ahead_ = Step();
    return {};
  }

  // Moves to the next row.
  Status Next() {
    key_.clear();
    if (cursors_.empty()) return {};
    for (bool first = true; ahead_ && (first || cursors_[0].repetition() > 0); first = false) {
      if (cursors_[0].has_value()) {
        AppendPart(cursors_[0].bytes());
        if (cursors_[1].has_value()) {
          AppendPart(cursors_[1].bytes());
        } else {
          AppendLength(kNull);
        }
      }
      ahead_ = Step();
    }
    TARN_RETURN_IF_ERROR(cursors_[0].status());
    return cursors_[1].status();
  }

  const std::string& key() const { return key_; }

  static PartitionTexts TextsOf(std::string_view key) {
    PartitionTexts texts;
    while (!key.empty()) {
      const std::string name(TakePart(key).value_or(std::string_view()));
      const std::optional<std::string_view> value = TakePart(key);
      texts.emplace_back(name, value ? std::optional<std::string>(*value) : std::nullopt);
    }
    return texts;
  }

 private:
  static constexpr uint32_t kNull = UINT32_MAX;

  void AppendLength(uint32_t length) {
    key_.append(reinterpret_cast<const char*>(&length), sizeof(length));
  }
  void AppendPart(std::string_view text) {
    AppendLength(static_cast<uint32_t>(text.size()));
    key_.append(text);
  }
  static std::optional<std::string_view> TakePart(std::string_view& key) {
    uint32_t length = 0;
    std::memcpy(&length, key.data(), sizeof(length));
    key.remove_prefix(sizeof(length));
    if (length == kNull) return std::nullopt;
    const std::string_view text = key.substr(0, length);
    key.remove_prefix(length);
    return text;
  }

  bool Step() {
    const bool key = cursors_[0].Next();
    const bool value = cursors_[1].Next();
    return key && value;
  }

  std::vector<LeafCursor> cursors_;
  bool ahead_ = false;
  std::string key_;
};

}  // namespace tarn::delta
