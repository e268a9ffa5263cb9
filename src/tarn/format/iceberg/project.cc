#include "tarn/format/iceberg/project.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "tarn/format/iceberg/single_value.h"
#include "tarn/model/prune.h"

namespace tarn::iceberg {
namespace {

using Op = Expression::Op;

// One comparison over one partition field.
Expression ProjectLeaf(const Expression& leaf, const Field& source, const PartitionField& field) {
  if (field.transform == TransformKind::kVoid) return Expression::True();
  if (leaf.op == Op::kIsNull || leaf.op == Op::kIsNotNull) {
    return {leaf.op, field.field_id};
  }
  if (leaf.op == Op::kIsNan || leaf.literals.empty()) return Expression::True();
  const bool identity = field.transform == TransformKind::kIdentity;
  if (leaf.op == Op::kStartsWith || leaf.op == Op::kNotEqual) {
    if (!identity) return Expression::True();
    return {leaf.op, field.field_id, leaf.literals};
  }
  std::vector<Value> transformed;
  transformed.reserve(leaf.literals.size());
  for (const Value& literal : leaf.literals) {
    transformed.push_back(IsNull(literal) ? literal : ApplyTransform(field, source.type, literal));
  }
  switch (leaf.op) {
    case Op::kEqual:
    case Op::kIn:
      return {leaf.op, field.field_id, std::move(transformed)};
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual: {
      if (field.transform == TransformKind::kBucket) return Expression::True();
      // Transforms keep the order but not the distance: the end itself may hold matches.
      Op op = leaf.op;
      if (!identity) op = op == Op::kLess ? Op::kLessEqual : op;
      if (!identity) op = op == Op::kGreater ? Op::kGreaterEqual : op;
      return {op, field.field_id, std::move(transformed)};
    }
    default:
      return Expression::True();
  }
}

std::optional<Value> Bound(const Type& type, const std::optional<Bytes>& bytes) {
  if (!bytes) return std::nullopt;
  auto value = ValueFromBinary(type, *bytes);
  if (value && type.IsFloating() && std::isnan(std::get<double>(*value))) return std::nullopt;
  return value;
}

}  // namespace

Expression ProjectOnPartition(const Expression& filter, const Schema& schema,
                              const PartitionSpec& spec) {
  switch (filter.op) {
    case Op::kTrue:
    case Op::kFalse:
      return filter;
    case Op::kAnd:
    case Op::kOr: {
      std::vector<Expression> args;
      args.reserve(filter.args.size());
      for (const Expression& arg : filter.args) {
        args.push_back(ProjectOnPartition(arg, schema, spec));
        if (filter.op == Op::kOr && args.back().IsTrue()) return Expression::True();
      }
      return filter.op == Op::kAnd ? Expression::And(std::move(args))
                                   : Expression::Or(std::move(args));
    }
    case Op::kNot:
    case Op::kOpaque:
      return Expression::True();
    default:
      break;
  }
  const Field* source = schema.FindById(filter.field_id);
  if (source == nullptr) return Expression::True();
  std::vector<Expression> all;
  for (const PartitionField& field : spec.fields) {
    if (field.source_id == filter.field_id) all.push_back(ProjectLeaf(filter, *source, field));
  }
  return Expression::And(std::move(all));
}

std::vector<uint8_t> MayHoldMatches(const Expression& filter, const Schema& schema,
                                    const PartitionSpec& spec, const std::vector<Type>& types,
                                    const std::vector<const ManifestFile*>& manifests) {
  const Expression projected = ProjectOnPartition(filter, schema, spec);
  if (projected.IsTrue() || spec.fields.empty()) {
    return std::vector<uint8_t>(manifests.size(), 1);
  }
  // The same pruning as of files: each manifest stands for one whose columns are the partition
  // fields.
  Schema partitions;
  FileBatch batch;
  batch.size = static_cast<int64_t>(manifests.size());
  batch.record_count.assign(manifests.size(), 1);
  for (size_t i = 0; i < spec.fields.size(); ++i) {
    if (types[i].kind == TypeKind::kVoid) continue;
    partitions.fields.push_back(
        {.id = spec.fields[i].field_id, .name = spec.fields[i].name, .type = types[i]});
    BoundsColumns bounds{
        spec.fields[i].field_id, ValueColumn::Of(types[i]), ValueColumn::Of(types[i]), {}, {}};
    for (const ManifestFile* manifest : manifests) {
      const bool told = i < manifest->partitions.size();
      const FieldSummary summary = told ? manifest->partitions[i] : FieldSummary();
      bounds.lower.Append(Bound(types[i], summary.lower).value_or(Value()));
      bounds.upper.Append(Bound(types[i], summary.upper).value_or(Value()));
      // No bounds and nulls: nothing but nulls, unless there are NaN.
      const bool only_nulls = told && summary.contains_null && !summary.lower && !summary.upper &&
                              summary.contains_nan == false;
      bounds.null_count.push_back(!summary.contains_null ? 0 : only_nulls ? 1 : -1);
      bounds.nan_count.push_back(summary.contains_nan == false ? 0 : -1);
    }
    batch.bounds.push_back(std::move(bounds));
  }
  std::sort(batch.bounds.begin(), batch.bounds.end(),
            [](const auto& a, const auto& b) { return a.field_id < b.field_id; });
  return MayMatch(projected, partitions, PartitionSpec{}, batch);
}

}  // namespace tarn::iceberg
