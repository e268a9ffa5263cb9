// Any text as a script for lineage, in each dialect: nothing crashes or hangs, and what is said
// means something. Half of the inputs are bytes as they are, the others words of a grammar.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tarn/lineage/analyze.h"
#include "tarn/sql/dialect.h"
#include "tests/fuzz/lineage_checks.h"
#include "tests/fuzz/sql_checks.h"
#include "tests/fuzz/sql_pieces.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const tarn::sql::Dialect& dialect = tarn::fuzz::DialectOf(data[0] >> 1);
  if ((data[0] & 1) == 0) {
    tarn::fuzz::CheckLineage({reinterpret_cast<const char*>(data) + 1, size - 1}, dialect);
  } else {
    tarn::fuzz::CheckLineage(tarn::fuzz::SqlSentence(data + 1, size - 1), dialect);
  }
  return 0;
}
