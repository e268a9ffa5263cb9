#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/lineage/analyze.h"
#include "tarn/lineage/merge_script.h"
#include "tarn/lineage/schema_file.h"
#include "tarn/sql/dialect.h"

// Runs every case of tests/lineage/*.sql. One case:
//
//   ### name | dialect | table(column, …) table(…)
//   SQL
//   =>
//   reads: datasets          writes: datasets        (sets)
//   output <- source kind, source kind               (no kind: identity; nothing: a constant)
//   rows <- source kind, …   rows of output <- …     what acts on every row
//   warns: codes             (unknown_table may be left out)
//   ddl: OP words            partition: table.column value     through, like, maintains: names
//
// What is not said must not be there.
namespace tarn::lineage {
namespace {

namespace fs = std::filesystem;
using Texts = std::set<std::string>;

struct Case {
  std::string file;
  std::string name;
  std::string dialect;
  SchemaMap schema;
  std::string sql;
  std::vector<std::string> expected;
};

std::string Trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0) {
    text.remove_suffix(1);
  }
  return std::string(text);
}

std::vector<std::string> Split(std::string_view text, char by) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(by, at), text.size());
    std::string part = Trimmed(text.substr(at, end - at));
    if (!part.empty()) parts.push_back(std::move(part));
    at = end + 1;
  }
  return parts;
}

// d.t(a, b) d.r(x)
SchemaMap ParseSchema(std::string_view text) {
  SchemaMap schema;
  for (size_t at = 0; at < text.size();) {
    const size_t open = text.find('(', at);
    if (open == std::string_view::npos) break;
    const size_t close = text.find(')', open);
    TableSchema table;
    for (std::string column : Split(text.substr(open + 1, close - open - 1), ',')) {
      column.erase(std::remove(column.begin(), column.end(), '`'), column.end());
      table.columns.push_back({std::move(column)});
    }
    schema.Add(Trimmed(text.substr(at, open - at)), std::move(table));
    at = close + 1;
  }
  return schema;
}

std::vector<Case> ReadCases() {
  std::vector<Case> cases;
  for (const auto& entry : fs::directory_iterator("tests/lineage")) {
    if (entry.path().extension() != ".sql") continue;
    std::ifstream stream(entry.path());
    std::string line;
    bool answer = false;
    while (std::getline(stream, line)) {
      if (line.rfind("### ", 0) == 0) {
        std::vector<std::string> head = Split(std::string_view(line).substr(4), '|');
        head.resize(3);
        cases.push_back({entry.path().filename(), head[0], head[1], ParseSchema(head[2]), "", {}});
        answer = false;
      } else if (line == "=>") {
        answer = true;
      } else if (answer) {
        if (!line.empty()) cases.back().expected.push_back(line);
      } else if (!cases.empty()) {
        cases.back().sql += line + "\n";
      }
    }
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) {
    return std::pair(a.file, a.name) < std::pair(b.file, b.name);
  });
  return cases;
}

// "d.t.a filter", as the fixtures spell it.
std::string SourceText(const std::string& column, EdgeKind kind, bool masking) {
  std::string text = column + " ";
  for (const char byte : EdgeKindName(kind)) {
    text += byte == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(byte)));
  }
  return masking ? text + " masking" : text;
}

Texts ParseSources(std::string_view text) {
  Texts sources;
  for (const std::string& source : Split(text, ',')) {
    sources.insert(source.find(' ') == std::string::npos ? source + " identity" : source);
  }
  return sources;
}

Texts SetOf(std::string_view text) {
  const std::vector<std::string> parts = Split(text, ',');
  return {parts.begin(), parts.end()};
}

// An answer, or what is expected of one.
struct Answer {
  Texts reads, writes, warns, through, like, maintains, partitions;
  std::vector<std::string> ddl;
  std::map<std::string, Texts> columns;
  std::map<std::string, Texts> rows;  // by output; "": of all
};

Answer Expected(const std::vector<std::string>& lines) {
  Answer answer;
  const std::vector<std::pair<std::string_view, Texts*>> sets = {
      {"reads:", &answer.reads},         {"writes:", &answer.writes},
      {"warns:", &answer.warns},         {"through:", &answer.through},
      {"like:", &answer.like},           {"maintains:", &answer.maintains},
      {"partition:", &answer.partitions}};
  for (const std::string& line : lines) {
    const std::string_view text = line;
    const auto set = std::find_if(sets.begin(), sets.end(), [&](const auto& entry) {
      return text.substr(0, entry.first.size()) == entry.first;
    });
    if (set != sets.end()) {
      *set->second = SetOf(text.substr(set->first.size()));
      continue;
    }
    if (text.rfind("ddl:", 0) == 0) {
      answer.ddl = Split(text.substr(4), ',');
      continue;
    }
    const size_t arrow = text.find("<-");
    if (arrow == std::string_view::npos) {
      ADD_FAILURE() << "not understood: " << line;
      continue;
    }
    const std::string left = Trimmed(text.substr(0, arrow));
    const Texts sources = ParseSources(text.substr(arrow + 2));
    if (left == "rows") {
      answer.rows[""] = sources;
    } else if (left.rfind("rows of ", 0) == 0) {
      answer.rows[left.substr(8)] = sources;
    } else {
      answer.columns[left] = sources;
    }
  }
  return answer;
}

Answer Given(const Case& test, bool rows_by_output) {
  const sql::Dialect* const dialect = sql::FindDialect(test.dialect);
  Answer answer;
  if (dialect == nullptr) {
    ADD_FAILURE() << "no dialect " << test.dialect;
    return answer;
  }
  const ScriptLineage script = Analyze(test.sql, *dialect, test.schema);
  const MergedLineage merged = MergeScript(script);
  answer.reads.insert(merged.inputs.begin(), merged.inputs.end());
  answer.writes.insert(merged.outputs.begin(), merged.outputs.end());
  answer.through.insert(merged.transient.begin(), merged.transient.end());
  answer.like.insert(merged.schema_from.begin(), merged.schema_from.end());
  answer.maintains.insert(merged.maintenance.begin(), merged.maintenance.end());
  for (const auto& [dataset, column, value] : merged.partitions) {
    answer.partitions.insert(dataset + "." + column + " " + value.value_or("dynamic"));
  }
  for (const DdlEffect& effect : merged.ddl) {
    std::string text = effect.op;
    for (const std::string& part : {effect.object, effect.from, effect.to}) {
      if (!part.empty()) text += " " + part;
    }
    for (const std::string& column : effect.columns) text += " " + column;
    answer.ddl.push_back(text);
  }
  for (const MergedColumn& column : merged.columns) {
    Texts& sources = answer.columns[column.output];
    for (const MergedSource& source : column.sources) {
      sources.insert(SourceText(source.column, source.kind, source.masking));
    }
  }
  for (const MergedEffect& effect : merged.effects) {
    const std::string text = SourceText(effect.column, effect.kind, false);
    if (!rows_by_output) answer.rows[""].insert(text);
    for (const std::string& output : effect.outputs) {
      if (rows_by_output) answer.rows[output].insert(text);
    }
  }
  for (const StatementLineage& statement : script.statements) {
    for (const Warning& warning : statement.warnings) {
      answer.warns.insert(std::string(WarningCodeName(warning.code)));
    }
  }
  return answer;
}

class LineageTest : public ::testing::TestWithParam<Case> {};

TEST_P(LineageTest, IsRight) {
  const Case& test = GetParam();
  SCOPED_TRACE(test.file + ": " + test.name + "\n" + test.sql);
  const Answer expected = Expected(test.expected);
  Answer given = Given(test, !expected.rows.empty() && !expected.rows.contains(""));
  if (!expected.warns.contains("unknown_table")) given.warns.erase("unknown_table");
  EXPECT_EQ(given.reads, expected.reads);
  EXPECT_EQ(given.writes, expected.writes);
  EXPECT_EQ(given.columns, expected.columns);
  EXPECT_EQ(given.rows, expected.rows);
  EXPECT_EQ(given.warns, expected.warns);
  EXPECT_EQ(given.ddl, expected.ddl);
  EXPECT_EQ(given.partitions, expected.partitions);
  EXPECT_EQ(given.through, expected.through);
  EXPECT_EQ(given.like, expected.like);
  EXPECT_EQ(given.maintains, expected.maintains);
}

INSTANTIATE_TEST_SUITE_P(Cases, LineageTest, ::testing::ValuesIn(ReadCases()),
                         [](const ::testing::TestParamInfo<Case>& info) {
                           std::string name =
                               info.param.file.substr(0, info.param.file.size() - 4) + "_" +
                               info.param.name;
                           std::replace_if(
                               name.begin(), name.end(),
                               [](unsigned char byte) { return std::isalnum(byte) == 0; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace tarn::lineage
