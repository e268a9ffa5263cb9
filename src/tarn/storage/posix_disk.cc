#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "tarn/base/crash_point.h"
#include "tarn/storage/disk.h"
#include "tarn/storage/file_descriptor.h"

namespace tarn {
namespace {

Error SystemError(int error, std::string_view verb, const std::string& name) {
  const auto message = [&](std::string_view cause) {
    return fmt::format("{} '{}': {}", verb, name, cause);
  };
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return NotFound(message("no such file or folder"));
    case EACCES:
    case EPERM:
      return Invalid(
          message("permission denied; check the owner and mode of the file and its folder"));
    case EROFS:
      return Invalid(message("the file system is read-only"));
    case ENAMETOOLONG:
      return Invalid(message("the name is too long for this file system"));
    case ELOOP:
      return Invalid(message("too many links on the way"));
    case EXDEV:
      return Invalid(message("a link leads out of the store's root"));
    case EISDIR:
      return Invalid(message("it is a folder"));
    case ENOSPC:
    case EDQUOT:
      return Unavailable(message("no space left on the disk; free some and run again"));
    case EMFILE:
    case ENFILE:
      return Unavailable(message("too many open files; raise `ulimit -n`"));
    default:
      return Unavailable(message(std::strerror(error)));
  }
}

std::string TemporaryName() {
  uint64_t random = 0;
  while (getrandom(&random, sizeof random, 0) != sizeof random) {
  }
  return fmt::format("{}{:016x}", kTemporaryPrefix, random);
}

Status WriteAll(int fd, BytesView bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return SystemError(errno, "write", name);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return OkStatus();
}

class PosixReader final : public ObjectReader {
 public:
  PosixReader(FileDescriptor fd, int64_t size_bytes, std::string name)
      : fd_(std::move(fd)), size_bytes_(size_bytes), name_(std::move(name)) {}

  int64_t size_bytes() const override { return size_bytes_; }

  Status ReadAt(int64_t offset, int64_t length, char* out) const override {
    if (offset < 0 || length < 0 || offset > size_bytes_ - length) {
      return Invalid(
          fmt::format("read '{}': {} bytes from {} of {}", name_, length, offset, size_bytes_));
    }
    while (length > 0) {
      const ssize_t got = pread(fd_.get(), out, static_cast<size_t>(length), offset);
      if (got < 0) {
        if (errno == EINTR) continue;
        return SystemError(errno, "read", name_);
      }
      if (got == 0) return Unavailable(fmt::format("read '{}': it was cut short meanwhile", name_));
      out += got;
      offset += got;
      length -= got;
    }
    return OkStatus();
  }

 private:
  const FileDescriptor fd_;
  const int64_t size_bytes_;
  const std::string name_;
};

class PosixDisk final : public Disk {
 public:
  // `root` without a trailing '/'; empty for "/".
  PosixDisk(std::string root, Nameless nameless) : root_(std::move(root)), nameless_(nameless) {}

  Result<DiskStat> Stat(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(const FileDescriptor fd, Open(path, O_PATH, 0, "stat"));
    struct stat info = {};
    if (fstat(fd.get(), &info) != 0) return SystemError(errno, "stat", FileName(path));
    const int64_t nanos = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
    return DiskStat{.is_folder = S_ISDIR(info.st_mode),
                    .size_bytes = info.st_size,
                    .modified_ms = nanos / 1'000'000,
                    .etag = fmt::format("{:x}-{:x}-{:x}", info.st_ino, info.st_size, nanos),
                    .identity = fmt::format("{:x}:{:x}", info.st_dev, info.st_ino)};
  }

  Result<std::unique_ptr<ObjectReader>> OpenFile(const Path& path) const override {
    TARN_ASSIGN_OR_RETURN(FileDescriptor fd, Open(path, O_RDONLY, 0, "open"));
    struct stat info = {};
    if (fstat(fd.get(), &info) != 0) return SystemError(errno, "open", FileName(path));
    if (S_ISDIR(info.st_mode)) {
      return NotFound(fmt::format("open '{}': it is a folder", FileName(path)));
    }
    return std::unique_ptr<ObjectReader>(
        std::make_unique<PosixReader>(std::move(fd), info.st_size, FileName(path)));
  }

  Result<std::vector<DiskEntry>> ReadFolder(const Path& folder,
                                            std::string_view after) const override {
    TARN_ASSIGN_OR_RETURN(FileDescriptor fd, Open(folder, O_RDONLY | O_DIRECTORY, 0, "list"));
    const int duplicate = dup(fd.get());  // fdopendir takes it over
    DIR* const stream = duplicate < 0 ? nullptr : fdopendir(duplicate);
    if (stream == nullptr) return SystemError(errno, "list", FileName(folder));
    const std::unique_ptr<DIR, int (*)(DIR*)> closer(stream, closedir);
    std::vector<DiskEntry> entries;
    for (;;) {
      errno = 0;
      const dirent* const entry = readdir(stream);
      if (entry == nullptr) {
        if (errno != 0) return SystemError(errno, "list", FileName(folder));
        return entries;
      }
      const std::string_view name = entry->d_name;
      if (name == "." || name == ".." || name.starts_with(kTemporaryPrefix)) continue;
      if (entry->d_type == DT_REG && name <= after) continue;
      bool is_folder = entry->d_type == DT_DIR;
      if (entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN) {
        const Result<DiskStat> target = Stat(folder / name);
        if (!target.ok()) continue;  // a dangling link, or one that leaves the root: no object here
        is_folder = target->is_folder;
      } else if (entry->d_type != DT_DIR && entry->d_type != DT_REG) {
        continue;  // sockets, pipes, devices
      }
      if (!is_folder && name <= after) continue;
      entries.push_back({std::string(name), is_folder});
    }
  }

  Result<std::unique_ptr<UnnamedFile>> OpenUnnamed(const Path& folder) override;

  Result<bool> MakeFolder(const Path& folder) override {
    TARN_ASSIGN_OR_RETURN(const FileDescriptor parent,
                          OpenFolder(folder.parent(), "make folder in"));
    if (mkdirat(parent.get(), std::string(folder.name()).c_str(), 0777) == 0) return true;
    if (errno != EEXIST) return SystemError(errno, "make folder", FileName(folder));
    TARN_ASSIGN_OR_RETURN(const DiskStat found, Stat(folder));
    if (!found.is_folder) {
      return Invalid(fmt::format("make folder '{}': a file has that name", FileName(folder)));
    }
    return false;
  }

  Status SyncFolder(const Path& folder) override {
    TARN_ASSIGN_OR_RETURN(const FileDescriptor fd,
                          Open(folder, O_RDONLY | O_DIRECTORY, 0, "sync folder"));
    // EINVAL: file systems that have nothing to sync (some FUSE).
    if (fsync(fd.get()) != 0 && errno != EINVAL) {
      return SystemError(errno, "sync folder", FileName(folder));
    }
    return OkStatus();
  }

  Result<PutOutcome> RenameIfAbsent(const Path& from, const Path& to) override {
    TARN_ASSIGN_OR_RETURN(const FileDescriptor source, OpenFolder(from.parent(), "move from"));
    TARN_ASSIGN_OR_RETURN(const FileDescriptor target, OpenFolder(to.parent(), "move to"));
    return RenameIfAbsentAt(source.get(), std::string(from.name()), target.get(), to);
  }

  Result<bool> Remove(const Path& path) override {
    const Result<FileDescriptor> parent = OpenFolder(path.parent(), "remove in");
    if (!parent.ok()) {
      if (parent.error().code == ErrorCode::kNotFound) return false;
      return parent.error();
    }
    const std::string name(path.name());
    if (unlinkat(parent->get(), name.c_str(), 0) == 0) return true;
    if (errno == EISDIR || errno == EPERM) {
      if (unlinkat(parent->get(), name.c_str(), AT_REMOVEDIR) == 0) return true;
      if (errno == ENOTEMPTY || errno == EEXIST) return false;
    }
    if (errno == ENOENT || errno == ENOTDIR) return false;
    return SystemError(errno, "remove", FileName(path));
  }

  std::string FileName(const Path& path) const override { return root_ + "/" + path.str(); }

  // An O_PATH descriptor of a folder: enough to name files in it.
  Result<FileDescriptor> OpenFolder(const Path& folder, std::string_view verb) const {
    return Open(folder, O_PATH | O_DIRECTORY, 0, verb);
  }

  // Atomic; kAlreadyExists rather than replacing. Used for moves and where there are no hard links.
  Result<PutOutcome> RenameIfAbsentAt(int source_folder, const std::string& source_name,
                                      int target_folder, const Path& to) const {
    const std::string target_name(to.name());
    if (syscall(SYS_renameat2, source_folder, source_name.c_str(), target_folder,
                target_name.c_str(), RENAME_NOREPLACE) == 0) {
      return PutOutcome::kCreated;
    }
    if (errno == EEXIST || errno == ENOTEMPTY) return PutOutcome::kAlreadyExists;
    if (errno == EXDEV) {
      return Invalid(fmt::format("move to '{}': it lies on another file system", FileName(to)));
    }
    if (errno != EINVAL && errno != ENOSYS) return SystemError(errno, "move to", FileName(to));
    // NFS and others: a second name, then the first one's removal.
    if (linkat(source_folder, source_name.c_str(), target_folder, target_name.c_str(), 0) != 0) {
      if (errno == EEXIST) return PutOutcome::kAlreadyExists;
      if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) {
        return Unsupported(
            fmt::format("create '{}': this file system has neither hard links nor "
                        "renames that refuse to replace, so two writers could both "
                        "win; use another file system",
                        FileName(to)));
      }
      return SystemError(errno, "move to", FileName(to));
    }
    if (unlinkat(source_folder, source_name.c_str(), 0) != 0 && errno != ENOENT) {
      return UnknownOutcome(fmt::format("move to '{}': the old name could not be removed: {}",
                                        FileName(to), std::strerror(errno)));
    }
    return PutOutcome::kCreated;
  }

  Result<FileDescriptor> Open(const Path& path, int flags, mode_t mode,
                              std::string_view verb) const {
    flags |= O_CLOEXEC;
    const std::string name = FileName(path);
    if (root_.empty()) {
      FileDescriptor fd(open(name.c_str(), flags, mode));
      if (!fd.ok()) return SystemError(errno, verb, name);
      return fd;
    }
    const FileDescriptor root(open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!root.ok()) return SystemError(errno, verb, root_);
    open_how how = {};
    how.flags = static_cast<uint64_t>(flags);
    how.mode = mode;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    const char* const relative = path.empty() ? "." : path.str().c_str();
    FileDescriptor fd(
        static_cast<int>(syscall(SYS_openat2, root.get(), relative, &how, sizeof how)));
    if (fd.ok()) return fd;
    // EXDEV: out of the root, or an absolute link that may come back into it. ENOSYS and EPERM: a
    // kernel before 5.6 or a sandbox without this call.
    if (errno != EXDEV && errno != ENOSYS && errno != EPERM) return SystemError(errno, verb, name);
    return OpenChecked(name, flags, mode, verb);
  }

 private:
  // Resolves all links first. A link changed between the look and the opening is not caught here.
  Result<FileDescriptor> OpenChecked(const std::string& name, int flags, mode_t mode,
                                     std::string_view verb) const {
    char real_root[PATH_MAX];
    char real_name[PATH_MAX];
    if (realpath(root_.c_str(), real_root) == nullptr) return SystemError(errno, verb, root_);
    if (realpath(name.c_str(), real_name) == nullptr) return SystemError(errno, verb, name);
    const std::string_view inside(real_name);
    const std::string_view root(real_root);
    if (root != "/" && inside != root &&
        !(inside.starts_with(root) && inside[root.size()] == '/')) {
      return SystemError(EXDEV, verb, name);
    }
    FileDescriptor fd(open(real_name, flags, mode));
    if (!fd.ok()) return SystemError(errno, verb, name);
    return fd;
  }

  const std::string root_;
  const Nameless nameless_;
};

// O_TMPFILE where the file system has it, else a file under a temporary name.
class PosixUnnamedFile final : public UnnamedFile {
 public:
  PosixUnnamedFile(const PosixDisk& disk, FileDescriptor fd, Path folder,
                   std::string temporary_name)
      : disk_(disk),
        fd_(std::move(fd)),
        folder_(std::move(folder)),
        temporary_name_(std::move(temporary_name)) {}

  ~PosixUnnamedFile() override { DropTemporaryName(); }

  Status Append(BytesView bytes) override { return WriteAll(fd_.get(), bytes, Label()); }

  Status SyncData() override {
    if (fdatasync(fd_.get()) != 0) return SystemError(errno, "sync", Label());
    return OkStatus();
  }

  Result<PutOutcome> NameIfAbsent(const Path& path) override {
    TARN_ASSIGN_OR_RETURN(const FileDescriptor target,
                          disk_.OpenFolder(path.parent(), "create in"));
    const std::string name(path.name());
    if (temporary_name_.empty()) {
      if (LinkDescriptor(target.get(), name) == 0) return PutOutcome::kCreated;
      if (errno == EEXIST) return PutOutcome::kAlreadyExists;
      return SystemError(errno, "create", disk_.FileName(path));
    }
    TARN_ASSIGN_OR_RETURN(const FileDescriptor own, disk_.OpenFolder(folder_, "create in"));
    const int linked = linkat(own.get(), temporary_name_.c_str(), target.get(), name.c_str(), 0);
    const int error = linked == 0 ? 0 : errno;
    // NFS: link() can report an error, EEXIST too, although it took place; two names tell.
    if (error == 0 || HasTwoNames()) {
      DropTemporaryName();
      return PutOutcome::kCreated;
    }
    if (error == EEXIST) return PutOutcome::kAlreadyExists;
    if (error != EPERM && error != EOPNOTSUPP && error != ENOSYS) {
      return SystemError(error, "create", disk_.FileName(path));
    }
    TARN_ASSIGN_OR_RETURN(const PutOutcome outcome,
                          disk_.RenameIfAbsentAt(own.get(), temporary_name_, target.get(), path));
    if (outcome == PutOutcome::kCreated) temporary_name_.clear();
    return outcome;
  }

  Status NameReplacing(const Path& path) override {
    TARN_ASSIGN_OR_RETURN(const FileDescriptor target,
                          disk_.OpenFolder(path.parent(), "replace in"));
    const std::string name(path.name());
    if (temporary_name_.empty()) {
      // A fresh name can be taken at once; only an existing one needs a detour.
      if (LinkDescriptor(target.get(), name) == 0) return OkStatus();
      if (errno != EEXIST) return SystemError(errno, "replace", disk_.FileName(path));
      std::string temporary = TemporaryName();
      if (LinkDescriptor(target.get(), temporary) != 0) {
        return SystemError(errno, "replace", disk_.FileName(path));
      }
      folder_ = path.parent();
      temporary_name_ = std::move(temporary);
    }
    CrashPoint("disk.before_replace");
    TARN_ASSIGN_OR_RETURN(const FileDescriptor own, disk_.OpenFolder(folder_, "replace in"));
    if (renameat(own.get(), temporary_name_.c_str(), target.get(), name.c_str()) != 0) {
      return SystemError(errno, "replace", disk_.FileName(path));
    }
    temporary_name_.clear();
    return OkStatus();
  }

 private:
  int LinkDescriptor(int folder, const std::string& name) const {
    const std::string own = fmt::format("/proc/self/fd/{}", fd_.get());
    return linkat(AT_FDCWD, own.c_str(), folder, name.c_str(), AT_SYMLINK_FOLLOW);
  }

  bool HasTwoNames() const {
    struct stat info = {};
    return fstat(fd_.get(), &info) == 0 && info.st_nlink == 2;
  }

  void DropTemporaryName() {
    if (temporary_name_.empty()) return;
    const Result<FileDescriptor> own = disk_.OpenFolder(folder_, "clean up in");
    if (own.ok()) unlinkat(own->get(), temporary_name_.c_str(), 0);
    temporary_name_.clear();
  }

  std::string Label() const { return disk_.FileName(folder_) + "/(a new file)"; }

  const PosixDisk& disk_;
  const FileDescriptor fd_;
  Path folder_;
  std::string temporary_name_;  // empty: none
};

Result<std::unique_ptr<UnnamedFile>> PosixDisk::OpenUnnamed(const Path& folder) {
  constexpr mode_t kMode = 0666;
  Result<FileDescriptor> unnamed = [&]() -> Result<FileDescriptor> {
    if (nameless_ == Nameless::kNever) return FileDescriptor();
    TARN_ASSIGN_OR_RETURN(const FileDescriptor parent, OpenFolder(folder, "write in"));
    FileDescriptor fd(openat(parent.get(), ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, kMode));
    if (fd.ok()) return fd;
    // Which error means "no O_TMPFILE here" differs by file system and kernel.
    const bool unsupported = errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL;
    if (!unsupported) return SystemError(errno, "write in", FileName(folder));
    return FileDescriptor();
  }();
  if (!unnamed.ok()) return std::move(unnamed).error();
  // Without /proc a descriptor cannot be given a name.
  if (unnamed->ok() && access("/proc/self/fd", X_OK) == 0) {
    return std::unique_ptr<UnnamedFile>(
        std::make_unique<PosixUnnamedFile>(*this, std::move(*unnamed), folder, ""));
  }
  TARN_ASSIGN_OR_RETURN(const FileDescriptor parent, OpenFolder(folder, "write in"));
  std::string name = TemporaryName();
  FileDescriptor fd(
      openat(parent.get(), name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, kMode));
  if (!fd.ok()) return SystemError(errno, "write in", FileName(folder));
  return std::unique_ptr<UnnamedFile>(
      std::make_unique<PosixUnnamedFile>(*this, std::move(fd), folder, std::move(name)));
}

}  // namespace

Result<std::unique_ptr<Disk>> MakePosixDisk(const std::string& root, Nameless nameless) {
  if (root.empty() || root[0] != '/') {
    return Invalid("local storage: '" + root + "' is not an absolute path");
  }
  std::string trimmed = root;
  while (!trimmed.empty() && trimmed.back() == '/') trimmed.pop_back();
  auto disk = std::make_unique<PosixDisk>(std::move(trimmed), nameless);
  TARN_ASSIGN_OR_RETURN(const DiskStat stat, disk->Stat(Path()));
  if (!stat.is_folder) return NotFound("local storage: '" + root + "' is not a folder");
  return std::unique_ptr<Disk>(std::move(disk));
}

}  // namespace tarn
