#pragma once

#include <memory>

#include "tarn/ingest/transform/transform.h"

namespace tarn {

// filter: price > 0. Keeps the rows for which the SQL condition is true (not false, not NULL).
std::unique_ptr<TransformMaker> MakeFilterMaker();

// compute: {total: price * count, name: upper(name)}. Each column is an SQL expression over the
// columns that came in; a name that exists is replaced in its place, others are added behind.
std::unique_ptr<TransformMaker> MakeComputeMaker();

}  // namespace tarn
