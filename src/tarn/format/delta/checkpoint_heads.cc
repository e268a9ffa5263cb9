#include "tarn/format/delta/checkpoint_heads.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tarn::delta {
namespace {

std::string KeyOf(const TableHome& home, const CheckpointObjects& checkpoint) {
  std::string key = fmt::format("{}", fmt::ptr(&home.storage));
  for (const ObjectInfo& part : checkpoint.parts) {
    key +=
        fmt::format("\n{} {} {} {}", part.path.str(), part.size_bytes, part.modified_ms, part.etag);
  }
  return key;
}

}  // namespace

Result<std::shared_ptr<const CheckpointHead>> CheckpointHeads::Read(
    const TableHome& home, const CheckpointObjects& checkpoint) {
  const std::string key = KeyOf(home, checkpoint);
  {
    const std::scoped_lock lock(mutex_);
    const auto found =
        std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
    if (found != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, found);
      return found->head;
    }
  }
  TARN_ASSIGN_OR_RETURN(CheckpointHead read, ReadCheckpointHead(home, checkpoint));
  auto head = std::make_shared<const CheckpointHead>(std::move(read));
  const std::scoped_lock lock(mutex_);
  kept_.push_front({key, head});
  if (kept_.size() > kKeptMax) kept_.pop_back();
  return std::shared_ptr<const CheckpointHead>(std::move(head));
}

}  // namespace tarn::delta
