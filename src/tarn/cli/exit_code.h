#pragma once

#include "tarn/base/result.h"

namespace tarn::cli {

// What the process's exit code says to scripts.
enum ExitCode : int {
  kDone = 0,
  kRefused = 1,         // bad data or request, not found, corrupt, unsupported; nothing committed
  kUsage = 2,           // the command line itself
  kConflicted = 3,      // another writer won: run it again
  kTryLater = 4,        // unavailable
  kOutcomeUnknown = 5,  // look before trying again
  kBug = 70,            // ours
  kInterrupted = 130,   // Ctrl-C
};

constexpr ExitCode ExitCodeFor(ErrorCode code) {
  switch (code) {
    case ErrorCode::kInvalid:
    case ErrorCode::kNotFound:
    case ErrorCode::kAlreadyExists:
    case ErrorCode::kCorrupt:
    case ErrorCode::kUnsupported:
      return kRefused;
    case ErrorCode::kConflict:
      return kConflicted;
    case ErrorCode::kUnavailable:
      return kTryLater;
    case ErrorCode::kUnknownOutcome:
      return kOutcomeUnknown;
    case ErrorCode::kCancelled:
      return kInterrupted;
    case ErrorCode::kInternal:
      return kBug;
  }
  return kBug;
}

}  // namespace tarn::cli
