// Reading and laying out SQL text, without a lake. Statements come from a file, each closed by a
// line that holds only a semicolon.
//
//   bench_sql_paths parse <file.sql> <dialect> <rounds>
//   bench_sql_paths format <file.sql> <dialect> <rounds>
//   bench_sql_paths script <file.sql> <dialect> <rounds>   the whole file as one text
//
// One JSON line: statements, bytes, seconds of the best round, statements and megabytes a second,
// errors, peak memory.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tarn/sql/dialect.h"
#include "tarn/sql/formatter.h"
#include "tarn/sql/parser.h"

namespace {

struct Counts {
  size_t statements = 0;
  size_t errors = 0;
};

Counts Read(const std::string& text, const tarn::sql::Dialect& dialect, bool format) {
  const tarn::sql::ParsedScript script = tarn::sql::Parse(text, dialect);
  Counts counts;
  counts.statements = script.statements.size();
  for (const auto& statement : script.statements) counts.errors += statement.error ? 1 : 0;
  if (format && tarn::sql::Format(script).empty()) std::abort();
  return counts;
}

std::vector<std::string> SplitTexts(const std::string& text) {
  std::vector<std::string> texts;
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = std::min(text.find("\n;\n", begin), text.size());
    texts.push_back(text.substr(begin, end - begin));
    begin = end + 3;
  }
  return texts;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::fputs("usage: bench_sql_paths parse|format|script <file.sql> <dialect> <rounds>\n",
               stderr);
    return 2;
  }
  const std::string what = argv[1];
  std::ifstream stream(argv[2], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const tarn::sql::Dialect* const dialect = tarn::sql::FindDialect(argv[3]);
  if (!stream || dialect == nullptr) {
    std::fputs("bench_sql_paths: no such file or dialect\n", stderr);
    return 2;
  }
  const std::vector<std::string> texts =
      what == "script" ? std::vector<std::string>{text} : SplitTexts(text);
  double best = 1e9;
  Counts counts;
  for (int round = 0; round < std::atoi(argv[4]); ++round) {
    counts = {};
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& one : texts) {
      const Counts found = Read(one, *dialect, what == "format");
      counts.statements += found.statements;
      counts.errors += found.errors;
    }
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"statements\": {}, \"errors\": {}, \"bytes\": {}, \"seconds\": {:.6f}, "
      "\"statements_per_second\": {:.0f}, \"megabytes_per_second\": {:.1f}, \"peak_bytes\": {}}}\n",
      counts.statements, counts.errors, text.size(), best,
      static_cast<double>(counts.statements) / best, static_cast<double>(text.size()) / best / 1e6,
      usage.ru_maxrss * int64_t{1024});
  return 0;
}
