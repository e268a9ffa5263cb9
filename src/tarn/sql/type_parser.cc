#include "tarn/sql/type_parser.h"

#include <charconv>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

const std::map<std::string_view, TypeKind>& SimpleTypes() {
  static const std::map<std::string_view, TypeKind> kTypes = {
      {"boolean", TypeKind::kBoolean},
      {"bool", TypeKind::kBoolean},
      {"tinyint", TypeKind::kInt8},
      {"byte", TypeKind::kInt8},
      {"smallint", TypeKind::kInt16},
      {"short", TypeKind::kInt16},
      {"int16", TypeKind::kInt16},
      {"int2", TypeKind::kInt16},
      {"int", TypeKind::kInt32},
      {"integer", TypeKind::kInt32},
      {"int32", TypeKind::kInt32},
      {"int4", TypeKind::kInt32},
      {"signed", TypeKind::kInt32},
      {"bigint", TypeKind::kInt64},
      {"long", TypeKind::kInt64},
      {"int64", TypeKind::kInt64},
      {"float", TypeKind::kFloat},
      {"real", TypeKind::kFloat},
      {"float4", TypeKind::kFloat},
      {"double", TypeKind::kDouble},
      {"float8", TypeKind::kDouble},
      {"date", TypeKind::kDate},
      {"time", TypeKind::kTime},
      {"timestamp_ntz", TypeKind::kTimestamp},
      {"datetime", TypeKind::kTimestamp},
      {"timestamp_ltz", TypeKind::kTimestampTz},
      {"timestamptz", TypeKind::kTimestampTz},
      {"timestamp_ns", TypeKind::kTimestampNs},
      {"timestamptz_ns", TypeKind::kTimestampTzNs},
      {"string", TypeKind::kString},
      {"varchar", TypeKind::kString},
      {"char", TypeKind::kString},
      {"text", TypeKind::kString},
      {"binary", TypeKind::kBinary},
      {"varbinary", TypeKind::kBinary},
      {"blob", TypeKind::kBinary},
      {"bytea", TypeKind::kBinary},
      {"uuid", TypeKind::kUuid},
      {"variant", TypeKind::kVariant},
      {"void", TypeKind::kVoid},
  };
  return kTypes;
}

// The ">>" that closes two generics is one token: how many of its signs are used is carried along.
class TypeParser {
 public:
  TypeParser(TokenCursor& cursor, PlainTimestamp plain) : cursor_(cursor), plain_(plain) {}

  Result<Type> Parse(int depth) {
    if (depth > 100) return cursor_.Expected("a type of at most 100 levels");
    TARN_ASSIGN_OR_RETURN(Type type, Base(depth));
    while (cursor_.Peek().IsOperator("[")) {
      cursor_.Skip();
      if (cursor_.Peek().kind == TokenKind::kNumber) {
        return cursor_.Expected("']': arrays of a fixed length are no column type here");
      }
      TARN_RETURN_IF_ERROR(cursor_.ExpectOperator("]"));
      type = ListOf(std::move(type));
    }
    return type;
  }

  bool balanced() const { return half_closed_ == 0; }

 private:
  static Type ListOf(Type element) {
    Type list;
    list.kind = TypeKind::kList;
    list.fields.push_back(Field{.name = "element", .type = std::move(element)});
    return list;
  }

  bool AcceptOpen() { return cursor_.AcceptOperator("<") || cursor_.AcceptOperator("("); }

  Status Close() {
    if (half_closed_ > 0) {
      --half_closed_;
      return OkStatus();
    }
    if (cursor_.AcceptOperator(">") || cursor_.AcceptOperator(")")) return OkStatus();
    if (cursor_.AcceptOperator(">>")) {
      ++half_closed_;
      return OkStatus();
    }
    return cursor_.Expected("',' or the end of the type's list");
  }

  Result<int32_t> Number() {
    const Token& token = cursor_.Peek();
    int32_t number = 0;
    const auto [end, error] =
        std::from_chars(token.text.data(), token.text.data() + token.text.size(), number);
    if (token.kind != TokenKind::kNumber || error != std::errc() ||
        end != token.text.data() + token.text.size()) {
      return cursor_.Expected("a whole number");
    }
    cursor_.Skip();
    return number;
  }

  Result<Type> Base(int depth) {
    if (cursor_.Peek().kind != TokenKind::kWord) return cursor_.Expected("a type");
    const size_t begin = cursor_.position();
    const std::string word = AsciiLower(cursor_.Next().text);
    if (word == "decimal" || word == "numeric" || word == "dec") return Decimal();
    if (word == "timestamp" || word == "time") return Time(word);
    if (word == "struct" || word == "row") return Struct(depth);
    if (word == "array" || word == "list") {
      if (!AcceptOpen()) return cursor_.Expected("'<'");
      TARN_ASSIGN_OR_RETURN(Type element, Parse(depth + 1));
      TARN_RETURN_IF_ERROR(Close());
      return ListOf(std::move(element));
    }
    if (word == "map") return Map(depth);
    if (word == "fixed") {
      Type type;
      type.kind = TypeKind::kFixed;
      TARN_RETURN_IF_ERROR(cursor_.ExpectOperator("("));
      TARN_ASSIGN_OR_RETURN(type.length, Number());
      TARN_RETURN_IF_ERROR(cursor_.ExpectOperator(")"));
      return type;
    }
    const auto found = SimpleTypes().find(word);
    if (found == SimpleTypes().end()) return Unknown(word, begin);
    if (word == "double") cursor_.Accept("precision");
    // VARCHAR(20), CHAR(3): lengths are not kept, as in Delta without its char annotations.
    if (found->second == TypeKind::kString && cursor_.AcceptOperator("(")) {
      TARN_RETURN_IF_ERROR(Number());
      TARN_RETURN_IF_ERROR(cursor_.ExpectOperator(")"));
    }
    return Type::Of(found->second);
  }

  Error Unknown(const std::string& word, size_t begin) {
    cursor_.MoveTo(begin);
    if (word == "int8") {
      return cursor_.Expected("TINYINT or BIGINT: INT8 means one byte to some and eight to others");
    }
    std::vector<std::string> known = {"decimal", "timestamp", "struct", "array", "map"};
    for (const auto& [name, unused] : SimpleTypes()) known.emplace_back(name);
    Error error = cursor_.Expected("a type");
    std::string near = DidYouMean(word, known);
    if (near.starts_with("; did you mean")) error.message += near;
    return error;
  }

  Result<Type> Decimal() {
    Type type;
    type.kind = TypeKind::kDecimal;
    type.precision = 10;  // Spark's and Hive's default
    if (cursor_.AcceptOperator("(")) {
      const size_t begin = cursor_.position();
      TARN_ASSIGN_OR_RETURN(type.precision, Number());
      if (cursor_.AcceptOperator(",")) {
        TARN_ASSIGN_OR_RETURN(type.scale, Number());
      }
      if (type.precision < 1 || type.precision > 38 || type.scale < 0 ||
          type.scale > type.precision) {
        cursor_.MoveTo(begin);
        return cursor_.Expected("a precision of 1 to 38 and a scale of 0 to that");
      }
      TARN_RETURN_IF_ERROR(cursor_.ExpectOperator(")"));
    }
    return type;
  }

  Result<Type> Time(const std::string& word) {
    bool nanos = false;
    if (cursor_.Peek().IsOperator("(")) {
      cursor_.Skip();
      TARN_ASSIGN_OR_RETURN(const int32_t digits, Number());
      nanos = digits > 6;
      TARN_RETURN_IF_ERROR(cursor_.ExpectOperator(")"));
    }
    bool zone = word == "timestamp" && plain_ == PlainTimestamp::kInstant;
    if (cursor_.Accept({"with", "time", "zone"}) ||
        cursor_.Accept({"with", "local", "time", "zone"})) {
      zone = true;
    } else if (cursor_.Accept({"without", "time", "zone"})) {
      zone = false;
    }
    if (word == "time") {
      if (zone) return cursor_.Expected("TIME without a zone");
      return Type::Of(TypeKind::kTime);
    }
    if (nanos) return Type::Of(zone ? TypeKind::kTimestampTzNs : TypeKind::kTimestampNs);
    return Type::Of(zone ? TypeKind::kTimestampTz : TypeKind::kTimestamp);
  }

  Result<Type> Struct(int depth) {
    Type type;
    type.kind = TypeKind::kStruct;
    if (!AcceptOpen()) return cursor_.Expected("'<'");
    while (true) {
      Field field;
      TARN_ASSIGN_OR_RETURN(field.name, cursor_.ExpectIdentifier("the name of a field"));
      cursor_.AcceptOperator(":");
      TARN_ASSIGN_OR_RETURN(field.type, Parse(depth + 1));
      while (half_closed_ == 0) {
        if (cursor_.Accept({"not", "null"})) {
          field.required = true;
        } else if (cursor_.Accept("comment")) {
          TARN_ASSIGN_OR_RETURN(field.doc, cursor_.ExpectString("the comment in quotes"));
        } else {
          break;
        }
      }
      type.fields.push_back(std::move(field));
      if (half_closed_ > 0 || !cursor_.AcceptOperator(",")) break;
    }
    TARN_RETURN_IF_ERROR(Close());
    return type;
  }

  Result<Type> Map(int depth) {
    Type type;
    type.kind = TypeKind::kMap;
    if (!AcceptOpen()) return cursor_.Expected("'<'");
    TARN_ASSIGN_OR_RETURN(Type key, Parse(depth + 1));
    TARN_RETURN_IF_ERROR(cursor_.ExpectOperator(","));
    TARN_ASSIGN_OR_RETURN(Type value, Parse(depth + 1));
    TARN_RETURN_IF_ERROR(Close());
    type.fields.push_back(Field{.name = "key", .type = std::move(key), .required = true});
    type.fields.push_back(Field{.name = "value", .type = std::move(value)});
    return type;
  }

  TokenCursor& cursor_;
  const PlainTimestamp plain_;
  int half_closed_ = 0;
};

}  // namespace

Result<Type> ParseType(TokenCursor& cursor, PlainTimestamp plain) {
  TypeParser parser(cursor, plain);
  TARN_ASSIGN_OR_RETURN(Type type, parser.Parse(0));
  if (!parser.balanced()) return cursor.Expected("one '>' less");
  return type;
}

std::string TypeToDuckDb(const Type& type) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return "BOOLEAN";
    case TypeKind::kInt8:
      return "TINYINT";
    case TypeKind::kInt16:
      return "SMALLINT";
    case TypeKind::kInt32:
      return "INTEGER";
    case TypeKind::kInt64:
      return "BIGINT";
    case TypeKind::kFloat:
      return "FLOAT";
    case TypeKind::kDouble:
      return "DOUBLE";
    case TypeKind::kDecimal:
      return fmt::format("DECIMAL({}, {})", type.precision, type.scale);
    case TypeKind::kDate:
      return "DATE";
    case TypeKind::kTime:
      return "TIME";
    case TypeKind::kTimestamp:
      return "TIMESTAMP";
    case TypeKind::kTimestampTz:
      return "TIMESTAMPTZ";
    case TypeKind::kTimestampNs:
      return "TIMESTAMP_NS";
    case TypeKind::kTimestampTzNs:
      return "TIMESTAMPTZ";
    case TypeKind::kString:
      return "VARCHAR";
    case TypeKind::kVariant:
      return "VARCHAR";
    case TypeKind::kBinary:
      return "BLOB";
    case TypeKind::kFixed:
      return "BLOB";
    case TypeKind::kUuid:
      return "UUID";
    case TypeKind::kVoid:
      return "\"NULL\"";
    case TypeKind::kStruct: {
      std::vector<std::string> members;
      for (const Field& field : type.fields) {
        members.push_back(QuoteName(field.name) + " " + TypeToDuckDb(field.type));
      }
      return "STRUCT(" + Join(members, ", ") + ")";
    }
    case TypeKind::kList:
      return TypeToDuckDb(type.fields[0].type) + "[]";
    case TypeKind::kMap:
      return "MAP(" + TypeToDuckDb(type.fields[0].type) + ", " + TypeToDuckDb(type.fields[1].type) +
             ")";
  }
  return "VARCHAR";
}

}  // namespace tarn::sql
