#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"
#include "tarn/model/value.h"

namespace tarn {

// What Hive and Spark put for NULL.
inline constexpr std::string_view kNullPartitionText = "__HIVE_DEFAULT_PARTITION__";

// `text` as one segment of a path, escaped as Hive and Spark do: control characters, NUL, DEL and
// " # % ' * / : = ? \ { [ ] ^ become %XX, and a dot or space at the end, which some stores lose.
// UTF-8 stays as it is, byte for byte (composed and decomposed é are two folders); other bytes are
// escaped.
std::string EscapePartitionText(std::string_view text);

// The folder of a partition below the table's root, "a=1/b=x", with kNullPartitionText for NULL. A
// segment that would pass 200 bytes, more than many stores take, is cut and ends in a hash: the
// value itself stands in the table's metadata. Requires one value per field of the spec.
std::string PartitionFolder(const Schema& schema, const PartitionSpec& spec,
                            const std::vector<Value>& values);

}  // namespace tarn
