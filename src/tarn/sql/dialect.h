#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tarn/sql/keyword.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {

// What differs between engines, as data: the grammar is one, and takes in every dialect whatever
// the others have. A dialect only says how bytes become tokens, which words cannot be names, and
// what to make of spellings that mean different things in different engines.
struct Dialect {
  std::string_view name = {};

  TokenRules tokens = {};

  // Grammar.
  bool arrow_is_json = false;    // x -> y takes a field of x, never makes a lambda
  bool colon_paths = false;      // v:a.b takes a field of v
  bool arrays_from_one = false;  // for readers of Subscript: a[1] is the first element
  // Words that are no names here, beside those that are none anywhere.
  KeywordSet reserved = {};

  // Names. How unquoted ones are compared: as written, or folded. Quoted ones are kept, but for
  // `fold_quoted`.
  enum class Folding : uint8_t { kNone, kLower } folding = Folding::kLower;
  bool fold_quoted = true;
};

// Apache Hive 3 and 4; Spark SQL 3 and 4 with Delta's, Iceberg's and Databricks' statements; Trino
// and Presto; DuckDB; PostgreSQL; and what most have in common.
const Dialect& HiveDialect();
const Dialect& SparkDialect();
const Dialect& TrinoDialect();
const Dialect& DuckDbDialect();
const Dialect& PostgresDialect();
const Dialect& GenericDialect();

// The dialect called `name` (hive, spark, databricks, trino, presto, athena, duckdb, postgres,
// postgresql, generic; case ignored), or null.
const Dialect* FindDialect(std::string_view name);
// Their names, without synonyms: for messages.
std::span<const std::string_view> DialectNames();

}  // namespace tarn::sql
