#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/model/schema.h"

namespace tarn {

// Iceberg's transforms (spec, "Partition Transforms"); Delta and Hive know identity only.
enum class TransformKind : uint8_t {
  kIdentity,
  kBucket,    // `parameter` buckets, Murmur3
  kTruncate,  // to `parameter` (integers, decimals: floor; strings: code points; binary: bytes)
  kYear,
  kMonth,
  kDay,
  kHour,
  kVoid,
};

struct PartitionField {
  int32_t source_id = 0;  // the column's field id
  int32_t field_id = 0;   // the partition field's own, from 1000
  std::string name;       // the folder's name: name=value
  TransformKind transform = TransformKind::kIdentity;
  int32_t parameter = 0;
  friend bool operator==(const PartitionField&, const PartitionField&) = default;
};

struct PartitionSpec {
  int32_t id = 0;
  std::vector<PartitionField> fields;
  bool IsUnpartitioned() const { return fields.empty(); }
  friend bool operator==(const PartitionSpec&, const PartitionSpec&) = default;
};

// The type of the transform's results for a source of `type`. kInvalid if it does not apply.
Result<Type> TransformedType(const PartitionField& field, const Type& type);

// The partition value of one source value (null stays null). Requires a type that TransformedType
// accepts. Times count in UTC, floor towards the past (right before 1970).
Value ApplyTransform(const PartitionField& field, const Type& type, const Value& value);

// "identity", "bucket[16]", "truncate[4]", "day", … and back (also "days(ts)" is left to sql).
std::string TransformToText(const PartitionField& field);
// As SQL has it: "col", "bucket(16, col)", "day(col)".
std::string TransformToSql(const PartitionField& field, const std::string& column);
Result<PartitionField> ParseTransform(std::string_view text);

// What a table is partitioned by, as PARTITIONED BY has it: "day(ts), bucket(16, id)"; empty for
// nothing. Void fields, which partition nothing, are left out.
std::string SpecToText(const PartitionSpec& spec, const Schema& schema);

// An identity spec over top-level columns, in the order given. kNotFound naming the column;
// kInvalid for a nested or floating-point-unfriendly type that cannot partition.
Result<PartitionSpec> IdentitySpec(const Schema& schema, const std::vector<std::string>& columns);

}  // namespace tarn
