#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tarn/model/partition_spec.h"
#include "tarn/model/schema.h"

namespace tarn {

// How a table will be partitioned from now on (Iceberg's specification, "Partition Evolution"):
// pure functions from one spec to the next. Files keep the spec that they were written under. Ids
// of new fields are 0: the format gives them.

// What a field is called unless it is said: "ts_day", "id_bucket_16", "name_trunc_4"; an identity
// like its column. `column` is the column's own name.
std::string PartitionFieldName(const PartitionField& field, std::string_view column);

// Whether both make the same of the same column, whatever they are called.
bool SameTransform(const PartitionField& a, const PartitionField& b);

// The place of the field that is called `name` (exactly, else ignoring case), or that transforms
// the same column in the same way. Void fields, which stand for what has gone, are not found.
std::optional<size_t> FindPartitionField(const PartitionSpec& spec, std::string_view name);
std::optional<size_t> FindPartitionField(const PartitionSpec& spec, const PartitionField& like);

// `spec` with `field` at `place`, or last. kAlreadyExists: a field like it is there, or its name is
// taken (a void one's moves: "name_1000"); kInvalid: its column is not in the schema, lies in a
// list or map or does not take the transform, or the name is another column's.
Result<PartitionSpec> WithPartitionField(PartitionSpec spec, const Schema& schema,
                                         PartitionField field,
                                         std::optional<size_t> place = std::nullopt);

}  // namespace tarn
