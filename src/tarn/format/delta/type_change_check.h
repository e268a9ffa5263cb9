#pragma once

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn::delta {

// PROTOCOL.md, "Reader Requirements for Type Widening": every change that delta.typeChanges records
// must be one that readers can make good when they read older files. kUnsupported naming column and
// types of one that is not; kCorrupt for a record that cannot be read.
Status CheckTypeChanges(const Schema& schema);

}  // namespace tarn::delta
