#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/datafile/infer_json.h"
#include "tarn/datafile/json_decoder.h"
#include "tarn/model/schema.h"

namespace tarn {

// The first record of a CSV text as names, and what it takes of the text.
struct CsvHeader {
  std::vector<std::string> names;
  size_t bytes = 0;
  int64_t lines = 0;
};
// kInvalid: an empty or repeated name, invalid UTF-8, broken quotes. `text` begins with the header
// and holds it whole. An empty text has no names.
Result<CsvHeader> ReadCsvHeader(std::string_view text, char delimiter);
// Names for a text without header: column0, column1, … as many as its first record has fields.
std::vector<std::string> CsvNamesByPosition(std::string_view text, char delimiter);

struct CsvDecodeOptions {
  char delimiter = ',';
  std::vector<bool> inferred = {};  // as JsonDecodeOptions::inferred
  int64_t bad_rows_max = 100;
};

// CSV (RFC 4180, UTF-8) to Arrow, directed by a schema: fields go to columns by name (exact, else
// ignoring case). An empty field is NULL, "" an empty string. Numbers, dates and times as in
// JsonDecoder, +1 and 007 too; booleans are true and false in any case. Nested types cannot be
// read. A record with another number of fields than the header is a bad row, as is broken quoting;
// a bad row carries its bytes. Not thread-safe: one decoder per thread, used again for many blocks.
class CsvDecoder {
 public:
  // kUnsupported for a nested type.
  static Result<std::unique_ptr<CsvDecoder>> Make(const Schema& schema, CsvDecodeOptions options);
  ~CsvDecoder();

  // Which column each field of a file goes to, from its header; those without one are reported.
  // kInvalid when two names mean one column, or a NOT NULL column is missing.
  Status SetHeader(const std::vector<std::string>& names);
  const std::vector<std::string>& unknown_names() const;

  // `block`: whole records, without the header. After SetHeader.
  Result<DecodedRows> Decode(std::string_view block);

 private:
  struct State;
  explicit CsvDecoder(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Looks at every value of a block of records, as MakeSchema (with MixedKinds::kText) wants it.
// Numbers with a leading zero or plus are text: they are codes.
ObservedText ObserveCsv(std::string_view block, const std::vector<std::string>& names,
                        char delimiter);

}  // namespace tarn
