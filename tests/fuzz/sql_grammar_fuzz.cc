// Statements of a grammar (sql_grammar.h), each choice a byte: every one must be read, laid out as
// a text with the same tree, and have lineage that means something.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tarn/lineage/analyze.h"
#include "tarn/sql/dialect.h"
#include "tests/fuzz/lineage_checks.h"
#include "tests/fuzz/sql_checks.h"
#include "tests/fuzz/sql_grammar.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const tarn::sql::Dialect& dialect = tarn::fuzz::DialectOf(data[0]);
  const std::string text = tarn::fuzz::SqlGrammar(data + 1, size - 1, dialect).Script();
  if (!tarn::fuzz::CheckRoundTrip(text, dialect)) std::abort();  // the grammar makes only SQL
  tarn::fuzz::CheckLineage(text, dialect);
  return 0;
}
