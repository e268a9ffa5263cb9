// Any bytes as SQL: tokens cover the text in order, values can be taken, and what is built on them
// neither crashes nor hangs.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "tarn/sql/rewrite.h"
#include "tarn/sql/statement_parser.h"
#include "tarn/sql/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view sql(reinterpret_cast<const char*>(data), size);
  const auto tokens = tarn::sql::Tokenize(sql);
  if (!tokens.ok()) return 0;
  uint32_t done = 0;
  for (const tarn::sql::Token& token : tokens.value()) {
    if (token.span.begin < done || token.span.end < token.span.begin || token.span.end > size) {
      std::abort();
    }
    done = token.span.end;
    (void)token.Value();
  }
  (void)tarn::sql::ParseScript(sql);
  const auto uses = tarn::sql::FindTables(sql);
  (void)tarn::sql::FindTables(sql, tarn::sql::TextKind::kExpression);
  auto edits = tarn::sql::SpellingEdits(sql);
  if (!edits.ok()) std::abort();
  if (uses.ok()) (void)tarn::sql::QualifierEdits(sql, uses.value());
  // What was rewritten must be text that can be read again.
  const auto rewritten = tarn::sql::ApplyEdits(sql, std::move(edits).value());
  if (!tarn::sql::Tokenize(rewritten.text).ok()) std::abort();
  return 0;
}
