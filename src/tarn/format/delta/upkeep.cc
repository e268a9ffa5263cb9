#include "tarn/format/delta/upkeep.h"

#include <memory>
#include <string>
#include <utility>

#include "tarn/format/delta/checkpoint_writer.h"
#include "tarn/format/delta/log_cleanup.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/format/delta/replay.h"
#include "tarn/format/delta/table_properties.h"
#include "tarn/format/delta/writer_features.h"

namespace tarn::delta {
namespace {

struct WrittenCheckpoint {
  Bytes bytes;
  int64_t actions = 0;
  int64_t add_files = 0;
};

Result<WrittenCheckpoint> WriteCheckpoint(Runtime& runtime, const TableHome& home,
                                          const Snapshot& snapshot, const DeltaState& state,
                                          const TableProperties& properties) {
  const int64_t now_ms = runtime.clock.NowMicros() / 1000;
  TARN_ASSIGN_OR_RETURN(const std::unique_ptr<CheckpointWriter> writer,
                        CheckpointWriter::Make(snapshot.metadata, properties));
  TARN_RETURN_IF_ERROR(writer->Write(state.protocol));
  TARN_RETURN_IF_ERROR(writer->Write(state.metadata));
  for (const auto& [id, txn] : state.txns) {
    const bool expired = properties.transaction_retention_ms && txn.last_updated_ms &&
                         *txn.last_updated_ms <= now_ms - *properties.transaction_retention_ms;
    if (!expired) TARN_RETURN_IF_ERROR(writer->Write(txn));
  }
  for (const auto& [name, domain] : state.domains) {
    if (!domain.removed) TARN_RETURN_IF_ERROR(writer->Write(domain));
  }
  const FileVisitor visitor = {
      .add = [&](AddFile&& file) -> Status {
        if (writer->add_files() % 4096 == 0) TARN_RETURN_IF_ERROR(runtime.cancellation.Check());
        return writer->Write(file);
      },
      .remove = [&](RemoveFile&& file) -> Status {
        const int64_t removed_ms = file.deletion_timestamp_ms.value_or(0);
        if (removed_ms <= now_ms - properties.deleted_file_retention_ms) return OkStatus();
        return writer->Write(file);
      },
  };
  TARN_RETURN_IF_ERROR(ReplayFiles(runtime, home, state, visitor));
  WrittenCheckpoint written;
  TARN_ASSIGN_OR_RETURN(written.bytes, writer->Finish());
  written.actions = writer->actions();
  written.add_files = writer->add_files();
  return written;
}

std::string HintText(int64_t version, const WrittenCheckpoint& checkpoint) {
  return "{\"version\":" + std::to_string(version) +
         ",\"size\":" + std::to_string(checkpoint.actions) +
         ",\"sizeInBytes\":" + std::to_string(checkpoint.bytes.size()) +
         ",\"numOfAddFiles\":" + std::to_string(checkpoint.add_files) + "}";
}

// Hadoop's local file system keeps "<folder>/.<name>.crc" beside a file and refuses to read the
// file when they differ. Only local disks have such files.
void RemoveHadoopChecksum(const TableHome& home, const Path& of, std::vector<Path>& remove) {
  if (home.storage.NativeName(of).empty()) return;
  const Path checksum = of.parent() / ("." + std::string(of.name()) + ".crc");
  if (home.storage.Stat(checksum).ok()) remove.push_back(checksum);
}

}  // namespace

bool CheckpointDue(const DeltaState& state, int64_t checkpoint_interval) {
  const LogSegment& segment = state.segment;
  const int64_t last = segment.checkpoint ? segment.checkpoint->version : 0;
  if (segment.checkpoint && last == state.version) return false;
  if (state.version - last >= checkpoint_interval) return true;
  int64_t tail_bytes = 0;
  for (const LogTailObject& entry : segment.tail) tail_bytes += entry.object.size_bytes;
  int64_t checkpoint_bytes = 0;
  if (segment.checkpoint) {
    for (const ObjectInfo& part : segment.checkpoint->parts) checkpoint_bytes += part.size_bytes;
  }
  return segment.tail.size() > 1 && tail_bytes > kTailBytesMax &&
         tail_bytes > checkpoint_bytes / 10;
}

Result<Upkeep> PlanDeltaUpkeep(Runtime& runtime, const TableHome& home, const Snapshot& snapshot,
                               UpkeepWish wish) {
  Upkeep upkeep;
  TARN_ASSIGN_OR_RETURN(const DeltaState* state, StateOf(snapshot));
  const bool asked = wish == UpkeepWish::kCheckpointNow;
  if (const Status writable = CheckWritable(snapshot.metadata); !writable.ok()) {
    if (asked) return writable.error();
    return upkeep;
  }
  TARN_ASSIGN_OR_RETURN(const TableProperties properties,
                        ParseTableProperties(snapshot.metadata.properties));
  const bool has_one =
      state->segment.checkpoint && state->segment.checkpoint->version == state->version;
  const bool due = asked ? !has_one : CheckpointDue(*state, properties.checkpoint_interval);
  if (due) {
    TARN_ASSIGN_OR_RETURN(WrittenCheckpoint checkpoint,
                          WriteCheckpoint(runtime, home, snapshot, *state, properties));
    const std::string hint = HintText(state->version, checkpoint);
    const Path path = ClassicCheckpointPath(home.root, state->version);
    const Path hint_path = LastCheckpointPath(home.root);
    RemoveHadoopChecksum(home, path, upkeep.remove);
    RemoveHadoopChecksum(home, hint_path, upkeep.remove);
    upkeep.put.push_back({path, std::move(checkpoint.bytes)});
    upkeep.put.push_back({hint_path, hint});
  }
  if ((due || asked) && properties.expired_log_cleanup) {
    const int64_t now_ms = runtime.clock.NowMicros() / 1000;
    TARN_ASSIGN_OR_RETURN(
        const std::vector<Path> expired,
        FindExpiredLogObjects(home, CutoffMs(now_ms, properties.log_retention_ms)));
    for (const Path& path : expired) {
      upkeep.remove.push_back(path);
      RemoveHadoopChecksum(home, path, upkeep.remove);
    }
  }
  return upkeep;
}

}  // namespace tarn::delta
