#include "tarn/format/delta/stats_reader.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "tarn/datafile/json_cursor.h"
#include "tarn/datafile/json_index.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {
namespace {

using Token = JsonCursor::Token;

constexpr int64_t kMicrosPerMilli = 1000;
constexpr size_t kWritersKeep = 32;

void CollectLeaves(const std::vector<Field>& fields, std::vector<std::string>& path,
                   std::vector<StatsFields::Field>& leaves) {
  for (const Field& field : fields) {
    path.push_back(field.file_name());
    if (field.type.kind == TypeKind::kStruct) {
      CollectLeaves(field.type.fields, path, leaves);
    } else if (!field.type.IsNested() && field.type.kind != TypeKind::kVoid) {
      leaves.push_back({field.id, field.type, path});
    }
    path.pop_back();
  }
}

enum class Side : uint8_t { kLower, kUpper };

// The bound in `text`, which stood in quotes, or as a bare token.
Value BoundFromText(const Type& type, std::string_view text, bool quoted, Side side) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      if (quoted) return {};
      if (text == "true") return true;
      if (text == "false") return false;
      return {};
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
      if (const auto number = ParseInteger(text);
          !quoted && number && FitsInteger(type.kind, *number)) {
        return *number;
      }
      return {};
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      if (const auto number = ParseFloating(type.kind, text); number && !std::isnan(*number)) {
        return *number;
      }
      return {};
    case TypeKind::kDecimal:
      if (const auto number = ParseDecimal(text, type.precision, type.scale)) return *number;
      return {};
    case TypeKind::kDate:
      if (const auto days = ParseDate(text); quoted && days) return *days;
      return {};
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      if (const auto micros = ParseTimestamp(text); quoted && micros) {
        return side == Side::kLower ? WidenLowerMicros(*micros) : WidenUpperMicros(*micros);
      }
      return {};
    case TypeKind::kString:
      if (quoted) return std::string(text);
      return {};
    default:
      // Binary: writers disagree on how bytes become text. Variant: bounds of paths inside.
      return {};
  }
}

// The wanted leaves by their path, so that statistics are walked once.
struct Node {
  std::string name;
  int32_t field = -1;  // index of a leaf
  std::vector<Node> children;

  const Node* Find(std::string_view key) const {
    for (const Node& child : children) {
      if (child.name == key) return &child;
    }
    return nullptr;
  }
};

Node MakeTree(const StatsFields& wanted) {
  Node root;
  for (size_t i = 0; i < wanted.fields().size(); ++i) {
    Node* at = &root;
    for (const std::string& part : wanted.fields()[i].path) {
      auto child = std::find_if(at->children.begin(), at->children.end(),
                                [&](const Node& node) { return node.name == part; });
      if (child == at->children.end()) {
        at->children.push_back({part, -1, {}});
        child = std::prev(at->children.end());
      }
      at = &*child;
    }
    at->field = static_cast<int32_t>(i);
  }
  return root;
}

}  // namespace

StatsFields::StatsFields(const Schema& schema, std::vector<int32_t> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  if (ids.empty()) return;
  fields_ = All(schema).fields_;
  std::erase_if(fields_, [&](const Field& field) {
    return !std::binary_search(ids.begin(), ids.end(), field.id);
  });
}

StatsFields StatsFields::All(const Schema& schema) {
  StatsFields all;
  std::vector<std::string> path;
  CollectLeaves(schema.fields, path, all.fields_);
  std::sort(all.fields_.begin(), all.fields_.end(),
            [](const Field& a, const Field& b) { return a.id < b.id; });
  return all;
}

void FileStats::Reset(size_t count) {
  record_count = -1;
  tight = true;
  fields.assign(count, FieldStats{});
}

void FileStats::ApplyWideBounds() {
  if (tight) return;
  for (FieldStats& field : fields) {
    if (field.null_count != 0 && field.null_count != record_count) field.null_count = -1;
    if (field.nan_count != 0) field.nan_count = -1;
  }
}

int64_t WidenLowerMicros(int64_t micros) {
  if (micros >= 0 || micros % kMicrosPerMilli != 0) return micros;
  return micros < INT64_MIN + kMicrosPerMilli ? micros : micros - (kMicrosPerMilli - 1);
}

int64_t WidenUpperMicros(int64_t micros) {
  if (micros % kMicrosPerMilli != 0) return micros;
  return micros > INT64_MAX - kMicrosPerMilli ? micros : micros + (kMicrosPerMilli - 1);
}

bool MayBeTruncated(const Type& type, const Value& bound) {
  if (type.kind != TypeKind::kString) return false;
  const auto* text = std::get_if<std::string>(&bound);
  if (text == nullptr || text->size() < kWritersKeep) return false;
  const auto code_points = std::count_if(text->begin(), text->end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  });
  return code_points >= static_cast<int64_t>(kWritersKeep);
}

std::vector<ColumnStatistics> ToColumnStatistics(const StatsFields& wanted,
                                                 const FileStats& stats) {
  std::vector<ColumnStatistics> columns;
  for (size_t i = 0; i < wanted.fields().size(); ++i) {
    const StatsFields::Field& field = wanted.fields()[i];
    const FieldStats& known = stats.fields[i];
    if (known.null_count < 0 && known.nan_count < 0 && IsNull(known.lower) && IsNull(known.upper)) {
      continue;
    }
    ColumnStatistics column{.field_id = field.id};
    if (stats.record_count >= 0) column.value_count = stats.record_count;
    if (known.null_count >= 0) column.null_count = known.null_count;
    if (known.nan_count >= 0) column.nan_count = known.nan_count;
    if (!IsNull(known.lower)) column.lower = known.lower;
    if (!IsNull(known.upper)) column.upper = known.upper;
    column.lower_exact = !field.type.IsTimestamp() && !MayBeTruncated(field.type, known.lower);
    column.upper_exact = !field.type.IsTimestamp() && !MayBeTruncated(field.type, known.upper);
    columns.push_back(std::move(column));
  }
  return columns;
}

struct StatsReader::Parts {
  explicit Parts(const StatsFields& fields) : wanted(fields), tree(MakeTree(fields)) {}

  const StatsFields& wanted;
  const Node tree;
  JsonIndex index;
  JsonCursor cursor;
  std::string key_text;
  std::string value_text;

  enum class Member : uint8_t { kLower, kUpper, kNulls, kNans };

  // Takes what the tree wants out of one member's object. False once the text is no JSON.
  bool Walk(const Node& node, Member member, FileStats& into) {
    if (cursor.token() != Token::kObject) return cursor.Skip();  // wrong type: unknown
    return cursor.Object([&](std::string_view raw) {
      std::string_view key;
      if (!UnescapeJson(raw, key_text, &key)) return false;
      const Node* child = node.Find(key);
      return child == nullptr ? cursor.Skip() : Take(*child, member, into);
    });
  }

  bool Take(const Node& node, Member member, FileStats& into) {
    const Token token = cursor.token();
    if (token == Token::kObject && !node.children.empty()) return Walk(node, member, into);
    if (token == Token::kObject || token == Token::kArray || node.field < 0) return cursor.Skip();
    const auto at = static_cast<size_t>(node.field);
    FieldStats& stats = into.fields[at];
    if (member == Member::kNulls || member == Member::kNans) {
      return Count(member == Member::kNulls ? &stats.null_count : &stats.nan_count);
    }
    Value& bound = member == Member::kLower ? stats.lower : stats.upper;
    const Side side = member == Member::kLower ? Side::kLower : Side::kUpper;
    const Type& type = wanted.fields()[at].type;
    std::string_view text;
    if (token == Token::kString) {
      std::string_view raw;
      if (!cursor.String(&raw) || !UnescapeJson(raw, value_text, &text)) return false;
      bound = BoundFromText(type, text, true, side);
      return true;
    }
    if (!cursor.Skip(&text)) return false;
    if (token != Token::kNull) bound = BoundFromText(type, text, false, side);
    return true;
  }

  // A count into `into`; anything else leaves it.
  bool Count(int64_t* into) {
    const bool number = cursor.token() == Token::kNumber;
    std::string_view text;
    if (!cursor.Skip(&text)) return false;
    const std::optional<int64_t> count = number ? ParseInteger(text) : std::nullopt;
    if (count && *count >= 0) *into = *count;
    return true;
  }

  void Read(std::string_view text, FileStats& into) {
    if (index.Build(text) != nullptr) return;
    cursor.AttachLine(text, index);
    if (cursor.token() != Token::kObject) return;
    cursor.Object([&](std::string_view key) {
      if (key == "numRecords") {
        // What follows is of no interest where no column is; writers put the count first.
        return Count(&into.record_count) && !wanted.fields().empty();
      }
      if (key == "tightBounds") {
        if (cursor.token() == Token::kFalse) into.tight = false;
        return cursor.Skip();
      }
      if (key == "minValues") return Walk(tree, Member::kLower, into);
      if (key == "maxValues") return Walk(tree, Member::kUpper, into);
      if (key == "nullCount") return Walk(tree, Member::kNulls, into);
      if (key == "nanCount") return Walk(tree, Member::kNans, into);
      return cursor.Skip();
    });
  }
};

StatsReader::StatsReader(const StatsFields& wanted) : parts_(std::make_unique<Parts>(wanted)) {}
StatsReader::~StatsReader() = default;

void StatsReader::Read(std::string_view json, FileStats& into) {
  padded_.assign(json);
  padded_.append(JsonIndex::kPadding, '\0');
  ReadPadded(std::string_view(padded_).substr(0, json.size()), into);
}

void StatsReader::ReadPadded(std::string_view json, FileStats& into) {
  into.Reset(parts_->wanted.fields().size());
  parts_->Read(json, into);
  into.ApplyWideBounds();
}

}  // namespace tarn::delta
