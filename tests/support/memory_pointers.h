#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "tarn/catalog/pointer_store.h"

namespace tarn::testing {

// Pointers in memory, whose answers can be lost and whose swaps can be preceded by another's.
class MemoryPointers final : public PointerStore {
 public:
  int answers_to_lose = 0;
  std::function<void()> before_swap = nullptr;  // called once

  Result<std::optional<std::string>> Find(const PointerKey& key) const override {
    const std::lock_guard lock(mutex_);
    const auto found = pointers_.find(Row(key));
    if (found == pointers_.end()) return std::optional<std::string>();
    return std::optional(found->second);
  }

  Result<bool> Swap(const PointerKey& key, const std::optional<std::string>& expected,
                    const std::string& next) override {
    if (const auto meanwhile = std::exchange(before_swap, nullptr)) meanwhile();
    const std::lock_guard lock(mutex_);
    const auto found = pointers_.find(Row(key));
    const bool as_expected =
        found == pointers_.end() ? !expected : (expected && *expected == found->second);
    if (as_expected) pointers_[Row(key)] = next;
    if (answers_to_lose > 0) {
      --answers_to_lose;
      return UnknownOutcome("the answer was lost");
    }
    return as_expected;
  }

  void Drop(const PointerKey& key) {
    const std::lock_guard lock(mutex_);
    pointers_.erase(Row(key));
  }

 private:
  using RowKey = std::tuple<std::string, std::string, std::string>;
  static RowKey Row(const PointerKey& key) {
    return {key.catalog_name, key.table_namespace, key.table_name};
  }

  mutable std::mutex mutex_;
  std::map<RowKey, std::string> pointers_;
};

}  // namespace tarn::testing
