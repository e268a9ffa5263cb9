#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/model/types.h"
#include "tarn/model/value.h"

namespace tarn::delta {

// PROTOCOL.md, "Partition Value Serialization".

// A value of `type` from its text. Absent and empty text are NULL for every type (the protocol
// cannot tell '' from NULL). Dates YYYY-MM-DD; timestamps "YYYY-MM-DD HH:MM:SS[.ffffff]" in UTC, or
// ISO 8601 with Z or an offset (a date alone is its midnight); booleans true/false; binary as the
// UTF-8 bytes of the text, which is what Spark and the kernels do. The id of a zone that a writer
// had is not known, so a timestamp without one is taken as UTC. kCorrupt naming the type and the
// text when it is none; kUnsupported for types that cannot partition.
Result<Value> PartitionValueFromText(const Type& type, std::optional<std::string_view> text);

// The text of a value; nothing for NULL. kTimestampTz as "YYYY-MM-DDTHH:MM:SS.ffffffZ", kTimestamp
// as "YYYY-MM-DD HH:MM:SS.ffffff" (fraction left out when zero). kInvalid for an empty string,
// which would come back as NULL, and for bytes that are no UTF-8.
Result<std::optional<std::string>> PartitionValueToText(const Type& type, const Value& value);

}  // namespace tarn::delta
