#include "tarn/model/partition_key.h"

#include <type_traits>
#include <variant>

namespace tarn {

std::string PartitionKey(const std::vector<Value>& values) {
  std::string key;
  for (const Value& value : values) {
    key += static_cast<char>('0' + value.index());
    std::visit(
        [&key](const auto& held) {
          using T = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<T, std::string>) {
            const uint64_t size = held.size();
            key.append(reinterpret_cast<const char*>(&size), sizeof(size));
            key += held;
          } else if constexpr (!std::is_same_v<T, std::monostate>) {
            key.append(reinterpret_cast<const char*>(&held), sizeof(held));
          }
        },
        value);
  }
  return key;
}

std::string PartitionKey(int32_t spec_id, const std::vector<Value>& values) {
  return std::to_string(spec_id) + '/' + PartitionKey(values);
}

}  // namespace tarn
