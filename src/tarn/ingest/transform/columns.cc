#include "tarn/ingest/transform/columns.h"

#include <arrow/record_batch.h>

#include <algorithm>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

std::vector<std::string> Names(const Schema& schema) {
  std::vector<std::string> names;
  for (const Field& field : schema.fields) names.push_back(field.name);
  return names;
}

Result<size_t> Find(const Schema& schema, const std::string& name) {
  const std::optional<size_t> index = schema.IndexOf(name);
  if (!index) return NotFound("no column '" + name + "'" + DidYouMean(name, Names(schema)));
  return *index;
}

// Some of the columns, in some order.
class Projection final : public Transform {
 public:
  Projection(const Schema& input, std::vector<int> columns) : columns_(std::move(columns)) {
    for (const int column : columns_) {
      output_.fields.push_back(input.fields[static_cast<size_t>(column)]);
    }
    flows_ = IdentityFlows(output_);
  }
  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }
  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    TARN_ASSIGN_OR_RETURN(auto selected, Lift(batch->SelectColumns(columns_), "select"));
    return Transformed{std::move(selected)};
  }

 private:
  std::vector<int> columns_;
  Schema output_;
  std::vector<Flow> flows_;
};

class SelectMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    if (step.names.empty()) return Invalid("needs a list of columns");
    std::vector<int> columns;
    for (const std::string& name : step.names) {
      TARN_ASSIGN_OR_RETURN(const size_t column, Find(input, name));
      if (std::count(columns.begin(), columns.end(), static_cast<int>(column)) > 0) {
        return Invalid("column '" + name + "' stands twice");
      }
      columns.push_back(static_cast<int>(column));
    }
    return std::unique_ptr<Transform>(std::make_unique<Projection>(input, std::move(columns)));
  }
};

class DropMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    if (step.names.empty()) return Invalid("needs a list of columns");
    std::vector<bool> gone(input.fields.size(), false);
    for (const std::string& name : step.names) {
      TARN_ASSIGN_OR_RETURN(const size_t column, Find(input, name));
      gone[column] = true;
    }
    std::vector<int> columns;
    for (size_t i = 0; i < gone.size(); ++i) {
      if (!gone[i]) columns.push_back(static_cast<int>(i));
    }
    if (columns.empty()) return Invalid("no column is left");
    return std::unique_ptr<Transform>(std::make_unique<Projection>(input, std::move(columns)));
  }
};

class Rename final : public Transform {
 public:
  Rename(Schema output, std::vector<Flow> flows)
      : output_(std::move(output)), flows_(std::move(flows)) {}
  const Schema& output() const override { return output_; }
  const std::vector<Flow>& flows() const override { return flows_; }
  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const override {
    TARN_ASSIGN_OR_RETURN(auto renamed, WithSchema(*batch, output_));
    return Transformed{std::move(renamed)};
  }

 private:
  Schema output_;
  std::vector<Flow> flows_;
};

class RenameMaker final : public TransformMaker {
 public:
  Result<std::unique_ptr<Transform>> Make(Runtime& /*runtime*/, const Schema& input,
                                          const TransformStep& step) const override {
    if (step.pairs.empty()) return Invalid("needs {old: new}");
    Schema output = input;
    std::vector<Flow> flows = IdentityFlows(input);
    for (const auto& [from, to] : step.pairs) {
      TARN_ASSIGN_OR_RETURN(const size_t column, Find(input, from));
      if (to.empty()) return Invalid("column '" + from + "' needs a new name");
      output.fields[column].name = flows[column].output = to;
    }
    for (size_t i = 0; i < output.fields.size(); ++i) {
      for (size_t k = 0; k < i; ++k) {
        const bool touched = output.fields[i].name != input.fields[i].name ||
                             output.fields[k].name != input.fields[k].name;
        if (touched && AsciiEqualsIgnoreCase(output.fields[i].name, output.fields[k].name)) {
          return AlreadyExists("column '" + output.fields[i].name + "' exists");
        }
      }
    }
    return std::unique_ptr<Transform>(
        std::make_unique<Rename>(std::move(output), std::move(flows)));
  }
};

}  // namespace

std::unique_ptr<TransformMaker> MakeSelectMaker() { return std::make_unique<SelectMaker>(); }
std::unique_ptr<TransformMaker> MakeDropMaker() { return std::make_unique<DropMaker>(); }
std::unique_ptr<TransformMaker> MakeRenameMaker() { return std::make_unique<RenameMaker>(); }

}  // namespace tarn
