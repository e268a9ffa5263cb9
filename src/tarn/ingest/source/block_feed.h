#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/datafile/text_source_blocks.h"
#include "tarn/ingest/source/source_file.h"
#include "tarn/model/schema.h"

namespace tarn {

// What a feed gives: a block of text, or a batch of a columnar file, with the file it is of.
struct FeedItem {
  size_t file = 0;  // position among the feed's files
  TextBlock block = {};
  size_t skip = 0;         // bytes of the block that are the header's
  int64_t skip_lines = 0;  // and its lines
  std::shared_ptr<const std::vector<std::string>> names = nullptr;  // CSV: of the file's fields
  std::shared_ptr<arrow::RecordBatch> batch = nullptr;              // Parquet, Arrow
  std::string_view text() const { return block.text().substr(skip); }
};

struct FeedOptions {
  size_t block_bytes = size_t{4} << 20;
  size_t record_bytes_max = size_t{256} << 20;
  char csv_delimiter = ',';
  bool csv_header = true;
  // For columnar files: the columns wanted (Parquet, Arrow files are read by name). Without it they
  // are passed over.
  std::optional<Schema> columnar_schema = {};
};

// Files from front to back, one after another, as pieces small enough to be worked on in parallel.
// Not thread-safe; one thread at a time.
class BlockFeed {
 public:
  // What is passed outlives the feed.
  BlockFeed(Runtime& runtime, const Storage& local, const Registry<FileFormat>& file_formats,
            const std::vector<SourceFile>& files, FeedOptions options);

  // The next piece, or nothing at the end. Errors name the file: kInvalid: it changed since it was
  // found, its CSV header is bad; what ByteStream and FileFormat report; kCancelled.
  Result<std::optional<FeedItem>> Next();
  // Hands a block's memory back.
  void Recycle(TextBlock block);

  int64_t bytes_read() const { return bytes_before_ + bytes_of_file_; }
  int64_t files_done() const { return static_cast<int64_t>(file_); }

 private:
  Status Open();
  Status Close();
  Result<std::optional<FeedItem>> NextOfFile();

  Runtime& runtime_;
  const Storage& local_;
  const Registry<FileFormat>& file_formats_;
  const std::vector<SourceFile>& files_;
  const FeedOptions options_;
  size_t file_ = 0;
  bool open_ = false;
  std::unique_ptr<TextBlockReader> text_;
  std::unique_ptr<BatchStream> batches_;
  std::shared_ptr<const std::vector<std::string>> names_;
  std::vector<TextBlock> free_;
  int64_t bytes_before_ = 0;
  int64_t bytes_of_file_ = 0;
};

// Sizes for the memory there is: blocks of 256 KiB to 4 MiB.
FeedOptions FeedOptionsFor(const Runtime& runtime, const Pipeline& pipeline);
// Pieces worked on at once.
int64_t PiecesAtOnce(const Runtime& runtime);

}  // namespace tarn
