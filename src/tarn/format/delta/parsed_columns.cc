#include "tarn/format/delta/parsed_columns.h"

#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_decimal.h>
#include <arrow/array/builder_nested.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/array/builder_time.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/json_cursor.h"
#include "tarn/datafile/json_index.h"
#include "tarn/format/delta/partition_values.h"
#include "tarn/format/delta/scalar_text.h"

namespace tarn::delta {
namespace {

Status FromArrow(const arrow::Status& status) {
  if (status.ok()) return OkStatus();
  return Internal("delta: checkpoint: " + status.ToString());
}

bool HasBounds(const Type& type) {
  return !type.IsNested() && type.kind != TypeKind::kBoolean && type.kind != TypeKind::kBinary &&
         type.kind != TypeKind::kVoid && type.kind != TypeKind::kVariant;
}

enum class Member { kBounds, kCounts };

// The struct of minValues and maxValues, or of nullCount: like the schema, with those leaves only
// that have such a statistic.
Result<arrow::FieldVector> MemberFields(const std::vector<Field>& fields, Member member) {
  arrow::FieldVector out;
  for (const Field& field : fields) {
    if (field.type.kind == TypeKind::kStruct) {
      TARN_ASSIGN_OR_RETURN(arrow::FieldVector children, MemberFields(field.type.fields, member));
      if (!children.empty())
        out.push_back(arrow::field(field.file_name(), arrow::struct_(children)));
    } else if (field.type.kind == TypeKind::kVoid) {
      continue;
    } else if (member == Member::kCounts) {
      out.push_back(arrow::field(field.file_name(), arrow::int64()));
    } else if (HasBounds(field.type)) {
      TARN_ASSIGN_OR_RETURN(auto type, ToArrow(field.type));
      out.push_back(arrow::field(field.file_name(), std::move(type)));
    }
  }
  return out;
}

// A bound of `type` from a number's or a string's text; null when it is none.
Value ParseBound(const Type& type, std::string_view text) {
  const auto or_null = [](auto parsed) { return parsed ? Value(*parsed) : Value(); };
  switch (type.kind) {
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64: {
      const std::optional<int64_t> number = ParseInteger(text);
      return number && FitsInteger(type.kind, *number) ? Value(*number) : Value();
    }
    case TypeKind::kFloat:
    case TypeKind::kDouble:
      return or_null(ParseFloating(type.kind, text));
    case TypeKind::kDecimal:
      return or_null(ParseDecimal(text, type.precision, type.scale));
    case TypeKind::kDate:
      return or_null(ParseDate(text));
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      return or_null(ParseTimestamp(text));
    default:
      return Value();
  }
}

arrow::Status AppendValue(const Type& type, const Value& value, arrow::ArrayBuilder& builder) {
  if (IsNull(value)) return builder.AppendNull();
  switch (type.kind) {
    case TypeKind::kBoolean:
      return static_cast<arrow::BooleanBuilder&>(builder).Append(std::get<bool>(value));
    case TypeKind::kInt8:
      return static_cast<arrow::Int8Builder&>(builder).Append(
          static_cast<int8_t>(std::get<int64_t>(value)));
    case TypeKind::kInt16:
      return static_cast<arrow::Int16Builder&>(builder).Append(
          static_cast<int16_t>(std::get<int64_t>(value)));
    case TypeKind::kInt32:
      return static_cast<arrow::Int32Builder&>(builder).Append(
          static_cast<int32_t>(std::get<int64_t>(value)));
    case TypeKind::kInt64:
      return static_cast<arrow::Int64Builder&>(builder).Append(std::get<int64_t>(value));
    case TypeKind::kFloat:
      return static_cast<arrow::FloatBuilder&>(builder).Append(
          static_cast<float>(std::get<double>(value)));
    case TypeKind::kDouble:
      return static_cast<arrow::DoubleBuilder&>(builder).Append(std::get<double>(value));
    case TypeKind::kDecimal: {
      const Int128 number = std::get<Int128>(value);
      return static_cast<arrow::Decimal128Builder&>(builder).Append(
          arrow::Decimal128(static_cast<int64_t>(number >> 64), static_cast<uint64_t>(number)));
    }
    case TypeKind::kDate:
      return static_cast<arrow::Date32Builder&>(builder).Append(
          static_cast<int32_t>(std::get<int64_t>(value)));
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
      return static_cast<arrow::TimestampBuilder&>(builder).Append(std::get<int64_t>(value));
    case TypeKind::kString:
      return static_cast<arrow::StringBuilder&>(builder).Append(std::get<std::string>(value));
    case TypeKind::kBinary:
      return static_cast<arrow::BinaryBuilder&>(builder).Append(std::get<std::string>(value));
    default:
      return builder.AppendNull();
  }
}

using Token = JsonCursor::Token;

// One stats text, read into builders.
class StatsTextReader {
 public:
  explicit StatsTextReader(const std::string& text) : padded_(text) {
    padded_.append(JsonIndex::kPadding, '\0');
    const std::string_view stats = std::string_view(padded_).substr(0, text.size());
    if (index_.Build(stats) != nullptr) return;
    cursor_.AttachLine(stats, index_);
    valid_ = cursor_.token() == Token::kObject && cursor_.Skip() && !cursor_.within_line();
    cursor_.Return(0);
  }

  // A text that is no object is no statistics: NULL.
  arrow::Status Append(const Schema& schema, const arrow::DataType& type,
                       arrow::StructBuilder& builder) {
    if (!valid_) return builder.AppendNull();
    ARROW_RETURN_NOT_OK(builder.Append());
    const std::vector<uint32_t> marks = FindMembers(type);
    ARROW_RETURN_NOT_OK(AppendCount(marks[0], *builder.field_builder(0)));
    auto& tight = static_cast<arrow::BooleanBuilder&>(*builder.field_builder(1));
    const Token truth = GoTo(marks[1]);
    ARROW_RETURN_NOT_OK(truth == Token::kTrue || truth == Token::kFalse
                            ? tight.Append(truth == Token::kTrue)
                            : tight.AppendNull());
    for (int at = 2; at < builder.num_fields(); ++at) {
      auto& child = static_cast<arrow::StructBuilder&>(*builder.field_builder(at));
      const Member member =
          type.field(at)->name() == "nullCount" ? Member::kCounts : Member::kBounds;
      ARROW_RETURN_NOT_OK(AppendMember(schema.fields, member, marks[static_cast<size_t>(at)],
                                       *type.field(at)->type(), child));
    }
    return arrow::Status::OK();
  }

 private:
  static constexpr uint32_t kAbsent = UINT32_MAX;

  // Moves to a value found before; kBad when there is none.
  Token GoTo(uint32_t mark) {
    if (mark == kAbsent) return Token::kBad;
    cursor_.Return(mark);
    return cursor_.token();
  }

  // Where the values of the struct's children stand in the object at hand.
  std::vector<uint32_t> FindMembers(const arrow::DataType& type) {
    std::vector<uint32_t> marks(static_cast<size_t>(type.num_fields()), kAbsent);
    size_t expected = 0;  // members mostly come in the schema's order
    cursor_.Object([&](std::string_view raw) {
      std::string_view name;
      if (!UnescapeJson(raw, key_text_, &name)) return cursor_.Skip();
      for (size_t tried = 0; tried < marks.size(); ++tried, ++expected) {
        if (expected >= marks.size()) expected = 0;
        if (type.field(static_cast<int>(expected))->name() != name) continue;
        if (marks[expected] == kAbsent) marks[expected] = cursor_.mark();
        ++expected;
        break;
      }
      return cursor_.Skip();
    });
    return marks;
  }

  // The object at `mark` into the struct of `type` that MemberFields made of the same fields.
  arrow::Status AppendMember(const std::vector<Field>& fields, Member member, uint32_t mark,
                             const arrow::DataType& type, arrow::StructBuilder& builder) {
    if (GoTo(mark) != Token::kObject) return builder.AppendNull();
    ARROW_RETURN_NOT_OK(builder.Append());
    const std::vector<uint32_t> marks = FindMembers(type);
    int at = 0;
    for (const Field& field : fields) {
      if (at >= type.num_fields()) break;
      if (type.field(at)->name() != field.file_name()) continue;  // has no such statistic
      const arrow::DataType& child_type = *type.field(at)->type();
      const uint32_t value = marks[static_cast<size_t>(at)];
      arrow::ArrayBuilder& child = *builder.field_builder(at++);
      if (field.type.kind == TypeKind::kStruct) {
        ARROW_RETURN_NOT_OK(AppendMember(field.type.fields, member, value, child_type,
                                         static_cast<arrow::StructBuilder&>(child)));
      } else if (member == Member::kCounts) {
        ARROW_RETURN_NOT_OK(AppendCount(value, child));
      } else {
        ARROW_RETURN_NOT_OK(AppendBound(field.type, value, child));
      }
    }
    return arrow::Status::OK();
  }

  arrow::Status AppendCount(uint32_t mark, arrow::ArrayBuilder& builder) {
    auto& counts = static_cast<arrow::Int64Builder&>(builder);
    std::string_view text;
    if (GoTo(mark) != Token::kNumber || !cursor_.Skip(&text)) return counts.AppendNull();
    const std::optional<int64_t> count = ParseInteger(text);
    return count ? counts.Append(*count) : counts.AppendNull();
  }

  arrow::Status AppendBound(const Type& type, uint32_t mark, arrow::ArrayBuilder& builder) {
    const Token token = GoTo(mark);
    std::string_view text;
    if (token == Token::kString) {
      std::string_view raw;
      if (!cursor_.String(&raw) || !UnescapeJson(raw, value_text_, &text)) {
        return builder.AppendNull();
      }
      if (type.kind == TypeKind::kString) {
        return static_cast<arrow::StringBuilder&>(builder).Append(text);
      }
    } else if (token != Token::kNumber || type.kind == TypeKind::kString || !cursor_.Skip(&text)) {
      return builder.AppendNull();
    }
    return AppendValue(type, ParseBound(type, text), builder);
  }

  std::string padded_;
  JsonIndex index_;
  JsonCursor cursor_;
  std::string key_text_;
  std::string value_text_;
  bool valid_ = false;
};

}  // namespace

Result<ParsedColumns> ParsedColumns::Make(const TableMetadata& metadata) {
  ParsedColumns out;
  arrow::FieldVector partition;
  for (const PartitionField& field : metadata.default_spec().fields) {
    const Field* column = metadata.schema.FindById(field.source_id);
    if (column == nullptr) continue;
    TARN_ASSIGN_OR_RETURN(auto type, ToArrow(column->type));
    partition.push_back(arrow::field(column->file_name(), std::move(type)));
    out.partition_.push_back(*column);
  }
  for (const Field& field : metadata.schema.fields) {
    const bool partitions = std::any_of(out.partition_.begin(), out.partition_.end(),
                                        [&](const Field& other) { return other.id == field.id; });
    if (!partitions) out.schema_.fields.push_back(field);
  }
  if (!partition.empty()) {
    out.fields_.push_back(arrow::field("partitionValues_parsed", arrow::struct_(partition)));
  }
  arrow::FieldVector stats = {arrow::field("numRecords", arrow::int64()),
                              arrow::field("tightBounds", arrow::boolean())};
  TARN_ASSIGN_OR_RETURN(const auto bounds, MemberFields(out.schema_.fields, Member::kBounds));
  TARN_ASSIGN_OR_RETURN(const auto counts, MemberFields(out.schema_.fields, Member::kCounts));
  if (!bounds.empty()) {
    stats.push_back(arrow::field("minValues", arrow::struct_(bounds)));
    stats.push_back(arrow::field("maxValues", arrow::struct_(bounds)));
  }
  if (!counts.empty()) stats.push_back(arrow::field("nullCount", arrow::struct_(counts)));
  out.fields_.push_back(arrow::field("stats_parsed", arrow::struct_(stats)));
  return out;
}

Status ParsedColumns::Append(size_t index, const AddFile& file,
                             arrow::ArrayBuilder& builder) const {
  return index + 1 < fields_.size() ? AppendPartition(file, builder) : AppendStats(file, builder);
}

Status ParsedColumns::AppendPartition(const AddFile& file, arrow::ArrayBuilder& builder) const {
  auto& row = static_cast<arrow::StructBuilder&>(builder);
  TARN_RETURN_IF_ERROR(FromArrow(row.Append()));
  for (size_t i = 0; i < partition_.size(); ++i) {
    const Field& column = partition_[i];
    Value value;
    for (const auto& [name, text] : file.partition_values) {
      if (name != column.file_name() || !text) continue;
      Result<Value> parsed = PartitionValueFromText(column.type, *text);
      if (parsed.ok()) value = *std::move(parsed);
    }
    TARN_RETURN_IF_ERROR(
        FromArrow(AppendValue(column.type, value, *row.field_builder(static_cast<int>(i)))));
  }
  return OkStatus();
}

Status ParsedColumns::AppendStats(const AddFile& file, arrow::ArrayBuilder& builder) const {
  if (!file.stats) return FromArrow(builder.AppendNull());
  StatsTextReader reader(*file.stats);
  return FromArrow(
      reader.Append(schema_, *fields_.back()->type(), static_cast<arrow::StructBuilder&>(builder)));
}

}  // namespace tarn::delta
