#include "tarn/datafile/orc_writer_internal.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <arrow/adapters/orc/adapter.h>
#include <arrow/api.h>
#include <arrow/io/interfaces.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/leaf_statistics_internal.h"
#include "tarn/datafile/orc_types_internal.h"
#include "tarn/datafile/storage_file.h"

namespace tarn {
namespace {

using arrow::adapters::orc::ORCFileWriter;

constexpr const char* kInOrcWriter = "orc: write";
constexpr int64_t kStripeBytes = int64_t{64} << 20;

template <class Work>
auto Guard(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return Unavailable("orc: out of memory");
  } catch (const std::exception& thrown) {
    return ArrowError(arrow::Status::Invalid(thrown.what()), kInOrcWriter, ErrorCode::kInvalid);
  }
}

Result<arrow::Compression::type> OrcCodecOf(const std::string& name) {
  if (name == "zstd") return arrow::Compression::ZSTD;
  if (name == "snappy") return arrow::Compression::SNAPPY;
  if (name == "gzip" || name == "zlib") return arrow::Compression::GZIP;
  if (name == "lz4") return arrow::Compression::LZ4;
  if (name == "none" || name == "uncompressed") return arrow::Compression::UNCOMPRESSED;
  return Invalid("orc: no compression '" + name + "'; known: zstd, snappy, gzip, lz4, none");
}

class OrcWriter final : public DataFileWriter {
 public:
  OrcWriter(std::unique_ptr<ObjectWriter> object, const FileWriteOptions& options,
            std::shared_ptr<arrow::Schema> file_schema, std::shared_ptr<arrow::Schema> orc_schema,
            arrow::Compression::type codec)
      : schema_(options.schema),
        statistics_(options.schema, options.statistics_ids, options.string_bound_length),
        file_schema_(std::move(file_schema)),
        orc_schema_(std::move(orc_schema)),
        codec_(codec),
        object_(std::move(object)),
        sink_(MakeArrowSink(*object_)) {}

  Status Write(const arrow::RecordBatch& batch) override {
    return Guard([&]() -> Status {
      TARN_ASSIGN_OR_RETURN(const auto file_batch, ToFileBatch(batch, schema_, file_schema_));
      TARN_RETURN_IF_ERROR(statistics_.Add(*file_batch));
      std::vector<std::shared_ptr<arrow::Array>> columns;
      columns.reserve(static_cast<size_t>(file_batch->num_columns()));
      for (int i = 0; i < file_batch->num_columns(); ++i) {
        TARN_ASSIGN_OR_RETURN(auto column,
                              ToOrcArray(file_batch->column(i), orc_schema_->field(i)->type()));
        columns.push_back(std::move(column));
      }
      TARN_RETURN_IF_ERROR(Open());
      record_count_ += batch.num_rows();
      // The library writes a stripe when it holds about so much; it does not tell.
      held_bytes_ = (held_bytes_ + BatchBytes(*file_batch)) % kStripeBytes;
      return Lift(writer_->Write(
                      *arrow::RecordBatch::Make(orc_schema_, batch.num_rows(), std::move(columns))),
                  kInOrcWriter, ErrorCode::kInvalid);
    });
  }
  // A stripe cannot be ended from outside.
  Status EndGroup() override { return OkStatus(); }
  int64_t size_bytes() const override {
    // What rows shrink to is not known before their stripe is written: a third is a fair guess.
    return (sink_->closed() ? 0 : *sink_->Tell()) + held_bytes_ / 3;
  }
  int64_t buffered_bytes() const override { return held_bytes_; }

  Result<DataFile> Finish() override {
    return Guard([&]() -> Result<DataFile> {
      if (writer_ == nullptr) TARN_RETURN_IF_ERROR(WriteNothing());
      TARN_RETURN_IF_ERROR(Lift(writer_->Close(), kInOrcWriter));
      TARN_RETURN_IF_ERROR(Lift(sink_->Close(), kInOrcWriter));
      TARN_ASSIGN_OR_RETURN(const ObjectInfo info, object_->Finish());
      DataFile file;
      file.format = "orc";
      file.size_bytes = info.size_bytes;
      file.modified_ms = info.modified_ms;
      file.record_count = record_count_;
      file.statistics = statistics_.Finish();
      return file;
    });
  }

 private:
  Status Open() {
    if (writer_ != nullptr) return OkStatus();
    arrow::adapters::orc::WriteOptions options;
    options.compression = codec_;
    options.stripe_size = kStripeBytes;
    TARN_ASSIGN_OR_RETURN(writer_, Lift(ORCFileWriter::Open(sink_.get(), options), kInOrcWriter));
    return OkStatus();
  }

  // The file's schema is told by its first batch.
  Status WriteNothing() {
    TARN_RETURN_IF_ERROR(Open());
    TARN_ASSIGN_OR_RETURN(const auto empty,
                          Lift(arrow::RecordBatch::MakeEmpty(orc_schema_), kInOrcWriter));
    return Lift(writer_->Write(*empty), kInOrcWriter, ErrorCode::kInvalid);
  }

  const Schema schema_;
  BatchStatistics statistics_;
  const std::shared_ptr<arrow::Schema> file_schema_;
  const std::shared_ptr<arrow::Schema> orc_schema_;
  const arrow::Compression::type codec_;
  const std::unique_ptr<ObjectWriter> object_;
  const std::shared_ptr<arrow::io::OutputStream> sink_;
  std::unique_ptr<ORCFileWriter> writer_;
  int64_t record_count_ = 0;
  int64_t held_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<DataFileWriter>> MakeOrcWriter(std::unique_ptr<ObjectWriter> object,
                                                      const FileWriteOptions& options,
                                                      const std::string& prefix) {
  TARN_ASSIGN_OR_RETURN(const auto codec, OrcCodecOf(options.compression));
  TARN_ASSIGN_OR_RETURN(auto file_schema, ToFileSchema(options.schema));
  arrow::FieldVector fields;
  fields.reserve(static_cast<size_t>(file_schema->num_fields()));
  for (const Field& field : options.schema.fields) {
    if (field.type.kind == TypeKind::kVoid) continue;  // no part of the file
    fields.push_back(
        ToOrcField(*file_schema->field(static_cast<int>(fields.size())), field, prefix));
  }
  return std::unique_ptr<DataFileWriter>(std::make_unique<OrcWriter>(
      std::move(object), options, std::move(file_schema), arrow::schema(std::move(fields)), codec));
}

}  // namespace tarn
