#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tarn/base/result.h"
#include "tarn/lineage/schema_provider.h"

namespace tarn::lineage {

// Schemas of tables by name, all in memory. A name that was added with fewer parts answers for
// every longer one that ends in it: `users` for `dw.users`. Thread-safe once filled.
class SchemaMap final : public SchemaProvider {
 public:
  // Replaces what stood under `name`.
  void Add(std::string_view name, TableSchema schema);
  const TableSchema* Find(std::string_view name) const override;

 private:
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, TableSchema, TextHash, std::equal_to<>> tables_;
};

// The schema in `json`, in one of two forms:
//
//   {"db.table": ["col", …], "db.other": {"col": "type", …}, …}
//   {"schema": {as above}, "partition_columns": {"db.table": ["dt"]},
//    "types": {"db.table.col": "struct<…>"}, "views": {"db.view": "SELECT …"}}
//
// Columns stand in catalog order, partition columns last. A view without columns gets them from its
// text. kInvalid naming the key that is wrong.
Result<SchemaMap> ParseSchemaFile(std::string_view json);

}  // namespace tarn::lineage
