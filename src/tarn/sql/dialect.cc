#include "tarn/sql/dialect.h"

#include <array>

#include "tarn/base/text.h"

namespace tarn::sql {
namespace {

constexpr TokenRules kHadoopTokens = {.double_quoted_strings = true,
                                      .backslash_escapes = true,
                                      .words_from_digits = true,
                                      .templates = true};
constexpr TokenRules kStandardTokens = {.templates = true};

constexpr Dialect kHive = {.name = "hive", .tokens = kHadoopTokens};
constexpr Dialect kSpark = {.name = "spark", .tokens = kHadoopTokens, .colon_paths = true};
constexpr Dialect kTrino = {
    .name = "trino",
    .tokens = kStandardTokens,
    .arrays_from_one = true,
    .reserved = {"END", "CREATE", "ALTER", "DROP", "INSERT", "DELETE", "DESCRIBE", "EXECUTE",
                 "PREPARE", "VALUES", "UNNEST", "TABLE", "FULL", "LEFT", "RIGHT"}};
constexpr Dialect kDuckDb = {.name = "duckdb",
                             .tokens = kStandardTokens,
                             .arrays_from_one = true,
                             .reserved = {"END", "CREATE", "TABLE", "LIMIT", "OFFSET", "QUALIFY",
                                          "WINDOW", "PIVOT", "UNPIVOT"},
                             .folding = Dialect::Folding::kLower};
constexpr Dialect kPostgres = {
    .name = "postgres",
    .tokens = kStandardTokens,
    .arrow_is_json = true,
    .arrays_from_one = true,
    .reserved = {"END", "CREATE", "TABLE", "LIMIT", "OFFSET", "WINDOW", "RETURNING"},
    .fold_quoted = false};
constexpr Dialect kGeneric = {.name = "generic", .tokens = kStandardTokens};

struct Spelling {
  std::string_view name;
  const Dialect* dialect;
};
constexpr std::array<Spelling, 12> kSpellings = {{{"hive", &kHive},
                                                  {"spark", &kSpark},
                                                  {"sparksql", &kSpark},
                                                  {"databricks", &kSpark},
                                                  {"trino", &kTrino},
                                                  {"presto", &kTrino},
                                                  {"athena", &kTrino},
                                                  {"duckdb", &kDuckDb},
                                                  {"postgres", &kPostgres},
                                                  {"postgresql", &kPostgres},
                                                  {"generic", &kGeneric},
                                                  {"ansi", &kGeneric}}};
constexpr std::array<std::string_view, 6> kNames = {"hive",   "spark",    "trino",
                                                    "duckdb", "postgres", "generic"};

}  // namespace

const Dialect& HiveDialect() { return kHive; }
const Dialect& SparkDialect() { return kSpark; }
const Dialect& TrinoDialect() { return kTrino; }
const Dialect& DuckDbDialect() { return kDuckDb; }
const Dialect& PostgresDialect() { return kPostgres; }
const Dialect& GenericDialect() { return kGeneric; }

const Dialect* FindDialect(std::string_view name) {
  for (const Spelling& spelling : kSpellings) {
    if (AsciiEqualsIgnoreCase(spelling.name, name)) return spelling.dialect;
  }
  return nullptr;
}

std::span<const std::string_view> DialectNames() { return kNames; }

}  // namespace tarn::sql
