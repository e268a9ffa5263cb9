#include "tarn/format/delta/log_compaction.h"

#include <optional>
#include <string>

#include "tarn/format/delta/log_paths.h"

namespace tarn::delta {

Status ReadOrCommits(Runtime& runtime, const TableHome& home, const ObjectInfo& object,
                     const std::function<Status(const ObjectInfo& object)>& read) {
  const std::optional<LogName> name = ParseLogName(object.path.name());
  if (!name || name->kind != LogName::Kind::kCompaction) return read(object);
  // A file that a crash left without bytes would say that its commits did nothing.
  const Status whole = object.size_bytes > 0
                           ? read(object)
                           : Status(Corrupt("delta: '" + object.path.str() + "' is empty"));
  if (whole.ok()) return whole;
  const ErrorCode code = whole.error().code;
  if (code != ErrorCode::kCorrupt && code != ErrorCode::kNotFound && code != ErrorCode::kInvalid) {
    return whole;
  }
  for (int64_t version = name->last_version; version >= name->version; --version) {
    const Result<ObjectInfo> commit = home.storage.Stat(CommitPath(home.root, version));
    if (!commit.ok()) {
      return whole.error().WithContext("version " + std::to_string(version) +
                                       " is only in a log compaction that cannot be read");
    }
    TARN_RETURN_IF_ERROR(read(*commit));
  }
  runtime.log.Warn(
      "delta: log compaction '" + object.path.str() +
      "' cannot be read; the commits it covers were read instead: " + whole.error().ToString());
  return OkStatus();
}

}  // namespace tarn::delta
