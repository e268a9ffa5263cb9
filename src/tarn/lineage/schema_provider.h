#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tarn::lineage {

// A column of a table in the catalog.
struct ColumnSchema {
  std::string name;
  std::string type = {};  // as the catalog spells it; empty: unknown
  friend bool operator==(const ColumnSchema&, const ColumnSchema&) = default;
};

// A table or view as the catalog knows it.
struct TableSchema {
  std::vector<ColumnSchema> columns = {};  // in catalog order, partition columns last
  uint32_t partition_columns = 0;          // how many of them, at the end
  std::string view_sql = {};               // the query of a view; empty: a table
  std::string view_default_db = {};        // where its unqualified names are looked for
  friend bool operator==(const TableSchema&, const TableSchema&) = default;
};

// The catalog as lineage sees it: names to columns. Not thread-safe unless an implementer says so.
class SchemaProvider {
 public:
  virtual ~SchemaProvider() = default;

  // The table called `name` (catalog.db.table as far as written, folded; parts with a dot in
  // back-ticks), or null if it is unknown: then lineage works from the statement alone. Names
  // compare without case. What is returned lives as long as the provider.
  virtual const TableSchema* Find(std::string_view name) const = 0;
};

// Knows no table.
class NoSchema final : public SchemaProvider {
 public:
  const TableSchema* Find(std::string_view /*name*/) const override { return nullptr; }
};

}  // namespace tarn::lineage
