#pragma once

#include "tarn/base/result.h"
#include "tarn/model/snapshot.h"
#include "tarn/table/table_format.h"

namespace tarn::delta {

// How data files of the table are to be written: target size (delta.targetFileSize, else 128 MiB),
// compression (delta.parquet.compression.codec, else zstd), statistics (stats_columns.h), folders
// by partition value unless delta.randomizeFilePrefixes; row deletes and change data where property
// and protocol ask for them. Nothing is shown first. For a table to be
// created, `base` is a snapshot without a version whose metadata has been prepared.
// kInvalid naming a property; kUnsupported naming what Tarn cannot write into this table
// (writer_features.h), so that it is said before a byte is written.
Result<WriteTicket> MakeWriteTicket(const Snapshot& base, const WriteIntent& intent);

}  // namespace tarn::delta
