#pragma once

#include <cstddef>
#include <memory>

#include "tarn/base/recently_used.h"
#include "tarn/base/result.h"
#include "tarn/format/delta/log_head.h"
#include "tarn/format/delta/log_segment.h"
#include "tarn/table/table_home.h"

namespace tarn::delta {

// The heads of the checkpoints read last. A process that commits again and again opens the same
// checkpoint for every commit, and its footer costs more than the commits after it. A checkpoint
// whose size, time or etag changed is read anew; one that cannot be read is not kept. Thread-safe.
class CheckpointHeads {
 public:
  static constexpr size_t kKeptMax = 8;

  Result<std::shared_ptr<const CheckpointHead>> Read(const TableHome& home,
                                                     const CheckpointObjects& checkpoint);

 private:
  RecentlyUsed<std::shared_ptr<const CheckpointHead>> kept_{kKeptMax};
};

}  // namespace tarn::delta
