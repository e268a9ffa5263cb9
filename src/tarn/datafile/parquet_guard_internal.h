#pragma once

#include <exception>
#include <string_view>
#include <utility>

#include <arrow/status.h>
#include <parquet/exception.h>

#include "tarn/base/result.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn {

// work(), with what the Parquet library throws turned into our Error. Only for .cc files of the
// Parquet format.
template <class Work>
auto GuardParquet(std::string_view where, Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const parquet::ParquetStatusException& thrown) {
    return ArrowError(thrown.status(), where);
  } catch (const std::bad_alloc&) {
    return Unavailable(std::string(where) + ": out of memory");
  } catch (const std::exception& thrown) {
    return ArrowError(arrow::Status::Invalid(thrown.what()), where);
  }
}

}  // namespace tarn
