#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/datafile/avro_schema.h"
#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"

namespace tarn::iceberg {

// The Avro schema of manifest entries as a table of this format version has them (specification,
// "Manifests", and "Appendix A: Avro"), with the partition record of `spec`, whose values are of
// `types`. kUnsupported for a partition value without a type.
Result<std::string> EntrySchema(const PartitionSpec& spec, const std::vector<Type>& types,
                                int32_t format_version);

// That of a manifest list ("Manifest Lists").
std::string ManifestListSchema(int32_t format_version);

}  // namespace tarn::iceberg
