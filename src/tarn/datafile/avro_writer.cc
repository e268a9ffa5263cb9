#include "tarn/datafile/avro_writer.h"

#include <algorithm>

#include <arrow/record_batch.h>

#include "tarn/datafile/avro_codec.h"
#include "tarn/datafile/avro_encoder_internal.h"
#include "tarn/datafile/avro_header.h"
#include "tarn/datafile/avro_packer_internal.h"
#include "tarn/datafile/avro_varint_internal.h"
#include "tarn/storage/buffer_writer.h"

namespace tarn {
namespace {

void AppendText(BytesView text, std::string& out) {
  AppendAvroLong(static_cast<int64_t>(text.size()), out);
  out += text;
}

std::string MakeSync(Random& random) {
  std::string sync;
  for (int word = 0; word < 2; ++word) {
    const uint64_t bits = random.Next();
    for (int shift = 0; shift < 64; shift += 8) sync += static_cast<char>(bits >> shift & 0xFF);
  }
  return sync;
}

std::string MakeHeader(const AvroWriteOptions& options, BytesView sync) {
  std::string header(kAvroMagic);
  AppendAvroLong(static_cast<int64_t>(options.metadata.size()) + 2, header);
  for (const auto& [key, value] : options.metadata) {
    AppendText(key, header);
    AppendText(value, header);
  }
  AppendText("avro.codec", header);
  AppendText(options.codec, header);
  AppendText("avro.schema", header);
  AppendText(options.schema_json, header);
  AppendAvroLong(0, header);
  header += sync;
  return header;
}

class ContainerWriter final : public AvroWriter {
 public:
  ContainerWriter(std::unique_ptr<ObjectWriter> object, std::unique_ptr<AvroEncoder> encoder,
                  AvroCodec codec, std::string sync, int64_t block_bytes)
      : object_(std::move(object)),
        encoder_(std::move(encoder)),
        packer_(codec),
        sync_(std::move(sync)),
        block_bytes_(static_cast<size_t>(std::max<int64_t>(block_bytes, 1))) {}

  Status Begin(BytesView header) {
    written_ = static_cast<int64_t>(header.size());
    return object_->Append(header);
  }

  Status Write(const arrow::RecordBatch& batch) override {
    TARN_RETURN_IF_ERROR(encoder_->Bind(batch));
    int64_t row = 0;
    while (row < batch.num_rows()) {
      TARN_ASSIGN_OR_RETURN(const int64_t next, encoder_->Encode(row, block_bytes_, rows_));
      block_rows_ += next - row;
      record_count_ += next - row;
      row = next;
      if (rows_.size() >= block_bytes_) TARN_RETURN_IF_ERROR(EndBlock());
    }
    return OkStatus();
  }

  int64_t size_bytes() const override { return written_ + buffered_bytes(); }
  int64_t buffered_bytes() const override { return static_cast<int64_t>(rows_.size()); }
  int64_t record_count() const override { return record_count_; }

  Result<ObjectInfo> Finish() override {
    if (block_rows_ > 0) TARN_RETURN_IF_ERROR(EndBlock());
    return object_->Finish();
  }

 private:
  Status EndBlock() {
    TARN_RETURN_IF_ERROR(packer_.Pack(rows_.view(), packed_));
    std::string framing;
    AppendAvroLong(block_rows_, framing);
    AppendAvroLong(static_cast<int64_t>(packed_.size()), framing);
    TARN_RETURN_IF_ERROR(object_->Append(framing));
    TARN_RETURN_IF_ERROR(object_->Append(packed_));
    TARN_RETURN_IF_ERROR(object_->Append(sync_));
    written_ += static_cast<int64_t>(framing.size() + packed_.size() + sync_.size());
    rows_.SetSize(0);
    block_rows_ = 0;
    return OkStatus();
  }

  const std::unique_ptr<ObjectWriter> object_;
  const std::unique_ptr<AvroEncoder> encoder_;
  AvroPacker packer_;
  const std::string sync_;
  const size_t block_bytes_;
  AvroBuffer rows_;
  std::string packed_;
  int64_t block_rows_ = 0;
  int64_t record_count_ = 0;
  int64_t written_ = 0;
};

}  // namespace

Result<std::unique_ptr<AvroWriter>> MakeAvroWriter(std::unique_ptr<ObjectWriter> object,
                                                   Random& random,
                                                   const AvroWriteOptions& options) {
  auto codec = AvroCodecOf(options.codec);
  if (!codec.ok()) return Invalid("avro: " + codec.error().message);
  auto schema = ParseAvroSchema(options.schema_json);
  if (!schema.ok()) return Invalid(schema.error().message);
  TARN_ASSIGN_OR_RETURN(auto encoder, AvroEncoder::Make(*schema));
  std::string sync = MakeSync(random);
  const std::string header = MakeHeader(options, sync);
  auto writer = std::make_unique<ContainerWriter>(std::move(object), std::move(encoder), *codec,
                                                  std::move(sync), options.block_bytes);
  TARN_RETURN_IF_ERROR(writer->Begin(header));
  return std::unique_ptr<AvroWriter>(std::move(writer));
}

Result<Bytes> WriteAvro(const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                        Random& random, const AvroWriteOptions& options) {
  Bytes bytes;
  TARN_ASSIGN_OR_RETURN(auto writer, MakeAvroWriter(MakeBufferWriter(bytes), random, options));
  for (const auto& batch : batches) TARN_RETURN_IF_ERROR(writer->Write(*batch));
  TARN_RETURN_IF_ERROR(writer->Finish());
  return bytes;
}

}  // namespace tarn
