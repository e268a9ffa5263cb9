#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/engine/engine.h"

namespace tarn::cli {

enum class ResultFormat : uint8_t { kTable, kCsv, kJson, kJsonLines, kMarkdown, kArrow };

// "table", "csv", "json", "jsonl", "markdown", "arrow". kInvalid with the nearest.
Result<ResultFormat> ParseResultFormat(std::string_view name);

// Where bytes of a result go; fails when they cannot be written (a closed pipe).
using WriteBytes = std::function<Status(std::string_view)>;

struct ResultOptions {
  ResultFormat format = ResultFormat::kTable;
  size_t width_max = 0;        // columns of the terminal; 0: no terminal, nothing is cut
  int64_t table_rows_max = 0;  // of a drawn table; 0: all
};

// Writes all rows of `rows`, one of:
//   table     drawn with lines, then the number of rows
//   csv       RFC 4180: a header; NULL is empty, an empty string is ""; lines end in LF
//   json      one array of objects
//   jsonl     one object a line
//   markdown  a table of GitHub's kind
//   arrow     an IPC stream
// Values as in print/cell.h. Errors: of the rows, of `write`; kCancelled between batches.
Status WriteResult(Runtime& runtime, BatchStream& rows, const ResultOptions& options,
                   const WriteBytes& write);

}  // namespace tarn::cli
