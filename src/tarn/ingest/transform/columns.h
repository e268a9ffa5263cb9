#pragma once

#include <memory>

#include "tarn/ingest/transform/transform.h"

namespace tarn {

// select: [a, b]: these columns, in this order. drop: [c]: all but these.
std::unique_ptr<TransformMaker> MakeSelectMaker();
std::unique_ptr<TransformMaker> MakeDropMaker();
// rename: {from: to}. The old names must exist, the new ones be free once all are renamed.
std::unique_ptr<TransformMaker> MakeRenameMaker();

}  // namespace tarn
