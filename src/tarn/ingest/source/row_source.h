#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/ingest/ingest_progress.h"
#include "tarn/ingest/pipeline.h"
#include "tarn/ingest/source/block_feed.h"
#include "tarn/ingest/source/source_file.h"
#include "tarn/ingest/transform/transform.h"

namespace tarn {

// What rows are decoded to, and what may still turn out to be different.
struct DecodePlan {
  Schema schema;                    // of the source
  std::vector<bool> inferred = {};  // columns whose type was inferred, by position
  std::vector<std::string> void_columns =
      {};  // of the schema, without a type yet: dropped after decoding
  // Paths that may come up without a column: they never hold a value.
  std::set<std::string> ignored = {};
  // Every value was looked at: whatever does not fit is an error. Else a misfit in an inferred
  // column or an unknown one means that more must be looked at (RowSource::needs_a_closer_look).
  bool final = true;
  SchemaContract contract = SchemaContract::kEvolve;
};

// The rows of files, in the order of the files and their lines, after the transforms: decoded on
// all threads while the next bytes are read; a bounded number of blocks is in memory. Not
// thread-safe.
class RowSource final : public BatchStream {
 public:
  // What is passed by reference outlives the source. `at_end` runs once all rows were given.
  struct Parts {
    Runtime& runtime;
    const Storage& local;
    const Registry<FileFormat>& file_formats;
    const std::vector<SourceFile>& files;
    const Pipeline& pipeline;
    const DecodePlan& plan;
    const TransformChain& chain;
    std::function<void(const IngestProgress&)> progress;
    std::function<Status()> at_end;
    IngestProgress before = {};  // of earlier commits of the same run
    int64_t started_micros = 0;
    // Columns (of the chain's output) that may not hold an empty string: partition columns where
    // the format cannot tell it from NULL (S16).
    std::vector<std::string> never_empty = {};
  };
  static Result<std::unique_ptr<RowSource>> Make(Parts parts);
  ~RowSource() override;

  std::shared_ptr<arrow::Schema> schema() const override;
  // kInvalid: "events.jsonl:12: column v: expected int64, got string "seven"".
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override;

  // After Next failed: not an error, but the schema came from too few rows.
  bool needs_a_closer_look() const { return needs_a_closer_look_; }
  int64_t rows() const { return rows_; }
  int64_t bytes_read() const { return feed_.bytes_read(); }

 private:
  struct Work;  // one piece, decoded
  class Decoders;

  explicit RowSource(Parts parts, std::shared_ptr<arrow::Schema> schema);
  Status Fill();
  Status DecodeGroup();
  Status Decode(Work& work);
  void FindEmptyTexts(Transformed& transformed) const;
  Status Accept(Work& work);
  Status CheckUnknown(const Work& work);
  Status CheckBadRows(const Work& work);
  void Report(bool now);
  std::string PlaceOf(const Work& work, int64_t line) const;

  Parts parts_;
  std::shared_ptr<arrow::Schema> schema_;
  BlockFeed feed_;
  std::unique_ptr<Decoders> decoders_;
  std::vector<int> kept_columns_;  // all but void ones; empty: all
  std::vector<Work> group_;        // being decoded
  std::vector<FeedItem> coming_;
  std::vector<std::shared_ptr<arrow::RecordBatch>> ready_;
  size_t next_ready_ = 0;
  std::vector<int64_t> lines_;  // of each file so far
  std::vector<int64_t> file_rows_;
  bool started_ = false;
  bool ended_ = false;
  bool needs_a_closer_look_ = false;
  int64_t rows_ = 0;
  int64_t reported_micros_ = 0;
};

}  // namespace tarn
