#pragma once

#include <cstdint>
#include <string_view>

#include "tarn/base/result.h"

namespace tarn {

// How a block's bytes are packed (specification, "Required Codecs" and "Optional Codecs").
enum class AvroCodec : uint8_t { kNull, kDeflate, kSnappy, kZstandard };

// "null", "deflate", "snappy", "zstandard". kUnsupported naming another.
Result<AvroCodec> AvroCodecOf(std::string_view name);

}  // namespace tarn
