#include "tarn/engine/builtins.h"

#include "tarn/format/delta/delta_format.h"

namespace tarn {

Builtins MakeBuiltins(Runtime& runtime) {
  Builtins builtins;
  builtins.table_formats.Add("delta", MakeDeltaFormat(runtime));

  builtins.file_formats.Add("parquet", MakeParquetFormat(runtime));
  builtins.file_formats.Add("arrow", MakeIpcFormat(runtime));
  return builtins;
}

}  // namespace tarn
