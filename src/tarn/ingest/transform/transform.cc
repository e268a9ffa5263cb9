#include "tarn/ingest/transform/transform.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <map>
#include <utility>

#include "tarn/datafile/arrow_schema.h"

namespace tarn {

std::vector<Flow> IdentityFlows(const Schema& schema) {
  std::vector<Flow> flows;
  for (const Field& field : schema.fields) {
    flows.push_back({field.name, {FlowInput{ColumnPath{field.name}}}, true});
  }
  return flows;
}

Flow ComputedFrom(std::string output, std::string input) {
  return {std::move(output),
          {FlowInput{ColumnPath{std::move(input)}, lineage::EdgeKind::kTransformation}},
          false};
}

namespace {

// The same data under a type that differs in the names of its members only.
std::shared_ptr<arrow::ArrayData> Retyped(const arrow::ArrayData& data,
                                          const std::shared_ptr<arrow::DataType>& type) {
  std::shared_ptr<arrow::ArrayData> copy = data.Copy();
  copy->type = type;
  for (size_t i = 0; i < copy->child_data.size(); ++i) {
    copy->child_data[i] = Retyped(*copy->child_data[i], type->field(static_cast<int>(i))->type());
  }
  return copy;
}

}  // namespace

Result<std::shared_ptr<arrow::RecordBatch>> WithSchema(const arrow::RecordBatch& batch,
                                                       const Schema& schema) {
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Schema> arrow_schema, ToArrow(schema));
  std::vector<std::shared_ptr<arrow::ArrayData>> columns = batch.column_data();
  for (size_t i = 0; i < columns.size(); ++i) {
    columns[i] = Retyped(*columns[i], arrow_schema->field(static_cast<int>(i))->type());
  }
  return arrow::RecordBatch::Make(std::move(arrow_schema), batch.num_rows(), std::move(columns));
}

namespace {

bool IsNaming(const TransformStep& step) {
  return step.kind == "flatten" || step.kind == "snake_case";
}

// "flatten" followed by "snake_case", in either order, as the one step "snake_case+flatten".
TransformStep Fused(const TransformStep& first, const TransformStep& second) {
  TransformStep step = first;
  if (first.kind != second.kind) step.kind = "flatten";
  step.options["snake_case"] = "true";
  if (first.kind == "snake_case" && second.kind == "snake_case") step.kind = "snake_case";
  if (first.kind == "flatten" && second.kind == "flatten") step.options.erase("snake_case");
  for (const auto& [key, value] : second.options) step.options[key] = value;
  return step;
}

std::string StepName(const TransformStep& step) {
  return step.place.empty() ? step.kind : step.place + ": " + step.kind;
}

}  // namespace

Result<TransformChain> TransformChain::Make(Runtime& runtime,
                                            const Registry<TransformMaker>& makers,
                                            const Schema& input,
                                            const std::vector<TransformStep>& steps) {
  TransformChain chain;
  chain.input_ = chain.output_ = input;
  for (size_t i = 0; i < steps.size(); ++i) {
    TransformStep step = steps[i];
    while (i + 1 < steps.size() && IsNaming(step) && IsNaming(steps[i + 1])) {
      step = Fused(step, steps[++i]);
    }
    TARN_ASSIGN_OR_RETURN(const TransformMaker* maker, makers.Find(step.kind));
    Result<std::unique_ptr<Transform>> made = maker->Make(runtime, chain.output_, step);
    if (!made.ok()) return made.error().WithContext(StepName(step));
    chain.output_ = made.value()->output();
    chain.steps_.push_back(std::move(made).value());
  }
  return chain;
}

ColumnPath TransformChain::IdentitySource(const std::string& output) const {
  ColumnPath path = {output};
  for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
    const Flow* flow = nullptr;
    for (const Flow& candidate : (*step)->flows()) {
      if (candidate.output == path[0]) flow = &candidate;
    }
    if (flow == nullptr || !flow->identity || flow->inputs.size() != 1) return {};
    ColumnPath longer = flow->inputs[0].path;
    longer.insert(longer.end(), path.begin() + 1, path.end());
    path = std::move(longer);
  }
  return path;
}

namespace {

// `input` of a step, by what the columns before that step came from.
void Follow(const FlowInput& input, const std::map<std::string, std::vector<FlowInput>>& before,
            std::vector<FlowInput>* found) {
  const auto column = before.find(input.path[0]);
  if (column == before.end()) return;
  for (const FlowInput& origin : column->second) {
    FlowInput whole = origin;
    whole.kind = lineage::Deeper(input.kind, origin.kind);
    whole.masking = input.masking || origin.masking;
    // A member of what was only copied is a member of where it stood before.
    if (origin.kind == lineage::EdgeKind::kIdentity) {
      whole.path.insert(whole.path.end(), input.path.begin() + 1, input.path.end());
    }
    if (std::find(found->begin(), found->end(), whole) == found->end()) {
      found->push_back(std::move(whole));
    }
  }
}

}  // namespace

TransformChain::Flows TransformChain::FlowsFromInput() const {
  std::map<std::string, std::vector<FlowInput>> made_of;
  for (const Flow& flow : IdentityFlows(input_)) made_of[flow.output] = flow.inputs;
  Flows all;
  for (const auto& step : steps_) {
    for (const FlowInput& input : step->row_inputs()) Follow(input, made_of, &all.rows);
    std::map<std::string, std::vector<FlowInput>> next;
    for (const Flow& flow : step->flows()) {
      for (const FlowInput& input : flow.inputs) Follow(input, made_of, &next[flow.output]);
    }
    made_of = std::move(next);
  }
  for (const Field& field : output_.fields) {
    all.columns.push_back({field.name, std::move(made_of[field.name])});
  }
  return all;
}

Result<Transformed> TransformChain::Apply(std::shared_ptr<arrow::RecordBatch> batch) const {
  Transformed all;
  all.batch = std::move(batch);
  for (const auto& step : steps_) {
    TARN_ASSIGN_OR_RETURN(Transformed one, step->Apply(std::move(all.batch)));
    // Rows are told by their number in the batch that came in first.
    const auto origin = [&all](int64_t row) {
      return all.from_rows.empty() ? row : all.from_rows[static_cast<size_t>(row)];
    };
    for (BadBatchRow& bad : one.bad_rows) {
      bad.row = origin(bad.row);
      all.bad_rows.push_back(std::move(bad));
    }
    if (!one.from_rows.empty() || one.batch->num_rows() == 0) {
      std::vector<int32_t> rows;
      rows.reserve(one.from_rows.size());
      for (const int32_t row : one.from_rows) rows.push_back(static_cast<int32_t>(origin(row)));
      all.from_rows = std::move(rows);
    }
    all.batch = std::move(one.batch);
  }
  return all;
}

}  // namespace tarn
