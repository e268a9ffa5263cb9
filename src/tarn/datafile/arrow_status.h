#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"

namespace tarn {

// Arrow's failures as ours. Running out of memory, a key or an index that is missing and our misuse
// are kInternal; an Error of ours that passed through Arrow (ToArrowStatus) comes out as it went
// in; everything else is `otherwise`: kCorrupt where a file is decoded, kInvalid where values are
// cast. `where` stands in front of the message ("parquet: row group 3").
Error ArrowError(const arrow::Status& status, std::string_view where,
                 ErrorCode otherwise = ErrorCode::kCorrupt);

// Ok, or ArrowError.
Status Lift(const arrow::Status& status, std::string_view where,
            ErrorCode otherwise = ErrorCode::kCorrupt);

// The value, or ArrowError.
template <class T>
Result<T> Lift(arrow::Result<T> result, std::string_view where,
               ErrorCode otherwise = ErrorCode::kCorrupt) {
  if (!result.ok()) return ArrowError(result.status(), where, otherwise);
  return std::move(result).ValueUnsafe();
}

// An Error of ours on its way through Arrow: kept whole as the status's detail.
arrow::Status ToArrowStatus(const Error& error);

}  // namespace tarn
