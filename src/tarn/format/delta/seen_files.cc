#include "tarn/format/delta/seen_files.h"

#include <functional>

namespace tarn::delta {
namespace {

std::string RemovedKey(std::string_view path, std::string_view vector_id) {
  std::string key;
  key.reserve(path.size() + vector_id.size() + 1);
  key.append(path);
  key.push_back('\0');
  key.append(vector_id);
  return key;
}

}  // namespace

size_t KeySet::Find(std::string_view key, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.length_plus_one == 0) return at;
    if (slot.hash == hash && slot.length_plus_one == key.size() + 1 &&
        std::string_view(arena_).substr(slot.offset, key.size()) == key) {
      return at;
    }
  }
}

void KeySet::Grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? 64 : old.size() * 2, Slot{});
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.length_plus_one == 0) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].length_plus_one != 0) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

bool KeySet::Insert(std::string_view key) {
  if (count_ * 2 >= slots_.size()) Grow();
  const uint64_t hash = std::hash<std::string_view>()(key);
  Slot& slot = slots_[Find(key, hash)];
  if (slot.length_plus_one != 0) return false;
  slot = {hash, arena_.size(), key.size() + 1};
  arena_.append(key);
  ++count_;
  return true;
}

bool KeySet::Contains(std::string_view key) const {
  if (count_ == 0) return false;
  return slots_[Find(key, std::hash<std::string_view>()(key))].length_plus_one != 0;
}

bool SeenFiles::ClaimAdd(std::string_view path, std::string_view vector_id) {
  const bool removed = !removed_.empty() && removed_.Contains(RemovedKey(path, vector_id));
  return added_.Insert(path) && !removed;
}

void SeenFiles::ClaimRemove(std::string_view path, std::string_view vector_id) {
  removed_.Insert(RemovedKey(path, vector_id));
}

bool SeenFiles::IsDead(std::string_view path, std::string_view vector_id) const {
  if (added_.Contains(path)) return true;
  return !removed_.empty() && removed_.Contains(RemovedKey(path, vector_id));
}

}  // namespace tarn::delta
