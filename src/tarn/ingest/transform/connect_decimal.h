#pragma once

#include <memory>

#include "tarn/ingest/transform/transform.h"

namespace tarn {

// connect_decimal: {price: decimal(20,2)}. Decimals as Kafka Connect and Debezium put them into
// JSON: the unscaled value, big-endian two's complement, as base64 text (or binary, as bytes). The
// scale is not in the data: the type given here says it. Text that is no base64, no bytes at all,
// and a value with more digits than the type make the row bad.
std::unique_ptr<TransformMaker> MakeConnectDecimalMaker();

}  // namespace tarn
