#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/base/text.h"

namespace tarn {

// The implementations of one interface by name: a plain map, filled in engine/builtins.cc and
// passed down. Immutable once filled.
template <class Interface>
class Registry {
 public:
  void Add(std::string name, std::unique_ptr<Interface> implementation) {
    entries_[std::move(name)] = std::move(implementation);
  }

  // kInvalid naming the nearest name there is.
  Result<const Interface*> Find(std::string_view name) const {
    const auto found = entries_.find(name);
    if (found != entries_.end()) return found->second.get();
    return Invalid("no '" + std::string(name) + "' here" + DidYouMean(name, names()));
  }

  std::vector<std::string> names() const {
    std::vector<std::string> all;
    for (const auto& [name, unused] : entries_) all.push_back(name);
    return all;
  }

 private:
  std::map<std::string, std::unique_ptr<Interface>, std::less<>> entries_;
};

}  // namespace tarn
