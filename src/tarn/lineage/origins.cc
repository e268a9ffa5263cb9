#include <algorithm>

#include "tarn/lineage/reader_internal.h"

// Origins under way: pushed while an expression is walked, taken off as a set when it is done.
namespace tarn::lineage {
namespace {

constexpr size_t kSlots = 7;   // per leaf: one for all DIRECT kinds, one per INDIRECT kind
constexpr size_t kSmall = 16;  // up to here comparing each with each is faster

constexpr size_t SlotOf(const Origin& origin) {
  return IsDirect(origin.kind)
             ? 0
             : 1 + static_cast<size_t>(origin.kind) - static_cast<size_t>(EdgeKind::kJoin);
}

// Two ways from one column to one value: the strongest DIRECT kind stands for all, and masks only
// if every way does.
void Merge(Origin& kept, const Origin& other) {
  if (!IsDirect(kept.kind)) return;
  kept.kind = std::max(kept.kind, other.kind);
  kept.masking &= other.masking;
}

}  // namespace

void Reader::Push(const Value& value, Flow flow) { PushAll(value.origins, flow); }

void Reader::PushAll(std::span<const Origin> origins, Flow flow) {
  for (const Origin& origin : origins) {
    const EdgeKind kind = Deeper(flow.kind, origin.kind);
    stack_.push_back({.leaf = origin.leaf,
                      .kind = kind,
                      .masking = IsDirect(kind) && (flow.masking || origin.masking),
                      .where = where_});
  }
}

std::span<const Origin> Reader::Take(size_t mark) {
  const std::span<Origin> pushed(stack_.data() + mark, stack_.size() - mark);
  if (pushed.empty()) return {};
  size_t kept = 0;
  if (pushed.size() <= kSmall) {
    for (const Origin& origin : pushed) {
      const auto same = std::find_if(
          pushed.begin(), pushed.begin() + static_cast<int64_t>(kept), [&](const Origin& other) {
            return other.leaf == origin.leaf && SlotOf(other) == SlotOf(origin);
          });
      if (same == pushed.begin() + static_cast<int64_t>(kept)) {
        pushed[kept++] = origin;
      } else {
        Merge(*same, origin);
      }
    }
  } else {
    ++take_;
    if (seen_.size() < leaves_.size() * kSlots) seen_.resize(leaves_.size() * kSlots, 0);
    for (const Origin& origin : pushed) {
      uint64_t& seen = seen_[origin.leaf * kSlots + SlotOf(origin)];
      if (seen >> 32 == take_) {
        Merge(pushed[seen & UINT32_MAX], origin);
      } else {
        seen = uint64_t{take_} << 32 | kept;
        pushed[kept++] = origin;
      }
    }
  }
  const std::span<const Origin> taken = scratch_.Copy(std::span<const Origin>(pushed.data(), kept));
  stack_.resize(mark);
  return taken;
}

}  // namespace tarn::lineage
