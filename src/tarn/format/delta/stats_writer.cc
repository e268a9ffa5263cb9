#include "tarn/format/delta/stats_writer.h"

#include <algorithm>
#include <cmath>

#include "tarn/base/json_text.h"
#include "tarn/base/text.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {
namespace {

constexpr int64_t kFirstDay = -719162;  // 0001-01-01
constexpr int64_t kLastDay = 2932896;   // 9999-12-31
constexpr int64_t kDayMicros = int64_t{24} * 3600 * 1000000;

// Appends a bound as JSON; false, appending nothing, when it may not be one.
bool AppendBound(std::string& out, const Type& type, const Value& value) {
  switch (type.kind) {
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      if (const auto* number = std::get_if<int64_t>(&value)) {
        out += std::to_string(*number);
        return true;
      }
      return false;
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      if (const auto* number = std::get_if<double>(&value); number && std::isfinite(*number)) {
        out += FloatingToText(TypeKind::kDouble, *number);
        return true;
      }
      return false;
    case TypeKind::kDecimal:
      if (const auto* number = std::get_if<Int128>(&value)) {
        out += DecimalToText(*number, type.scale);
        return true;
      }
      return false;
    case TypeKind::kDate:
      if (const auto* days = std::get_if<int64_t>(&value);
          days && *days >= kFirstDay && *days <= kLastDay) {
        out += '"' + DateToText(*days) + '"';
        return true;
      }
      return false;
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      if (const auto* micros = std::get_if<int64_t>(&value);
          micros && *micros >= kFirstDay * kDayMicros && *micros < (kLastDay + 1) * kDayMicros) {
        out += '"' + TimestampToText(*micros, 'T');
        out += type.kind == TypeKind::kTimestampTz ? "Z\"" : "\"";
        return true;
      }
      return false;
    case TypeKind::kString:
      if (const auto* text = std::get_if<std::string>(&value); text && IsUtf8(*text)) {
        AppendJsonString(*text, out);
        return true;
      }
      return false;
    default:
      return false;
  }
}

}  // namespace

struct StatsWriter::Entry {
  const Leaf* leaf;
  const ColumnStatistics* statistics;
};

StatsWriter::StatsWriter(const Schema& schema) {
  std::vector<std::string_view> path;
  AddLeaves(schema.fields, path);
}

void StatsWriter::AddLeaves(const std::vector<Field>& fields, std::vector<std::string_view>& path) {
  for (const Field& field : fields) {
    path.push_back(field.file_name());
    if (field.type.kind == TypeKind::kStruct) {
      AddLeaves(field.type.fields, path);
    } else if (field.type.kind != TypeKind::kVoid) {
      // Lists and maps too: they have null counts, no bounds.
      leaves_.emplace(field.id, Leaf{leaves_.size(), &field.type, path});
    }
    path.pop_back();
  }
}

void StatsWriter::AppendTree(std::string& out, const std::vector<Entry>& entries,
                             std::string_view member,
                             bool (*append_value)(std::string&, const Entry&)) const {
  std::string tree;
  std::string value;
  std::vector<std::string_view> open;  // structs whose object is not closed yet
  for (const Entry& entry : entries) {
    value.clear();
    if (!append_value(value, entry)) continue;
    const auto& path = entry.leaf->path;
    size_t common = 0;
    while (common < open.size() && common + 1 < path.size() && open[common] == path[common]) {
      ++common;
    }
    tree.append(open.size() - common, '}');
    open.resize(common);
    if (!tree.empty()) tree += ',';
    for (size_t i = common; i + 1 < path.size(); ++i) {
      AppendJsonString(path[i], tree);
      tree += ":{";
      open.push_back(path[i]);
    }
    AppendJsonString(path.back(), tree);
    tree += ':';
    tree += value;
  }
  if (tree.empty()) return;
  tree.append(open.size(), '}');
  if (out.size() > 1) out += ',';
  out += '"';
  out += member;
  out += "\":{";
  out += tree;
  out += '}';
}

std::optional<std::string> StatsWriter::ToJson(const DataFile& file) const {
  std::vector<Entry> entries;
  entries.reserve(file.statistics.size());
  for (const ColumnStatistics& statistics : file.statistics) {
    const auto leaf = leaves_.find(statistics.field_id);
    if (leaf != leaves_.end()) entries.push_back({&leaf->second, &statistics});
  }
  if (file.record_count < 0 && entries.empty()) return std::nullopt;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.leaf->order < b.leaf->order; });

  std::string out = "{";
  if (file.record_count >= 0) out += "\"numRecords\":" + std::to_string(file.record_count);
  if (!file.tight_bounds) {
    if (out.size() > 1) out += ',';
    out += "\"tightBounds\":false";
  }
  AppendTree(out, entries, "minValues", [](std::string& text, const Entry& entry) {
    return entry.statistics->lower &&
           AppendBound(text, *entry.leaf->type, *entry.statistics->lower);
  });
  AppendTree(out, entries, "maxValues", [](std::string& text, const Entry& entry) {
    const ColumnStatistics& statistics = *entry.statistics;
    // NaN is greater than every number, so without a count of none there is no upper bound.
    if (entry.leaf->type->IsFloating() && statistics.nan_count != int64_t{0}) return false;
    return statistics.upper && AppendBound(text, *entry.leaf->type, *statistics.upper);
  });
  AppendTree(out, entries, "nullCount", [](std::string& text, const Entry& entry) {
    if (entry.statistics->null_count) text = std::to_string(*entry.statistics->null_count);
    return entry.statistics->null_count.has_value();
  });
  AppendTree(out, entries, "nanCount", [](std::string& text, const Entry& entry) {
    if (!entry.leaf->type->IsFloating() || !entry.statistics->nan_count) return false;
    text = std::to_string(*entry.statistics->nan_count);
    return true;
  });
  out += '}';
  return out;
}

std::string WithWideBounds(std::string_view stats) {
  const size_t begin = stats.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || stats[begin] != '{') return std::string(stats);
  // Where the value of the outermost object's own tightBounds stands: a column may have that name.
  constexpr std::string_view kKey = "tightBounds";
  int depth = 0;
  for (size_t at = begin; at < stats.size(); ++at) {
    const char c = stats[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c != '"') continue;
    size_t end = at + 1;
    while (end < stats.size() && stats[end] != '"') end += stats[end] == '\\' ? 2 : 1;
    if (end >= stats.size()) return std::string(stats);
    const bool is_key = depth == 1 && stats.substr(at + 1, end - at - 1) == kKey;
    at = end;
    if (!is_key) continue;
    const size_t value = stats.find_first_not_of(": \t\r\n", end + 1);
    const size_t after = stats.find_first_of(",} \t\r\n", value);
    if (value == std::string_view::npos || after == std::string_view::npos) break;
    return std::string(stats.substr(0, value)) + "false" + std::string(stats.substr(after));
  }
  const bool empty = stats.find_first_not_of(" \t\r\n", begin + 1) == stats.rfind('}');
  return std::string(stats.substr(0, begin + 1)) + "\"tightBounds\":false" + (empty ? "" : ",") +
         std::string(stats.substr(begin + 1));
}

}  // namespace tarn::delta
