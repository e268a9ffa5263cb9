#pragma once

#include <cstdint>
#include <memory>

#include "tarn/base/bytes.h"
#include "tarn/base/result.h"
#include "tarn/format/delta/actions.h"
#include "tarn/format/delta/table_properties.h"
#include "tarn/model/table_metadata.h"

namespace tarn::delta {

// A classic checkpoint (PROTOCOL.md, "Checkpoints", V1 spec, "Checkpoint Schema") being written,
// one reconciled action after another, in any order. Rows are encoded as they come, so that memory
// holds the compressed file and a few thousand rows. Statistics go in as JSON text and, if the
// table asks for it (delta.checkpoint.writeStatsAsStruct), as columns of their types, partition
// values likewise. Actions are written as rearranging nothing (dataChange false), as Spark does.
// Not thread-safe.
class CheckpointWriter {
 public:
  // kUnsupported as ToArrow, for the types of parsed columns.
  static Result<std::unique_ptr<CheckpointWriter>> Make(const TableMetadata& metadata,
                                                        const TableProperties& properties);
  ~CheckpointWriter();

  Status Write(const Protocol& action);
  Status Write(const MetadataAction& action);
  Status Write(const Txn& action);
  Status Write(const DomainMetadata& action);
  Status Write(const AddFile& action);
  Status Write(const RemoveFile& action);

  // The finished file. Nothing may follow.
  Result<Bytes> Finish();

  int64_t actions() const;
  int64_t add_files() const;

 private:
  struct Parts;
  explicit CheckpointWriter(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tarn::delta
