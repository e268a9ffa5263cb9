#include "tarn/model/spec_evolution.h"

#include <algorithm>
#include <utility>

#include "tarn/base/text.h"

namespace tarn {

std::string PartitionFieldName(const PartitionField& field, std::string_view column) {
  std::string name(column);
  switch (field.transform) {
    case TransformKind::kIdentity:
      return name;
    case TransformKind::kBucket:
      return name + "_bucket_" + std::to_string(field.parameter);
    case TransformKind::kTruncate:
      return name + "_trunc_" + std::to_string(field.parameter);
    default:
      return name + "_" + TransformToText(field);
  }
}

bool SameTransform(const PartitionField& a, const PartitionField& b) {
  return a.source_id == b.source_id && a.transform == b.transform && a.parameter == b.parameter;
}

std::optional<size_t> FindPartitionField(const PartitionSpec& spec, std::string_view name) {
  for (const bool exactly : {true, false}) {
    for (size_t i = 0; i < spec.fields.size(); ++i) {
      if (spec.fields[i].transform == TransformKind::kVoid) continue;
      const std::string& known = spec.fields[i].name;
      if (exactly ? known == name : AsciiEqualsIgnoreCase(known, name)) return i;
    }
  }
  return std::nullopt;
}

std::optional<size_t> FindPartitionField(const PartitionSpec& spec, const PartitionField& like) {
  const auto found =
      std::find_if(spec.fields.begin(), spec.fields.end(), [&](const PartitionField& field) {
        return field.transform != TransformKind::kVoid && SameTransform(field, like);
      });
  if (found == spec.fields.end()) return std::nullopt;
  return static_cast<size_t>(found - spec.fields.begin());
}

Result<PartitionSpec> WithPartitionField(PartitionSpec spec, const Schema& schema,
                                         PartitionField field, std::optional<size_t> place) {
  const Field* source = schema.FindById(field.source_id);
  if (source == nullptr) return Invalid("partition field '" + field.name + "': no such column");
  if (field.name.empty()) field.name = PartitionFieldName(field, source->name);
  if (!StepsThroughStructs(schema, field.source_id)) {
    return Invalid("partition field '" + field.name + "': its column lies in a list or map");
  }
  TARN_RETURN_IF_ERROR(TransformedType(field, source->type));
  if (const auto same = FindPartitionField(spec, field)) {
    return AlreadyExists("the table is partitioned so already, by '" + spec.fields[*same].name +
                         "'");
  }
  if (FindPartitionField(spec, field.name)) {
    return AlreadyExists("a partition field is called '" + field.name +
                         "'; give the new one another name: … AS name");
  }
  for (PartitionField& gone : spec.fields) {
    if (AsciiEqualsIgnoreCase(gone.name, field.name)) {
      gone.name += "_" + std::to_string(gone.field_id);
    }
  }
  const auto column = schema.IndexOf(field.name);
  const bool own = field.transform == TransformKind::kIdentity && column &&
                   schema.fields[*column].id == field.source_id;
  if (column && !own) {
    return Invalid("a column is called '" + field.name +
                   "'; give the partition field another name: … AS name");
  }
  field.field_id = 0;
  const size_t at = std::min(place.value_or(spec.fields.size()), spec.fields.size());
  spec.fields.insert(spec.fields.begin() + static_cast<std::ptrdiff_t>(at), std::move(field));
  return spec;
}

}  // namespace tarn
