#include "tarn/datafile/recycling_pool.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include <arrow/memory_pool.h>
#include <arrow/status.h>

namespace tarn {
namespace {

constexpr int64_t kSmallestKept = 4096;
constexpr size_t kClasses = 4 * 64;

// Four classes between powers of two: at most a quarter of a block is unused.
size_t ClassOf(int64_t size) {
  const int log = std::bit_width(static_cast<uint64_t>(size - 1)) - 1;  // 2^log <= size - 1
  const int64_t quarter = std::max<int64_t>(1, (int64_t{1} << log) / 4);
  const int64_t above = (size - (int64_t{1} << log) + quarter - 1) / quarter;  // 1…4
  return static_cast<size_t>(log) * 4 + static_cast<size_t>(above) - 1;
}

int64_t CapacityOf(size_t size_class) {
  const int64_t power = int64_t{1} << (size_class / 4);
  return power + power / 4 * static_cast<int64_t>(size_class % 4 + 1);
}

class RecyclingPool final : public arrow::MemoryPool {
 public:
  explicit RecyclingPool(int64_t kept_bytes_max)
      : base_(*arrow::system_memory_pool()), kept_bytes_max_(kept_bytes_max) {}
  ~RecyclingPool() override { ReleaseUnused(); }

  using MemoryPool::Allocate;
  using MemoryPool::Free;
  using MemoryPool::Reallocate;

  arrow::Status Allocate(int64_t size, int64_t alignment, uint8_t** out) override {
    if (!IsKept(size, alignment)) {
      ARROW_RETURN_NOT_OK(base_.Allocate(size, alignment, out));
    } else {
      const size_t size_class = ClassOf(size);
      if (!Take(size_class, out)) {
        ARROW_RETURN_NOT_OK(base_.Allocate(CapacityOf(size_class), alignment, out));
      }
    }
    Count(size);
    return arrow::Status::OK();
  }

  arrow::Status Reallocate(int64_t old_size, int64_t new_size, int64_t alignment,
                           uint8_t** ptr) override {
    if (IsKept(old_size, alignment) && IsKept(new_size, alignment) &&
        ClassOf(old_size) == ClassOf(new_size)) {
      Count(new_size - old_size);
      return arrow::Status::OK();
    }
    if (!IsKept(old_size, alignment) && !IsKept(new_size, alignment)) {
      ARROW_RETURN_NOT_OK(base_.Reallocate(old_size, new_size, alignment, ptr));
      Count(new_size - old_size);
      return arrow::Status::OK();
    }
    uint8_t* moved = nullptr;
    ARROW_RETURN_NOT_OK(Allocate(new_size, alignment, &moved));
    std::memcpy(moved, *ptr, static_cast<size_t>(std::min(old_size, new_size)));
    Free(*ptr, old_size, alignment);
    *ptr = moved;
    return arrow::Status::OK();
  }

  void Free(uint8_t* buffer, int64_t size, int64_t alignment) override {
    used_bytes_.fetch_sub(size, std::memory_order_relaxed);
    if (!IsKept(size, alignment)) return base_.Free(buffer, size, alignment);
    const size_t size_class = ClassOf(size);
    const int64_t capacity = CapacityOf(size_class);
    if (kept_bytes_.fetch_add(capacity, std::memory_order_relaxed) + capacity <= kept_bytes_max_) {
      const std::lock_guard lock(shelves_[size_class].mutex);
      shelves_[size_class].blocks.push_back(buffer);
      return;
    }
    kept_bytes_.fetch_sub(capacity, std::memory_order_relaxed);
    base_.Free(buffer, capacity, alignment);
  }

  void ReleaseUnused() override {
    for (size_t size_class = 0; size_class < kClasses; ++size_class) {
      std::vector<uint8_t*> blocks;
      {
        const std::lock_guard lock(shelves_[size_class].mutex);
        blocks.swap(shelves_[size_class].blocks);
      }
      for (uint8_t* block : blocks) {
        kept_bytes_.fetch_sub(CapacityOf(size_class), std::memory_order_relaxed);
        base_.Free(block, CapacityOf(size_class), arrow::kDefaultBufferAlignment);
      }
    }
  }

  int64_t bytes_allocated() const override { return used_bytes_.load(std::memory_order_relaxed); }
  int64_t max_memory() const override { return -1; }
  int64_t total_bytes_allocated() const override { return -1; }
  int64_t num_allocations() const override { return -1; }
  std::string backend_name() const override { return base_.backend_name(); }

 private:
  struct Shelf {
    std::mutex mutex;
    std::vector<uint8_t*> blocks;
  };

  static bool IsKept(int64_t size, int64_t alignment) {
    return size >= kSmallestKept && alignment == arrow::kDefaultBufferAlignment;
  }
  bool Take(size_t size_class, uint8_t** out) {
    Shelf& shelf = shelves_[size_class];
    const std::lock_guard lock(shelf.mutex);
    if (shelf.blocks.empty()) return false;
    *out = shelf.blocks.back();
    shelf.blocks.pop_back();
    kept_bytes_.fetch_sub(CapacityOf(size_class), std::memory_order_relaxed);
    return true;
  }
  void Count(int64_t bytes) { used_bytes_.fetch_add(bytes, std::memory_order_relaxed); }

  arrow::MemoryPool& base_;
  const int64_t kept_bytes_max_;
  std::array<Shelf, kClasses> shelves_;
  std::atomic<int64_t> kept_bytes_{0};
  std::atomic<int64_t> used_bytes_{0};
};

}  // namespace

std::unique_ptr<arrow::MemoryPool> MakeRecyclingPool(int64_t kept_bytes_max) {
  return std::make_unique<RecyclingPool>(kept_bytes_max);
}

}  // namespace tarn
