#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/bytes.h"
#include "tarn/base/path.h"
#include "tarn/base/result.h"
#include "tarn/storage/storage.h"

namespace tarn {

// What the names of files begin with that a disk without unnamed files writes first. Never listed;
// no object may be called so.
inline constexpr std::string_view kTemporaryPrefix = ".tarn-tmp-";

// A file being written that has no name yet, or only a temporary one. Not thread-safe. Destroyed
// without a name, it never existed.
class UnnamedFile {
 public:
  virtual ~UnnamedFile() = default;
  virtual Status Append(BytesView bytes) = 0;
  // The bytes survive a power cut; the name does not before its folder is synced.
  virtual Status SyncData() = 0;
  // Gives the file the name `path` in one atomic step unless the name is taken.
  virtual Result<PutOutcome> NameIfAbsent(const Path& path) = 0;
  // The same, taking the name away from another file in the same atomic step.
  virtual Status NameReplacing(const Path& path) = 0;
};

struct DiskEntry {
  std::string name;
  bool is_folder = false;
};

struct DiskStat {
  bool is_folder = false;
  int64_t size_bytes = 0;
  int64_t modified_ms = 0;
  std::string etag = {};      // of inode, size and time
  std::string identity = {};  // of device and inode: equal for two names of one folder
};

// The file system of one machine below a root folder, as far as LocalStorage needs it: names, data
// and folders are made durable one by one, which is what may be forgotten. Thread-safe.
// Errors: kNotFound (also a file where a folder is needed); kInvalid (no permission, a read-only
// file system, a name too long, a link that leaves the root); kUnavailable (disk full, I/O error).
class Disk {
 public:
  virtual ~Disk() = default;

  virtual Result<DiskStat> Stat(const Path& path) const = 0;
  virtual Result<std::unique_ptr<ObjectReader>> OpenFile(const Path& path) const = 0;
  // In any order; without "." and "..", without temporary names, and without files whose names do
  // not sort after `after` (a log has thousands that nobody asks for again).
  virtual Result<std::vector<DiskEntry>> ReadFolder(const Path& folder,
                                                    std::string_view after) const = 0;

  // kNotFound if `folder` does not exist.
  virtual Result<std::unique_ptr<UnnamedFile>> OpenUnnamed(const Path& folder) = 0;
  // Whether it was made now. kNotFound if its parent does not exist.
  virtual Result<bool> MakeFolder(const Path& folder) = 0;
  // The names in `folder` survive a power cut.
  virtual Status SyncFolder(const Path& folder) = 0;
  virtual Result<PutOutcome> RenameIfAbsent(const Path& from, const Path& to) = 0;
  // A file, or an empty folder; a folder that is not empty stays. Whether something was removed.
  virtual Result<bool> Remove(const Path& path) = 0;

  // The absolute file name.
  virtual std::string FileName(const Path& path) const = 0;
};

// How a file without a name is had: O_TMPFILE where the file system knows it, else (or always:
// tests of that road) under a temporary name that starts with ".tarn-tmp-".
enum class Nameless : uint8_t { kWherePossible, kNever };

// The machine's own, below the folder `root` (absolute, existing). Links inside it are followed as
// long as they stay below the root; any link when the root is "/".
Result<std::unique_ptr<Disk>> MakePosixDisk(const std::string& root,
                                            Nameless nameless = Nameless::kWherePossible);

}  // namespace tarn
