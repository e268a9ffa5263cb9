// Any bytes as JSON lines: decoding and inference neither crash nor hang, every line is a row, a
// bad row or blank, batches are valid, and what inference says is what the decoder takes.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/record_batch.h>

#include "tarn/base/result.h"
#include "tarn/datafile/infer_json.h"
#include "tarn/datafile/json_decoder.h"
#include "tarn/datafile/text_source_blocks.h"
#include "tarn/model/schema.h"

namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

int64_t Decode(const tarn::Schema& schema, bool inferred, std::string_view text) {
  auto decoder = tarn::JsonDecoder::Make(
      schema, {std::vector<bool>(schema.fields.size(), inferred), /*bad_rows_max=*/1 << 20});
  Check(decoder.ok());
  auto rows = decoder.value()->Decode(text);
  Check(rows.ok());
  Check(rows->batch->ValidateFull().ok());
  Check(rows->batch->num_rows() == static_cast<int64_t>(rows->row_lines.size()));
  Check(rows->bad_rows_total == static_cast<int64_t>(rows->bad_rows.size()));
  Check(rows->batch->num_rows() + rows->bad_rows_total <= rows->lines);
  return rows->batch->num_rows();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const tarn::TextBlock block = tarn::TextBlock::Of({reinterpret_cast<const char*>(data), size});
  static const tarn::Schema kDeclared = *tarn::ParseColumns(
      "a bigint, b tinyint, c decimal(10,2), d double, e float, f string, g timestamp, h date, i "
      "boolean, "
      "j array<bigint>, k struct<x: bigint, y: array<string>>, l map<string, bigint>, m binary, n "
      "uuid");
  Decode(kDeclared, false, block.text());
  const tarn::ObservedText observed = tarn::ObserveJson(block.text());
  const auto inferred = tarn::MakeSchema(observed.root, {});
  if (inferred.ok() && !inferred->schema.fields.empty()) {
    Decode(inferred->schema, true, block.text());
  }
  return 0;
}
