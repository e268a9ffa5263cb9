#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <parquet/arrow/schema.h>
#include <parquet/arrow/writer.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/leaf_statistics_internal.h"
#include "tarn/datafile/parquet_encoding_internal.h"
#include "tarn/datafile/parquet_guard_internal.h"
#include "tarn/datafile/parquet_statistics_internal.h"
#include "tarn/datafile/parquet_writer_internal.h"
#include "tarn/datafile/storage_file.h"

namespace tarn {
namespace {

constexpr const char* kInParquetWriter = "parquet: write";
constexpr int64_t kPageBytes = int64_t{1} << 20;

Result<parquet::Compression::type> ParquetCodecOf(const std::string& name) {
  if (name == "zstd") return parquet::Compression::ZSTD;
  if (name == "snappy") return parquet::Compression::SNAPPY;
  if (name == "none" || name == "uncompressed") return parquet::Compression::UNCOMPRESSED;
  if (name == "gzip") return parquet::Compression::GZIP;
  if (name == "lz4") return parquet::Compression::LZ4_HADOOP;
  return Invalid("no compression '" + name + "' here; known: zstd, snappy, gzip, lz4, none");
}

class ParquetWriter final : public DataFileWriter {
 public:
  ParquetWriter(std::unique_ptr<ObjectWriter> object, FileWriteOptions options,
                parquet::Compression::type codec, std::shared_ptr<arrow::Schema> file_schema)
      : options_(std::move(options)),
        codec_(codec),
        file_schema_(std::move(file_schema)),
        leaves_(LeavesOf(options_.schema)),
        pool_(options_.memory_pool != nullptr ? options_.memory_pool
                                              : arrow::default_memory_pool()),
        object_(std::move(object)),
        sink_(MakeArrowSink(*object_)) {
    for (size_t i = 0; i < leaves_.size(); ++i) {
      const Leaf& leaf = leaves_[i];
      if (!leaf.repeated && leaf.field->type.IsFloating() && WantsStatistics(leaf)) {
        floats_[i] = FloatBounds{};
      }
    }
  }

  Status Write(const arrow::RecordBatch& batch) override {
    return GuardParquet(kInParquetWriter, [&]() -> Status {
      if (batch.num_rows() == 0) return OkStatus();
      TARN_ASSIGN_OR_RETURN(auto file_batch, ToFileBatch(batch, options_.schema, file_schema_));
      TARN_RETURN_IF_ERROR(CountFloats(*file_batch));
      record_count_ += batch.num_rows();
      pending_bytes_ += BatchBytes(*file_batch);
      pending_rows_ += batch.num_rows();
      pending_.push_back(std::move(file_batch));
      while (pending_rows_ >= options_.row_group_rows ||
             pending_bytes_ >= options_.row_group_bytes) {
        TARN_RETURN_IF_ERROR(WriteGroup(std::min(pending_rows_, options_.row_group_rows)));
      }
      return OkStatus();
    });
  }

  Status EndGroup() override {
    return GuardParquet(kInParquetWriter, [&] { return WritePending(); });
  }

  int64_t size_bytes() const override {
    const int64_t written = sink_->closed() ? 0 : *sink_->Tell();
    // What rows shrink to is known once a group went out; before that a third is a fair guess.
    const double ratio =
        encoded_raw_bytes_ > 0 ? static_cast<double>(written) / encoded_raw_bytes_ : 0.35;
    return written + static_cast<int64_t>(pending_bytes_ * std::min(ratio, 1.0));
  }

  int64_t buffered_bytes() const override { return pending_bytes_ + pool_.bytes_allocated(); }

  Result<DataFile> Finish() override {
    return GuardParquet(kInParquetWriter, [&]() -> Result<DataFile> {
      TARN_RETURN_IF_ERROR(WritePending());
      if (writer_ == nullptr) TARN_RETURN_IF_ERROR(Open({}));
      TARN_RETURN_IF_ERROR(Lift(writer_->Close(), kInParquetWriter));
      TARN_RETURN_IF_ERROR(Lift(sink_->Close(), kInParquetWriter));
      const std::shared_ptr<parquet::FileMetaData> metadata = writer_->metadata();
      writer_.reset();
      TARN_ASSIGN_OR_RETURN(const ObjectInfo info, object_->Finish());
      DataFile file;
      file.format = "parquet";
      file.size_bytes = info.size_bytes;
      file.modified_ms = info.modified_ms;
      file.record_count = record_count_;
      for (int group = 0; group < metadata->num_row_groups(); ++group) {
        file.split_offsets.push_back(metadata->RowGroup(group)->file_offset());
      }
      file.statistics = Statistics(*metadata);
      return file;
    });
  }

 private:
  bool WantsStatistics(const Leaf& leaf) const {
    return std::find(options_.statistics_ids.begin(), options_.statistics_ids.end(),
                     leaf.field->id) != options_.statistics_ids.end();
  }

  Status CountFloats(const arrow::RecordBatch& batch) {
    for (auto& [position, bounds] : floats_) {
      TARN_ASSIGN_OR_RETURN(auto array, LeafArray(batch, leaves_[position]));
      bounds.Add(*array);
    }
    return OkStatus();
  }

  // Chooses encodings by the file's first rows (may be none) and starts it.
  Status Open(const std::vector<std::shared_ptr<arrow::RecordBatch>>& first) {
    parquet::WriterProperties::Builder properties;
    properties.memory_pool(&pool_)
        ->created_by(options_.created_by)
        ->version(parquet::ParquetVersion::PARQUET_2_6)
        ->compression(codec_)
        ->max_row_group_length(options_.row_group_rows)
        ->enable_store_decimal_as_integer()
        ->enable_write_page_index()
        ->data_pagesize(kPageBytes)
        ->write_batch_size(4096);
    if (codec_ == parquet::Compression::ZSTD) properties.compression_level(1);
    std::shared_ptr<parquet::SchemaDescriptor> columns;
    const auto arrow_properties = parquet::default_arrow_writer_properties();
    TARN_RETURN_IF_ERROR(
        Lift(parquet::arrow::ToParquetSchema(file_schema_.get(), *properties.build(),
                                             *arrow_properties, &columns),
             kInParquetWriter, ErrorCode::kUnsupported));
    if (columns->num_columns() != static_cast<int>(leaves_.size())) {
      return Internal("parquet: " + std::to_string(leaves_.size()) + " leaves became " +
                      std::to_string(columns->num_columns()) + " columns");
    }
    for (int i = 0; i < columns->num_columns(); ++i) {
      const parquet::ColumnDescriptor& column = *columns->Column(i);
      std::vector<std::shared_ptr<arrow::Array>> values;
      for (const auto& batch : first) {
        TARN_ASSIGN_OR_RETURN(auto array, LeafArray(*batch, leaves_[i]));
        values.push_back(std::move(array));
      }
      if (!DictionaryPays(values, options_.row_group_rows)) {
        properties.disable_dictionary(column.path());
      }
      // Also what a dictionary that grew too large gives way to.
      if (column.physical_type() == parquet::Type::INT32 ||
          column.physical_type() == parquet::Type::INT64) {
        properties.encoding(column.path(), parquet::Encoding::DELTA_BINARY_PACKED);
      }
    }
    TARN_ASSIGN_OR_RETURN(
        writer_, Lift(parquet::arrow::FileWriter::Open(*file_schema_, &pool_, sink_,
                                                       properties.build(), arrow_properties),
                      kInParquetWriter, ErrorCode::kUnsupported));
    return OkStatus();
  }

  Status WritePending() {
    while (pending_rows_ > 0) {
      TARN_RETURN_IF_ERROR(WriteGroup(std::min(pending_rows_, options_.row_group_rows)));
    }
    return OkStatus();
  }

  // The first `rows` pending rows as one row group.
  Status WriteGroup(int64_t rows) {
    if (writer_ == nullptr) {
      TARN_RETURN_IF_ERROR(Open(pending_));
    }
    std::vector<std::shared_ptr<arrow::RecordBatch>> group;
    size_t used = 0;
    int64_t left = rows;
    while (left > 0) {
      auto& batch = pending_[used];
      if (batch->num_rows() > left) {
        group.push_back(batch->Slice(0, left));
        batch = batch->Slice(left);
        left = 0;
      } else {
        left -= batch->num_rows();
        group.push_back(std::move(batch));
        ++used;
      }
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<int64_t>(used));
    const int64_t raw = pending_rows_ == 0 ? 0 : pending_bytes_ * rows / pending_rows_;
    pending_rows_ -= rows;
    pending_bytes_ = pending_.empty() ? 0 : pending_bytes_ - raw;
    encoded_raw_bytes_ += raw;

    TARN_RETURN_IF_ERROR(Lift(writer_->NewRowGroup(), kInParquetWriter));
    for (int i = 0; i < file_schema_->num_fields(); ++i) {
      arrow::ArrayVector chunks;
      for (const auto& batch : group) chunks.push_back(batch->column(i));
      TARN_RETURN_IF_ERROR(
          Lift(writer_->WriteColumnChunk(std::make_shared<arrow::ChunkedArray>(std::move(chunks))),
               kInParquetWriter));
    }
    return OkStatus();
  }

  std::vector<ColumnStatistics> Statistics(const parquet::FileMetaData& metadata) const {
    std::vector<ColumnStatistics> all;
    for (size_t i = 0; i < leaves_.size(); ++i) {
      const Leaf& leaf = leaves_[i];
      if (!WantsStatistics(leaf)) continue;
      all.push_back(LeafStatistics(metadata, i));
    }
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return a.field_id < b.field_id; });
    return all;
  }

  ColumnStatistics LeafStatistics(const parquet::FileMetaData& metadata, size_t position) const {
    const Leaf& leaf = leaves_[position];
    const Type& type = leaf.field->type;
    ColumnStatistics out;
    out.field_id = leaf.field->id;
    out.size_bytes = 0;
    int64_t null_count = 0;
    bool nulls_known = true, bounds_known = true;
    for (int group = 0; group < metadata.num_row_groups(); ++group) {
      const auto chunk = metadata.RowGroup(group)->ColumnChunk(static_cast<int>(position));
      *out.size_bytes += chunk->total_compressed_size();
      if (leaf.repeated) continue;
      const ChunkStatistics part =
          ReadChunkStatistics(*chunk, *metadata.schema()->Column(static_cast<int>(position)), type);
      nulls_known = nulls_known && part.null_count.has_value();
      null_count += part.null_count.value_or(0);
      if (part.null_count == part.value_count) continue;  // nothing to bound
      bounds_known = bounds_known && part.lower.has_value() && part.upper.has_value();
      if (!bounds_known) continue;
      if (!out.lower || CompareValues(type, *part.lower, *out.lower) < 0) out.lower = part.lower;
      if (!out.upper || CompareValues(type, *part.upper, *out.upper) > 0) out.upper = part.upper;
    }
    if (leaf.repeated) return out;  // slots are counted there, not rows
    out.value_count = record_count_;
    if (nulls_known) out.null_count = null_count;
    if (const auto found = floats_.find(position); found != floats_.end()) {
      found->second.Put(out);
      return out;
    }
    if (!bounds_known) {
      out.lower.reset();
      out.upper.reset();
    }
    CutBounds(type, options_.string_bound_length, out);
    return out;
  }

  const FileWriteOptions options_;
  const parquet::Compression::type codec_;
  const std::shared_ptr<arrow::Schema> file_schema_;
  const std::vector<Leaf> leaves_;        // point into options_.schema
  std::map<size_t, FloatBounds> floats_;  // by position among leaves_
  // Counts what this one file holds in memory. Outlives all that allocates from it.
  arrow::ProxyMemoryPool pool_;
  const std::unique_ptr<ObjectWriter> object_;
  const std::shared_ptr<arrow::io::OutputStream> sink_;
  std::unique_ptr<parquet::arrow::FileWriter> writer_;
  std::vector<std::shared_ptr<arrow::RecordBatch>> pending_;
  int64_t pending_rows_ = 0;
  int64_t pending_bytes_ = 0;
  int64_t encoded_raw_bytes_ = 0;
  int64_t record_count_ = 0;
};

}  // namespace

Result<std::unique_ptr<DataFileWriter>> MakeParquetWriter(std::unique_ptr<ObjectWriter> object,
                                                          const FileWriteOptions& options) {
  TARN_ASSIGN_OR_RETURN(const auto codec, ParquetCodecOf(options.compression));
  TARN_ASSIGN_OR_RETURN(auto file_schema, ToFileSchema(options.schema));
  if (file_schema->num_fields() == 0) {
    return Unsupported("parquet: a file without columns");
  }
  return std::unique_ptr<DataFileWriter>(
      std::make_unique<ParquetWriter>(std::move(object), options, codec, std::move(file_schema)));
}

}  // namespace tarn
