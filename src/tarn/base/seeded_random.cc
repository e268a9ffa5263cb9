#include <array>
#include <bit>

#include "tarn/base/runtime.h"

namespace tarn {
namespace {

// xoshiro256** of Blackman and Vigna, its state filled by splitmix64 as they advise.
class SeededRandom final : public Random {
 public:
  explicit SeededRandom(uint64_t seed) {
    for (uint64_t& word : state_) {
      seed += 0x9E3779B97F4A7C15;
      uint64_t mixed = seed;
      mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
      mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
      word = mixed ^ (mixed >> 31);
    }
  }

  uint64_t Next() override {
    const std::lock_guard lock(mutex_);
    const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

 private:
  std::mutex mutex_;
  std::array<uint64_t, 4> state_{};
};

}  // namespace

std::unique_ptr<Random> MakeSeededRandom(uint64_t seed) {
  return std::make_unique<SeededRandom>(seed);
}

}  // namespace tarn
