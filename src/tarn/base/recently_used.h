#pragma once

#include <algorithm>
#include <cstddef>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace tarn {

// The values asked for last, by key: for what is dear to decode and never changes under its key.
// Values are copied out, so they are small or shared pointers. Thread-safe.
template <class Value>
class RecentlyUsed {
 public:
  explicit RecentlyUsed(size_t kept_max) : kept_max_(kept_max) {}

  std::optional<Value> Find(const std::string& key) {
    const std::scoped_lock lock(mutex_);
    const auto found = Place(key);
    if (found == kept_.end()) return std::nullopt;
    kept_.splice(kept_.begin(), kept_, found);
    return found->second;
  }

  void Keep(std::string key, Value value) {
    const std::scoped_lock lock(mutex_);
    if (const auto found = Place(key); found != kept_.end()) kept_.erase(found);
    kept_.emplace_front(std::move(key), std::move(value));
    if (kept_.size() > kept_max_) kept_.pop_back();
  }

 private:
  using Kept = std::list<std::pair<std::string, Value>>;

  typename Kept::iterator Place(const std::string& key) {
    return std::find_if(kept_.begin(), kept_.end(),
                        [&](const auto& kept) { return kept.first == key; });
  }

  const size_t kept_max_;
  std::mutex mutex_;
  Kept kept_;  // the last used first
};

}  // namespace tarn
