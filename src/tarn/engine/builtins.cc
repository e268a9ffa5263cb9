#include "tarn/engine/builtins.h"

#include <optional>
#include <utility>

#include "tarn/format/delta/delta_format.h"
#include "tarn/format/delta/dropped_columns.h"
#include "tarn/format/iceberg/iceberg_format.h"

namespace tarn {

Builtins MakeBuiltins(Runtime& runtime) {
  Builtins builtins;
  builtins.file_formats.Add("parquet", MakeParquetFormat(runtime));
  builtins.file_formats.Add("arrow", MakeIpcFormat(runtime));
  builtins.file_formats.Add("avro", MakeAvroFormat(runtime, "iceberg"));
  builtins.file_formats.Add("orc", MakeOrcFormat("iceberg"));

  builtins.table_formats.Add("delta", MakeDeltaFormat(runtime));
  FileFormats of_iceberg;
  for (const char* name : {"parquet", "avro", "orc"}) {
    of_iceberg[name] = *builtins.file_formats.Find(name);
  }
  builtins.table_formats.Add("iceberg", MakeIcebergFormat(runtime, std::move(of_iceberg)));
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
