#include "tarn/model/row_set.h"

#include <algorithm>
#include <bit>

namespace tarn {
namespace {

constexpr size_t kListMax = 4096;  // roaring's limit: beyond it a bitmap is smaller
constexpr size_t kWords = 1024;

void ToBits(RowSet::Chunk& chunk) {
  chunk.bits.assign(kWords, 0);
  for (uint16_t low : chunk.list) chunk.bits[low >> 6] |= uint64_t{1} << (low & 63);
  chunk.list.clear();
  chunk.list.shrink_to_fit();
}

void AddLow(RowSet::Chunk& chunk, uint16_t low) {
  if (!chunk.bits.empty()) {
    chunk.bits[low >> 6] |= uint64_t{1} << (low & 63);
    return;
  }
  if (chunk.list.empty() || chunk.list.back() < low) {
    chunk.list.push_back(low);
  } else {
    const auto at = std::lower_bound(chunk.list.begin(), chunk.list.end(), low);
    if (at != chunk.list.end() && *at == low) return;
    chunk.list.insert(at, low);
  }
  if (chunk.list.size() > kListMax) ToBits(chunk);
}

template <class Visit>
void ForEachLow(const RowSet::Chunk& chunk, Visit visit) {
  if (chunk.bits.empty()) {
    for (uint16_t low : chunk.list) visit(low);
    return;
  }
  for (size_t word = 0; word < kWords; ++word) {
    for (uint64_t rest = chunk.bits[word]; rest != 0; rest &= rest - 1) {
      visit(static_cast<uint16_t>(word * 64 + static_cast<size_t>(std::countr_zero(rest))));
    }
  }
}

}  // namespace

int64_t RowSet::Chunk::Count() const {
  if (bits.empty()) return static_cast<int64_t>(list.size());
  int64_t count = 0;
  for (uint64_t word : bits) count += std::popcount(word);
  return count;
}

void RowSet::Add(uint64_t row) { AddLow(chunks_[row >> 16], static_cast<uint16_t>(row & 0xFFFF)); }

void RowSet::AddRange(uint64_t begin, uint64_t end) {
  while (begin < end) {
    const uint64_t high = begin >> 16;
    const uint64_t stop = std::min(end, (high + 1) << 16);
    Chunk& chunk = chunks_[high];
    if (stop - begin > kListMax && chunk.bits.empty()) ToBits(chunk);
    for (uint64_t row = begin; row < stop; ++row)
      AddLow(chunk, static_cast<uint16_t>(row & 0xFFFF));
    begin = stop;
  }
}

void RowSet::Merge(const RowSet& other) {
  for (const auto& [high, theirs] : other.chunks_) {
    Chunk& mine = chunks_[high];
    ForEachLow(theirs, [&mine](uint16_t low) { AddLow(mine, low); });
  }
}

bool RowSet::Contains(uint64_t row) const {
  const auto found = chunks_.find(row >> 16);
  if (found == chunks_.end()) return false;
  const Chunk& chunk = found->second;
  const auto low = static_cast<uint16_t>(row & 0xFFFF);
  if (!chunk.bits.empty()) return (chunk.bits[low >> 6] >> (low & 63) & 1) != 0;
  return std::binary_search(chunk.list.begin(), chunk.list.end(), low);
}

int64_t RowSet::Count() const {
  int64_t count = 0;
  for (const auto& [unused, chunk] : chunks_) count += chunk.Count();
  return count;
}

void RowSet::ForEach(const std::function<void(uint64_t)>& visit) const {
  for (const auto& [high, chunk] : chunks_) {
    const uint64_t base = high << 16;
    ForEachLow(chunk, [&](uint16_t low) { visit(base | low); });
  }
}

std::vector<uint64_t> RowSet::ToBitmap(int64_t row_count) const {
  std::vector<uint64_t> bitmap(static_cast<size_t>((row_count + 63) / 64), 0);
  for (const auto& [high, chunk] : chunks_) {
    const uint64_t first_word = high << 10;
    if (first_word >= bitmap.size()) break;
    if (!chunk.bits.empty()) {
      const size_t words = std::min<size_t>(kWords, bitmap.size() - first_word);
      std::copy_n(chunk.bits.begin(), words,
                  bitmap.begin() + static_cast<std::ptrdiff_t>(first_word));
      continue;
    }
    for (uint16_t low : chunk.list) {
      const uint64_t word = first_word + (low >> 6);
      if (word < bitmap.size()) bitmap[word] |= uint64_t{1} << (low & 63);
    }
  }
  return bitmap;
}

void RowSet::SetChunk(uint64_t high48, Chunk chunk) {
  if (chunk.Count() == 0) {
    chunks_.erase(high48);
    return;
  }
  if (chunk.bits.empty() && chunk.list.size() > kListMax) ToBits(chunk);
  chunks_[high48] = std::move(chunk);
}

bool operator==(const RowSet& a, const RowSet& b) {
  if (a.chunks_.size() != b.chunks_.size()) return false;
  for (auto left = a.chunks_.begin(), right = b.chunks_.begin(); left != a.chunks_.end();
       ++left, ++right) {
    if (left->first != right->first || left->second.Count() != right->second.Count()) return false;
    // A chunk may be a list in one set and a bitmap in the other.
    std::vector<uint16_t> lows_a, lows_b;
    ForEachLow(left->second, [&](uint16_t low) { lows_a.push_back(low); });
    ForEachLow(right->second, [&](uint16_t low) { lows_b.push_back(low); });
    if (lows_a != lows_b) return false;
  }
  return true;
}

}  // namespace tarn
