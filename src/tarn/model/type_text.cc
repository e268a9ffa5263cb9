// The text of a type, both ways.

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/model/type_parser_internal.h"
#include "tarn/model/types.h"

namespace tarn {
namespace {

struct ScalarName {
  std::string_view name;
  TypeKind kind;
};

// The first name of a kind is the one printed.
constexpr ScalarName kScalarNames[] = {
    {"boolean", TypeKind::kBoolean},
    {"bool", TypeKind::kBoolean},
    {"int8", TypeKind::kInt8},
    {"tinyint", TypeKind::kInt8},
    {"byte", TypeKind::kInt8},
    {"int16", TypeKind::kInt16},
    {"smallint", TypeKind::kInt16},
    {"short", TypeKind::kInt16},
    {"int32", TypeKind::kInt32},
    {"int", TypeKind::kInt32},
    {"integer", TypeKind::kInt32},
    {"int64", TypeKind::kInt64},
    {"bigint", TypeKind::kInt64},
    {"long", TypeKind::kInt64},
    {"float", TypeKind::kFloat},
    {"real", TypeKind::kFloat},
    {"float32", TypeKind::kFloat},
    {"float4", TypeKind::kFloat},
    {"double", TypeKind::kDouble},
    {"float64", TypeKind::kDouble},
    {"float8", TypeKind::kDouble},
    {"date", TypeKind::kDate},
    {"time", TypeKind::kTime},
    {"timestamp_ntz", TypeKind::kTimestamp},
    {"timestamp", TypeKind::kTimestampTz},
    {"timestamptz", TypeKind::kTimestampTz},
    {"timestamp_ltz", TypeKind::kTimestampTz},
    {"timestamp_ns_ntz", TypeKind::kTimestampNs},
    {"timestamp_ns", TypeKind::kTimestampNs},
    {"timestamptz_ns", TypeKind::kTimestampTzNs},
    {"string", TypeKind::kString},
    {"varchar", TypeKind::kString},
    {"text", TypeKind::kString},
    {"binary", TypeKind::kBinary},
    {"blob", TypeKind::kBinary},
    {"bytea", TypeKind::kBinary},
    {"varbinary", TypeKind::kBinary},
    {"uuid", TypeKind::kUuid},
    {"variant", TypeKind::kVariant},
    {"void", TypeKind::kVoid},
};

bool IsPlainName(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) return false;
  for (char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && (c & 0x80) == 0)
      return false;
  }
  return true;
}

std::string QuotedName(std::string_view name) {
  if (IsPlainName(name)) return std::string(name);
  std::string quoted = "`";
  for (char c : name) {
    if (c == '`') quoted += '`';
    quoted += c;
  }
  return quoted + "`";
}

}  // namespace

std::string TypeToText(const Type& type) {
  switch (type.kind) {
    case TypeKind::kDecimal:
      return fmt::format("decimal({},{})", type.precision, type.scale);
    case TypeKind::kFixed:
      return fmt::format("fixed({})", type.length);
    case TypeKind::kStruct: {
      std::string text = "struct<";
      for (const Field& field : type.fields) {
        if (text.back() != '<') text += ", ";
        text += QuotedName(field.name) + ": " + TypeToText(field.type);
        if (field.required) text += " not null";
      }
      return text + ">";
    }
    case TypeKind::kList:
      return "list<" + TypeToText(type.fields[0].type) +
             (type.fields[0].required ? " not null" : "") + ">";
    case TypeKind::kMap:
      return "map<" + TypeToText(type.fields[0].type) + ", " + TypeToText(type.fields[1].type) +
             (type.fields[1].required ? " not null" : "") + ">";
    default:
      for (const ScalarName& scalar : kScalarNames) {
        if (scalar.kind == type.kind) return std::string(scalar.name);
      }
      return "void";
  }
}

void TypeParser::SkipSpace() {
  while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
}

bool TypeParser::AtEnd() {
  SkipSpace();
  return at_ == text_.size();
}

bool TypeParser::Accept(char c) {
  SkipSpace();
  if (at_ == text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool TypeParser::AcceptWord(std::string_view word) {
  SkipSpace();
  const size_t begin = at_;
  if (AsciiEqualsIgnoreCase(Word(), word)) return true;
  at_ = begin;
  return false;
}

Error TypeParser::Unexpected(std::string_view wanted) {
  SkipSpace();
  return Invalid(fmt::format(
      "type '{}': expected {} at character {}{}", text_, wanted, at_ + 1,
      at_ < text_.size() ? fmt::format(", got '{}'", text_.substr(at_, 12)) : ", got the end"));
}

std::string_view TypeParser::Word() {
  SkipSpace();
  const size_t begin = at_;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_' && (c & 0x80) == 0) break;
    ++at_;
  }
  return text_.substr(begin, at_ - begin);
}

Result<std::string> TypeParser::Name() {
  SkipSpace();
  if (at_ < text_.size() && (text_[at_] == '`' || text_[at_] == '"')) {
    const char quote = text_[at_++];
    std::string name;
    while (at_ < text_.size()) {
      if (text_[at_] == quote) {
        if (at_ + 1 < text_.size() && text_[at_ + 1] == quote)
          ++at_;  // doubled: the quote itself
        else
          break;
      }
      name += text_[at_++];
    }
    if (at_ == text_.size()) return Unexpected("a closing quote");
    ++at_;
    return name;
  }
  const std::string_view word = Word();
  if (word.empty()) return Unexpected("a name");
  return std::string(word);
}

Result<int32_t> TypeParser::Number() {
  SkipSpace();
  int64_t number = 0;
  const size_t begin = at_;
  while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 &&
         number < 1'000'000) {
    number = number * 10 + (text_[at_++] - '0');
  }
  if (at_ == begin) return Unexpected("a number");
  return static_cast<int32_t>(number);
}

Result<Type> TypeParser::ParseDecimal() {
  Type type = Type::Decimal(10, 0);
  if (Accept('(')) {
    TARN_ASSIGN_OR_RETURN(type.precision, Number());
    if (Accept(',')) {
      TARN_ASSIGN_OR_RETURN(type.scale, Number());
    }
    if (!Accept(')')) return Unexpected("')'");
  }
  if (type.precision < 1 || type.precision > 38 || type.scale > type.precision) {
    return Invalid(fmt::format("decimal({},{}): precision is 1 to 38, scale 0 to precision",
                               type.precision, type.scale));
  }
  return type;
}

Result<Type> TypeParser::ParseStruct() {
  const char close = Accept('<') ? '>' : (Accept('(') ? ')' : '\0');
  if (close == '\0') return Unexpected("'<'");
  std::vector<Field> members;
  if (Accept(close)) return Type::Struct({});
  do {
    Field member;
    TARN_ASSIGN_OR_RETURN(member.name, Name());
    Accept(':');
    TARN_ASSIGN_OR_RETURN(member.type, ParseType());
    TARN_ASSIGN_OR_RETURN(member.required, ParseNotNull());
    members.push_back(std::move(member));
  } while (Accept(','));
  if (!Accept(close)) return Unexpected(fmt::format("',' or '{}'", close));
  return Type::Struct(std::move(members));
}

Result<bool> TypeParser::ParseNotNull() {
  if (!AcceptWord("not")) return false;
  if (!AcceptWord("null")) return Unexpected("NULL after NOT");
  return true;
}

Result<Type> TypeParser::ParseType() {
  // A recursive descent follows the text; no schema is this deep.
  if (++depth_ > 100) return Invalid("type: nested more than 100 levels deep");
  TARN_ASSIGN_OR_RETURN(Type type, ParseUnsuffixed());
  // DuckDB's spelling of lists: INTEGER[].
  while (Accept('[')) {
    if (!Accept(']')) return Unexpected("']'");
    type = Type::List({.name = "element", .type = std::move(type)});
  }
  --depth_;
  return type;
}

Result<Type> TypeParser::ParseUnsuffixed() {
  SkipSpace();
  const size_t begin = at_;
  const std::string word = AsciiLower(Word());
  if (word == "decimal" || word == "numeric" || word == "dec") return ParseDecimal();
  if (word == "struct" || word == "row") return ParseStruct();
  if (word == "list" || word == "array") {
    if (!Accept('<')) return Unexpected("'<'");
    Field element{.name = "element"};
    TARN_ASSIGN_OR_RETURN(element.type, ParseType());
    TARN_ASSIGN_OR_RETURN(element.required, ParseNotNull());
    if (!Accept('>')) return Unexpected("'>'");
    return Type::List(std::move(element));
  }
  if (word == "map") {
    const char close = Accept('<') ? '>' : (Accept('(') ? ')' : '\0');
    if (close == '\0') return Unexpected("'<'");
    Field key{.name = "key"}, value{.name = "value"};
    TARN_ASSIGN_OR_RETURN(key.type, ParseType());
    if (!Accept(',')) return Unexpected("','");
    TARN_ASSIGN_OR_RETURN(value.type, ParseType());
    TARN_ASSIGN_OR_RETURN(value.required, ParseNotNull());
    if (!Accept(close)) return Unexpected("'>'");
    return Type::Map(std::move(key), std::move(value));
  }
  if (word == "fixed") {
    const char close = Accept('(') ? ')' : (Accept('[') ? ']' : '\0');
    if (close == '\0') return Unexpected("'('");
    TARN_ASSIGN_OR_RETURN(int32_t length, Number());
    if (!Accept(close)) return Unexpected("')'");
    return Type::Fixed(length);
  }
  for (const ScalarName& scalar : kScalarNames) {
    if (scalar.name != word) continue;
    if (scalar.kind == TypeKind::kString && Accept('(')) {  // VARCHAR(20): the length is not kept
      TARN_RETURN_IF_ERROR(Number());
      if (!Accept(')')) return Unexpected("')'");
    }
    if (word == "double") AcceptWord("precision");
    if (word == "timestamp") {
      if (AcceptWord("with")) {
        if (!AcceptWord("time") || !AcceptWord("zone")) return Unexpected("TIME ZONE");
      } else if (AcceptWord("without")) {
        if (!AcceptWord("time") || !AcceptWord("zone")) return Unexpected("TIME ZONE");
        return Type::Of(TypeKind::kTimestamp);
      }
    }
    return Type::Of(scalar.kind);
  }
  at_ = begin;
  if (word.empty()) return Unexpected("a type");
  std::vector<std::string> names;
  for (const ScalarName& scalar : kScalarNames) names.emplace_back(scalar.name);
  for (const char* nested : {"decimal", "struct", "list", "map", "fixed"})
    names.emplace_back(nested);
  return Invalid(fmt::format("type '{}': no type '{}'{}", text_, word, DidYouMean(word, names)));
}

Result<Type> ParseType(std::string_view text) {
  TypeParser parser(text);
  TARN_ASSIGN_OR_RETURN(Type type, parser.ParseType());
  if (!parser.AtEnd()) return parser.Unexpected("the end");
  return type;
}

}  // namespace tarn
