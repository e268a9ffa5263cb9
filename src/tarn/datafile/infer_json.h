#pragma once

#include <cstdint>
#include <string_view>

#include "tarn/datafile/infer.h"

namespace tarn {

// What a block of text showed. Lines count within the block.
struct ObservedText {
  ColumnEvidence root;
  int64_t lines = 0;
};

// Looks at every value of a block of JSON lines (as JsonDecoder::Decode takes it). Lines that are
// no JSON object are passed over: the decoder will name them. Pure; any thread.
ObservedText ObserveJson(std::string_view block);

}  // namespace tarn
