#include "tarn/storage/local.h"

#include <algorithm>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "tarn/base/crash_point.h"
#include "tarn/base/planted_bug.h"

namespace tarn {
namespace {

Status CheckWritable(const Path& path) {
  if (path.empty()) return Invalid("local storage: the root is not an object");
  if (path.name().starts_with(kTemporaryPrefix)) {
    return Invalid("local storage: '" + path.str() + "': names that start with '" +
                   std::string(kTemporaryPrefix) + "' are reserved");
  }
  return OkStatus();
}

// Folders and their names, made durable. Thread-safe.
class Folders {
 public:
  explicit Folders(Disk& disk) : disk_(disk) {}

  // Opens a new file in `folder`, which appears with all that is missing above it. When it returns,
  // the folder's own name is durable: a file in a folder that a power cut forgets is forgotten too.
  Result<std::unique_ptr<UnnamedFile>> OpenUnnamedIn(const Path& folder) {
    Result<std::unique_ptr<UnnamedFile>> file = disk_.OpenUnnamed(folder);
    if (!file.ok() && file.error().code == ErrorCode::kNotFound) {
      TARN_RETURN_IF_ERROR(Make(folder));
      file = disk_.OpenUnnamed(folder);
    }
    if (file.ok()) TARN_RETURN_IF_ERROR(SyncNamesAbove(folder));
    return file;
  }

  Status MakeDurable(const Path& folder) {
    const Result<DiskStat> found = disk_.Stat(folder);
    if (!found.ok() || !found->is_folder) TARN_RETURN_IF_ERROR(Make(folder));
    return SyncNamesAbove(folder);
  }

  Status Sync(const Path& folder) {
    if constexpr (planted::kFolderNotSynced) return OkStatus();
    return disk_.SyncFolder(folder);
  }

  void Forget(const Path& folder) {
    const std::lock_guard lock(mutex_);
    durable_.erase(folder);
  }

 private:
  Status Make(const Path& folder) {
    Result<bool> made = disk_.MakeFolder(folder);
    if (!made.ok() && made.error().code == ErrorCode::kNotFound && !folder.empty()) {
      TARN_RETURN_IF_ERROR(Make(folder.parent()));
      made = disk_.MakeFolder(folder);
    }
    TARN_RETURN_IF_ERROR(made);
    if (!made.value()) return OkStatus();
    Forget(folder);
    return OkStatus();
  }

  // Also for folders that are not ours: another writer may have made them a moment ago and not
  // synced them yet. Once per folder is enough.
  Status SyncNamesAbove(const Path& folder) {
    std::vector<Path> synced;
    for (Path at = folder; !at.empty() && !IsDurable(at); at = at.parent()) {
      const Status status = Sync(at.parent());
      // A folder above which we may not open has been there before us.
      if (!status.ok() && status.error().code != ErrorCode::kInvalid) return status;
      synced.push_back(at);
    }
    // Only now: who finds a folder here must be able to rely on all that is above it.
    const std::lock_guard lock(mutex_);
    durable_.insert(synced.begin(), synced.end());
    return OkStatus();
  }

  bool IsDurable(const Path& folder) {
    const std::lock_guard lock(mutex_);
    return durable_.contains(folder);
  }

  Disk& disk_;
  std::mutex mutex_;
  std::set<Path> durable_;  // folders whose names, up to the root, are known to be durable
};

// Once a name was changed, a failure to sync leaves open which state a power cut leaves.
Status NameIsKnown(const Disk& disk, Folders& folders, const Path& path) {
  Status synced = folders.Sync(path.parent());
  if (synced.ok()) return synced;
  return UnknownOutcome("write '" + disk.FileName(path) + "': done, but not known to be durable")
      .CausedBy(std::move(synced).error());
}

class LocalWriter final : public ObjectWriter {
 public:
  LocalWriter(Disk& disk, Folders& folders, std::unique_ptr<UnnamedFile> file, Path path)
      : disk_(disk), folders_(folders), file_(std::move(file)), path_(std::move(path)) {}

  Status Append(BytesView bytes) override {
    // Parquet and CSV writers append in crumbs; the kernel is called for slices.
    constexpr size_t kSliceBytes = size_t{256} << 10;
    if (buffer_.size() + bytes.size() < kSliceBytes) {
      buffer_.append(bytes);
      return OkStatus();
    }
    TARN_RETURN_IF_ERROR(Flush());
    if (bytes.size() >= kSliceBytes) return file_->Append(bytes);
    buffer_.append(bytes);
    return OkStatus();
  }

  Result<ObjectInfo> Finish() override {
    TARN_RETURN_IF_ERROR(Flush());
    TARN_RETURN_IF_ERROR(file_->SyncData());
    TARN_RETURN_IF_ERROR(file_->NameReplacing(path_));
    TARN_RETURN_IF_ERROR(NameIsKnown(disk_, folders_, path_));
    Result<DiskStat> stat = disk_.Stat(path_);
    if (!stat.ok()) {
      return UnknownOutcome("write '" + disk_.FileName(path_) + "': done, but not found again")
          .CausedBy(std::move(stat).error());
    }
    return ObjectInfo{path_, stat->size_bytes, stat->modified_ms, std::move(stat->etag)};
  }

 private:
  Status Flush() {
    if (buffer_.empty()) return OkStatus();
    TARN_RETURN_IF_ERROR(file_->Append(buffer_));
    buffer_.clear();
    return OkStatus();
  }

  Disk& disk_;
  Folders& folders_;
  std::unique_ptr<UnnamedFile> file_;
  const Path path_;
  std::string buffer_;
};

// One List: walks folders in the byte order of whole paths until `limit` objects are found.
class Lister {
 public:
  Lister(const Disk& disk, const Path& after, size_t limit, Storage::Depth depth)
      : disk_(disk), after_(after), limit_(limit), depth_(depth) {}

  Status Walk(const Path& folder) {
    TARN_ASSIGN_OR_RETURN(const DiskStat own, disk_.Stat(folder));
    // A link to a folder above would go round for ever.
    if (std::ranges::count(way_, own.identity) > 0) return OkStatus();
    way_.push_back(own.identity);
    const Status status = WalkEntries(folder);
    way_.pop_back();
    return status;
  }

  Status Take(const Path& path) {
    if (path <= after_) return OkStatus();
    Result<DiskStat> stat = disk_.Stat(path);
    if (!stat.ok()) {
      if (stat.error().code == ErrorCode::kNotFound) return OkStatus();  // removed meanwhile
      return std::move(stat).error();
    }
    found_.push_back({path, stat->size_bytes, stat->modified_ms, std::move(stat->etag)});
    return OkStatus();
  }

  std::vector<ObjectInfo> found() && { return std::move(found_); }

 private:
  Status WalkEntries(const Path& folder) {
    // Most of what was listed before is passed over by the disk: the rest is for CannotFollow.
    const std::string_view after = after_.parent() == folder ? after_.name() : std::string_view();
    Result<std::vector<DiskEntry>> read = disk_.ReadFolder(folder, after);
    if (!read.ok()) {
      if (read.error().code == ErrorCode::kNotFound) return OkStatus();  // removed meanwhile
      return std::move(read).error();
    }
    // "a/x" sorts after "a-b": a folder counts with its '/'.
    std::vector<std::string> names;
    for (DiskEntry& entry : *read) {
      if (entry.is_folder && depth_ == Storage::Depth::kShallow) continue;
      std::string name = std::move(entry.name);
      if (entry.is_folder) name += '/';
      if (!CannotFollow(folder, name)) names.push_back(std::move(name));
    }
    std::ranges::sort(names);
    for (std::string& name : names) {
      if (found_.size() >= limit_) return OkStatus();
      if (name.back() == '/') {
        name.pop_back();
        TARN_RETURN_IF_ERROR(Walk(folder / name));
      } else {
        TARN_RETURN_IF_ERROR(Take(folder / name));
      }
    }
    return OkStatus();
  }

  // Whether nothing at or below `name` (folders end in '/') sorts after `after_`.
  bool CannotFollow(const Path& folder, const std::string& name) const {
    if (after_.empty()) return false;
    const std::string path = folder.empty() ? name : folder.str() + "/" + name;
    return path <= after_.str() && !(name.back() == '/' && after_.str().starts_with(path));
  }

  const Disk& disk_;
  const Path& after_;
  const size_t limit_;
  const Storage::Depth depth_;
  std::vector<std::string> way_;  // identities of the folders above
  std::vector<ObjectInfo> found_;
};

class LocalStorage final : public Storage {
 public:
  LocalStorage(std::unique_ptr<Disk> disk, const std::string& root)
      : disk_(std::move(disk)), folders_(*disk_), root_uri_("file://" + root) {}

  std::string root_uri() const override { return root_uri_; }

  Result<Bytes> Read(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<ObjectReader> reader, disk_->OpenFile(path));
    Bytes bytes(static_cast<size_t>(reader->size_bytes()), '\0');
    TARN_RETURN_IF_ERROR(reader->ReadAt(0, reader->size_bytes(), bytes.data()));
    return bytes;
  }

  Result<Bytes> ReadRange(const Path& path, ByteRange range) const override {
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<ObjectReader> reader, disk_->OpenFile(path));
    if (range.offset < 0 || range.length < 0 ||
        range.offset > reader->size_bytes() - range.length) {
      return Invalid(fmt::format("read '{}': {} bytes from {} of {}", path.str(), range.length,
                                 range.offset, reader->size_bytes()));
    }
    Bytes bytes(static_cast<size_t>(range.length), '\0');
    TARN_RETURN_IF_ERROR(reader->ReadAt(range.offset, range.length, bytes.data()));
    return bytes;
  }

  Result<ObjectInfo> Stat(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(DiskStat stat, disk_->Stat(path));
    if (stat.is_folder) return NotFound("stat '" + disk_->FileName(path) + "': it is a folder");
    return ObjectInfo{path, stat.size_bytes, stat.modified_ms, std::move(stat.etag)};
  }

  Result<std::unique_ptr<ObjectReader>> OpenReader(const Path& path) const override {
    return disk_->OpenFile(path);
  }

  Result<std::vector<ObjectInfo>> List(const Path& prefix, const Path& after, int32_t limit,
                                       Depth depth) const override {
    if (limit <= 0) return Invalid("list: the limit must be positive");
    Lister lister(*disk_, after, static_cast<size_t>(limit), depth);
    const Result<DiskStat> stat = disk_->Stat(prefix);
    if (!stat.ok()) {
      if (stat.error().code == ErrorCode::kNotFound) return std::vector<ObjectInfo>();
      return stat.error();
    }
    TARN_RETURN_IF_ERROR(stat->is_folder ? lister.Walk(prefix) : lister.Take(prefix));
    return std::move(lister).found();
  }

  Status Put(const Path& path, BytesView bytes) override {
    TARN_RETURN_IF_ERROR(CheckWritable(path));
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<UnnamedFile> file, WriteUnnamed(path, bytes));
    TARN_RETURN_IF_ERROR(file->NameReplacing(path));
    CrashPoint("disk.named");
    return NameIsKnown(*disk_, folders_, path);
  }

  Result<PutOutcome> PutIfAbsent(const Path& path, BytesView bytes) override {
    TARN_RETURN_IF_ERROR(CheckWritable(path));
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<UnnamedFile> file, WriteUnnamed(path, bytes));
    // What its maker saw in this folder is durable before what it makes of it: else a power cut
    // could leave commit 8 without commit 7. Costs little where nothing is new.
    TARN_RETURN_IF_ERROR(folders_.Sync(path.parent()));
    TARN_ASSIGN_OR_RETURN(const PutOutcome outcome, file->NameIfAbsent(path));
    CrashPoint("disk.named");
    // A loser syncs as well: what it reads next is the winner's object, and what it decides from it
    // may outlive a power cut that the winner's name would not.
    TARN_RETURN_IF_ERROR(NameIsKnown(*disk_, folders_, path));
    return outcome;
  }

  Result<std::unique_ptr<ObjectWriter>> OpenWriter(const Path& path) override {
    TARN_RETURN_IF_ERROR(CheckWritable(path));
    TARN_ASSIGN_OR_RETURN(std::unique_ptr<UnnamedFile> file, folders_.OpenUnnamedIn(path.parent()));
    return std::unique_ptr<ObjectWriter>(
        std::make_unique<LocalWriter>(*disk_, folders_, std::move(file), path));
  }

  Result<PutOutcome> MoveIfAbsent(const Path& from, const Path& to) override {
    TARN_RETURN_IF_ERROR(CheckWritable(to));
    TARN_ASSIGN_OR_RETURN(const ObjectInfo source, Stat(from));
    TARN_RETURN_IF_ERROR(folders_.MakeDurable(to.parent()));
    TARN_ASSIGN_OR_RETURN(const PutOutcome outcome, disk_->RenameIfAbsent(source.path, to));
    if (outcome == PutOutcome::kAlreadyExists) return outcome;
    TARN_RETURN_IF_ERROR(NameIsKnown(*disk_, folders_, to));
    TARN_RETURN_IF_ERROR(NameIsKnown(*disk_, folders_, from));
    return outcome;
  }

  Status Remove(const Path& path) override {
    if (path.empty()) return Invalid("local storage: the root is not an object");
    TARN_RETURN_IF_ERROR(disk_->Remove(path));
    folders_.Forget(path);
    // Also when another removed it: its removal may not be durable yet, and ours is a success.
    Status known = NameIsKnown(*disk_, folders_, path);
    if (!known.ok() && !disk_->Stat(path.parent()).ok()) return OkStatus();
    return known;
  }

  std::string NativeName(const Path& path) const override { return disk_->FileName(path); }

 private:
  Result<std::unique_ptr<UnnamedFile>> WriteUnnamed(const Path& path, BytesView bytes) {
    TARN_ASSIGN_OR_RETURN(std::unique_ptr<UnnamedFile> file, folders_.OpenUnnamedIn(path.parent()));
    TARN_RETURN_IF_ERROR(file->Append(bytes));
    CrashPoint("disk.before_data_sync");
    TARN_RETURN_IF_ERROR(file->SyncData());  // before the name exists
    CrashPoint("disk.before_name");
    return file;
  }

  std::unique_ptr<Disk> disk_;
  Folders folders_;
  const std::string root_uri_;
};

}  // namespace

std::unique_ptr<Storage> MakeLocalStorage(std::unique_ptr<Disk> disk, const std::string& root) {
  return std::make_unique<LocalStorage>(std::move(disk), root);
}

Result<std::unique_ptr<Storage>> MakeLocalStorage(const std::string& root, CreateRoot create) {
  if (root.empty() || root[0] != '/') {
    return Invalid("local storage: '" + root + "' is not an absolute path");
  }
  std::string trimmed = root;
  while (trimmed.size() > 1 && trimmed.back() == '/') trimmed.pop_back();
  if (create == CreateRoot::kYes) {
    TARN_ASSIGN_OR_RETURN(const std::unique_ptr<Disk> machine, MakePosixDisk("/"));
    TARN_ASSIGN_OR_RETURN(const Path folder, Path::Make(trimmed.substr(1)));
    TARN_RETURN_IF_ERROR(Folders(*machine).MakeDurable(folder));
  }
  TARN_ASSIGN_OR_RETURN(std::unique_ptr<Disk> disk, MakePosixDisk(trimmed));
  return MakeLocalStorage(std::move(disk), trimmed);
}

}  // namespace tarn
