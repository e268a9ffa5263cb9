#include "tarn/engine/catalog_schema.h"

#include <utility>

#include "tarn/engine/engine.h"
#include "tarn/model/types.h"

namespace tarn {

const lineage::TableSchema* CatalogSchema::Find(std::string_view name) const {
  const auto [found, is_new] = tables_.try_emplace(std::string(name));
  lineage::TableSchema& schema = found->second;
  if (is_new) {
    const auto table = engine_.OpenTable(name);
    if (table.ok()) {
      if (const auto snapshot = (*table)->Load(); snapshot.ok()) {
        schema.columns.reserve(snapshot->metadata.schema.fields.size());
        for (const Field& field : snapshot->metadata.schema.fields) {
          schema.columns.push_back({field.name, TypeToText(field.type)});
        }
      }
    }
  }
  return schema.columns.empty() ? nullptr : &schema;
}

}  // namespace tarn
