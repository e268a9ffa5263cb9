#include "tests/sim/fibers.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__)  // g++
#define TARN_ADDRESS_SANITIZER
#elif defined(__has_feature)  // clang
#if __has_feature(address_sanitizer)
#define TARN_ADDRESS_SANITIZER
#endif
#endif

#if defined(TARN_ADDRESS_SANITIZER)
#include <sanitizer/common_interface_defs.h>
#endif

namespace tarn::sim {
namespace {

constexpr size_t kStackBytes = size_t{4} << 20;  // frames of unoptimised code are large

// Stacks are mapped once and used again by the next fibers: untouched pages cost nothing.
std::vector<char*>& FreeStacks() {
  static std::vector<char*> stacks;
  return stacks;
}

char* TakeStack() {
  if (!FreeStacks().empty()) {
    char* const stack = FreeStacks().back();
    FreeStacks().pop_back();
    return stack;
  }
  void* const mapped =
      mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) std::abort();
  return static_cast<char*>(mapped);
}

Fibers* entering = nullptr;

}  // namespace

Fibers::Fibers(Random& random, int64_t start_micros, uint64_t stay_percent)
    : random_(random), now_micros_(start_micros), stay_percent_(stay_percent) {}

Fibers::~Fibers() {
  for (const auto& fiber : fibers_) FreeStacks().push_back(fiber->stack);
}

Fibers::Id Fibers::Spawn(std::function<void()> body) {
  auto fiber = std::make_unique<Fiber>();
  fiber->body = std::move(body);
  fiber->stack = TakeStack();
  fiber->wakes_micros = now_micros_;
  fiber->weight = random_.Below(3) == 0 ? 1 : 20;
  getcontext(&fiber->context);
  fiber->context.uc_stack.ss_sp = fiber->stack;
  fiber->context.uc_stack.ss_size = kStackBytes;
  fiber->context.uc_link = nullptr;
  makecontext(&fiber->context, reinterpret_cast<void (*)()>(&Fibers::Entry), 0);
  fibers_.push_back(std::move(fiber));
  return fibers_.size() - 1;
}

void Fibers::Entry(unsigned /*low*/, unsigned /*high*/) {
  Fibers* const fibers = entering;
#if defined(TARN_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(nullptr, &fibers->main_stack_, &fibers->main_stack_bytes_);
#endif
  Fiber& fiber = *fibers->fibers_[*fibers->current_];
  try {
    if (!fiber.killed) fiber.body();
  } catch (const Killed&) {
  }
  fiber.ended = true;
  fibers->SwitchBack();
  std::abort();  // an ended fiber is never entered again
}

void Fibers::SwitchTo(Id id) {
  current_ = id;
  entering = this;
  Fiber& fiber = *fibers_[id];
#if defined(TARN_ADDRESS_SANITIZER)
  __sanitizer_start_switch_fiber(&main_fake_stack_, fiber.stack, kStackBytes);
#endif
  swapcontext(&main_, &fiber.context);
#if defined(TARN_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(main_fake_stack_, nullptr, nullptr);
#endif
  last_ = current_;
  current_.reset();
}

void Fibers::SwitchBack() {
  Fiber& fiber = *fibers_[*current_];
#if defined(TARN_ADDRESS_SANITIZER)
  void* fake_stack = nullptr;
  __sanitizer_start_switch_fiber(fiber.ended ? nullptr : &fake_stack, main_stack_,
                                 main_stack_bytes_);
#endif
  swapcontext(&fiber.context, &main_);
#if defined(TARN_ADDRESS_SANITIZER)
  __sanitizer_finish_switch_fiber(fake_stack, nullptr, nullptr);
#endif
}

std::optional<Fibers::Id> Fibers::PickNext() {
  std::vector<Id> ready;
  std::optional<int64_t> earliest;
  for (Id id = 0; id < fibers_.size(); ++id) {
    const Fiber& fiber = *fibers_[id];
    if (fiber.ended) continue;
    if (fiber.killed || fiber.wakes_micros <= now_micros_) {
      ready.push_back(id);
    } else if (!earliest || fiber.wakes_micros < *earliest) {
      earliest = fiber.wakes_micros;
    }
  }
  if (ready.empty()) {
    if (!earliest) return std::nullopt;
    now_micros_ = *earliest;
    return PickNext();
  }
  if (last_ && random_.Below(100) < stay_percent_ && std::ranges::count(ready, *last_) > 0) {
    return last_;
  }
  uint64_t total = 0;
  for (const Id id : ready) total += fibers_[id]->weight;
  uint64_t drawn = random_.Below(total);
  for (const Id id : ready) {
    if (drawn < fibers_[id]->weight) return id;
    drawn -= fibers_[id]->weight;
  }
  return ready.back();
}

bool Fibers::Run(int64_t steps_max) {
  for (int64_t step = 0; step < steps_max; ++step) {
    const std::optional<Id> next = PickNext();
    if (!next) return true;
    now_micros_ += static_cast<int64_t>(random_.Below(300));
    SwitchTo(*next);
  }
  for (const auto& fiber : fibers_) fiber->killed = true;
  while (const std::optional<Id> next = PickNext()) SwitchTo(*next);
  return false;
}

void Fibers::Yield() {
  if (!current_) return;
  Fiber& fiber = *fibers_[*current_];
  if (!fiber.killed) SwitchBack();
  if (fiber.killed) throw Killed();
}

void Fibers::SleepMillis(int64_t millis) {
  if (!current_) return;
  fibers_[*current_]->wakes_micros = now_micros_ + millis * 1000;
  Yield();
}

void Fibers::Kill(Id id) {
  fibers_[id]->killed = true;
  if (current_ == id) throw Killed();
}

void Fibers::KillOthers() {
  for (Id id = 0; id < fibers_.size(); ++id) {
    if (current_ != id) fibers_[id]->killed = true;
  }
}

}  // namespace tarn::sim
