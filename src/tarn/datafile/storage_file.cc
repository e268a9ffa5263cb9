#include "tarn/datafile/storage_file.h"

#include <algorithm>
#include <string>
#include <utility>

#include <arrow/buffer.h>
#include <arrow/io/concurrency.h>
#include <arrow/io/interfaces.h>
#include <arrow/result.h>
#include <arrow/status.h>

#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

constexpr size_t kGatherBytes = size_t{256} << 10;

class ArrowFile final : public arrow::io::RandomAccessFile {
 public:
  explicit ArrowFile(std::shared_ptr<const ObjectReader> object) : object_(std::move(object)) {}

  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Seek(int64_t position) override {
    position_ = position;
    return arrow::Status::OK();
  }
  arrow::Result<int64_t> GetSize() override { return object_->size_bytes(); }

  arrow::Result<int64_t> Read(int64_t nbytes, void* out) override {
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position_, nbytes, out));
    position_ += read;
    return read;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> Read(int64_t nbytes) override {
    ARROW_ASSIGN_OR_RAISE(auto buffer, ReadAt(position_, nbytes));
    position_ += buffer->size();
    return buffer;
  }

  // Arrow's files are short at the end where ours refuse.
  arrow::Result<int64_t> ReadAt(int64_t position, int64_t nbytes, void* out) override {
    if (position < 0 || nbytes < 0) return arrow::Status::Invalid("a negative offset or length");
    const int64_t length = std::clamp<int64_t>(object_->size_bytes() - position, 0, nbytes);
    if (length == 0) return 0;
    const tarn::Status status = object_->ReadAt(position, length, static_cast<char*>(out));
    if (!status.ok()) return ToArrowStatus(status.error());
    return length;
  }
  arrow::Result<std::shared_ptr<arrow::Buffer>> ReadAt(int64_t position, int64_t nbytes) override {
    if (position < 0 || nbytes < 0) return arrow::Status::Invalid("a negative offset or length");
    const int64_t length = std::clamp<int64_t>(object_->size_bytes() - position, 0, nbytes);
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> buffer, arrow::AllocateBuffer(length));
    ARROW_ASSIGN_OR_RAISE(const int64_t read, ReadAt(position, length, buffer->mutable_data()));
    if (read != length) return arrow::Status::IOError("the object ended early");
    return buffer;
  }

 private:
  const std::shared_ptr<const ObjectReader> object_;
  int64_t position_ = 0;
  bool closed_ = false;
};

class ArrowSink final : public arrow::io::OutputStream {
 public:
  explicit ArrowSink(ObjectWriter& object) : object_(object) {}

  arrow::Status Close() override {
    if (closed_) return arrow::Status::OK();
    closed_ = true;
    return Flush();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return position_; }
  arrow::Status Write(const void* data, int64_t nbytes) override {
    if (nbytes <= 0) return arrow::Status::OK();
    position_ += nbytes;
    const std::string_view bytes(static_cast<const char*>(data), static_cast<size_t>(nbytes));
    if (gathered_.size() + bytes.size() <= kGatherBytes) {
      gathered_.append(bytes);
      return arrow::Status::OK();
    }
    ARROW_RETURN_NOT_OK(Flush());
    if (bytes.size() < kGatherBytes / 2) {
      gathered_.append(bytes);
      return arrow::Status::OK();
    }
    return Append(bytes);
  }
  arrow::Status Flush() override {
    if (gathered_.empty()) return arrow::Status::OK();
    ARROW_RETURN_NOT_OK(Append(gathered_));
    gathered_.clear();
    return arrow::Status::OK();
  }

 private:
  arrow::Status Append(std::string_view bytes) {
    const tarn::Status status = object_.Append(bytes);
    return status.ok() ? arrow::Status::OK() : ToArrowStatus(status.error());
  }

  ObjectWriter& object_;
  std::string gathered_;
  int64_t position_ = 0;
  bool closed_ = false;
};

}  // namespace

std::shared_ptr<arrow::io::RandomAccessFile> MakeArrowFile(
    std::shared_ptr<const ObjectReader> object) {
  return std::make_shared<ArrowFile>(std::move(object));
}

std::shared_ptr<arrow::io::OutputStream> MakeArrowSink(ObjectWriter& object) {
  return std::make_shared<ArrowSink>(object);
}

}  // namespace tarn
