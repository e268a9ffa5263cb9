#include <memory>
#include <string>
#include <utility>

#include <arrow/record_batch.h>

#include "tarn/datafile/avro_reader.h"
#include "tarn/datafile/avro_writer.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/file_format.h"
#include "tarn/datafile/leaf_statistics_internal.h"

namespace tarn {
namespace {

Result<std::string> AvroCodecFor(const std::string& compression) {
  if (compression == "zstd" || compression == "zstandard") return std::string("zstandard");
  if (compression == "snappy") return std::string("snappy");
  if (compression == "gzip" || compression == "deflate") return std::string("deflate");
  if (compression == "none" || compression == "uncompressed") return std::string("null");
  return Invalid("avro: no compression '" + compression + "'; known: zstd, snappy, gzip, none");
}

class AvroDataWriter final : public DataFileWriter {
 public:
  AvroDataWriter(std::unique_ptr<AvroWriter> writer, const FileWriteOptions& options,
                 std::shared_ptr<arrow::Schema> file_schema)
      : writer_(std::move(writer)),
        schema_(options.schema),
        file_schema_(std::move(file_schema)),
        statistics_(options.schema, options.statistics_ids, options.string_bound_length) {}

  Status Write(const arrow::RecordBatch& batch) override {
    TARN_ASSIGN_OR_RETURN(auto file_batch, ToFileBatch(batch, schema_, file_schema_));
    TARN_RETURN_IF_ERROR(statistics_.Add(*file_batch));
    return writer_->Write(*file_batch);
  }
  Status EndGroup() override { return OkStatus(); }
  int64_t size_bytes() const override { return writer_->size_bytes(); }
  int64_t buffered_bytes() const override { return writer_->buffered_bytes(); }
  Result<DataFile> Finish() override {
    TARN_ASSIGN_OR_RETURN(const ObjectInfo info, writer_->Finish());
    DataFile file;
    file.format = "avro";
    file.size_bytes = info.size_bytes;
    file.modified_ms = info.modified_ms;
    file.record_count = writer_->record_count();
    file.statistics = statistics_.Finish();
    return file;
  }

 private:
  const std::unique_ptr<AvroWriter> writer_;
  const Schema schema_;
  const std::shared_ptr<arrow::Schema> file_schema_;
  BatchStatistics statistics_;
};

class AvroFormat final : public FileFormat {
 public:
  AvroFormat(Runtime& runtime, std::string attribute_prefix)
      : runtime_(runtime), name_attribute_(std::move(attribute_prefix) + kNameAttributeSuffix) {}

  std::string_view name() const override { return "avro"; }
  Result<Schema> ReadSchema(const ObjectReader& file) const override {
    // The object is the caller's and outlives the call.
    TARN_ASSIGN_OR_RETURN(
        const AvroFile opened,
        AvroFile::Open(std::shared_ptr<const ObjectReader>(std::shared_ptr<void>(), &file), ""));
    return opened.ReadSchema();
  }
  Result<std::unique_ptr<BatchStream>> Read(std::shared_ptr<ObjectReader> file,
                                            const FileReadOptions& options) const override {
    TARN_ASSIGN_OR_RETURN(const AvroFile opened, AvroFile::Open(std::move(file), ""));
    return opened.ReadColumns(runtime_, options);
  }
  Result<std::unique_ptr<DataFileWriter>> Write(std::unique_ptr<ObjectWriter> object,
                                                const FileWriteOptions& options) const override {
    TARN_ASSIGN_OR_RETURN(std::string codec, AvroCodecFor(options.compression));
    TARN_ASSIGN_OR_RETURN(auto file_schema, ToFileSchema(options.schema));
    TARN_ASSIGN_OR_RETURN(const AvroTypePtr schema,
                          AvroSchemaOf(options.schema, "table", name_attribute_));
    TARN_ASSIGN_OR_RETURN(auto writer, MakeAvroWriter(std::move(object), runtime_.random,
                                                      {.schema_json = AvroSchemaToJson(*schema),
                                                       .codec = std::move(codec),
                                                       .metadata = {}}));
    return std::unique_ptr<DataFileWriter>(
        std::make_unique<AvroDataWriter>(std::move(writer), options, std::move(file_schema)));
  }

 private:
  Runtime& runtime_;
  const std::string name_attribute_;
};

}  // namespace

std::unique_ptr<FileFormat> MakeAvroFormat(Runtime& runtime, std::string attribute_prefix) {
  return std::make_unique<AvroFormat>(runtime, std::move(attribute_prefix));
}

}  // namespace tarn
