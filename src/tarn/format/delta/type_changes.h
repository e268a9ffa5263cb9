#pragma once

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn::delta {

// PROTOCOL.md, "Type Widening": for every field of `after` whose type is not that of the field with
// its id in `before`, appends the change to `delta.typeChanges` of the nearest struct field. A void
// column may become anything, without a record. kUnsupported naming column and types: a change that
// Delta does not know, or any while `enabled` is false.
Status RecordTypeChanges(const Schema& before, Schema& after, bool enabled);

}  // namespace tarn::delta
