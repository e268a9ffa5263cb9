#pragma once

#include <memory>

#include "tarn/storage/storage.h"

namespace tarn {

// An object that is kept in memory: what is written is appended to `bytes`, which outlives it.
// Finish gives the size, and no path.
std::unique_ptr<ObjectWriter> MakeBufferWriter(Bytes& bytes);

}  // namespace tarn
