#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "tarn/lineage/schema_provider.h"

namespace tarn {

class Engine;

// The tables of a lake as lineage sees them: each is opened at its first use. Not thread-safe.
class CatalogSchema final : public lineage::SchemaProvider {
 public:
  // `engine` outlives the schema.
  explicit CatalogSchema(Engine& engine) : engine_(engine) {}
  // A table that cannot be opened is an unknown one.
  const lineage::TableSchema* Find(std::string_view name) const override;

 private:
  Engine& engine_;
  // What was looked for; without columns: there is no such table.
  mutable std::unordered_map<std::string, lineage::TableSchema> tables_;
};

}  // namespace tarn
