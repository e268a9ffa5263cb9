#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tarn/base/runtime.h"
#include "tarn/storage/storage.h"

namespace tarn {

// How often a call on a memory store goes wrong, in per mille, drawn from the Random given.
struct MemoryFaults {
  int32_t fail_before = 0;       // kUnavailable, nothing happened
  int32_t lose_answer = 0;       // a write took effect but kUnknownOutcome is returned
  int32_t unknown_not_done = 0;  // kUnknownOutcome though nothing happened
  int32_t delay_max_ms = 0;      // each call first sleeps up to this long on the Clock given
};

// Objects in memory: tests and simulation. Keeps two states: what callers see and what was synced.
// A successful write is synced unless `sync_writes` is false; PowerCut() forgets the rest.
// `before_call` (may be empty) runs before each operation, outside the lock, with the operation's
// name and path: simulations interleave writers there, and may set the faults of that very call.
class MemoryStorage : public Storage {
 public:
  virtual void SetFaults(const MemoryFaults& faults) = 0;
  virtual void SetSyncWrites(bool sync_writes) = 0;
  virtual void PowerCut() = 0;
  virtual void SetBeforeCall(std::function<void(std::string_view operation, const Path&)> hook) = 0;
};

// `clock` gives modified_ms and delays; both outlive the store.
std::unique_ptr<MemoryStorage> MakeMemoryStorage(Clock& clock, Random& random);

}  // namespace tarn
