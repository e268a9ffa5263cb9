#include "tarn/datafile/csv_decoder.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/csv_records_internal.h"
#include "tarn/datafile/text_cast_internal.h"
#include "tarn/datafile/text_columns_internal.h"
#include "tarn/datafile/text_values.h"

namespace tarn {
namespace {

bool IsDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// What inference makes of a field that is not NULL.
ValueKind TextKind(std::string_view text) {
  if (text.empty()) return ValueKind::kText;
  const std::string_view magnitude = text[0] == '-' ? text.substr(1) : text;
  if (magnitude.empty()) return ValueKind::kText;
  if (IsDigit(magnitude[0])) {
    const bool leading_zero = magnitude.size() > 1 && magnitude[0] == '0' && IsDigit(magnitude[1]);
    if (std::all_of(magnitude.begin(), magnitude.end(), IsDigit)) {
      if (leading_zero) return ValueKind::kText;
      return text.size() < 16 ? ValueKind::kInteger : IntegerKind(text);
    }
    double unused = 0;
    if (!leading_zero && IsDigit(text.back()) && ParseDouble(text, &unused) == NumberOutcome::kOk) {
      return ValueKind::kFraction;
    }
    return StringKind(text);
  }
  if (ParseBoolean(text)) return ValueKind::kBoolean;
  if (magnitude == "NaN" || magnitude == "Infinity") return ValueKind::kFraction;
  return ValueKind::kText;
}

// Whether inference would have kept `type` had it seen a value of `kind`.
bool KeepsType(const Type& type, ValueKind kind) {
  switch (type.kind) {
    case TypeKind::kBoolean:
      return kind == ValueKind::kBoolean;
    case TypeKind::kInt64:
      return kind == ValueKind::kInteger || kind == ValueKind::kWideInteger;
    case TypeKind::kDecimal:
      return kind == ValueKind::kInteger || kind == ValueKind::kWideInteger ||
             kind == ValueKind::kBigInteger ||
             (kind == ValueKind::kHugeInteger && type.precision == 38);
    case TypeKind::kDouble:
      return kind == ValueKind::kInteger || kind == ValueKind::kFraction;
    case TypeKind::kDate:
      return kind == ValueKind::kDate;
    case TypeKind::kTimestampTz:
      return kind == ValueKind::kDate || kind == ValueKind::kTimestamp;
    default:
      return type.kind == TypeKind::kString;
  }
}

}  // namespace

Result<CsvHeader> ReadCsvHeader(std::string_view text, char delimiter) {
  CsvHeader header;
  CsvRecords records(text, delimiter);
  if (!records.Next()) return header;
  const std::string line = "line " + std::to_string(records.line() + 1) + ": the header: ";
  if (records.problem() != nullptr) return Invalid(line + records.problem());
  std::string scratch;
  for (const CsvField& field : records.fields()) {
    header.names.emplace_back(CsvText(field, &scratch));
    const std::string& name = header.names.back();
    const std::string position = "column " + std::to_string(header.names.size());
    if (name.empty()) return Invalid(line + position + " has no name");
    if (!IsUtf8(name)) return Invalid(line + position + ": invalid UTF-8");
    if (std::count(header.names.begin(), header.names.end(), name) > 1) {
      return Invalid(line + "'" + name + "' stands twice");
    }
  }
  header.bytes = records.offset();
  header.lines = records.lines();
  return header;
}

std::vector<std::string> CsvNamesByPosition(std::string_view text, char delimiter) {
  std::vector<std::string> names;
  CsvRecords records(text, delimiter);
  if (!records.Next()) return names;
  for (size_t i = 0; i < records.fields().size(); ++i)
    names.push_back("column" + std::to_string(i));
  return names;
}

struct CsvDecoder::State {
  Schema schema;
  CsvDecodeOptions options;
  std::shared_ptr<arrow::Schema> arrow_schema;
  std::unique_ptr<TextColumn> root;
  std::vector<int32_t> targets;  // column of each field, or -1
  std::vector<size_t> absent;    // columns that the file lacks
  std::vector<std::string> unknown;
  std::string scratch;
  DecodedRows out;
  int32_t bad_column = -1;
  std::string reason;

  bool Row(const CsvRecords& records, bool check_utf8);
  bool Value(size_t column, std::string_view text);
  bool Bad(std::string why) {
    reason = std::move(why);
    return false;
  }
};

bool CsvDecoder::State::Value(size_t column, std::string_view text) {
  const Type& type = schema.fields[column].type;
  if (column < options.inferred.size() && options.inferred[column] &&
      type.kind != TypeKind::kString && !KeepsType(type, TextKind(text))) {
    return Bad(TextMismatch(type, text));
  }
  return AppendText(type, text, root->child(column), &reason);
}

bool CsvDecoder::State::Row(const CsvRecords& records, bool check_utf8) {
  bad_column = -1;
  if (records.problem() != nullptr) return Bad(std::string("invalid CSV: ") + records.problem());
  if (check_utf8 && !IsUtf8(records.raw())) return Bad("invalid UTF-8");
  const std::vector<CsvField>& fields = records.fields();
  if (fields.size() != targets.size()) {
    return Bad("expected " + std::to_string(targets.size()) + " fields, got " +
               std::to_string(fields.size()));
  }
  for (size_t i = 0; i < fields.size(); ++i) {
    if (targets[i] < 0) continue;
    const auto column = static_cast<size_t>(targets[i]);
    bad_column = targets[i];
    if (!fields[i].IsNull()) {
      if (!Value(column, CsvText(fields[i], &scratch))) return false;
    } else if (schema.fields[column].required) {
      return Bad("NULL in a column that is NOT NULL");
    } else {
      root->child(column).AppendNull();
    }
  }
  for (const size_t column : absent) root->child(column).AppendNull();
  root->AppendStruct();
  return true;
}

CsvDecoder::CsvDecoder(std::unique_ptr<State> state) : state_(std::move(state)) {}
CsvDecoder::~CsvDecoder() = default;

Result<std::unique_ptr<CsvDecoder>> CsvDecoder::Make(const Schema& schema,
                                                     CsvDecodeOptions options) {
  auto state = std::make_unique<State>();
  for (const Field& field : schema.fields) {
    if (field.type.IsNested()) {
      return Unsupported("csv: column " + field.name + ": " + TypeToText(field.type) +
                         " cannot be read from CSV");
    }
  }
  state->schema = schema;
  state->options = std::move(options);
  TARN_ASSIGN_OR_RETURN(state->arrow_schema, ToArrow(schema));
  state->root = std::make_unique<TextColumn>(Type::Struct(schema.fields),
                                             arrow::struct_(state->arrow_schema->fields()));
  return std::unique_ptr<CsvDecoder>(new CsvDecoder(std::move(state)));
}

Status CsvDecoder::SetHeader(const std::vector<std::string>& names) {
  State& state = *state_;
  state.targets.clear();
  state.absent.clear();
  state.unknown.clear();
  std::vector<std::string> taken(state.schema.fields.size());
  for (const std::string& name : names) {
    const std::optional<size_t> column = state.schema.IndexOf(name);
    state.targets.push_back(column ? static_cast<int32_t>(*column) : -1);
    if (!column) {
      state.unknown.push_back(name);
    } else if (!taken[*column].empty()) {
      return Invalid("the header: column " + state.schema.fields[*column].name + ": ambiguous: '" +
                     taken[*column] + "' and '" + name + "' both mean it");
    } else {
      taken[*column] = name;
    }
  }
  for (size_t i = 0; i < taken.size(); ++i) {
    if (!taken[i].empty()) continue;
    if (state.schema.fields[i].required) {
      return Invalid("the header: column " + state.schema.fields[i].name +
                     ": missing, but it is NOT NULL");
    }
    state.absent.push_back(i);
  }
  return {};
}

const std::vector<std::string>& CsvDecoder::unknown_names() const { return state_->unknown; }

Result<DecodedRows> CsvDecoder::Decode(std::string_view block) {
  constexpr size_t kRawBytesMax = 4096;
  State& state = *state_;
  state.out = {};
  const bool check_utf8 = !IsUtf8(block);
  CsvRecords records(block, state.options.delimiter);
  while (records.Next()) {
    const int64_t rows = state.root->length();
    if (state.Row(records, check_utf8)) {
      state.out.row_lines.push_back(static_cast<int32_t>(records.line() + 1));
      continue;
    }
    state.root->Truncate(rows);
    ++state.out.bad_rows_total;
    if (static_cast<int64_t>(state.out.bad_rows.size()) < state.options.bad_rows_max) {
      state.out.bad_rows.push_back(
          {records.line() + 1,
           state.bad_column < 0 ? std::string()
                                : state.schema.fields[static_cast<size_t>(state.bad_column)].name,
           std::move(state.reason), std::string(records.raw().substr(0, kRawBytesMax))});
    }
    state.reason.clear();
  }
  state.out.lines = records.lines();
  const int64_t rows = state.root->length();
  std::shared_ptr<arrow::ArrayData> data = state.root->Finish();
  state.out.batch = arrow::RecordBatch::Make(state.arrow_schema, rows, data->child_data);
  return std::move(state.out);
}

ObservedText ObserveCsv(std::string_view block, const std::vector<std::string>& names,
                        char delimiter) {
  ObservedText observed;
  std::vector<ColumnEvidence*> columns;
  observed.root.BeginObject();
  for (const std::string& name : names) columns.push_back(&observed.root.Member(name));
  CsvRecords records(block, delimiter);
  std::string scratch;
  while (records.Next()) {
    if (records.problem() != nullptr || records.fields().size() != names.size()) continue;
    for (size_t i = 0; i < columns.size(); ++i) {
      const CsvField& field = records.fields()[i];
      if (field.IsNull() || columns[i]->Has(ValueKind::kText)) continue;
      const std::string_view text = CsvText(field, &scratch);
      columns[i]->See(TextKind(text), records.line() + 1,
                      [&] { return "\"" + Shown(text) + "\""; });
    }
  }
  observed.lines = records.lines();
  return observed;
}

}  // namespace tarn
