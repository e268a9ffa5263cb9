#include <map>
#include <mutex>
#include <utility>

#include "duckdb.hpp"
#include "duckdb/common/file_system.hpp"

#include "tarn/duck/file_system.h"
#include "tarn/duck/types_duckdb.h"
#include "tarn/storage/buffer_writer.h"

namespace tarn {

namespace {

constexpr std::string_view kScheme = "tarn://";
constexpr std::string_view kRowsScheme = "tarn-rows://";

// An object in memory.
class BufferReader final : public ObjectReader {
 public:
  explicit BufferReader(Bytes bytes) : bytes_(std::move(bytes)) {}
  int64_t size_bytes() const override { return static_cast<int64_t>(bytes_.size()); }
  Status ReadAt(int64_t offset, int64_t length, char* out) const override {
    if (offset < 0 || length < 0 || offset + length > size_bytes()) {
      return Invalid("a read past the end");
    }
    bytes_.copy(out, static_cast<size_t>(length), static_cast<size_t>(offset));
    return OkStatus();
  }

 private:
  const Bytes bytes_;
};

// Which number stands for which store.
class Stores : public ObjectFiles {
 public:
  Stores(std::shared_ptr<DuckSession::CallbackError> errors, Runtime& runtime)
      : errors_(std::move(errors)), parquet_(MakeParquetFormat(runtime)) {}

  std::string NameOf(const Storage& storage, const Path& path) override {
    if (std::string native = storage.NativeName(path); !native.empty()) return native;
    std::lock_guard lock(mutex_);
    size_t number = 0;
    while (number < stores_.size() && stores_[number] != &storage) ++number;
    if (number == stores_.size()) stores_.push_back(&storage);
    return std::string(kScheme) + std::to_string(number) + "/" + path.str();
  }

  std::string NameOfRows(const std::string& key, Schema schema, RowsMaker rows) override {
    std::lock_guard lock(mutex_);
    auto& made = made_[key];
    if (made == nullptr) {
      made = std::make_shared<MadeFile>();
      made->name = std::string(kRowsScheme) + std::to_string(next_made_++);
      made->schema = std::move(schema);
      made->rows = std::move(rows);
    }
    return made->name;
  }

  void Forget() override {
    std::lock_guard lock(mutex_);
    made_.clear();
  }

  Result<std::shared_ptr<ObjectReader>> Open(std::string_view name) {
    if (name.starts_with(kRowsScheme)) return OpenRows(name);
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

  // Whether the name stands for something: a made file need not be made for that.
  bool Exists(std::string_view name) { return name.starts_with(kRowsScheme) || Open(name).ok(); }

  // Leaves the error for the statement and ends the callback.
  [[noreturn]] void Fail(const Error& error) {
    {
      std::lock_guard lock(errors_->mutex);
      if (!errors_->error) errors_->error = error;
    }
    throw duckdb::IOException(error.message);
  }

 private:
  struct MadeFile {
    std::string name;
    Schema schema;
    RowsMaker rows;
    std::mutex mutex;
    // DuckDB opens a file once per thread; the bytes live as long as one of these is open.
    std::weak_ptr<ObjectReader> reader;
  };

  Result<std::shared_ptr<ObjectReader>> OpenRows(std::string_view name) {
    std::shared_ptr<MadeFile> file;
    {
      std::lock_guard lock(mutex_);
      for (const auto& [key, made] : made_) {
        if (made->name == name) file = made;
      }
    }
    if (file == nullptr) return NotFound("nothing stands behind " + std::string(name));
    std::lock_guard lock(file->mutex);
    if (auto open = file->reader.lock()) return open;
    Bytes bytes;
    TARN_ASSIGN_OR_RETURN(
        auto writer,
        parquet_->Write(MakeBufferWriter(bytes), {.schema = file->schema, .compression = "none"}));
    TARN_ASSIGN_OR_RETURN(const auto rows, file->rows());
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
      if (batch == nullptr) break;
      TARN_RETURN_IF_ERROR(writer->Write(*batch));
    }
    TARN_RETURN_IF_ERROR(writer->Finish());
    auto reader = std::make_shared<BufferReader>(std::move(bytes));
    file->reader = reader;
    return std::shared_ptr<ObjectReader>(std::move(reader));
  }

  std::mutex mutex_;
  std::vector<const Storage*> stores_;
  std::map<std::string, std::shared_ptr<MadeFile>> made_;  // by key
  int64_t next_made_ = 1;
  std::shared_ptr<DuckSession::CallbackError> errors_;
  const std::unique_ptr<FileFormat> parquet_;
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
    return stores_->Exists(path);
  }
  duckdb::vector<duckdb::OpenFileInfo> Glob(const duckdb::string& path,
                                            duckdb::FileOpener* /*opener*/) override {
    return {duckdb::OpenFileInfo(path)};
  }
  bool CanHandleFile(const duckdb::string& path) override {
    return path.starts_with(kScheme) || path.starts_with(kRowsScheme);
  }
  bool CanSeek() override { return true; }
  // Makes DuckDB merge neighbouring column chunks into few reads.
  bool OnDiskFile(duckdb::FileHandle& /*handle*/) override { return false; }
  std::string GetName() const override { return "TarnObjects"; }

 private:
  static ObjectHandle& Of(duckdb::FileHandle& handle) { return handle.Cast<ObjectHandle>(); }

  std::shared_ptr<Stores> stores_;
};

}  // namespace

Result<std::shared_ptr<ObjectFiles>> ObjectFiles::Mount(DuckSession& session, Runtime& runtime) {
  auto stores = std::make_shared<Stores>(session.callback_error(), runtime);
  try {
    session.database().GetFileSystem().RegisterSubSystem(
        duckdb::make_uniq<ObjectFileSystem>(stores));
  } catch (const std::exception& exception) {
    return ToError(exception, {});
  }
  return std::shared_ptr<ObjectFiles>(std::move(stores));
}

}  // namespace tarn
