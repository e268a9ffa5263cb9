#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::delta {

// A set of strings in one arena: keys of hundreds of thousands of file actions. Thread-safe for
// reading.
class KeySet {
 public:
  // False when it was there. Cost: amortised constant.
  bool Insert(std::string_view key);
  bool Contains(std::string_view key) const;
  bool empty() const { return count_ == 0; }
  int64_t size() const { return static_cast<int64_t>(count_); }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint64_t offset = 0;
    uint64_t length_plus_one = 0;  // 0: free
  };
  // The slot that holds `key`, or the free one where it belongs.
  size_t Find(std::string_view key, uint64_t hash) const;
  void Grow();

  std::vector<Slot> slots_;
  size_t count_ = 0;
  std::string arena_;
};

// Which files newer file actions have spoken for, while a log is replayed from its newest action to
// its oldest ("Action Reconciliation"). A file is its path (as DataFile::path, so that two
// spellings are one) and the unique id of its deletion vector (empty: none). An add supersedes
// older adds of the same path whatever their deletion vector, because a path is in a table at most
// once.
class SeenFiles {
 public:
  // Whether an add met now is part of the table; from now on it supersedes.
  bool ClaimAdd(std::string_view path, std::string_view vector_id);
  void ClaimRemove(std::string_view path, std::string_view vector_id);
  // Whether an older add is superseded. Claims nothing. Thread-safe.
  bool IsDead(std::string_view path, std::string_view vector_id) const;
  bool empty() const { return added_.empty() && removed_.empty(); }

 private:
  KeySet added_;    // paths
  KeySet removed_;  // path, NUL, id
};

}  // namespace tarn::delta
