#include "tarn/engine/builtins.h"

#include <optional>
#include <utility>

#include "tarn/format/delta/delta_format.h"
#include "tarn/format/delta/dropped_columns.h"

namespace tarn {

Builtins MakeBuiltins(Runtime& runtime) {
  Builtins builtins;
  builtins.table_formats.Add("delta", MakeDeltaFormat(runtime));

  builtins.file_formats.Add("parquet", MakeParquetFormat(runtime));
  builtins.file_formats.Add("arrow", MakeIpcFormat(runtime));
  return builtins;
}

Result<TableMetadata> UndropColumnOf(const Table& table, TableMetadata metadata,
                                     const std::string& path, const std::string& new_name) {
  if (table.format->name() == "delta") {
    return delta::UndropColumn(std::move(metadata), path, std::nullopt, new_name);
  }
  return Unsupported("table '" + table.name + "': format '" + std::string(table.format->name()) +
                     "' does not remember dropped columns");
}

}  // namespace tarn
