#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace tarn::lineage {

// Memory for what is needed while one statement is read: given out piece by piece, taken back all
// at once and used again for the next. Destructors are never run. Not thread-safe.
class Scratch {
 public:
  template <class T>
  T* New(T value = {}) {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (Take(sizeof(T), alignof(T))) T(std::move(value));
  }
  template <class T>
  std::span<T> NewArray(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* const first = static_cast<T*>(Take(sizeof(T) * count, alignof(T)));
    std::uninitialized_default_construct_n(first, count);
    return {first, count};
  }
  template <class T>
  std::span<const T> Copy(std::span<const T> values) {
    static_assert(std::is_trivially_destructible_v<T>);
    T* const first = static_cast<T*>(Take(sizeof(T) * values.size(), alignof(T)));
    std::uninitialized_copy_n(values.data(), values.size(), first);
    return {first, values.size()};
  }

  // Everything given out is gone; its memory stays for the next.
  void Reset() {
    block_ = 0;
    used_ = 0;
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    size_t size = 0;
  };

  void* Take(size_t size, size_t alignment) {
    for (; block_ < blocks_.size(); ++block_, used_ = 0) {
      const size_t at = (used_ + alignment - 1) & ~(alignment - 1);
      if (at + size > blocks_[block_].size) continue;
      used_ = at + size;
      return blocks_[block_].bytes.get() + at;
    }
    // Small statements need one small block; blocks double for the others.
    const size_t next =
        blocks_.empty() ? kFirstBytes : std::min(blocks_.back().size * 2, kMostBytes);
    const size_t capacity = std::max(size, next);
    blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(capacity), capacity});
    used_ = size;
    return blocks_.back().bytes.get();
  }

  static constexpr size_t kFirstBytes = size_t{8} << 10;
  static constexpr size_t kMostBytes = size_t{256} << 10;
  std::vector<Block> blocks_;
  size_t block_ = 0;
  size_t used_ = 0;
};

}  // namespace tarn::lineage
