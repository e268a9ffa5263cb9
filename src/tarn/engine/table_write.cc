#include "tarn/engine/table_write.h"

#include <utility>

#include "tarn/base/uuid.h"
#include "tarn/base/writer_name.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/ingest/write_mode.h"
#include "tarn/write/write_rows.h"

namespace tarn {
namespace {

Result<TableMetadata> NewMetadata(Runtime& runtime, const BatchStream& rows,
                                  const BatchWriteOptions& options) {
  TableMetadata metadata;
  metadata.table_id = NewUuid(runtime.random);
  metadata.created_ms = runtime.clock.NowMicros() / 1000;
  TARN_ASSIGN_OR_RETURN(metadata.schema, FromArrow(*rows.schema()));
  metadata.schema = AssignFreshIds(std::move(metadata.schema));
  TARN_RETURN_IF_ERROR(ValidateSchema(metadata.schema));
  TARN_ASSIGN_OR_RETURN(PartitionSpec spec, IdentitySpec(metadata.schema, options.partition_by));
  metadata.specs = {std::move(spec)};
  metadata.properties = options.properties;
  return metadata;
}

}  // namespace

Result<Version> WriteBatches(Runtime& runtime, Table& table,
                             const Registry<FileFormat>& file_formats, BatchStream& rows,
                             const BatchWriteOptions& options) {
  TARN_ASSIGN_OR_RETURN(const bool exists, table.format->Detect(table.home));
  Snapshot base = Snapshot::Empty();
  WriteRequest request;
  request.mode = WriteModeOf(options.mode);
  request.writer = WriterName();
  if (exists) {
    TARN_ASSIGN_OR_RETURN(base, table.Load());
  } else {
    TARN_ASSIGN_OR_RETURN(request.metadata, NewMetadata(runtime, rows, options));
  }
  TARN_ASSIGN_OR_RETURN(WriteResult written,
                        WriteRows(runtime, table, base, file_formats, rows, request));
  return std::move(written.version);
}

}  // namespace tarn
