#include "tarn/datafile/json_decoder.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/json_cursor.h"
#include "tarn/datafile/text_columns_internal.h"
#include "tarn/datafile/text_values.h"

namespace tarn {
namespace {

using Token = JsonCursor::Token;

// A field of the schema with the column its values go to.
struct Node {
  const Field* field = nullptr;
  const Node* parent = nullptr;
  TextColumn* column = nullptr;
  bool inferred = false;
  bool plain_name = false;  // the name is spelled in JSON as it is, so raw bytes can be compared
  std::vector<std::unique_ptr<Node>> children;  // members; element; key and value

  // Objects of this node seen so far, and for a member the last of its parent's that had it.
  uint64_t objects = 0;
  uint64_t seen_in = 0;
  std::string seen_as;  // the spelling that filled it last, where it was not the exact one
  // Names met that were not the predicted one: to the member, or -1.
  std::unordered_map<std::string, int32_t> spellings;

  // The name's first 16 bytes and which of them count: names are compared without a call.
  uint64_t name_words[2] = {0, 0};
  uint64_t name_masks[2] = {0, 0};

  const Type& type() const { return field->type; }
  // Whether `raw`, behind which at least 16 bytes can be read, is the plain name.
  bool IsSpelled(std::string_view raw) const {
    if (!plain_name || raw.size() != field->name.size()) return false;
    uint64_t words[2];
    std::memcpy(words, raw.data(), sizeof words);
    if ((((words[0] ^ name_words[0]) & name_masks[0]) |
         ((words[1] ^ name_words[1]) & name_masks[1])) != 0) {
      return false;
    }
    return raw.size() <= sizeof words || field->name == raw;
  }
  std::string Path() const {
    std::string path;
    for (const Node* node = this; node->parent != nullptr; node = node->parent) {
      path = path.empty() ? node->field->name : node->field->name + "." + path;
    }
    return path;
  }
};

bool IsPlainName(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) {
    return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
  });
}

// Whether an integer is small enough for a double to hold it and its neighbours apart.
bool IsExactDouble(std::string_view integer) {
  if (integer.size() < 16) return true;
  int64_t value = 0;
  return ParseInt64(integer, &value) == NumberOutcome::kOk && value <= kExactDoubleMax &&
         value >= -kExactDoubleMax;
}

constexpr size_t kSpellingsMax = 4096;

}  // namespace

struct JsonDecoder::State {
  Schema schema;
  Field root_field;
  JsonDecodeOptions options;
  std::shared_ptr<arrow::Schema> arrow_schema;
  std::unique_ptr<TextColumn> root_column;
  Node root;
  JsonLineWalker walker;
  JsonCursor* cursor = nullptr;

  // Of the block at hand.
  DecodedRows out;
  std::map<std::string, int64_t> unknown;
  int64_t line = 0;
  const Node* bad_node = nullptr;
  std::string reason;
  std::string scratch;

  Status Build(Node& node, TextColumn& column);
  void AddRow(int64_t line_number, std::string_view text);
  void AddBadRow(int64_t line_number, std::string_view text, const Node* node, std::string why);

  bool Bad(const Node& node, std::string why) {
    bad_node = &node;
    reason = std::move(why);
    return false;
  }
  // The cursor's complaint: the line is no JSON.
  bool BadSyntax() {
    bad_node = nullptr;
    reason = cursor->problem();
    return false;
  }
  bool Mismatch(const Node& node, const char* problem = nullptr) {
    std::string why = "expected " + TypeToText(node.type()) + ", got " + cursor->Describe();
    if (problem != nullptr) why += std::string(": ") + problem;
    return Bad(node, std::move(why));
  }

  bool Value(Node& node);
  bool Object(Node& node);
  bool Map(Node& node);
  bool List(Node& node);
  bool Text(Node& node);
  bool Number(Node& node, std::string_view raw, bool integer, bool quoted);
  bool Time(Node& node, std::string_view text);
  bool Bytes(Node& node, std::string_view text);
  bool Scalar(Node& node, Token token);
  Node* Lookup(Node& node, std::string_view raw);
  // The text of the string at hand, unescaped into `scratch` where that is needed.
  bool StringText(const Node& node, std::string_view* text);
  bool AllBadRowsKept() const {
    return static_cast<int64_t>(out.bad_rows.size()) < options.bad_rows_max;
  }
};

Status JsonDecoder::State::Build(Node& node, TextColumn& column) {
  node.column = &column;
  node.plain_name = IsPlainName(node.field->name);
  const size_t compared = std::min(node.field->name.size(), sizeof node.name_words);
  std::memcpy(node.name_words, node.field->name.data(), compared);
  std::memset(node.name_masks, 0xFF, compared);
  const Type& type = node.type();
  if (type.kind == TypeKind::kMap && type.fields[0].type.kind != TypeKind::kString) {
    return Unsupported("json: column " + node.Path() + ": a map's keys must be strings");
  }
  TextColumn* holder = type.kind == TypeKind::kMap ? &column.child(0) : &column;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    node.children.push_back(std::make_unique<Node>());
    Node& child = *node.children.back();
    child.field = &type.fields[i];
    child.parent = &node;
    child.inferred = node.field == &root_field ? i < options.inferred.size() && options.inferred[i]
                                               : node.inferred;
    TARN_RETURN_IF_ERROR(Build(child, holder->child(i)));
  }
  return {};
}

// ---- Names

Node* JsonDecoder::State::Lookup(Node& node, std::string_view raw) {
  const auto known = node.spellings.find(std::string(raw));
  if (known != node.spellings.end()) {
    return known->second < 0 ? nullptr : node.children[static_cast<size_t>(known->second)].get();
  }
  std::string name(raw.size(), '\0');
  size_t size = 0;
  if (!UnescapeJson(raw, name.data(), &size)) size = 0;  // matches nothing; Object refuses it
  name.resize(size);
  int32_t found = -1;
  for (size_t i = 0; i < node.children.size() && found < 0; ++i) {
    if (node.children[i]->field->name == name) found = static_cast<int32_t>(i);
  }
  for (size_t i = 0; i < node.children.size() && found < 0; ++i) {
    if (AsciiEqualsIgnoreCase(node.children[i]->field->name, name)) found = static_cast<int32_t>(i);
  }
  if (node.spellings.size() < kSpellingsMax) node.spellings.emplace(raw, found);
  return found < 0 ? nullptr : node.children[static_cast<size_t>(found)].get();
}

// ---- Values

bool JsonDecoder::State::Value(Node& node) {
  const Token token = cursor->token();
  if (token == Token::kNull) {
    if (!cursor->Literal(token)) return BadSyntax();
    if (node.field->required) return Bad(node, "NULL in a column that is NOT NULL");
    node.column->AppendNull();
    return true;
  }
  if (token == Token::kBad) {
    cursor->FailHere();
    return BadSyntax();
  }
  switch (node.type().kind) {
    case TypeKind::kStruct:
      return token == Token::kObject ? Object(node) : Mismatch(node);
    case TypeKind::kMap:
      return token == Token::kObject ? Map(node) : Mismatch(node);
    case TypeKind::kList:
      return token == Token::kArray ? List(node) : Mismatch(node);
    default:
      return Scalar(node, token);
  }
}

bool JsonDecoder::State::Object(Node& node) {
  cursor->Advance();
  const uint64_t object = ++node.objects;
  const size_t count = node.children.size();
  size_t expected = 0;  // members mostly come in the schema's order
  size_t seen = 0;
  if (!cursor->Take('}')) {
    for (;;) {
      std::string_view raw;
      if (!cursor->Key(&raw)) return BadSyntax();
      Node* child = expected < count ? node.children[expected].get() : nullptr;
      const bool predicted = child != nullptr && child->IsSpelled(raw);
      if (!predicted) child = Lookup(node, raw);
      if (child != nullptr) {
        if (child->seen_in == object) {
          return Bad(*child, child->field->name == raw && child->seen_as.empty()
                                 ? "the object has \"" + Shown(raw) + "\" twice"
                                 : "ambiguous: two members of the object mean this column, the "
                                   "second is \"" +
                                       Shown(raw) + "\"");
        }
        child->seen_in = object;
        if (!predicted && child->field->name != raw) {
          child->seen_as = raw;
        } else if (!child->seen_as.empty()) {
          child->seen_as.clear();
        }
        ++seen;
        if (!Value(*child)) return false;
        while (expected < count && node.children[expected]->seen_in == object) ++expected;
      } else {
        size_t unused = 0;
        scratch.resize(raw.size());
        if (!UnescapeJson(raw, scratch.data(), &unused)) {
          return Bad(node, "invalid JSON: a bad escape in a member's name");
        }
        std::string path = node.Path();
        if (!path.empty()) path += ".";
        path.append(scratch, 0, unused);
        unknown.emplace(std::move(path), line);
        if (!cursor->Skip()) return BadSyntax();
      }
      if (cursor->Take(',')) continue;
      if (cursor->Take('}')) break;
      cursor->FailHere();
      return BadSyntax();
    }
  }
  if (seen < count) {
    for (auto& child : node.children) {
      if (child->seen_in == object) continue;
      if (child->field->required) return Bad(*child, "missing, but the column is NOT NULL");
      child->column->AppendNull();
    }
  }
  node.column->AppendStruct();
  return true;
}

bool JsonDecoder::State::Map(Node& node) {
  cursor->Advance();
  TextColumn& entries = node.column->child(0);
  TextColumn& keys = entries.child(0);
  const int64_t begin = keys.length();
  std::set<std::string, std::less<>> large;  // the keys, once there are many
  if (!cursor->Take('}')) {
    for (;;) {
      std::string_view raw;
      if (!cursor->Key(&raw)) return BadSyntax();
      scratch.resize(raw.size());
      size_t size = 0;
      if (!UnescapeJson(raw, scratch.data(), &size)) {
        return Bad(node, "invalid JSON: a bad escape in a member's name");
      }
      const std::string_view key(scratch.data(), size);
      const int64_t count = keys.length() - begin;
      bool twice = false;
      if (count < 16) {
        for (int64_t i = begin; i < begin + count && !twice; ++i) twice = keys.BytesAt(i) == key;
      } else {
        if (large.empty()) {
          for (int64_t i = begin; i < begin + count; ++i) large.emplace(keys.BytesAt(i));
        }
        twice = !large.emplace(key).second;
      }
      if (twice) return Bad(node, "the object has \"" + Shown(key) + "\" twice");
      keys.AppendBytes(key);
      if (!Value(*node.children[1])) return false;
      entries.AppendStruct();
      if (cursor->Take(',')) continue;
      if (cursor->Take('}')) break;
      cursor->FailHere();
      return BadSyntax();
    }
  }
  node.column->AppendList();
  return true;
}

bool JsonDecoder::State::List(Node& node) {
  cursor->Advance();
  if (!cursor->Take(']')) {
    for (;;) {
      if (!Value(*node.children[0])) return false;
      if (cursor->Take(',')) continue;
      if (cursor->Take(']')) break;
      cursor->FailHere();
      return BadSyntax();
    }
  }
  node.column->AppendList();
  return true;
}

bool JsonDecoder::State::StringText(const Node& node, std::string_view* text) {
  std::string_view raw;
  if (!cursor->String(&raw)) return BadSyntax();
  if (std::memchr(raw.data(), '\\', raw.size()) == nullptr) {
    *text = raw;
    return true;
  }
  scratch.resize(raw.size());
  size_t size = 0;
  if (!UnescapeJson(raw, scratch.data(), &size)) {
    return Bad(node, "invalid JSON: a bad escape or a lone surrogate in a string");
  }
  *text = {scratch.data(), size};
  return true;
}

// A string straight into a string column.
bool JsonDecoder::State::Text(Node& node) {
  std::string_view raw;
  if (!cursor->String(&raw)) return BadSyntax();
  const auto size = static_cast<int64_t>(raw.size());
  char* const out_bytes = node.column->ReserveBytes(size);
  size_t used = raw.size();
  if (std::memchr(raw.data(), '\\', raw.size()) == nullptr) {
    std::memcpy(out_bytes, raw.data(), raw.size());
  } else if (!UnescapeJson(raw, out_bytes, &used)) {
    return Bad(node, "invalid JSON: a bad escape or a lone surrogate in a string");
  }
  node.column->FinishBytes(static_cast<int64_t>(used));
  return true;
}

bool JsonDecoder::State::Scalar(Node& node, Token token) {
  const TypeKind kind = node.type().kind;
  switch (kind) {
    case TypeKind::kString:
      return token == Token::kString ? Text(node) : Mismatch(node);
    case TypeKind::kBoolean:
      if (token != Token::kTrue && token != Token::kFalse) return Mismatch(node);
      if (!cursor->Literal(token)) return BadSyntax();
      node.column->AppendBoolean(token == Token::kTrue);
      return true;
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kDecimal: {
      std::string_view raw;
      bool integer = true;
      if (token == Token::kNumber) {
        const uint32_t before = cursor->mark();
        if (!cursor->Number(&raw, &integer)) return BadSyntax();
        if (node.inferred &&
            (kind == TypeKind::kDouble ? integer && !IsExactDouble(raw) : !integer)) {
          cursor->Return(before);
          return Mismatch(node);
        }
        return Number(node, raw, integer, /*quoted=*/false);
      }
      if (token != Token::kString || node.inferred) return Mismatch(node);
      const uint32_t before = cursor->mark();
      if (!StringText(node, &raw)) return false;
      if (Number(node, raw, /*integer=*/false, /*quoted=*/true)) return true;
      if (reason.empty()) {
        cursor->Return(before);
        return Mismatch(node);
      }
      return false;
    }
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs: {
      if (token != Token::kString) return Mismatch(node);
      std::string_view text;
      return StringText(node, &text) && Time(node, text);
    }
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid: {
      if (token != Token::kString) return Mismatch(node);
      std::string_view text;
      return StringText(node, &text) && Bytes(node, text);
    }
    case TypeKind::kVoid:
    case TypeKind::kVariant:
    case TypeKind::kStruct:
    case TypeKind::kList:
    case TypeKind::kMap:
      break;
  }
  return Mismatch(node);
}

// False with an empty `reason` when `raw` is no number at all.
bool JsonDecoder::State::Number(Node& node, std::string_view raw, bool integer, bool quoted) {
  const Type& type = node.type();
  NumberOutcome outcome = NumberOutcome::kOk;
  reason.clear();
  switch (type.kind) {
    case TypeKind::kDecimal: {
      Int128 unscaled = 0;
      outcome = ParseDecimal(raw, type.precision, type.scale, &unscaled);
      if (outcome == NumberOutcome::kOk) node.column->AppendFixed(unscaled);
      break;
    }
    case TypeKind::kDouble: {
      double value = 0;
      outcome = ParseDouble(raw, &value);
      if (outcome == NumberOutcome::kOk) node.column->AppendFixed(value);
      break;
    }
    case TypeKind::kFloat: {
      float value = 0;
      outcome = ParseFloat(raw, &value);
      if (outcome == NumberOutcome::kOk) node.column->AppendFixed(value);
      break;
    }
    default: {
      int64_t value = 0;
      if (integer && raw.size() <= 18) {  // cannot overflow
        const bool negative = raw[0] == '-';
        for (size_t i = negative ? 1 : 0; i < raw.size(); ++i) value = value * 10 + (raw[i] - '0');
        if (negative) value = -value;
      } else {
        outcome = ParseInt64(raw, &value);
      }
      if (outcome != NumberOutcome::kOk) break;
      if (type.kind == TypeKind::kInt64) {
        node.column->AppendFixed(value);
        break;
      }
      const int bits = type.kind == TypeKind::kInt32 ? 32 : type.kind == TypeKind::kInt16 ? 16 : 8;
      const int64_t limit = int64_t{1} << (bits - 1);
      if (value < -limit || value >= limit) {
        outcome = NumberOutcome::kPrecision;
      } else if (bits == 32) {
        node.column->AppendFixed(static_cast<int32_t>(value));
      } else if (bits == 16) {
        node.column->AppendFixed(static_cast<int16_t>(value));
      } else {
        node.column->AppendFixed(static_cast<int8_t>(value));
      }
      break;
    }
  }
  if (outcome == NumberOutcome::kOk) return true;
  if (outcome == NumberOutcome::kNotANumber && quoted) return false;
  return Bad(node, NumberReason(outcome, type, raw));
}

bool JsonDecoder::State::Time(Node& node, std::string_view text) {
  TimeProblem problem = nullptr;
  switch (node.type().kind) {
    case TypeKind::kDate: {
      int32_t days = 0;
      problem = ParseDate(text, &days);
      if (problem == nullptr) node.column->AppendFixed(days);
      break;
    }
    case TypeKind::kTime: {
      int64_t micros = 0;
      problem = ParseTime(text, &micros);
      if (problem == nullptr) node.column->AppendFixed(micros);
      break;
    }
    default: {
      const TypeKind kind = node.type().kind;
      const bool nanos = kind == TypeKind::kTimestampNs || kind == TypeKind::kTimestampTzNs;
      const bool zoned = kind == TypeKind::kTimestampTz || kind == TypeKind::kTimestampTzNs;
      ParsedTimestamp value;
      problem =
          ParseTimestamp(text, nanos ? TimestampUnit::kNanos : TimestampUnit::kMicros, &value);
      if (problem == nullptr && value.has_zone && !zoned) {
        problem = "an offset in a type without zone";
      }
      if (problem == nullptr) node.column->AppendFixed(value.ticks);
      break;
    }
  }
  if (problem == nullptr) return true;
  return Bad(node, "expected " + TypeToText(node.type()) + ", got string \"" + Shown(text) +
                       "\": " + problem);
}

bool JsonDecoder::State::Bytes(Node& node, std::string_view text) {
  Result<tarn::Value> value = ParseValue(node.type(), text);
  if (!value.ok()) return Bad(node, value.error().message);
  const std::string& bytes = std::get<std::string>(value.value());
  if (node.type().kind == TypeKind::kBinary) {
    node.column->AppendBytes(bytes);
  } else {
    node.column->AppendFixedBytes(bytes);
  }
  return true;
}

// ---- Rows

void JsonDecoder::State::AddRow(int64_t line_number, std::string_view text) {
  line = line_number + 1;
  const int64_t rows = root_column->length();
  bool good = false;
  if (cursor->token() != Token::kObject) {
    if (cursor->token() == Token::kBad) {
      cursor->FailHere();
      BadSyntax();
    } else {
      bad_node = nullptr;
      reason = "expected an object, got " + cursor->Describe();
    }
  } else if (Object(root)) {
    good = !cursor->within_line();
    if (!good) {
      cursor->FailHere();
      BadSyntax();
    } else if (root_column->length() != rows + 1) {
      good = false;
    }
  }
  if (good) {
    out.row_lines.push_back(static_cast<int32_t>(line));
    return;
  }
  root_column->Truncate(rows);
  AddBadRow(line_number, text, bad_node, std::move(reason));
  reason.clear();
}

void JsonDecoder::State::AddBadRow(int64_t line_number, std::string_view text, const Node* node,
                                   std::string why) {
  constexpr size_t kRawBytesMax = 4096;
  ++out.bad_rows_total;
  if (!AllBadRowsKept()) return;
  out.bad_rows.push_back({line_number + 1, node == nullptr ? std::string() : node->Path(),
                          std::move(why), std::string(text.substr(0, kRawBytesMax))});
}

JsonDecoder::JsonDecoder(std::unique_ptr<State> state) : state_(std::move(state)) {}
JsonDecoder::~JsonDecoder() = default;

Result<std::unique_ptr<JsonDecoder>> JsonDecoder::Make(const Schema& schema,
                                                       JsonDecodeOptions options) {
  auto state = std::make_unique<State>();
  state->schema = schema;
  state->options = std::move(options);
  state->root_field.type = Type::Struct(schema.fields);
  TARN_ASSIGN_OR_RETURN(state->arrow_schema, ToArrow(schema));
  state->root_column = std::make_unique<TextColumn>(state->root_field.type,
                                                    arrow::struct_(state->arrow_schema->fields()));
  state->root.field = &state->root_field;
  TARN_RETURN_IF_ERROR(state->Build(state->root, *state->root_column));
  state->cursor = &state->walker.cursor();
  return std::unique_ptr<JsonDecoder>(new JsonDecoder(std::move(state)));
}

Result<DecodedRows> JsonDecoder::Decode(std::string_view block) {
  State& state = *state_;
  state.out = {};
  state.unknown.clear();
  state.out.lines = state.walker.Walk(
      block, [&state](int64_t line, std::string_view text) { state.AddRow(line, text); },
      [&state](int64_t line, std::string_view text, const char* why) {
        state.AddBadRow(line, text, nullptr, std::string("invalid JSON: ") + why);
      });
  for (auto& [path, line] : state.unknown) state.out.unknown_columns.push_back({path, line});
  const int64_t rows = state.root_column->length();
  std::shared_ptr<arrow::ArrayData> data = state.root_column->Finish();
  state.out.batch = arrow::RecordBatch::Make(state.arrow_schema, rows, data->child_data);
  return std::move(state.out);
}

}  // namespace tarn
