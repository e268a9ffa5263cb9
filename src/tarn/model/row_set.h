#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace tarn {

// A set of row positions (0-based, 63 bits), compressed in chunks of 65,536 as roaring bitmaps are:
// a chunk is a sorted list of up to 4,096 low halves, or a bitmap of 1,024 words. A plain value.
class RowSet {
 public:
  struct Chunk {
    std::vector<uint16_t> list;  // sorted; used while bits is empty
    std::vector<uint64_t> bits;  // 1,024 words once the list passed 4,096
    int64_t Count() const;
  };

  void Add(uint64_t row);
  void AddRange(uint64_t begin, uint64_t end);  // [begin, end)
  void Merge(const RowSet& other);
  bool Contains(uint64_t row) const;
  int64_t Count() const;
  bool empty() const { return chunks_.empty(); }
  void ForEach(const std::function<void(uint64_t row)>& visit) const;  // ascending
  // A dense bitmap of rows [0, row_count), 64 per word, for readers that test every row.
  std::vector<uint64_t> ToBitmap(int64_t row_count) const;

  // By the upper 48 bits, ascending: what the roaring encoders walk.
  const std::map<uint64_t, Chunk>& chunks() const { return chunks_; }
  // Takes a whole chunk (decoders). Replaces what was there.
  void SetChunk(uint64_t high48, Chunk chunk);

  friend bool operator==(const RowSet& a, const RowSet& b);

 private:
  std::map<uint64_t, Chunk> chunks_;
};

}  // namespace tarn
