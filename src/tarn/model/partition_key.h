#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarn/model/value.h"

namespace tarn {

// A partition's values as one string, equal exactly when the values are: for maps.
std::string PartitionKey(const std::vector<Value>& values);
// The same across specs: partitions of two specs are never one.
std::string PartitionKey(int32_t spec_id, const std::vector<Value>& values);

}  // namespace tarn
