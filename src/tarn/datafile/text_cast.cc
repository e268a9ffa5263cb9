#include "tarn/datafile/text_cast.h"

#include <arrow/array.h>
#include <arrow/type.h>

#include <optional>
#include <utility>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/text_cast_internal.h"
#include "tarn/datafile/text_columns_internal.h"
#include "tarn/datafile/text_values.h"

namespace tarn {

std::string TextMismatch(const Type& type, std::string_view text, const char* problem) {
  std::string reason = "expected " + TypeToText(type) + ", got string \"" + Shown(text) + "\"";
  if (problem != nullptr) reason += std::string(": ") + problem;
  return reason;
}

namespace {

bool AppendNumber(const Type& type, std::string_view text, TextColumn& column,
                  std::string* reason) {
  NumberOutcome outcome = NumberOutcome::kOk;
  if (type.kind == TypeKind::kDouble) {
    double value = 0;
    outcome = ParseDouble(text, &value);
    if (outcome == NumberOutcome::kOk) column.AppendFixed(value);
  } else if (type.kind == TypeKind::kFloat) {
    float value = 0;
    outcome = ParseFloat(text, &value);
    if (outcome == NumberOutcome::kOk) column.AppendFixed(value);
  } else if (type.kind == TypeKind::kDecimal) {
    Int128 value = 0;
    outcome = ParseDecimal(text, type.precision, type.scale, &value);
    if (outcome == NumberOutcome::kOk) column.AppendFixed(value);
  } else {
    int64_t value = 0;
    outcome = ParseInt64(text, &value);
    if (outcome == NumberOutcome::kOk) {
      if (type.kind == TypeKind::kInt64) {
        column.AppendFixed(value);
      } else if (type.kind == TypeKind::kInt32 && value == static_cast<int32_t>(value)) {
        column.AppendFixed(static_cast<int32_t>(value));
      } else if (type.kind == TypeKind::kInt16 && value == static_cast<int16_t>(value)) {
        column.AppendFixed(static_cast<int16_t>(value));
      } else if (type.kind == TypeKind::kInt8 && value == static_cast<int8_t>(value)) {
        column.AppendFixed(static_cast<int8_t>(value));
      } else {
        outcome = NumberOutcome::kPrecision;
      }
    }
  }
  if (outcome == NumberOutcome::kOk) return true;
  *reason = outcome == NumberOutcome::kNotANumber ? TextMismatch(type, text)
                                                  : NumberReason(outcome, type, text);
  return false;
}

bool AppendTime(const Type& type, std::string_view text, TextColumn& column, std::string* reason) {
  TimeProblem problem = nullptr;
  if (type.kind == TypeKind::kDate) {
    int32_t days = 0;
    problem = ParseDate(text, &days);
    if (problem == nullptr) column.AppendFixed(days);
  } else if (type.kind == TypeKind::kTime) {
    int64_t micros = 0;
    problem = ParseTime(text, &micros);
    if (problem == nullptr) column.AppendFixed(micros);
  } else {
    const bool nanos = type.kind == TypeKind::kTimestampNs || type.kind == TypeKind::kTimestampTzNs;
    const bool zoned = type.kind == TypeKind::kTimestampTz || type.kind == TypeKind::kTimestampTzNs;
    ParsedTimestamp value;
    problem = ParseTimestamp(text, nanos ? TimestampUnit::kNanos : TimestampUnit::kMicros, &value);
    if (problem == nullptr && value.has_zone && !zoned)
      problem = "an offset in a type without zone";
    if (problem == nullptr) column.AppendFixed(value.ticks);
  }
  if (problem == nullptr) return true;
  *reason = TextMismatch(type, text, problem);
  return false;
}

}  // namespace

bool AppendText(const Type& type, std::string_view text, TextColumn& column, std::string* reason) {
  switch (type.kind) {
    case TypeKind::kString:
      column.AppendBytes(text);
      return true;
    case TypeKind::kBoolean: {
      const std::optional<bool> value = ParseBoolean(text);
      if (!value) break;
      column.AppendBoolean(*value);
      return true;
    }
    case TypeKind::kInt8:
    case TypeKind::kInt16:
    case TypeKind::kInt32:
    case TypeKind::kInt64:
    case TypeKind::kFloat:
    case TypeKind::kDouble:
    case TypeKind::kDecimal:
      return AppendNumber(type, text, column, reason);
    case TypeKind::kDate:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs:
      return AppendTime(type, text, column, reason);
    case TypeKind::kBinary:
    case TypeKind::kFixed:
    case TypeKind::kUuid: {
      Result<tarn::Value> value = ParseValue(type, text);
      if (!value.ok()) {
        *reason = value.error().message;
        return false;
      }
      const std::string& bytes = std::get<std::string>(value.value());
      if (type.kind == TypeKind::kBinary) {
        column.AppendBytes(bytes);
      } else {
        column.AppendFixedBytes(bytes);
      }
      return true;
    }
    case TypeKind::kVoid:
    case TypeKind::kVariant:
    case TypeKind::kStruct:
    case TypeKind::kList:
    case TypeKind::kMap:
      break;
  }
  *reason = TextMismatch(type, text);
  return false;
}

Result<ParsedColumn> ParseTexts(const arrow::StringArray& texts, const Type& type) {
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::DataType> arrow_type, ToArrow(type));
  TextColumn column(type, std::move(arrow_type));
  ParsedColumn parsed;
  std::string reason;
  for (int64_t row = 0; row < texts.length(); ++row) {
    if (texts.IsNull(row)) {
      column.AppendNull();
    } else if (!AppendText(type, texts.GetView(row), column, &reason)) {
      parsed.failures.push_back({row, std::move(reason)});
      column.AppendNull();
    }
  }
  parsed.array = arrow::MakeArray(column.Finish());
  return parsed;
}

}  // namespace tarn
