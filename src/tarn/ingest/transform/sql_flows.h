#pragma once

#include <string>
#include <vector>

#include "tarn/ingest/transform/transform.h"
#include "tarn/model/schema.h"

namespace tarn {

// What columns of `input` make each item of `select`, the text between SELECT and FROM in DuckDB's
// words. Empty if it cannot be read.
std::vector<std::vector<FlowInput>> InputsOfSelect(const Schema& input, const std::string& select);

// The columns of `input` that a condition reads.
std::vector<FlowInput> InputsOfCondition(const Schema& input, const std::string& condition);

}  // namespace tarn
