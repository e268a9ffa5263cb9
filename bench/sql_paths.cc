// Reading, laying out and tracing SQL text, without a lake. Statements come from a file, each
// closed by a line that holds only a semicolon.
//
//   bench_sql_paths parse|format|lineage <file.sql> <dialect> <rounds> [schema.json]
//   bench_sql_paths parse-script|lineage-script …    the whole file as one text
//
// One JSON line: statements, bytes, seconds of the best round, statements and megabytes a second,
// errors, edges, peak memory.
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

#include "tarn/lineage/analyze.h"
#include "tarn/lineage/schema_file.h"
#include "tarn/sql/dialect.h"
#include "tarn/sql/formatter.h"
#include "tarn/sql/parser.h"

namespace {

struct Counts {
  size_t statements = 0;
  size_t errors = 0;
  size_t edges = 0;
};

struct Work {
  std::string what;
  const tarn::sql::Dialect* dialect = nullptr;
  tarn::lineage::SchemaMap schema;
};

void Trace(const std::string& text, const Work& work, Counts& counts) {
  const auto script = tarn::lineage::Analyze(text, *work.dialect, work.schema);
  counts.statements += script.statements.size();
  for (const auto& statement : script.statements) {
    counts.edges += statement.edges.size();
    counts.errors +=
        std::any_of(statement.warnings.begin(), statement.warnings.end(),
                    [](const auto& w) { return w.code == tarn::lineage::WarningCode::kSyntax; });
  }
}

void Read(const std::string& text, const Work& work, Counts& counts) {
  if (work.what.starts_with("lineage")) return Trace(text, work, counts);
  const tarn::sql::ParsedScript script = tarn::sql::Parse(text, *work.dialect);
  counts.statements += script.statements.size();
  for (const auto& statement : script.statements) counts.errors += statement.error ? 1 : 0;
  if (work.what == "format" && tarn::sql::Format(script).empty()) std::abort();
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

std::string ReadFile(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5 || argc > 6) {
    std::fputs(
        "usage: bench_sql_paths parse|format|lineage|parse-script|lineage-script <file.sql> "
        "<dialect> <rounds> [schema.json]\n",
        stderr);
    return 2;
  }
  Work work{argv[1], tarn::sql::FindDialect(argv[3]), {}};
  const std::string text = ReadFile(argv[2]);
  auto schema = tarn::lineage::ParseSchemaFile(argc == 6 ? ReadFile(argv[5]) : "{}");
  if (text.empty() || work.dialect == nullptr || !schema.ok()) {
    std::fputs("bench_sql_paths: no such file, dialect or schema\n", stderr);
    return 2;
  }
  work.schema = std::move(schema).value();
  const std::vector<std::string> texts =
      work.what.ends_with("-script") ? std::vector<std::string>{text} : SplitTexts(text);
  double best = 1e9;
  Counts counts;
  for (int round = 0; round < std::atoi(argv[4]); ++round) {
    counts = {};
    const auto begin = std::chrono::steady_clock::now();
    for (const std::string& one : texts) Read(one, work, counts);
    best = std::min(
        best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(
      "{{\"statements\": {}, \"errors\": {}, \"edges\": {}, \"bytes\": {}, \"seconds\": {:.6f}, "
      "\"statements_per_second\": {:.0f}, \"megabytes_per_second\": {:.1f}, \"peak_bytes\": {}}}\n",
      counts.statements, counts.errors, counts.edges, text.size(), best,
      static_cast<double>(counts.statements) / best, static_cast<double>(text.size()) / best / 1e6,
      usage.ru_maxrss * int64_t{1024});
  return 0;
}
