#include "tarn/lineage/name_pool_internal.h"

#include <cstring>

namespace tarn::lineage {
namespace {

constexpr uint32_t kFree = UINT32_MAX;
constexpr size_t kFirstSlots = 1024;

// FNV-1a over eight bytes at a time: names are short and many.
uint64_t HashOf(std::string_view text) {
  constexpr uint64_t kPrime = 0x9E3779B97F4A7C15;
  uint64_t hash = text.size() * kPrime;
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    hash = (hash ^ word) * kPrime;
    hash ^= hash >> 29;
  }
  uint64_t rest = 0;
  if (left > 0) std::memcpy(&rest, at, left);  // an empty text may have no address
  hash = (hash ^ rest) * kPrime;
  return hash ^ (hash >> 32);
}

constexpr char Lower(char byte) {
  return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 'a' - 'A') : byte;
}

}  // namespace

NamePool::NamePool(const sql::Dialect& dialect) : dialect_(dialect), slots_(kFirstSlots, kFree) {
  Intern({});
}

NameId NamePool::Intern(std::string_view text) {
  const uint64_t hash = HashOf(text);
  for (size_t at = hash;; ++at) {
    const size_t slot = at & (slots_.size() - 1);
    const uint32_t index = slots_[slot];
    if (index == kFree) {
      const std::span<const char> copy =
          texts_.Copy(std::span<const char>(text.data(), text.size()));
      slots_[slot] = static_cast<uint32_t>(entries_.size());
      entries_.push_back({{copy.data(), copy.size()}, hash});
      if (entries_.size() * 2 > slots_.size()) Grow();
      return NameId(entries_.size() - 1);
    }
    const Entry& entry = entries_[index];
    if (entry.hash == hash && entry.text == text) return NameId(index);
  }
}

NameId NamePool::Fold(std::string_view text) {
  buffer_.resize(text.size());
  for (size_t at = 0; at < text.size(); ++at) buffer_[at] = Lower(text[at]);
  return Intern(buffer_);
}

NameId NamePool::Fold(const sql::tree::Identifier& identifier) {
  if (!identifier.quoted()) return Fold(identifier.text);
  const char quote = identifier.text[0];
  std::string_view inner = identifier.text.substr(1);
  if (!inner.empty() && inner.back() == quote) inner.remove_suffix(1);
  if (inner.find(quote) == std::string_view::npos) {
    return dialect_.fold_quoted ? Fold(inner) : Intern(inner);
  }
  const std::string value = identifier.Value();
  return dialect_.fold_quoted ? Fold(value) : Intern(value);
}

void NamePool::Grow() {
  slots_.assign(slots_.size() * 2, kFree);
  for (size_t index = 0; index < entries_.size(); ++index) {
    size_t at = entries_[index].hash;
    while (slots_[at & (slots_.size() - 1)] != kFree) ++at;
    slots_[at & (slots_.size() - 1)] = static_cast<uint32_t>(index);
  }
}

}  // namespace tarn::lineage
