#include "tarn/write/table_writer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

#include <arrow/api.h>

#include "tarn/base/uuid.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/recycling_pool.h"
#include "tarn/model/partition_key.h"
#include "tarn/write/gather.h"
#include "tarn/write/partition_folder.h"
#include "tarn/write/partition_router.h"
#include "tarn/write/required_columns.h"
#include "tarn/write/row_sorter.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;
// Fewer rows than this are not worth a second file.
constexpr int64_t kLaneRowsMin = 100'000;
// Rows are dealt out in pieces of about this many. One column of a piece fits into a core's cache
// while it is put in the order of partitions; gathering a partition's rows out of more than that
// reads a cache line from memory for every value (measured: twice the time).
constexpr int64_t kPieceRows = 122'880;
// Fewer rows of a partition than this are copied together and held on rather than made a row group.
constexpr int64_t kGroupRowsMin = 8'192;
constexpr size_t kOpenFilesMax = 512;
constexpr int64_t kMegabyte = int64_t{1} << 20;

// What the limit leaves for rows: the program itself, its libraries and open files take some before
// the first row (measured: 40 MB, and 20 more for DuckDB).
int64_t RoomForRows(const Runtime& runtime) {
  return runtime.memory.limit_bytes() - 64 * kMegabyte;
}

struct OpenFile {
  std::unique_ptr<DataFileWriter> writer;
  std::string path;  // below the table's root
  int64_t last_used = 0;
};

// One partition and its open files: one, or one per thread where a few partitions get all the rows.
struct Partition {
  std::vector<Value> values;
  std::string folder;  // with a '/' at the end, or empty
  std::vector<OpenFile> lanes;
  // Partitioned tables: rows in the order they came, waiting to be a row group. Slices of pieces,
  // so that memory comes free only when every partition has let go of a piece.
  std::vector<BatchPtr> held;
  int64_t held_rows = 0;
};

// Rows for one open file.
struct Portion {
  Partition* partition = nullptr;
  size_t lane = 0;
  std::vector<BatchPtr> batches;  // slices
  int64_t rows = 0;
};

// Rows of a piece, those of one partition together.
struct OrderedPiece {
  BatchPtr batch;
  std::vector<std::vector<Value>> partitions;
  std::vector<int64_t> begins;  // one more than partitions
};

class Writer final : public TableWriter {
 public:
  Writer(Runtime& runtime, Storage& storage, const TableHome& home, const FileFormat& file_format,
         TableMetadata metadata, TableWriterOptions options, PartitionRouter router,
         std::unique_ptr<RowSorter> sorter)
      : runtime_(runtime),
        storage_(storage),
        root_(home.root),
        file_format_(file_format),
        metadata_(std::move(metadata)),
        spec_(metadata_.default_spec()),
        options_(std::move(options)),
        router_(std::move(router)),
        sorter_(std::move(sorter)),
        // One file at a time takes the rows of a sorted table, so that files do not overlap.
        lanes_(metadata_.sort_order.IsUnsorted()
                   ? static_cast<size_t>(std::max(1, runtime.executor.threads()))
                   : 1),
        window_limit_(
            std::clamp<int64_t>(RoomForRows(runtime) / 8, 8 * kMegabyte, 256 * kMegabyte)),
        held_limit_(std::clamp<int64_t>(RoomForRows(runtime) / 4, 16 * kMegabyte, 192 * kMegabyte)),
        pool_(MakeRecyclingPool(held_limit_)) {
    file_options_.memory_pool = pool_.get();
    file_options_.compression = options_.ticket.compression;
    file_options_.row_group_bytes =
        std::max<int64_t>(8 * kMegabyte, window_limit_ / static_cast<int64_t>(2 * lanes_));
    for (size_t i = 0; i < metadata_.schema.fields.size(); ++i) {
      const Field& field = metadata_.schema.fields[i];
      if (!options_.traits.partition_columns_in_files && IsPartitionColumn(field)) continue;
      file_options_.schema.fields.push_back(field);
      file_columns_.push_back(static_cast<int>(i));
    }
    file_options_.statistics_ids = options_.ticket.statistics_ids;
  }

  ~Writer() override {
    partitions_.clear();  // what is open was never visible
    runtime_.memory.Release(window_bytes_ + held_bytes_);
    if (finished_) return;
    for (const std::string& path : made_) {
      const Status removed = storage_.Remove(root_ / path);
      if (!removed.ok()) {
        runtime_.log.Warn("write: an abandoned file stays: " + removed.error().ToString());
      }
    }
  }

  Status Write(BatchPtr batch) override {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    if (batch->num_rows() == 0) return OkStatus();
    TARN_ASSIGN_OR_RETURN(batch, Conform(*batch, metadata_.schema));
    TARN_RETURN_IF_ERROR(CheckRequired(*batch, metadata_.schema, rows_written_));
    rows_written_ += batch->num_rows();
    return sorter_ != nullptr ? sorter_->Add(std::move(batch)) : Take(batch);
  }

  Result<std::vector<DataFile>> Finish() override {
    if (sorter_ != nullptr) {
      TARN_RETURN_IF_ERROR(sorter_->Drain([this](const BatchPtr& batch) { return Take(batch); }));
    }
    return CloseAll();
  }

  int64_t rows_written() const override { return rows_written_; }
  int64_t bytes_written() const override {
    const std::lock_guard lock(mutex_);
    return done_bytes_;
  }

 private:
  // Rows in the order in which they are to be written.
  Status Take(const BatchPtr& batch) {
    for (int64_t begin = 0; begin < batch->num_rows(); begin += kPieceRows) {
      TARN_RETURN_IF_ERROR(
          Hold(batch->num_rows() <= kPieceRows ? batch : batch->Slice(begin, kPieceRows)));
    }
    return OkStatus();
  }

  Result<std::vector<DataFile>> CloseAll() {
    TARN_RETURN_IF_ERROR(Flush());
    TARN_RETURN_IF_ERROR(WriteHeld(Holding::kNothing));
    std::vector<std::pair<Partition*, size_t>> open;
    for (auto& [key, partition] : partitions_) {
      for (size_t lane = 0; lane < partition.lanes.size(); ++lane) {
        if (partition.lanes[lane].writer != nullptr) open.emplace_back(&partition, lane);
      }
    }
    TARN_RETURN_IF_ERROR(CloseFiles(open));
    std::sort(done_.begin(), done_.end(),
              [](const DataFile& a, const DataFile& b) { return a.path < b.path; });
    finished_ = true;
    return std::move(done_);
  }

  bool IsPartitionColumn(const Field& column) const {
    return std::any_of(spec_.fields.begin(), spec_.fields.end(), [&](const PartitionField& field) {
      return field.source_id == column.id && field.transform == TransformKind::kIdentity;
    });
  }

  Status Hold(BatchPtr piece) {
    const int64_t bytes = BatchBytes(*piece);
    window_rows_ += piece->num_rows();
    window_bytes_ += bytes;
    runtime_.memory.Reserve(bytes);
    window_.push_back(std::move(piece));
    const bool full = window_rows_ >=
                      static_cast<int64_t>(lanes_) *
                          (spec_.IsUnpartitioned() ? file_options_.row_group_rows : 2 * kPieceRows);
    const bool short_of_memory = runtime_.memory.used_bytes() > runtime_.memory.limit_bytes() &&
                                 window_bytes_ >= 8 * kMegabyte;
    if (full || window_bytes_ >= window_limit_ || short_of_memory) return Flush();
    return OkStatus();
  }

  // Deals the window's rows out: to the open files, or to the partitions that hold them on.
  Status Flush() {
    if (window_.empty()) return OkStatus();
    if (spec_.IsUnpartitioned()) {
      TARN_RETURN_IF_ERROR(WritePortions(SplitWindow()));
    } else {
      TARN_RETURN_IF_ERROR(HoldWindow());
    }
    window_.clear();
    runtime_.memory.Release(window_bytes_);
    window_rows_ = window_bytes_ = 0;
    const bool short_of_memory = runtime_.memory.used_bytes() > runtime_.memory.limit_bytes() &&
                                 held_bytes_ >= 8 * kMegabyte;
    if (held_bytes_ >= held_limit_ || short_of_memory) return WriteHeld(Holding::kFewRows);
    return OkStatus();
  }

  // One thread per file, at most kOpenFilesMax open at once.
  Status WritePortions(std::vector<Portion> portions) {
    ++tick_;
    // The largest first, so that the threads end together.
    std::stable_sort(portions.begin(), portions.end(),
                     [](const Portion& a, const Portion& b) { return a.rows > b.rows; });
    for (size_t begin = 0; begin < portions.size(); begin += kOpenFilesMax / 2) {
      const size_t end = std::min(portions.size(), begin + kOpenFilesMax / 2);
      TARN_RETURN_IF_ERROR(MakeRoom(end - begin));
      TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(
          static_cast<int64_t>(end - begin), [&](int64_t i) -> Status {
            Portion& portion = portions[begin + static_cast<size_t>(i)];
            TARN_RETURN_IF_ERROR(WritePortion(portion));
            portion.batches.clear();
            return OkStatus();
          }));
    }
    return OkStatus();
  }

  // Puts the window in the order of partitions and lets each partition hold its rows.
  Status HoldWindow() {
    TARN_ASSIGN_OR_RETURN(const auto pieces, OrderWindow());
    for (const OrderedPiece& piece : pieces) {
      const int64_t bytes = BatchBytes(*piece.batch);
      held_bytes_ += bytes;
      runtime_.memory.Reserve(bytes);
      for (size_t p = 0; p < piece.partitions.size(); ++p) {
        Partition& partition = PartitionOf(piece.partitions[p]);
        partition.held.push_back(
            piece.batch->Slice(piece.begins[p], piece.begins[p + 1] - piece.begins[p]));
        partition.held_rows += partition.held.back()->num_rows();
      }
    }
    return OkStatus();
  }

  // Writes the partitions' rows, a row group each. kFewRows: partitions with less than a decent row
  // group hold on to theirs, copied out of the pieces, unless that is most of what is held.
  enum class Holding : uint8_t { kFewRows, kNothing };
  Status WriteHeld(Holding holding) {
    std::vector<Partition*> small, large;
    for (auto& [key, partition] : partitions_) {
      if (partition.held_rows == 0) continue;
      const bool few = holding == Holding::kFewRows && partition.held_rows < kGroupRowsMin;
      (few ? small : large).push_back(&partition);
    }
    const auto rows_of = [](const std::vector<Partition*>& partitions) {
      int64_t rows = 0;
      for (const Partition* partition : partitions) rows += partition->held_rows;
      return rows;
    };
    if (rows_of(small) > rows_of(large)) {
      large.insert(large.end(), small.begin(), small.end());
      small.clear();
    }
    TARN_RETURN_IF_ERROR(WritePortions(PortionsOf(large)));
    runtime_.memory.Release(held_bytes_);
    held_bytes_ = 0;
    for (Partition* partition : small) {
      TARN_ASSIGN_OR_RETURN(BatchPtr copied,
                            Lift(arrow::ConcatenateRecordBatches(partition->held), "write"));
      if (partition->held.size() == 1) {
        // Concatenation of one is itself: copied by way of an empty second.
        TARN_ASSIGN_OR_RETURN(copied,
                              Lift(arrow::ConcatenateRecordBatches(
                                       {partition->held[0], partition->held[0]->Slice(0, 0)}),
                                   "write"));
      }
      held_bytes_ += BatchBytes(*copied);
      partition->held.assign(1, copied);
    }
    runtime_.memory.Reserve(held_bytes_);
    return OkStatus();
  }

  Partition& PartitionOf(const std::vector<Value>& values) {
    const auto [at, fresh] = partitions_.try_emplace(PartitionKey(values));
    Partition& partition = at->second;
    if (fresh) {
      partition.values = values;
      const std::string& folder =
          options_.folder.empty() ? options_.ticket.folder : options_.folder;
      partition.folder = folder.empty() ? "" : folder + "/";
      if (options_.ticket.hive_folders && !values.empty()) {
        partition.folder += PartitionFolder(metadata_.schema, spec_, values) + "/";
      }
      partition.lanes.resize(lanes_);
    }
    return partition;
  }

  std::vector<Portion> SplitWindow() {
    Partition& all = PartitionOf({});
    const int64_t lanes =
        std::clamp<int64_t>(window_rows_ / kLaneRowsMin, 1, static_cast<int64_t>(lanes_));
    std::vector<Portion> portions(static_cast<size_t>(lanes));
    const int64_t share = (window_rows_ + lanes - 1) / lanes;
    size_t lane = 0;
    for (const BatchPtr& batch : window_) {
      for (int64_t begin = 0; begin < batch->num_rows();) {
        const int64_t take = std::min(batch->num_rows() - begin, share - portions[lane].rows);
        portions[lane].batches.push_back(batch->Slice(begin, take));
        portions[lane].rows += take;
        begin += take;
        if (portions[lane].rows == share && lane + 1 < portions.size()) ++lane;
      }
    }
    for (size_t i = 0; i < portions.size(); ++i) {
      portions[i].partition = &all;
      portions[i].lane = i;
    }
    return portions;
  }

  // The held rows in pieces, each in the order of its partitions, one thread per piece.
  Result<std::vector<OrderedPiece>> OrderWindow() {
    std::vector<std::vector<BatchPtr>> groups;
    int64_t rows = kPieceRows;
    for (BatchPtr& batch : window_) {
      if (rows >= kPieceRows / 2) {
        groups.emplace_back();
        rows = 0;
      }
      rows += batch->num_rows();
      groups.back().push_back(std::move(batch));
    }
    std::vector<OrderedPiece> pieces(groups.size());
    TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(
        static_cast<int64_t>(groups.size()), [&](int64_t i) -> Status {
          TARN_ASSIGN_OR_RETURN(pieces[static_cast<size_t>(i)],
                                Order(groups[static_cast<size_t>(i)]));
          groups[static_cast<size_t>(i)].clear();
          return OkStatus();
        }));
    return pieces;
  }

  Result<OrderedPiece> Order(const std::vector<BatchPtr>& batches) const {
    std::vector<RoutedBatch> routed(batches.size());
    std::map<std::string, std::vector<PickedRows>> by_key;
    std::map<std::string, std::vector<Value>> values;
    for (size_t i = 0; i < batches.size(); ++i) {
      TARN_ASSIGN_OR_RETURN(routed[i], router_.Route(*batches[i]));
      for (size_t p = 0; p < routed[i].partitions.size(); ++p) {
        std::string key = PartitionKey(routed[i].partitions[p]);
        values.try_emplace(key, routed[i].partitions[p]);
        by_key[std::move(key)].push_back({i, routed[i].RowsOf(p)});
      }
    }
    OrderedPiece piece;
    piece.begins.push_back(0);
    std::vector<PickedRows> picked;
    for (auto& [key, picks] : by_key) {
      piece.partitions.push_back(std::move(values[key]));
      TARN_RETURN_IF_ERROR(CheckValues(piece.partitions.back()));
      int64_t rows = 0;
      for (const PickedRows& pick : picks) {
        rows += static_cast<int64_t>(pick.rows.size());
        picked.push_back(pick);
      }
      piece.begins.push_back(piece.begins.back() + rows);
    }
    TARN_ASSIGN_OR_RETURN(piece.batch, GatherRows(batches, picked, file_columns_, pool_.get()));
    return piece;
  }

  // All that the partitions hold. Where there are fewer of them than threads, large ones are split.
  std::vector<Portion> PortionsOf(const std::vector<Partition*>& partitions) const {
    std::vector<Portion> portions;
    for (Partition* partition : partitions) {
      const bool split = partitions.size() < lanes_ && partition->held_rows >= 2 * kLaneRowsMin;
      std::vector<Portion> parts(split ? lanes_ : 1);
      for (size_t lane = 0; lane < parts.size(); ++lane) {
        parts[lane].partition = partition;
        parts[lane].lane = lane;
      }
      for (BatchPtr& batch : partition->held) {
        // Whole slices go to the lane with the fewest rows.
        Portion& least =
            *std::min_element(parts.begin(), parts.end(),
                              [](const Portion& a, const Portion& b) { return a.rows < b.rows; });
        least.rows += batch->num_rows();
        least.batches.push_back(std::move(batch));
      }
      partition->held.clear();
      partition->held_rows = 0;
      for (Portion& part : parts) {
        if (part.rows > 0) portions.push_back(std::move(part));
      }
    }
    return portions;
  }

  // Where '' and NULL become one partition, '' is refused rather than turned into NULL (S16).
  Status CheckValues(const std::vector<Value>& values) const {
    if (options_.traits.tells_empty_from_null) return OkStatus();
    for (size_t i = 0; i < values.size(); ++i) {
      const auto* text = std::get_if<std::string>(&values[i]);
      if (text == nullptr || !text->empty()) continue;
      const Field* source = metadata_.schema.FindById(spec_.fields[i].source_id);
      return Invalid("partition column '" + (source ? source->name : spec_.fields[i].name) +
                     "' holds the empty string '', which this format cannot tell from NULL in a "
                     "partition; replace '' or partition by another column");
    }
    return OkStatus();
  }

  Status WritePortion(const Portion& portion) {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    OpenFile& file = portion.partition->lanes[portion.lane];
    for (const BatchPtr& batch : portion.batches) {
      if (file.writer == nullptr) TARN_RETURN_IF_ERROR(OpenNew(*portion.partition, file));
      file.last_used = tick_;
      Status written = file.writer->Write(*batch);
      if (!written.ok()) return written.error().WithContext(file.path);
      if (file.writer->size_bytes() >= options_.ticket.target_file_size_bytes) {
        TARN_RETURN_IF_ERROR(CloseFile(*portion.partition, file));
      }
    }
    if (spec_.IsUnpartitioned() || file.writer == nullptr) return OkStatus();
    Status ended = file.writer->EndGroup();
    if (!ended.ok()) return ended.error().WithContext(file.path);
    return OkStatus();
  }

  Status OpenNew(const Partition& partition, OpenFile& file) {
    file.path = partition.folder + options_.ticket.file_prefix + NewUuid(runtime_.random) +
                options_.ticket.file_suffix + "." + std::string(file_format_.name());
    TARN_ASSIGN_OR_RETURN(const Path object, root_.Join(file.path));
    TARN_ASSIGN_OR_RETURN(auto writer, storage_.OpenWriter(object));
    TARN_ASSIGN_OR_RETURN(file.writer, file_format_.Write(std::move(writer), file_options_));
    return OkStatus();
  }

  Status CloseFile(const Partition& partition, OpenFile& file) {
    {
      // Before Finish: a Finish whose answer is lost may have left the object.
      const std::lock_guard lock(mutex_);
      made_.push_back(file.path);
    }
    Result<DataFile> finished = file.writer->Finish();
    file.writer.reset();
    if (!finished.ok()) return finished.error().WithContext(file.path);
    finished->path = file.path;
    finished->spec_id = spec_.id;
    finished->sort_order_id = metadata_.sort_order.id;
    finished->partition = partition.values;
    const std::lock_guard lock(mutex_);
    done_bytes_ += finished->size_bytes;
    done_.push_back(std::move(*finished));
    return OkStatus();
  }

  Status CloseFiles(const std::vector<std::pair<Partition*, size_t>>& files) {
    return runtime_.executor.ParallelFor(static_cast<int64_t>(files.size()), [&](int64_t i) {
      auto& [partition, lane] = files[static_cast<size_t>(i)];
      return CloseFile(*partition, partition->lanes[lane]);
    });
  }

  // Closes the least recently used files until `coming` more may be open.
  Status MakeRoom(size_t coming) {
    std::vector<std::pair<Partition*, size_t>> open;
    for (auto& [key, partition] : partitions_) {
      for (size_t lane = 0; lane < partition.lanes.size(); ++lane) {
        if (partition.lanes[lane].writer != nullptr) open.emplace_back(&partition, lane);
      }
    }
    if (open.size() + coming <= kOpenFilesMax) return OkStatus();
    const auto last_used = [](const auto& at) { return at.first->lanes[at.second].last_used; };
    std::stable_sort(open.begin(), open.end(),
                     [&](const auto& a, const auto& b) { return last_used(a) < last_used(b); });
    open.resize(std::min(open.size(), open.size() + coming - kOpenFilesMax));
    runtime_.metrics.Add("write.files_closed_early", static_cast<int64_t>(open.size()));
    return CloseFiles(open);
  }

  Runtime& runtime_;
  Storage& storage_;
  const Path root_;
  const FileFormat& file_format_;
  const TableMetadata metadata_;
  const PartitionSpec spec_;
  const TableWriterOptions options_;
  const PartitionRouter router_;
  const std::unique_ptr<RowSorter> sorter_;  // of a table with a sort order
  const size_t lanes_;
  const int64_t window_limit_;  // bytes of rows as they came
  const int64_t held_limit_;    // bytes of rows in the order of partitions
  // Before all that holds its memory: open files, ordered rows.
  const std::unique_ptr<arrow::MemoryPool> pool_;
  FileWriteOptions file_options_;
  std::vector<int> file_columns_;

  std::vector<BatchPtr> window_;
  int64_t window_rows_ = 0;
  int64_t window_bytes_ = 0;
  int64_t held_bytes_ = 0;
  int64_t rows_written_ = 0;
  int64_t tick_ = 0;
  std::map<std::string, Partition> partitions_;

  mutable std::mutex mutex_;  // guards what follows
  std::vector<DataFile> done_;
  std::vector<std::string> made_;
  int64_t done_bytes_ = 0;
  bool finished_ = false;
};

}  // namespace

Result<std::unique_ptr<TableWriter>> MakeTableWriter(Runtime& runtime, Storage& storage,
                                                     const TableHome& home,
                                                     const FileFormat& file_format,
                                                     const TableMetadata& metadata,
                                                     TableWriterOptions options) {
  TARN_ASSIGN_OR_RETURN(auto router,
                        PartitionRouter::Make(metadata.schema, metadata.default_spec()));
  std::unique_ptr<RowSorter> sorter;
  if (!metadata.sort_order.IsUnsorted()) {
    TARN_ASSIGN_OR_RETURN(sorter, MakeRowSorter(runtime, metadata.schema, metadata.sort_order));
  }
  return std::unique_ptr<TableWriter>(
      std::make_unique<Writer>(runtime, storage, home, file_format, metadata, std::move(options),
                               std::move(router), std::move(sorter)));
}

}  // namespace tarn
