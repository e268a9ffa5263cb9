#include "tarn/write/row_sorter.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <filesystem>
#include <iterator>
#include <optional>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/api.h>
#include <arrow/util/compression.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/write/gather.h"
#include "tarn/write/sort_keys.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;

constexpr const char* kInSort = "sort";
constexpr int64_t kMiB = int64_t{1} << 20;
// Rows of a batch that comes out, and of what is merged while as much is encoded.
constexpr int64_t kBatchRows = 65'536;
constexpr int64_t kWindowRows = 4 * kBatchRows;
// Rows of a batch of a run: each run under merge holds one in memory.
constexpr size_t kRunRows = 8'192;
// A run is gathered out of order: more of it than this costs cache misses (measured: a third more
// time at 1 GiB).
constexpr int64_t kRunBytesMax = 128 * kMiB;
constexpr int64_t kFilesMergedAtOnce = 64;

Error Aside(const char* what) {
  return Unavailable(std::string("sort: what is put aside on disk cannot be ") + what + ": " +
                     std::strerror(errno) + "; TMPDIR says where");
}

// A file that only its descriptor names.
Result<int> OpenNameless() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  std::string name = ((error ? "/tmp" : folder) / "tarn-sort-XXXXXX").string();
  const int fd = mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) return Aside("created");
  unlink(name.c_str());
  return fd;
}

// Where a row stands, and how its key begins.
struct Place {
  std::array<uint64_t, 2> prefix{};  // the key's first bytes, zeros after a shorter one
  uint32_t batch = 0;
  int32_t row = 0;
};

std::array<uint64_t, 2> PrefixOf(std::string_view key) {
  std::array<uint64_t, 2> prefix{};
  std::memcpy(prefix.data(), key.data(), std::min(key.size(), sizeof(prefix)));
  for (uint64_t& word : prefix) word = __builtin_bswap64(word);
  return prefix;
}

// The key stands behind the table's columns.
std::string_view KeyAt(const arrow::RecordBatch& batch, int64_t row) {
  const auto& keys = *batch.column(batch.num_columns() - 1);
  return static_cast<const arrow::BinaryArray&>(keys).GetView(row);
}

int64_t BytesOf(const arrow::RecordBatch& batch) {
  return BatchBytes(batch) + batch.num_rows() * static_cast<int64_t>(sizeof(Place));
}

Result<std::vector<Place>> SortPlaces(Runtime& runtime, const std::vector<BatchPtr>& batches) {
  std::vector<Place> places;
  std::vector<const arrow::BinaryArray*> keys;
  for (const BatchPtr& batch : batches) {
    const auto& column = *batch->column(batch->num_columns() - 1);
    keys.push_back(&static_cast<const arrow::BinaryArray&>(column));
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      places.push_back({PrefixOf(keys.back()->GetView(row)), static_cast<uint32_t>(keys.size() - 1),
                        static_cast<int32_t>(row)});
    }
  }
  const auto before = [&](const Place& a, const Place& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int compared = keys[a.batch]->GetView(a.row).compare(keys[b.batch]->GetView(b.row));
    if (compared != 0) return compared < 0;
    return a.batch != b.batch ? a.batch < b.batch : a.row < b.row;
  };
  const auto parts = static_cast<size_t>(std::max(1, runtime.executor.threads()));
  std::vector<std::vector<Place>::iterator> ends;
  for (size_t i = 0; i <= parts; ++i) {
    ends.push_back(places.begin() + static_cast<int64_t>(places.size() * i / parts));
  }
  TARN_RETURN_IF_ERROR(
      runtime.executor.ParallelFor(static_cast<int64_t>(parts), [&](int64_t i) -> Status {
        std::sort(ends[static_cast<size_t>(i)], ends[static_cast<size_t>(i) + 1], before);
        return OkStatus();
      }));
  for (size_t i = 1; i < parts; ++i) {
    std::inplace_merge(ends[0], ends[i], ends[i + 1], before);
  }
  return places;
}

// The rows of `places[begin, end)` of `batches` as one.
Result<BatchPtr> Gather(const std::vector<BatchPtr>& batches, const std::vector<Place>& places,
                        size_t begin, size_t end) {
  std::vector<int32_t> rows(end - begin);
  std::vector<PickedRows> picked;
  for (size_t i = begin; i < end; ++i) {
    rows[i - begin] = places[i].row;
    const bool same = i > begin && places[i].batch == places[i - 1].batch;
    if (!same) picked.push_back({places[i].batch, {rows.data() + (i - begin), 0}});
    picked.back().rows = {picked.back().rows.data(), picked.back().rows.size() + 1};
  }
  std::vector<int> columns(static_cast<size_t>(batches[0]->num_columns()));
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<int>(i);
  return GatherRows(batches, picked, columns);
}

// Rows in order: batches in memory, or those of a file.
struct Run {
  std::deque<BatchPtr> held = {};
  std::shared_ptr<arrow::RecordBatchReader> aside = nullptr;
  int level = 0;  // how often its rows have been merged

  Result<BatchPtr> Next() {
    if (aside != nullptr) return Lift(aside->Next(), kInSort);
    if (held.empty()) return BatchPtr();
    BatchPtr batch = std::move(held.front());
    held.pop_front();
    return batch;
  }
};

// A file that only its descriptor names takes a run.
class AsideWriter {
 public:
  static Result<AsideWriter> Make(const std::shared_ptr<arrow::Schema>& schema) {
    AsideWriter made;
    TARN_ASSIGN_OR_RETURN(made.fd_, OpenNameless());
    TARN_ASSIGN_OR_RETURN(made.out_, Lift(arrow::io::FileOutputStream::Open(made.fd_), kInSort));
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    options.use_threads = false;
    TARN_ASSIGN_OR_RETURN(options.codec,
                          Lift(arrow::util::Codec::Create(arrow::Compression::LZ4_FRAME), kInSort));
    TARN_ASSIGN_OR_RETURN(made.writer_,
                          Lift(arrow::ipc::MakeStreamWriter(made.out_, schema, options), kInSort));
    return made;
  }

  Status Write(const arrow::RecordBatch& batch) {
    return writer_->WriteRecordBatch(batch).ok() ? OkStatus() : Status(Aside("written"));
  }

  Result<Run> Finish(int level) {
    if (!writer_->Close().ok() || !out_->Flush().ok()) return Aside("written");
    // The descriptor is the reader's from here on.
    const int again = fcntl(fd_, F_DUPFD_CLOEXEC, 0);
    if (again < 0 || lseek(again, 0, SEEK_SET) < 0) return Aside("read");
    if (!out_->Close().ok()) return Aside("written");
    TARN_ASSIGN_OR_RETURN(auto file, Lift(arrow::io::ReadableFile::Open(again), kInSort));
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.use_threads = false;
    Run run{.level = level};
    TARN_ASSIGN_OR_RETURN(
        run.aside,
        Lift(arrow::ipc::RecordBatchStreamReader::Open(std::move(file), options), kInSort));
    return run;
  }

 private:
  int fd_ = -1;  // `out_`'s
  std::shared_ptr<arrow::io::FileOutputStream> out_;
  std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

// Several runs as one, batch by batch; rows that are equal in the order of the runs.
class Merger {
 public:
  static Result<std::unique_ptr<Merger>> Make(std::vector<Run> runs) {
    std::unique_ptr<Merger> merger(new Merger());
    for (Run& run : runs) merger->cursors_.push_back({.run = std::move(run)});
    for (size_t i = 0; i < merger->cursors_.size(); ++i) {
      TARN_RETURN_IF_ERROR(merger->NextBatch(merger->cursors_[i]));
      if (merger->cursors_[i].batch != nullptr) merger->next_.push(i);
    }
    return merger;
  }

  // Up to `rows` rows; null at the end.
  Result<BatchPtr> Next(int64_t rows) {
    std::vector<BatchPtr> from;
    std::vector<Place> places;
    for (Cursor& cursor : cursors_) cursor.slot = kNoSlot;
    while (!next_.empty() && static_cast<int64_t>(places.size()) < rows) {
      const size_t least = next_.top();
      next_.pop();
      Cursor& cursor = cursors_[least];
      if (cursor.slot == kNoSlot) {
        cursor.slot = from.size();
        from.push_back(cursor.batch);
      }
      places.push_back({{}, static_cast<uint32_t>(cursor.slot), static_cast<int32_t>(cursor.row)});
      if (++cursor.row == cursor.batch->num_rows()) {
        TARN_RETURN_IF_ERROR(NextBatch(cursor));
      } else {
        cursor.Prefix();
      }
      if (cursor.batch != nullptr) next_.push(least);
    }
    if (places.empty()) return BatchPtr();
    return Gather(from, places, 0, places.size());
  }

 private:
  static constexpr size_t kNoSlot = static_cast<size_t>(-1);
  // A run, and the row it stands at.
  struct Cursor {
    Run run;
    BatchPtr batch = nullptr;
    int64_t row = 0;
    std::array<uint64_t, 2> prefix{};
    size_t slot = kNoSlot;  // of `batch` among those that the coming batch is gathered from

    void Prefix() { prefix = PrefixOf(KeyAt(*batch, row)); }
  };
  struct After {
    const std::deque<Cursor>* cursors;
    bool operator()(size_t a, size_t b) const {
      const Cursor& left = (*cursors)[a];
      const Cursor& right = (*cursors)[b];
      if (left.prefix != right.prefix) return left.prefix > right.prefix;
      const int compared = KeyAt(*left.batch, left.row).compare(KeyAt(*right.batch, right.row));
      return compared != 0 ? compared > 0 : a > b;
    }
  };

  Merger() = default;
  static Status NextBatch(Cursor& cursor) {
    do {
      TARN_ASSIGN_OR_RETURN(cursor.batch, cursor.run.Next());
    } while (cursor.batch != nullptr && cursor.batch->num_rows() == 0);
    cursor.row = 0;
    cursor.slot = kNoSlot;
    if (cursor.batch != nullptr) cursor.Prefix();
    return OkStatus();
  }

  std::deque<Cursor> cursors_;
  std::priority_queue<size_t, std::vector<size_t>, After> next_{After{&cursors_}};
};

class Sorter final : public RowSorter {
 public:
  Sorter(Runtime& runtime, SortKeys keys)
      : runtime_(runtime),
        keys_(std::move(keys)),
        limit_(std::clamp<int64_t>(runtime.memory.limit_bytes() / 4, 16 * kMiB, 1024 * kMiB)),
        run_limit_(std::clamp<int64_t>(limit_ / 2, 16 * kMiB, kRunBytesMax)) {}

  ~Sorter() override { runtime_.memory.Release(window_bytes_ + held_bytes_); }

  Status Add(BatchPtr batch) override {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    if (batch->num_rows() == 0) return OkStatus();
    TARN_ASSIGN_OR_RETURN(batch, WithKeys(*batch));
    const int64_t bytes = BytesOf(*batch);
    window_bytes_ += bytes;
    runtime_.memory.Reserve(bytes);
    window_.push_back(std::move(batch));
    return window_bytes_ >= run_limit_ ? EndRun() : OkStatus();
  }

  Status Drain(const Take& take) override {
    TARN_RETURN_IF_ERROR(EndRun());
    if (runs_.empty()) return OkStatus();
    TARN_ASSIGN_OR_RETURN(const auto merger, Merger::Make(std::move(runs_)));
    const auto next = [&](std::vector<BatchPtr>& batches) -> Status {
      for (int64_t rows = 0; rows < kWindowRows;) {
        TARN_ASSIGN_OR_RETURN(const BatchPtr batch, merger->Next(kBatchRows));
        if (batch == nullptr) break;
        rows += batch->num_rows();
        batches.push_back(WithoutKeys(*batch));
      }
      return OkStatus();
    };
    std::vector<BatchPtr> ready;
    TARN_RETURN_IF_ERROR(next(ready));
    while (!ready.empty()) {
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      std::vector<BatchPtr> coming;
      TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(2, [&](int64_t i) -> Status {
        if (i == 1) return next(coming);
        for (BatchPtr& batch : ready) TARN_RETURN_IF_ERROR(take(std::move(batch)));
        return OkStatus();
      }));
      ready = std::move(coming);
    }
    runtime_.memory.Release(std::exchange(held_bytes_, 0));
    return OkStatus();
  }

 private:
  Result<BatchPtr> WithKeys(const arrow::RecordBatch& batch) {
    TARN_ASSIGN_OR_RETURN(const std::shared_ptr<arrow::Array> keys, keys_.Of(batch));
    if (keyed_ == nullptr) {
      table_ = batch.schema();
      arrow::FieldVector fields = table_->fields();
      fields.push_back(arrow::field("", arrow::binary(), false));
      keyed_ = arrow::schema(std::move(fields));
    }
    arrow::ArrayVector columns = batch.columns();
    columns.push_back(keys);
    return arrow::RecordBatch::Make(keyed_, batch.num_rows(), std::move(columns));
  }

  BatchPtr WithoutKeys(const arrow::RecordBatch& batch) const {
    arrow::ArrayVector columns = batch.columns();
    columns.pop_back();
    return arrow::RecordBatch::Make(table_, batch.num_rows(), std::move(columns));
  }

  // The window sorted: a run in memory while there is room, else on disk.
  Status EndRun() {
    if (window_.empty()) return OkStatus();
    TARN_ASSIGN_OR_RETURN(const std::vector<Place> places, SortPlaces(runtime_, window_));
    const bool short_of_memory = runtime_.memory.used_bytes() > runtime_.memory.limit_bytes();
    const bool aside = short_of_memory || held_bytes_ + window_bytes_ > limit_;
    std::optional<AsideWriter> file;
    if (aside) {
      TARN_ASSIGN_OR_RETURN(file, AsideWriter::Make(keyed_));
    }
    Run run;
    const auto at_once = static_cast<size_t>(std::max(1, runtime_.executor.threads()));
    for (size_t begin = 0; begin < places.size(); begin += kRunRows * at_once) {
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      std::vector<BatchPtr> gathered(at_once);
      TARN_RETURN_IF_ERROR(
          runtime_.executor.ParallelFor(static_cast<int64_t>(at_once), [&](int64_t i) -> Status {
            const size_t from = std::min(places.size(), begin + static_cast<size_t>(i) * kRunRows);
            const size_t to = std::min(places.size(), from + kRunRows);
            if (from == to) return OkStatus();
            TARN_ASSIGN_OR_RETURN(gathered[static_cast<size_t>(i)],
                                  Gather(window_, places, from, to));
            return OkStatus();
          }));
      for (BatchPtr& batch : gathered) {
        if (batch == nullptr) continue;
        if (file) {
          TARN_RETURN_IF_ERROR(file->Write(*batch));
        } else {
          held_bytes_ += BytesOf(*batch);
          runtime_.memory.Reserve(BytesOf(*batch));
          run.held.push_back(std::move(batch));
        }
      }
    }
    if (file) {
      TARN_ASSIGN_OR_RETURN(run, file->Finish(0));
      runtime_.metrics.Add("write.sort_runs_on_disk", 1);
    }
    runs_.push_back(std::move(run));
    window_.clear();
    runtime_.memory.Release(std::exchange(window_bytes_, 0));
    return MergeFiles();
  }

  // Each run under merge holds a batch in memory: many files are made one before they are too many.
  Status MergeFiles() {
    while (true) {
      const int level = runs_.back().level;
      auto first = runs_.end();
      while (first != runs_.begin() && std::prev(first)->aside != nullptr &&
             std::prev(first)->level == level) {
        --first;
      }
      if (runs_.end() - first < kFilesMergedAtOnce) return OkStatus();
      std::vector<Run> several(std::make_move_iterator(first),
                               std::make_move_iterator(runs_.end()));
      runs_.erase(first, runs_.end());
      TARN_ASSIGN_OR_RETURN(const auto merger, Merger::Make(std::move(several)));
      TARN_ASSIGN_OR_RETURN(AsideWriter file, AsideWriter::Make(keyed_));
      while (true) {
        TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
        TARN_ASSIGN_OR_RETURN(const BatchPtr batch, merger->Next(kRunRows));
        if (batch == nullptr) break;
        TARN_RETURN_IF_ERROR(file.Write(*batch));
      }
      TARN_ASSIGN_OR_RETURN(runs_.emplace_back(), file.Finish(level + 1));
    }
  }

  Runtime& runtime_;
  const SortKeys keys_;
  const int64_t limit_;      // bytes of runs in memory
  const int64_t run_limit_;  // of one
  std::shared_ptr<arrow::Schema> table_;
  std::shared_ptr<arrow::Schema> keyed_;  // the table's columns and the keys
  std::vector<BatchPtr> window_;          // rows as they came
  int64_t window_bytes_ = 0;
  std::vector<Run> runs_;  // in the order they came
  int64_t held_bytes_ = 0;
};

}  // namespace

Result<std::unique_ptr<RowSorter>> MakeRowSorter(Runtime& runtime, const Schema& schema,
                                                 const SortOrder& order) {
  TARN_ASSIGN_OR_RETURN(SortKeys keys, SortKeys::Make(schema, order));
  return std::unique_ptr<RowSorter>(std::make_unique<Sorter>(runtime, std::move(keys)));
}

}  // namespace tarn
