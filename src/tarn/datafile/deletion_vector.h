#pragma once

#include <cstdint>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/model/row_set.h"

namespace tarn {

// Deletion vectors as Delta (PROTOCOL.md, "Deletion Vector Format") and Iceberg (Puffin blob
// deletion-vector-v1) share them. No length in the bytes is believed before it was compared with
// what is there.

// Magic number and a 64-bit portable roaring bitmap. Bytes after it are ignored. kCorrupt naming
// what is wrong, or when there are more than `rows_max` rows: a few bytes can stand for 65,536 of
// them.
Result<RowSet> DecodeDeletionVector(BytesView bytes, int64_t rows_max = INT64_MAX);
// The inverse. Rows below 2^63.
Bytes EncodeDeletionVector(const RowSet& rows);

// Size and checksum, big-endian, around a vector. kCorrupt when either is another.
Result<BytesView> UnframeDeletionVector(BytesView framed);
// Appends the framed vector to `out`.
void FrameDeletionVector(BytesView vector, Bytes& out);

}  // namespace tarn
