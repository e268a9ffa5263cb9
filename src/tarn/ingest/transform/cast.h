#pragma once

#include <memory>

#include "tarn/ingest/transform/transform.h"

namespace tarn {

// cast: {price: decimal(10,2), n: int}. Exact or refused: text that is no such value, a number that
// would lose digits or overflow, a timestamp with a time of day to date make the row bad. Any
// scalar goes to string. Numbers, booleans, text, dates and timestamps go to and fro; nested types
// do not.
std::unique_ptr<TransformMaker> MakeCastMaker();

}  // namespace tarn
