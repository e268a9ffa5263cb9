#include "tarn/format/delta/checkpoint_heads.h"

#include <string>
#include <utility>

namespace tarn::delta {

Result<std::shared_ptr<const CheckpointHead>> CheckpointHeads::Read(
    const TableHome& home, const CheckpointObjects& checkpoint) {
  std::string key;
  for (const ObjectInfo& part : checkpoint.parts) key += IdentityOf(home.storage, part) + "\n";
  if (auto kept = kept_.Find(key)) return *std::move(kept);
  TARN_ASSIGN_OR_RETURN(CheckpointHead read, ReadCheckpointHead(home, checkpoint));
  auto head = std::make_shared<const CheckpointHead>(std::move(read));
  kept_.Keep(std::move(key), head);
  return std::shared_ptr<const CheckpointHead>(std::move(head));
}

}  // namespace tarn::delta
