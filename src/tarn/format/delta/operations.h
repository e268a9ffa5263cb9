#pragma once

#include <map>
#include <string>
#include <string_view>

#include "tarn/model/commit.h"

namespace tarn::delta {

// The name that commitInfo gives to an operation, in Spark's vocabulary: "WRITE", "DELETE", … An
// operation that has a name keeps it.
std::string OperationName(const Operation& operation);

// Its parameters, with the "mode" that tells an append from an overwrite ("Append", "Overwrite").
std::map<std::string, std::string> OperationParameters(const Operation& operation);

// What kind of operation a name of Spark, delta-rs or Tarn stands for; kOther if none is known.
OperationKind OperationKindOf(std::string_view name,
                              const std::map<std::string, std::string>& parameters);

}  // namespace tarn::delta
