#include "tarn/ingest/source/block_feed.h"

#include <algorithm>
#include <utility>

#include <arrow/record_batch.h>

#include "tarn/datafile/csv_decoder.h"

namespace tarn {

BlockFeed::BlockFeed(Runtime& runtime, const Storage& local,
                     const Registry<FileFormat>& file_formats, const std::vector<SourceFile>& files,
                     FeedOptions options)
    : runtime_(runtime),
      local_(local),
      file_formats_(file_formats),
      files_(files),
      options_(std::move(options)) {}

Status BlockFeed::Open() {
  const SourceFile& file = files_[file_];
  TARN_ASSIGN_OR_RETURN(const Path object, file.object());
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<ObjectReader> reader, local_.OpenReader(object));
  if (reader->size_bytes() != file.size_bytes) {
    return Invalid("the file changed since it was found; run again");
  }
  bytes_of_file_ = 0;
  if (file.format != SourceFormat::kJsonLines && file.format != SourceFormat::kCsv) {
    if (!options_.columnar_schema) return {};
    TARN_ASSIGN_OR_RETURN(const FileFormat* format,
                          file_formats_.Find(SourceFormatName(file.format)));
    FileReadOptions read;
    read.schema = *options_.columnar_schema;
    TARN_ASSIGN_OR_RETURN(batches_, format->Read(std::move(reader), read));
    return {};
  }
  TARN_ASSIGN_OR_RETURN(auto bytes, OpenByteStream(std::move(reader), file.compression));
  text_ = std::make_unique<TextBlockReader>(
      std::move(bytes),
      TextBlockOptions{
          file.format == SourceFormat::kCsv ? RecordEnd::kLineOutsideQuotes : RecordEnd::kLine,
          options_.block_bytes, options_.record_bytes_max});
  return {};
}

Status BlockFeed::Close() {
  const SourceFile& file = files_[file_];
  text_.reset();
  batches_.reset();
  names_.reset();
  bytes_before_ += file.size_bytes;
  bytes_of_file_ = 0;
  TARN_ASSIGN_OR_RETURN(const Path object, file.object());
  TARN_ASSIGN_OR_RETURN(const ObjectInfo info, local_.Stat(object));
  if (info.size_bytes != file.size_bytes || info.modified_ms != file.modified_ms) {
    return Invalid("the file changed while it was read; run again");
  }
  return {};
}

Result<std::optional<FeedItem>> BlockFeed::NextOfFile() {
  FeedItem item;
  item.file = file_;
  if (batches_ != nullptr) {
    TARN_ASSIGN_OR_RETURN(item.batch, batches_->Next());
    if (item.batch == nullptr) return std::optional<FeedItem>();
    return std::optional<FeedItem>(std::move(item));
  }
  if (text_ == nullptr) return std::optional<FeedItem>();
  TextBlock reuse;
  if (!free_.empty()) {
    reuse = std::move(free_.back());
    free_.pop_back();
  }
  TARN_ASSIGN_OR_RETURN(std::optional<TextBlock> block, text_->Next(std::move(reuse)));
  bytes_of_file_ = text_->consumed_bytes();
  if (!block) return std::optional<FeedItem>();
  item.block = std::move(*block);
  if (files_[file_].format == SourceFormat::kCsv && names_ == nullptr) {
    if (options_.csv_header) {
      TARN_ASSIGN_OR_RETURN(CsvHeader header,
                            ReadCsvHeader(item.block.text(), options_.csv_delimiter));
      names_ = std::make_shared<const std::vector<std::string>>(std::move(header.names));
      item.skip = header.bytes;
      item.skip_lines = header.lines;
    } else {
      names_ = std::make_shared<const std::vector<std::string>>(
          CsvNamesByPosition(item.block.text(), options_.csv_delimiter));
    }
  }
  item.names = names_;
  return std::optional<FeedItem>(std::move(item));
}

Result<std::optional<FeedItem>> BlockFeed::Next() {
  TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
  while (file_ < files_.size()) {
    const std::string& shown = files_[file_].shown;
    if (!open_) {
      if (const Status opened = Open(); !opened.ok()) return opened.error().WithContext(shown);
      open_ = true;
    }
    Result<std::optional<FeedItem>> item = NextOfFile();
    if (!item.ok()) return item.error().WithContext(shown);
    if (item.value()) return item;
    if (const Status closed = Close(); !closed.ok()) return closed.error().WithContext(shown);
    open_ = false;
    ++file_;
  }
  return std::optional<FeedItem>();
}

void BlockFeed::Recycle(TextBlock block) {
  if (block.capacity() == options_.block_bytes && free_.size() < 64) {
    free_.push_back(std::move(block));
  }
}

FeedOptions FeedOptionsFor(const Runtime& runtime, const Pipeline& pipeline) {
  FeedOptions options;
  const int64_t limit = runtime.memory.limit_bytes();
  options.block_bytes =
      static_cast<size_t>(std::clamp<int64_t>(limit / 256, int64_t{256} << 10, int64_t{4} << 20));
  options.record_bytes_max =
      static_cast<size_t>(std::clamp<int64_t>(limit / 16, int64_t{16} << 20, int64_t{256} << 20));
  options.csv_delimiter = pipeline.csv_delimiter;
  options.csv_header = pipeline.csv_header;
  return options;
}

int64_t PiecesAtOnce(const Runtime& runtime) {
  return std::max<int64_t>(2, int64_t{4} * runtime.executor.threads());
}

}  // namespace tarn
