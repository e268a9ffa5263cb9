#include <map>
#include <mutex>
#include <utility>

#include "duckdb.hpp"
#include "duckdb/common/file_system.hpp"

#include "tarn/duck/file_system.h"
#include "tarn/duck/types_duckdb.h"

namespace tarn {

namespace {

constexpr std::string_view kScheme = "tarn://";

// Which number stands for which store.
class Stores : public ObjectFiles {
 public:
  explicit Stores(std::shared_ptr<DuckSession::CallbackError> errors)
      : errors_(std::move(errors)) {}

  std::string NameOf(const Storage& storage, const Path& path) override {
    if (std::string native = storage.NativeName(path); !native.empty()) return native;
    std::lock_guard lock(mutex_);
    size_t number = 0;
    while (number < stores_.size() && stores_[number] != &storage) ++number;
    if (number == stores_.size()) stores_.push_back(&storage);
    return std::string(kScheme) + std::to_string(number) + "/" + path.str();
  }

  Result<std::shared_ptr<ObjectReader>> Open(std::string_view name) {
    name.remove_prefix(kScheme.size());
    const size_t slash = name.find('/');
    const size_t number = std::strtoull(std::string(name.substr(0, slash)).c_str(), nullptr, 10);
    const Storage* storage = nullptr;
    {
      std::lock_guard lock(mutex_);
      if (slash != std::string_view::npos && number < stores_.size()) storage = stores_[number];
    }
    if (storage == nullptr) return NotFound("no store stands behind " + std::string(name));
    TARN_ASSIGN_OR_RETURN(const Path path, Path::Make(name.substr(slash + 1)));
    TARN_ASSIGN_OR_RETURN(auto reader, storage->OpenReader(path));
    return std::shared_ptr<ObjectReader>(std::move(reader));
  }

  // Leaves the error for the statement and ends the callback.
  [[noreturn]] void Fail(const Error& error) {
    {
      std::lock_guard lock(errors_->mutex);
      if (!errors_->error) errors_->error = error;
    }
    throw duckdb::IOException(error.message);
  }

 private:
  std::mutex mutex_;
  std::vector<const Storage*> stores_;
  std::shared_ptr<DuckSession::CallbackError> errors_;
};

class ObjectHandle : public duckdb::FileHandle {
 public:
  ObjectHandle(duckdb::FileSystem& file_system, const std::string& path,
               duckdb::FileOpenFlags flags, std::shared_ptr<ObjectReader> reader)
      : FileHandle(file_system, path, flags), reader_(std::move(reader)) {}
  void Close() override { reader_.reset(); }
  const ObjectReader& reader() const { return *reader_; }

  int64_t position = 0;

 private:
  std::shared_ptr<ObjectReader> reader_;
};

class ObjectFileSystem : public duckdb::FileSystem {
 public:
  explicit ObjectFileSystem(std::shared_ptr<Stores> stores) : stores_(std::move(stores)) {}

  duckdb::unique_ptr<duckdb::FileHandle> OpenFile(
      const duckdb::string& path, duckdb::FileOpenFlags flags,
      duckdb::optional_ptr<duckdb::FileOpener> /*opener*/) override {
    if (flags.OpenForWriting()) throw duckdb::PermissionException(path + " cannot be written");
    auto reader = stores_->Open(path);
    if (!reader.ok()) stores_->Fail(reader.error());
    return duckdb::make_uniq<ObjectHandle>(*this, path, flags, std::move(reader).value());
  }

  void Read(duckdb::FileHandle& handle, void* buffer, int64_t size, duckdb::idx_t at) override {
    const Status status =
        Of(handle).reader().ReadAt(static_cast<int64_t>(at), size, static_cast<char*>(buffer));
    if (!status.ok()) stores_->Fail(status.error().WithContext(handle.path));
  }
  int64_t Read(duckdb::FileHandle& handle, void* buffer, int64_t size) override {
    ObjectHandle& object = Of(handle);
    size = std::min(size, object.reader().size_bytes() - object.position);
    Read(handle, buffer, size, static_cast<duckdb::idx_t>(object.position));
    object.position += size;
    return size;
  }
  void Seek(duckdb::FileHandle& handle, duckdb::idx_t location) override {
    Of(handle).position = static_cast<int64_t>(location);
  }
  duckdb::idx_t SeekPosition(duckdb::FileHandle& handle) override {
    return static_cast<duckdb::idx_t>(Of(handle).position);
  }
  int64_t GetFileSize(duckdb::FileHandle& handle) override {
    return Of(handle).reader().size_bytes();
  }
  // Data files never change under their name, so what DuckDB cached of one stays true.
  duckdb::timestamp_t GetLastModifiedTime(duckdb::FileHandle& /*handle*/) override {
    return duckdb::timestamp_t(0);
  }
  duckdb::string GetVersionTag(duckdb::FileHandle& handle) override {
    return std::to_string(GetFileSize(handle));
  }
  duckdb::FileType GetFileType(duckdb::FileHandle& /*handle*/) override {
    return duckdb::FileType::FILE_TYPE_REGULAR;
  }
  bool FileExists(const duckdb::string& path,
                  duckdb::optional_ptr<duckdb::FileOpener> /*opener*/) override {
    return stores_->Open(path).ok();
  }
  duckdb::vector<duckdb::OpenFileInfo> Glob(const duckdb::string& path,
                                            duckdb::FileOpener* /*opener*/) override {
    return {duckdb::OpenFileInfo(path)};
  }
  bool CanHandleFile(const duckdb::string& path) override { return path.starts_with(kScheme); }
  bool CanSeek() override { return true; }
  // Makes DuckDB merge neighbouring column chunks into few reads.
  bool OnDiskFile(duckdb::FileHandle& /*handle*/) override { return false; }
  std::string GetName() const override { return "TarnObjects"; }

 private:
  static ObjectHandle& Of(duckdb::FileHandle& handle) { return handle.Cast<ObjectHandle>(); }

  std::shared_ptr<Stores> stores_;
};

}  // namespace

Result<std::shared_ptr<ObjectFiles>> ObjectFiles::Mount(DuckSession& session) {
  auto stores = std::make_shared<Stores>(session.callback_error());
  try {
    session.database().GetFileSystem().RegisterSubSystem(
        duckdb::make_uniq<ObjectFileSystem>(stores));
  } catch (const std::exception& exception) {
    return ToError(exception, {});
  }
  return std::shared_ptr<ObjectFiles>(std::move(stores));
}

}  // namespace tarn
