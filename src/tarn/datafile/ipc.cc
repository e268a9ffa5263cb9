#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/conform_stream_internal.h"
#include "tarn/datafile/file_format.h"
#include "tarn/datafile/storage_file.h"

namespace tarn {
namespace {

constexpr const char* kInIpc = "arrow ipc";
constexpr std::string_view kFileMagic = "ARROW1";

// Either framing as one sequence of batches. The file format's footer is not trusted for more than
// its list of blocks.
class IpcReader final : public BatchStream {
 public:
  static Result<std::unique_ptr<IpcReader>> Make(
      std::shared_ptr<arrow::io::RandomAccessFile> file) {
    auto reader = std::make_unique<IpcReader>();
    char magic[kFileMagic.size()] = {};
    TARN_ASSIGN_OR_RETURN(const int64_t read,
                          Lift(file->ReadAt(0, kFileMagic.size(), magic), kInIpc));
    if (std::string_view(magic, static_cast<size_t>(read)) == kFileMagic) {
      TARN_ASSIGN_OR_RETURN(reader->file_,
                            Lift(arrow::ipc::RecordBatchFileReader::Open(file), kInIpc));
      reader->schema_ = reader->file_->schema();
    } else {
      TARN_ASSIGN_OR_RETURN(reader->stream_,
                            Lift(arrow::ipc::RecordBatchStreamReader::Open(file), kInIpc));
      reader->schema_ = reader->stream_->schema();
    }
    return reader;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    std::shared_ptr<arrow::RecordBatch> batch;
    if (file_ != nullptr) {
      if (next_ == file_->num_record_batches()) return batch;
      TARN_ASSIGN_OR_RETURN(batch, Lift(file_->ReadRecordBatch(next_++), kInIpc));
    } else {
      TARN_RETURN_IF_ERROR(Lift(stream_->ReadNext(&batch), kInIpc));
    }
    // Offsets come from outside: one that points past its buffer must not be followed.
    if (batch != nullptr) TARN_RETURN_IF_ERROR(Lift(batch->ValidateFull(), kInIpc));
    return batch;
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  std::shared_ptr<arrow::ipc::RecordBatchStreamReader> stream_;
  std::shared_ptr<arrow::Schema> schema_;
  int next_ = 0;
};

class IpcWriter final : public DataFileWriter {
 public:
  static Result<std::unique_ptr<DataFileWriter>> Make(std::unique_ptr<ObjectWriter> object,
                                                      const FileWriteOptions& options) {
    auto writer = std::make_unique<IpcWriter>();
    writer->table_schema_ = options.schema;
    TARN_ASSIGN_OR_RETURN(writer->file_schema_, ToFileSchema(options.schema));
    auto ipc_options = arrow::ipc::IpcWriteOptions::Defaults();
    if (options.compression == "zstd") {
      TARN_ASSIGN_OR_RETURN(ipc_options.codec,
                            Lift(arrow::util::Codec::Create(arrow::Compression::ZSTD, 1), kInIpc));
    } else if (options.compression != "none") {
      return Invalid("arrow ipc: no compression '" + options.compression + "'; known: zstd, none");
    }
    writer->object_ = std::move(object);
    writer->sink_ = MakeArrowSink(*writer->object_);
    TARN_ASSIGN_OR_RETURN(
        writer->writer_,
        Lift(arrow::ipc::MakeFileWriter(writer->sink_, writer->file_schema_, ipc_options), kInIpc));
    return std::unique_ptr<DataFileWriter>(std::move(writer));
  }

  Status Write(const arrow::RecordBatch& batch) override {
    TARN_ASSIGN_OR_RETURN(auto file_batch, ToFileBatch(batch, table_schema_, file_schema_));
    record_count_ += batch.num_rows();
    return Lift(writer_->WriteRecordBatch(*file_batch), kInIpc);
  }
  Status EndGroup() override { return OkStatus(); }
  int64_t size_bytes() const override { return sink_->closed() ? 0 : *sink_->Tell(); }
  int64_t buffered_bytes() const override { return 0; }
  Result<DataFile> Finish() override {
    TARN_RETURN_IF_ERROR(Lift(writer_->Close(), kInIpc));
    TARN_RETURN_IF_ERROR(Lift(sink_->Close(), kInIpc));
    TARN_ASSIGN_OR_RETURN(const ObjectInfo info, object_->Finish());
    DataFile file;
    file.format = "arrow";
    file.size_bytes = info.size_bytes;
    file.modified_ms = info.modified_ms;
    file.record_count = record_count_;
    return file;
  }

 private:
  Schema table_schema_;
  std::shared_ptr<arrow::Schema> file_schema_;
  std::unique_ptr<ObjectWriter> object_;
  std::shared_ptr<arrow::io::OutputStream> sink_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
  int64_t record_count_ = 0;
};

class IpcFormat final : public FileFormat {
 public:
  std::string_view name() const override { return "arrow"; }
  Result<Schema> ReadSchema(const ObjectReader& file) const override {
    TARN_ASSIGN_OR_RETURN(
        auto reader, IpcReader::Make(MakeArrowFile(
                         std::shared_ptr<const ObjectReader>(std::shared_ptr<void>(), &file))));
    return FromArrow(*reader->schema());
  }
  Result<std::unique_ptr<BatchStream>> Read(std::shared_ptr<ObjectReader> file,
                                            const FileReadOptions& given) const override {
    TARN_ASSIGN_OR_RETURN(auto reader, IpcReader::Make(MakeArrowFile(std::move(file))));
    FileReadOptions options = given;
    options.match = MatchIn(given.match, HasFieldIds(reader->schema()->fields()));
    return MakeConformStream(std::move(reader), options);
  }
  Result<std::unique_ptr<DataFileWriter>> Write(std::unique_ptr<ObjectWriter> object,
                                                const FileWriteOptions& options) const override {
    return IpcWriter::Make(std::move(object), options);
  }
};

}  // namespace

std::unique_ptr<FileFormat> MakeIpcFormat(Runtime&) { return std::make_unique<IpcFormat>(); }

}  // namespace tarn
