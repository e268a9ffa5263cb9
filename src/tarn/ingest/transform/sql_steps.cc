#include "tarn/ingest/transform/sql_steps.h"

#include <arrow/array/array_primitive.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/duck/duck_session.h"
#include "tarn/ingest/transform/sql_flows.h"
#include "tarn/ingest/transform/take_rows.h"

namespace tarn {
namespace {

class Filter final : public Transform {
 public:
  Filter(Schema input, std::vector<FlowInput> row_inputs, std::unique_ptr<BatchSql> condition)
      : output_(std::move(input)),
        flows_(IdentityFlows(output_)),
        row_inputs_(std::move(row_inputs)),
        condition_(std::move(condition)) {}

  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }
  std::vector<FlowInput> row_inputs() const override { return row_inputs_; }

  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    // The condition is computed as a column, so that it stays known which rows went.
    TARN_ASSIGN_OR_RETURN(auto computed, condition_->Apply(batch));
    const auto& keep = static_cast<const arrow::BooleanArray&>(*computed->column(0));
    std::vector<int32_t> rows;
    for (int64_t row = 0; row < keep.length(); ++row) {
      if (keep.IsValid(row) && keep.Value(row)) rows.push_back(static_cast<int32_t>(row));
    }
    if (static_cast<int64_t>(rows.size()) == batch->num_rows())
      return Transformed{std::move(batch)};
    Transformed result;
    TARN_ASSIGN_OR_RETURN(result.batch, TakeRows(*batch, rows));
    result.from_rows = std::move(rows);
    return result;
  }

 private:
  Schema output_;
  std::vector<Flow> flows_;
  std::vector<FlowInput> row_inputs_;
  std::unique_ptr<BatchSql> condition_;
};

class FilterMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& runtime, const Schema& input,
                                          const TransformStep& step) const override {
    const auto condition = step.options.find("sql");
    if (condition == step.options.end()) return Invalid("needs an SQL condition");
    TARN_ASSIGN_OR_RETURN(
        auto sql, BatchSql::Make(runtime, input, "(" + condition->second + ") AS keep", ""));
    const Type& type = sql->output().fields.at(0).type;
    if (type.kind != TypeKind::kBoolean) {
      return Invalid("'" + condition->second + "' is no condition but " + TypeToText(type));
    }
    return std::unique_ptr<Transform>(std::make_unique<Filter>(
        input, InputsOfCondition(input, condition->second), std::move(sql)));
  }
};

class Compute final : public Transform {
 public:
  // targets: where each computed column goes.
  Compute(Schema output, std::vector<Flow> flows, std::vector<size_t> targets,
          std::unique_ptr<BatchSql> sql)
      : output_(std::move(output)),
        flows_(std::move(flows)),
        targets_(std::move(targets)),
        sql_(std::move(sql)) {}

  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }

  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    TARN_ASSIGN_OR_RETURN(auto computed, sql_->Apply(batch));
    std::vector<std::shared_ptr<arrow::Array>> columns = batch->columns();
    columns.resize(output_.fields.size());
    for (size_t i = 0; i < targets_.size(); ++i) {
      columns[targets_[i]] = computed->column(static_cast<int>(i));
    }
    TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(output_));
    return Transformed{
        arrow::RecordBatch::Make(std::move(schema), batch->num_rows(), std::move(columns))};
  }

 private:
  Schema output_;
  std::vector<Flow> flows_;
  std::vector<size_t> targets_;
  std::unique_ptr<BatchSql> sql_;
};

class ComputeMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& runtime, const Schema& input,
                                          const TransformStep& step) const override {
    if (step.pairs.empty()) return Invalid("needs {column: SQL expression}");
    std::string select;
    for (const auto& [name, expression] : step.pairs) {
      if (name.empty()) return Invalid("a computed column needs a name");
      if (!select.empty()) select += ", ";
      select += "(" + expression + ") AS " + QuoteIdentifier(name);
    }
    TARN_ASSIGN_OR_RETURN(auto sql, BatchSql::Make(runtime, input, select, ""));
    Schema output = input;
    std::vector<Flow> flows = IdentityFlows(input);
    std::vector<std::vector<FlowInput>> inputs = InputsOfSelect(input, select);
    inputs.resize(step.pairs.size());  // none where it cannot be told
    std::vector<size_t> targets;
    for (size_t i = 0; i < step.pairs.size(); ++i) {
      Field field = sql->output().fields.at(i);
      field.name = step.pairs[i].first;
      field.id = 0;
      size_t target = output.fields.size();
      if (const std::optional<size_t> existing = output.IndexOf(field.name)) {
        target = *existing;
        field.name = output.fields[target].name;
      } else {
        output.fields.emplace_back();
        flows.emplace_back();
      }
      flows[target] = {field.name, std::move(inputs[i]), false};
      output.fields[target] = std::move(field);
      targets.push_back(target);
    }
    return std::unique_ptr<Transform>(std::make_unique<Compute>(
        std::move(output), std::move(flows), std::move(targets), std::move(sql)));
  }
};

}  // namespace

std::unique_ptr<TransformMaker> MakeFilterMaker() { return std::make_unique<FilterMaker>(); }
std::unique_ptr<TransformMaker> MakeComputeMaker() { return std::make_unique<ComputeMaker>(); }

}  // namespace tarn
