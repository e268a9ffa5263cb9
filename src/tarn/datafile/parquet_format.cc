#include <memory>
#include <utility>

#include "tarn/datafile/file_format.h"
#include "tarn/datafile/parquet_reader_internal.h"
#include "tarn/datafile/parquet_writer_internal.h"

namespace tarn {
namespace {

class ParquetFormat final : public FileFormat {
 public:
  explicit ParquetFormat(Runtime& runtime) : runtime_(runtime) {}

  std::string_view name() const override { return "parquet"; }
  Result<Schema> ReadSchema(const ObjectReader& file) const override {
    // Arrow wants to share what it reads from; this object is the caller's and outlives the call.
    return ReadParquetSchema(std::shared_ptr<const ObjectReader>(std::shared_ptr<void>(), &file));
  }
  Result<std::unique_ptr<BatchStream>> Read(std::shared_ptr<ObjectReader> file,
                                            const FileReadOptions& options) const override {
    return ReadParquet(runtime_, std::move(file), options);
  }
  Result<std::unique_ptr<DataFileWriter>> Write(std::unique_ptr<ObjectWriter> object,
                                                const FileWriteOptions& options) const override {
    return MakeParquetWriter(std::move(object), options);
  }

 private:
  Runtime& runtime_;
};

}  // namespace

std::unique_ptr<FileFormat> MakeParquetFormat(Runtime& runtime) {
  return std::make_unique<ParquetFormat>(runtime);
}

}  // namespace tarn
