#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/lineage/lineage.h"
#include "tarn/model/schema.h"

namespace tarn {

// A row that a step could not take: its number in the batch the step was given, the column, and
// why.
struct BadBatchRow {
  int64_t row = 0;
  std::string column;
  std::string reason;
};

struct Transformed {
  std::shared_ptr<arrow::RecordBatch> batch;
  // For each row of `batch` its row in the batch given; empty: the same rows.
  std::vector<int32_t> from_rows = {};
  std::vector<BadBatchRow> bad_rows = {};  // not in batch
};

// Names from the top level down: {"user", "id"}.
using ColumnPath = std::vector<std::string>;

// An input column that makes an output column, or decides about it or about rows.
struct FlowInput {
  ColumnPath path;
  lineage::EdgeKind kind = lineage::EdgeKind::kIdentity;
  bool masking = false;
  friend bool operator==(const FlowInput&, const FlowInput&) = default;
};

// What makes one output column (top level). `identity`: the values of the one input pass unchanged,
// names of members included.
struct Flow {
  std::string output;
  std::vector<FlowInput> inputs;
  bool identity = false;
  friend bool operator==(const Flow&, const Flow&) = default;
};

// One step between a source and the table: batches in, batches out, rows kept in order.
// A transform is made for one input schema, so every question of schema is answered before the
// first row; Apply meets only values. When a source's schema changes, the pipeline makes the chain
// anew. Apply is called from many threads.
class Transform {
 public:
  virtual ~Transform() = default;
  virtual const Schema& output() const = 0;
  virtual const std::vector<Flow>& flows() const = 0;
  // What decides which rows go on.
  virtual std::vector<FlowInput> row_inputs() const { return {}; }
  virtual Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const = 0;
};

// Every column flows to itself.
std::vector<Flow> IdentityFlows(const Schema& schema);
// `output` is computed from the one column `input`.
Flow ComputedFrom(std::string output, std::string input);

// `batch` with the fields of `schema` (same columns in the same order; names may differ).
Result<std::shared_ptr<arrow::RecordBatch>> WithSchema(const arrow::RecordBatch& batch,
                                                       const Schema& schema);

// Makes one kind of step for an input schema. kNotFound: no such column; kAlreadyExists: the name
// is taken; kInvalid: an option that is missing, unknown or wrong.
class TransformMaker {
 public:
  virtual ~TransformMaker() = default;
  virtual Result<std::unique_ptr<Transform>> Make(Runtime& runtime, const Schema& input,
                                                  const TransformStep& step) const = 0;
};

// Every kind of step there is, by name.
Registry<TransformMaker> BuiltinTransforms();

// Steps one after another, as one. Neighbouring `flatten` and `snake_case` steps are made as one,
// so that a clash of names lists all that lead to it. Errors name the step and, where known, its
// line.
class TransformChain {
 public:
  static Result<TransformChain> Make(Runtime& runtime, const Registry<TransformMaker>& makers,
                                     const Schema& input, const std::vector<TransformStep>& steps);

  bool empty() const { return steps_.empty(); }
  const Schema& output() const { return output_; }
  // The input column whose values reach `output` unchanged; empty when there is none.
  ColumnPath IdentitySource(const std::string& output) const;
  // The way of every output column, and of what decides about rows, back to the first input.
  struct Flows {
    std::vector<Flow> columns;
    std::vector<FlowInput> rows;
  };
  Flows FlowsFromInput() const;
  Result<Transformed> Apply(std::shared_ptr<arrow::RecordBatch> batch) const;

 private:
  std::vector<std::unique_ptr<Transform>> steps_;
  Schema input_;
  Schema output_;
};

}  // namespace tarn
