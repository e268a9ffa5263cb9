#include "tarn/ingest/transform/cast.h"

#include <arrow/array.h>
#include <arrow/builder.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <map>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/text_cast.h"
#include "tarn/ingest/transform/bad_rows.h"

namespace tarn {
namespace {

// Every scalar has a text that says it exactly, so casts go through text: slower than Arrow's
// kernels, but never a wrong digit.
Result<std::shared_ptr<arrow::StringArray>> Texts(const arrow::Array& array, const Type& from,
                                                  const Type& to) {
  const bool day = to.kind == TypeKind::kDate && from.IsTimestamp();
  arrow::StringBuilder builder;
  for (int64_t row = 0; row < array.length(); ++row) {
    if (array.IsNull(row)) {
      TARN_RETURN_IF_ERROR(Lift(builder.AppendNull(), "cast"));
      continue;
    }
    TARN_ASSIGN_OR_RETURN(const Value value, ValueAt(array, row, from));
    std::string text = ValueToText(from, value);
    // A timestamp at midnight is a day.
    if (day && (text.ends_with("T00:00:00Z") || text.ends_with("T00:00:00"))) text.resize(10);
    TARN_RETURN_IF_ERROR(Lift(builder.Append(text), "cast"));
  }
  std::shared_ptr<arrow::StringArray> texts;
  TARN_RETURN_IF_ERROR(Lift(builder.Finish(&texts), "cast"));
  return texts;
}

class Cast final : public Transform {
 public:
  struct Target {
    size_t column;
    Type from;
    Type to;
  };

  Cast(const Schema& input, std::vector<Target> targets) : targets_(std::move(targets)) {
    output_ = input;
    flows_ = IdentityFlows(input);
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
      const arrow::Array& before = *columns[target.column];
      std::shared_ptr<arrow::StringArray> texts;
      if (before.type_id() == arrow::Type::STRING) {
        texts = std::static_pointer_cast<arrow::StringArray>(columns[target.column]);
      } else {
        TARN_ASSIGN_OR_RETURN(texts, Texts(before, target.from, target.to));
      }
      TARN_ASSIGN_OR_RETURN(ParsedColumn parsed, ParseTexts(*texts, target.to));
      for (ParsedColumn::Failure& failure : parsed.failures) {
        bad.try_emplace(failure.row, BadBatchRow{failure.row, output_.fields[target.column].name,
                                                 std::move(failure.reason)});
      }
      columns[target.column] = std::move(parsed.array);
    }
    TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(output_));
    return SetBadRowsAside(
        arrow::RecordBatch::Make(std::move(schema), batch->num_rows(), std::move(columns)),
        std::move(bad));
  }

 private:
  std::vector<Target> targets_;
  Schema output_;
  std::vector<Flow> flows_;
};

class CastMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    if (step.pairs.empty()) return Invalid("needs {column: type}");
    std::vector<Cast::Target> targets;
    for (const auto& [name, type_text] : step.pairs) {
      const std::optional<size_t> column = input.IndexOf(name);
      if (!column) {
        std::vector<std::string> names;
        for (const Field& field : input.fields) names.push_back(field.name);
        return NotFound("no column '" + name + "'" + DidYouMean(name, names));
      }
      TARN_ASSIGN_OR_RETURN(Type to, ParseType(type_text));
      const Type& from = input.fields[*column].type;
      if (to.IsNested() || from.IsNested()) {
        return Invalid("column '" + name + "': " + TypeToText(from) + " cannot be cast to " +
                       TypeToText(to));
      }
      if (from != to) targets.push_back({*column, from, std::move(to)});
    }
    return std::unique_ptr<Transform>(std::make_unique<Cast>(input, std::move(targets)));
  }
};

}  // namespace

std::unique_ptr<TransformMaker> MakeCastMaker() { return std::make_unique<CastMaker>(); }

}  // namespace tarn
