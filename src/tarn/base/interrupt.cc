#include "tarn/base/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

namespace tarn {
namespace {

constexpr int kExitInterrupted = 130;

// A signal handler gets no argument, so what it acts on must be reachable by name.
std::atomic<Cancellation*> cancellation_of_process{nullptr};
struct sigaction interrupt_before;
struct sigaction terminate_before;

void OnSignal(int /*signal*/) {
  Cancellation* const cancellation = cancellation_of_process.load();
  if (cancellation == nullptr || cancellation->cancelled()) _exit(kExitInterrupted);
  cancellation->Cancel();
}

}  // namespace

InterruptGuard::InterruptGuard(Cancellation& cancellation) {
  [[maybe_unused]] Cancellation* const before = cancellation_of_process.exchange(&cancellation);
  assert(before == nullptr);
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigemptyset(&action.sa_mask);
  // No SA_RESTART: a blocked read (a terminal, a pipe) returns, and its caller sees the wish.
  sigaction(SIGINT, &action, &interrupt_before);
  sigaction(SIGTERM, &action, &terminate_before);
}

InterruptGuard::~InterruptGuard() {
  sigaction(SIGINT, &interrupt_before, nullptr);
  sigaction(SIGTERM, &terminate_before, nullptr);
  cancellation_of_process.store(nullptr);
}

}  // namespace tarn
