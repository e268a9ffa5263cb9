#pragma once

// Mistakes that the simulation must find: a build with -DTARN_PLANTED_BUG=<n> makes mistake n. The
// code that would make it asks `if constexpr (planted::kX)`. Every other build has none.
#ifndef TARN_PLANTED_BUG
#define TARN_PLANTED_BUG 0
#endif

namespace tarn::planted {

inline constexpr int kBug = TARN_PLANTED_BUG;
static_assert(kBug >= 0 && kBug <= 8);

inline constexpr bool kNoConflictCheck = kBug == 1;         // table/transaction.cc
inline constexpr bool kIdNotCompared = kBug == 2;           // table/transaction.cc
inline constexpr bool kUnknownTakenForLost = kBug == 3;     // table/path_committer.cc
inline constexpr bool kPositionNotCompared = kBug == 4;     // model/conflict.cc
inline constexpr bool kTornCheckpointTrusted = kBug == 5;   // format/delta
inline constexpr bool kFolderNotSynced = kBug == 6;         // storage/local.cc
inline constexpr bool kRetryOnOldBase = kBug == 7;          // table/transaction.cc
inline constexpr bool kPartitionFilterIgnored = kBug == 8;  // model/conflict.cc

}  // namespace tarn::planted
