#pragma once

#include <string>

#include "tarn/base/runtime.h"

namespace tarn {

// A random (version 4) UUID from `random`, in the usual 36 lower-case characters.
std::string NewUuid(Random& random);

}  // namespace tarn
