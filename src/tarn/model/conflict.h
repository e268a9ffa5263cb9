#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tarn/model/commit.h"

namespace tarn {

// kSerializable: whoever reads by predicate conflicts with rows added that match it.
// kWriteSerializable: added rows alone never conflict.
enum class Isolation : uint8_t { kSerializable, kWriteSerializable };

struct ConflictReason {
  enum class Kind : uint8_t {
    kProtocol,
    kMetadata,
    kPosition,
    kRemoved,
    kRowsDeleted,
    kRowsAdded
  } kind;
  // One line naming partition or file, winning version, operation, who and when.
  std::string message;
};

// Why `mine`, made on `base`, cannot follow `theirs`, which landed after `base`; first match wins:
//   theirs changed protocol or required features              conflict
//   theirs changed schema or partitioning                     conflict unless mine touches no data
//   and
//                                                             no metadata; provably compatible:
//                                                             theirs changed only properties or
//                                                             docs and mine does not change
//                                                             metadata
//   theirs removed or deleted rows of a file that I read,
//     remove, or delete rows of                               conflict
//   theirs added rows that match what I read                  conflict under kSerializable
//   theirs moved the position of a source that I move         conflict; last, since who starts
//   again
//                                                             from their position still has the
//                                                             others
//   otherwise                                                 none
// Pure; `base` gives schema and specs.
std::optional<ConflictReason> FindConflict(const Commit& mine, const Commit& theirs,
                                           const Snapshot& base, Isolation isolation);

}  // namespace tarn
