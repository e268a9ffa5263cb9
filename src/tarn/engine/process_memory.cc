#include "tarn/engine/process_memory.h"

#include <cstdlib>

namespace tarn {

void PrepareProcessMemory() { setenv("ARROW_DEFAULT_MEMORY_POOL", "system", /*overwrite=*/0); }

}  // namespace tarn
