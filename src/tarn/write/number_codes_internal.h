#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tarn {

// Number to code, by open addressing: a std::unordered_map costs three times as much per row.
class NumberCodes {
 public:
  NumberCodes() : slots_(256) {}

  // The code of `key`, or -1 and a place for it.
  int32_t Find(uint64_t key) {
    at_ = Hash(key) & (slots_.size() - 1);
    while (slots_[at_].code >= 0) {
      if (slots_[at_].key == key) return slots_[at_].code;
      at_ = (at_ + 1) & (slots_.size() - 1);
    }
    return -1;
  }
  // After a Find that found nothing.
  void Insert(uint64_t key, int32_t code) {
    slots_[at_] = {key, code};
    if (++count_ * 2 < slots_.size()) return;
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.code < 0) continue;
      Find(slot.key);
      slots_[at_] = slot;
    }
  }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t code = -1;
  };
  static uint64_t Hash(uint64_t key) {
    key *= 0x9E3779B97F4A7C15U;
    return key ^ key >> 32;
  }
  std::vector<Slot> slots_;
  size_t count_ = 0;
  size_t at_ = 0;
};

}  // namespace tarn
