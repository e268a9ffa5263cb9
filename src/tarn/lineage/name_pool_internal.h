#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/lineage/scratch_internal.h"
#include "tarn/sql/dialect.h"
#include "tarn/sql/tree_node.h"

namespace tarn::lineage {

// A name, folded as its dialect folds it; equal names have equal ids.
enum class NameId : uint32_t {};
inline constexpr NameId kNoName{0};  // the empty text

// Every name of a script, spelled once. Not thread-safe.
class NamePool {
 public:
  explicit NamePool(const sql::Dialect& dialect);

  // `text` as it stands.
  NameId Intern(std::string_view text);
  // `text` folded, as if it had been written without quotes.
  NameId Fold(std::string_view text);
  // What `identifier` means: without quotes, folded unless the dialect keeps quoted names.
  NameId Fold(const sql::tree::Identifier& identifier);
  // Lives as long as the pool.
  std::string_view Text(NameId name) const { return entries_[static_cast<size_t>(name)].text; }
  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string_view text;
    uint64_t hash = 0;
  };
  void Grow();

  const sql::Dialect& dialect_;
  Scratch texts_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  // open addressing: an entry's index, or kFree
  std::string buffer_;           // of the name being folded
};

}  // namespace tarn::lineage
