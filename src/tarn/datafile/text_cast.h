#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/types.h"

namespace tarn {

struct ParsedColumn {
  struct Failure {
    int64_t row;
    std::string reason;  // `expected int64, got string "seven"`
  };
  std::shared_ptr<arrow::Array> array;  // as long as the texts; NULL where one failed
  std::vector<Failure> failures;
};

// Texts as values of a scalar type, exactly (datafile/text_values.h); NULL stays NULL. Every text
// of a nested type fails.
Result<ParsedColumn> ParseTexts(const arrow::StringArray& texts, const Type& type);

}  // namespace tarn
