#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/datafile/bad_row.h"
#include "tarn/model/schema.h"

namespace tarn {

// A member that the schema does not know, and the first line that has it.
struct UnknownColumn {
  std::string path;  // "extra", "property.geo.alt"
  int64_t line = 0;  // 1-based within the block
};

// Rows out of one block of text.
struct DecodedRows {
  std::shared_ptr<arrow::RecordBatch> batch;
  std::vector<int32_t> row_lines = {};  // line of each row, 1-based within the block
  int64_t lines = 0;                    // in the block, blank ones too
  std::vector<BadRow> bad_rows = {};    // not in the batch; lines within the block, in order
  int64_t bad_rows_total = 0;           // also those beyond bad_rows_max
  std::vector<UnknownColumn> unknown_columns = {};
};

struct JsonDecodeOptions {
  // Columns whose type was inferred, by position (empty: none): only the kind that inference saw is
  // taken, so that a block which would have changed the inference is noticed. An integer is then a
  // number without point and exponent, and no number or time stands in quotes but where that was
  // seen.
  std::vector<bool> inferred = {};
  int64_t bad_rows_max = 100;  // kept with their bytes
};

// JSON lines to Arrow, directed by a schema. One line is one object. What is taken, by type:
//   integers, decimals   exactly, by value (1e3 and 1.0 are integers), from numbers or from text
//   that
//                        is one; too large or too fine is a bad row, never rounded
//   float, double        the nearest; also from text, so "NaN" and "Infinity" can be said
//   boolean              true and false
//   date, time, timestamps  ISO 8601 text (datafile/text_values.h); with zone: to UTC, a text
//   without
//                        offset is UTC; without zone: a text with an offset is refused
//   string               text; \u0000 is kept
//   binary, fixed, uuid  base64, base64, 36 characters
//   struct, map, list    objects, objects, arrays, to any depth
// null and missing are both NULL; [] is an empty list, {} a struct of NULLs. Member names match
// exactly, else ignoring (ASCII) case; two members of one object that mean one column make the row
// bad. Members without a column are skipped and reported.
// Not thread-safe: one decoder per thread, used again for many blocks.
class JsonDecoder {
 public:
  // kUnsupported for a type that JSON cannot fill (a map whose key is no string).
  static Result<std::unique_ptr<JsonDecoder>> Make(const Schema& schema, JsonDecodeOptions options);
  ~JsonDecoder();

  // `block`: whole lines with 64 readable bytes behind them (TextBlock). Rows in order of lines.
  Result<DecodedRows> Decode(std::string_view block);

 private:
  struct State;
  explicit JsonDecoder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace tarn
