// Any bytes as SQL in each dialect: nothing crashes or hangs, spans stay within the text, and what
// can be read is laid out as a text with the same tree. Half of the inputs are bytes as they are;
// the others choose words of a grammar, so that long statements are reached that bytes alone never
// make.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tarn/sql/dialect.h"
#include "tests/fuzz/sql_checks.h"
#include "tests/fuzz/sql_pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const tarn::sql::Dialect& dialect = tarn::fuzz::DialectOf(data[0] >> 1);
  if ((data[0] & 1) == 0) {
    tarn::fuzz::CheckRoundTrip({reinterpret_cast<const char*>(data) + 1, size - 1}, dialect);
  } else {
    tarn::fuzz::CheckRoundTrip(tarn::fuzz::SqlSentence(data + 1, size - 1), dialect);
  }
  return 0;
}
