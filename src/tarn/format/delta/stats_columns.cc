#include "tarn/format/delta/stats_columns.h"

#include <set>
#include <string>
#include <string_view>

#include "tarn/base/text.h"

namespace tarn::delta {
namespace {

struct Candidate {
  int32_t id;
  int64_t bytes;  // of its statistics in one add, about
};

bool HasBounds(TypeKind kind) {
  return kind != TypeKind::kBoolean && kind != TypeKind::kBinary && kind != TypeKind::kList &&
         kind != TypeKind::kMap;
}

// Lists and maps would have a null count only, and a writer cannot tell it from the counts of their
// leaves.
bool CanHaveStatistics(const Type& type) {
  return type.kind != TypeKind::kVoid && type.kind != TypeKind::kList &&
         type.kind != TypeKind::kMap && type.kind != TypeKind::kVariant;
}

int64_t EstimateBytes(const Field& field, size_t depth_bytes) {
  const auto name = static_cast<int64_t>(field.file_name().size() + depth_bytes + 8);
  const int64_t value = !HasBounds(field.type.kind)            ? 0
                        : field.type.kind == TypeKind::kString ? 40
                        : field.type.IsTimestamp()             ? 30
                                                               : 12;
  return HasBounds(field.type.kind) ? 3 * name + 2 * value : name;
}

void Collect(const std::vector<Field>& fields, const std::set<int32_t>& partition_ids,
             size_t depth_bytes, std::vector<Candidate>& out) {
  for (const Field& field : fields) {
    if (partition_ids.contains(field.id)) continue;
    if (field.type.kind == TypeKind::kStruct) {
      Collect(field.type.fields, partition_ids, depth_bytes + field.file_name().size() + 6, out);
    } else if (CanHaveStatistics(field.type)) {
      out.push_back({field.id, EstimateBytes(field, depth_bytes)});
    }
  }
}

// "a,b.c,`x,y`": split at commas outside backticks, spaces around the names dropped.
std::vector<std::string> SplitColumns(std::string_view text) {
  std::vector<std::string> parts(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '`') quoted = !quoted;
    if (c == ',' && !quoted) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  std::vector<std::string> names;
  for (const std::string& part : parts) {
    const size_t begin = part.find_first_not_of(' ');
    if (begin == std::string::npos) continue;
    names.push_back(part.substr(begin, part.find_last_not_of(' ') - begin + 1));
  }
  return names;
}

Result<std::vector<int32_t>> NamedIds(const TableMetadata& metadata, std::string_view list,
                                      const std::set<int32_t>& partition_ids) {
  std::set<int32_t> wanted;
  for (const std::string& name : SplitColumns(list)) {
    const Field* field = metadata.schema.FindByPath(name);
    if (field == nullptr) {
      return Invalid("delta: 'delta.dataSkippingStatsColumns' names '" + name +
                     "', which is no column of the table");
    }
    std::vector<Candidate> leaves;
    Collect({*field}, partition_ids, 0, leaves);
    if (leaves.empty() && !partition_ids.contains(field->id)) {
      return Invalid("delta: 'delta.dataSkippingStatsColumns' names '" + name + "' of type " +
                     TypeToText(field->type) + ", which has no statistics");
    }
    for (const Candidate& leaf : leaves) wanted.insert(leaf.id);
  }
  std::vector<Candidate> all;
  Collect(metadata.schema.fields, partition_ids, 0, all);
  std::vector<int32_t> ids;
  for (const Candidate& candidate : all) {
    if (wanted.contains(candidate.id)) ids.push_back(candidate.id);
  }
  return ids;
}

}  // namespace

Result<std::vector<int32_t>> StatisticsIds(const TableMetadata& metadata,
                                           const TableProperties& properties) {
  std::set<int32_t> partition_ids;
  for (const PartitionField& field : metadata.default_spec().fields) {
    partition_ids.insert(field.source_id);
  }
  if (properties.stats_columns) {
    return NamedIds(metadata, *properties.stats_columns, partition_ids);
  }
  std::vector<Candidate> all;
  Collect(metadata.schema.fields, partition_ids, 0, all);
  std::vector<int32_t> ids;
  int64_t bytes = 0;
  for (const Candidate& candidate : all) {
    if (properties.indexed_columns) {
      const int64_t most = *properties.indexed_columns;
      if (most >= 0 && static_cast<int64_t>(ids.size()) >= most) break;
    } else {
      bytes += candidate.bytes;
      if (bytes > kStatsBudgetBytes) break;
    }
    ids.push_back(candidate.id);
  }
  return ids;
}

}  // namespace tarn::delta
