#include "tarn/ingest/transform/connect_decimal.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <arrow/util/decimal.h>

#include <map>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/ingest/transform/bad_rows.h"

namespace tarn {
namespace {

// The value of the bytes, if it has at most `precision` digits.
std::optional<arrow::Decimal128> FromConnect(std::string_view bytes, int32_t precision) {
  // Leading bytes that only repeat the sign say nothing.
  while (bytes.size() > 16) {
    const bool negative = (static_cast<unsigned char>(bytes[1]) & 0x80) != 0;
    if (bytes[0] != (negative ? '\xff' : '\0')) return std::nullopt;
    bytes.remove_prefix(1);
  }
  const auto value = arrow::Decimal128::FromBigEndian(
      reinterpret_cast<const uint8_t*>(bytes.data()), static_cast<int32_t>(bytes.size()));
  if (!value.ok() || !value->FitsInPrecision(precision)) return std::nullopt;
  return *value;
}

class ConnectDecimal final : public Transform {
 public:
  struct Target {
    size_t column;
    bool base64;  // else bytes
    Type to;
  };

  ConnectDecimal(const Schema& input, std::vector<Target> targets)
      : targets_(std::move(targets)), output_(input), flows_(IdentityFlows(input)) {
    for (const Target& target : targets_) {
      output_.fields[target.column].type = target.to;
      const std::string& name = input.fields[target.column].name;
      flows_[target.column] = ComputedFrom(name, name);
    }
  }

  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }

  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    std::vector<std::shared_ptr<arrow::Array>> columns = batch->columns();
    std::map<int64_t, BadBatchRow> bad;
    for (const Target& target : targets_) {
      TARN_ASSIGN_OR_RETURN(columns[target.column], Decode(*columns[target.column], target, bad));
    }
    TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(output_));
    return SetBadRowsAside(
        arrow::RecordBatch::Make(std::move(schema), batch->num_rows(), std::move(columns)),
        std::move(bad));
  }

 private:
  Result<std::shared_ptr<arrow::Array>> Decode(const arrow::Array& array, const Target& target,
                                               std::map<int64_t, BadBatchRow>& bad) const {
    const auto& texts = static_cast<const arrow::BinaryArray&>(array);
    TARN_ASSIGN_OR_RETURN(const auto type, ToArrow(target.to));
    arrow::Decimal128Builder builder(type);
    TARN_RETURN_IF_ERROR(Lift(builder.Reserve(texts.length()), "connect_decimal"));
    for (int64_t row = 0; row < texts.length(); ++row) {
      if (texts.IsNull(row)) {
        builder.UnsafeAppendNull();
        continue;
      }
      const std::string_view text = texts.GetView(row);
      std::optional<std::string> decoded;
      if (target.base64) decoded = Base64Decode(text);
      const std::string_view bytes = decoded ? std::string_view(*decoded) : text;
      const char* problem = target.base64 && !decoded ? "no base64"
                            : bytes.empty()           ? "no bytes"
                                                      : nullptr;
      std::optional<arrow::Decimal128> value;
      if (problem == nullptr) {
        value = FromConnect(bytes, target.to.precision);
        if (!value) problem = "too many digits";
      }
      if (value) {
        builder.UnsafeAppend(*value);
        continue;
      }
      builder.UnsafeAppendNull();
      std::string reason = "expected the bytes of a " + TypeToText(target.to);
      if (target.base64) reason += " in base64, got string \"" + std::string(text) + "\"";
      bad.try_emplace(
          row, BadBatchRow{row, output_.fields[target.column].name, reason + ": " + problem});
    }
    std::shared_ptr<arrow::Array> decimals;
    TARN_RETURN_IF_ERROR(Lift(builder.Finish(&decimals), "connect_decimal"));
    return decimals;
  }

  const std::vector<Target> targets_;
  Schema output_;
  std::vector<Flow> flows_;
};

class ConnectDecimalMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    if (step.pairs.empty()) return Invalid("needs {column: decimal(precision,scale)}");
    std::vector<ConnectDecimal::Target> targets;
    targets.reserve(step.pairs.size());
    for (const auto& [name, type_text] : step.pairs) {
      const std::optional<size_t> column = input.IndexOf(name);
      if (!column) {
        std::vector<std::string> names;
        names.reserve(input.fields.size());
        for (const Field& field : input.fields) names.push_back(field.name);
        return NotFound("no column '" + name + "'" + DidYouMean(name, names));
      }
      TARN_ASSIGN_OR_RETURN(Type to, ParseType(type_text));
      if (to.kind != TypeKind::kDecimal) {
        return Invalid("column '" + name + "': expected a decimal, got " + TypeToText(to));
      }
      const Type& from = input.fields[*column].type;
      if (from.kind != TypeKind::kString && from.kind != TypeKind::kBinary) {
        return Invalid("column '" + name + "' is " + TypeToText(from) +
                       ", not base64 text or binary");
      }
      targets.push_back({*column, from.kind == TypeKind::kString, std::move(to)});
    }
    return std::unique_ptr<Transform>(std::make_unique<ConnectDecimal>(input, std::move(targets)));
  }
};

}  // namespace

std::unique_ptr<TransformMaker> MakeConnectDecimalMaker() {
  return std::make_unique<ConnectDecimalMaker>();
}

}  // namespace tarn
