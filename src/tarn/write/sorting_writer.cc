#include "tarn/write/sorting_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
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
#include "tarn/write/required_columns.h"
#include "tarn/write/sort_keys.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;
using KeysPtr = std::shared_ptr<arrow::BinaryArray>;

constexpr const char* kInSort = "sort";
constexpr int64_t kMiB = int64_t{1} << 20;
// Rows of a batch that comes out.
constexpr int64_t kBatchRows = 65'536;
// Rows of a batch that is put aside: each run under merge holds one in memory.
constexpr int64_t kRunRows = 16'384;

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
  uint64_t prefix = 0;  // the key's first eight bytes, zeros after a shorter one
  uint32_t batch = 0;
  int32_t row = 0;
};

uint64_t PrefixOf(std::string_view key) {
  std::array<uint8_t, 8> bytes{};
  std::memcpy(bytes.data(), key.data(), std::min<size_t>(key.size(), bytes.size()));
  uint64_t prefix = 0;
  for (const uint8_t byte : bytes) prefix = prefix << 8 | byte;
  return prefix;
}

// Rows in memory.
struct Held {
  std::vector<BatchPtr> batches;
  std::vector<KeysPtr> keys;  // of each batch
  int64_t rows = 0;
  int64_t bytes = 0;

  std::string_view KeyAt(const Place& place) const { return keys[place.batch]->GetView(place.row); }
};

Result<std::vector<Place>> SortPlaces(Runtime& runtime, const Held& held) {
  std::vector<Place> places;
  places.reserve(static_cast<size_t>(held.rows));
  for (size_t batch = 0; batch < held.batches.size(); ++batch) {
    const arrow::BinaryArray& keys = *held.keys[batch];
    for (int64_t row = 0; row < keys.length(); ++row) {
      places.push_back({PrefixOf(keys.GetView(row)), static_cast<uint32_t>(batch),
                        static_cast<int32_t>(row)});
    }
  }
  const auto before = [&](const Place& a, const Place& b) {
    if (a.prefix != b.prefix) return a.prefix < b.prefix;
    const int compared = held.KeyAt(a).compare(held.KeyAt(b));
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

// The rows of `places[begin, end)` of `held` as one batch of the table's columns.
Result<BatchPtr> Gather(const Held& held, const std::vector<Place>& places, size_t begin,
                        size_t end) {
  std::vector<int32_t> rows(end - begin);
  std::vector<PickedRows> picked;
  for (size_t i = begin; i < end; ++i) {
    rows[i - begin] = places[i].row;
    const bool same = i > begin && places[i].batch == places[i - 1].batch;
    if (!same) picked.push_back({places[i].batch, {rows.data() + (i - begin), 0}});
    picked.back().rows = {picked.back().rows.data(), picked.back().rows.size() + 1};
  }
  std::vector<int> columns(static_cast<size_t>(held.batches[0]->num_columns()));
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = static_cast<int>(i);
  return GatherRows(held.batches, picked, columns);
}

// Rows in order that were put aside.
using Run = std::shared_ptr<arrow::RecordBatchReader>;

// A run under merge: its rows in memory and the one it stands at.
struct Cursor {
  Run batches;
  BatchPtr batch;  // the table's columns, then the keys
  int64_t row = 0;
  size_t slot = 0;  // of `batch` among those that the coming batch is gathered from

  std::string_view Key() const {
    const auto& keys = *batch->column(batch->num_columns() - 1);
    return static_cast<const arrow::BinaryArray&>(keys).GetView(row);
  }
};

class SortingWriter final : public TableWriter {
 public:
  SortingWriter(Runtime& runtime, const TableMetadata& metadata, SortKeys keys,
                std::unique_ptr<TableWriter> inner)
      : runtime_(runtime),
        schema_(metadata.schema),
        order_id_(metadata.sort_order.id),
        keys_(std::move(keys)),
        limit_(std::clamp<int64_t>(runtime.memory.limit_bytes() / 4, 16 * kMiB,
                                   1024 * kMiB)),
        inner_(std::move(inner)) {}

  ~SortingWriter() override { runtime_.memory.Release(held_.bytes); }

  Status Write(BatchPtr batch) override {
    TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
    if (batch->num_rows() == 0) return OkStatus();
    TARN_ASSIGN_OR_RETURN(batch, Conform(*batch, schema_));
    // Here, for behind the sort nobody knows a row by its number.
    TARN_RETURN_IF_ERROR(CheckRequired(*batch, schema_, rows_written_));
    TARN_ASSIGN_OR_RETURN(KeysPtr keys, keys_.Of(*batch));
    const int64_t bytes = BatchBytes(*batch) + keys->total_values_length() +
                          batch->num_rows() * static_cast<int64_t>(sizeof(Place) + 4);
    rows_written_ += batch->num_rows();
    held_.rows += batch->num_rows();
    held_.bytes += bytes;
    runtime_.memory.Reserve(bytes);
    held_.batches.push_back(std::move(batch));
    held_.keys.push_back(std::move(keys));
    const bool short_of_memory = runtime_.memory.used_bytes() > runtime_.memory.limit_bytes() &&
                                 held_.bytes >= 16 * kMiB;
    if (held_.bytes >= limit_ || short_of_memory) return PutAside();
    return OkStatus();
  }

  Result<std::vector<DataFile>> Finish() override {
    if (runs_.empty()) {
      TARN_RETURN_IF_ERROR(WriteHeld());
    } else {
      if (held_.rows > 0) TARN_RETURN_IF_ERROR(PutAside());
      TARN_RETURN_IF_ERROR(Merge());
    }
    TARN_ASSIGN_OR_RETURN(std::vector<DataFile> files, inner_->Finish());
    for (DataFile& file : files) file.sort_order_id = order_id_;
    return files;
  }

  int64_t rows_written() const override { return rows_written_; }
  int64_t bytes_written() const override { return inner_->bytes_written(); }

 private:
  void LetGo() {
    runtime_.memory.Release(held_.bytes);
    held_ = {};
  }

  // What is in memory, sorted, batch by batch.
  Status ForEachSorted(int64_t batch_rows, const std::function<Status(BatchPtr)>& take) {
    TARN_ASSIGN_OR_RETURN(const std::vector<Place> places, SortPlaces(runtime_, held_));
    const auto step = static_cast<size_t>(batch_rows);
    const auto at_once = static_cast<size_t>(std::max(1, runtime_.executor.threads()));
    for (size_t begin = 0; begin < places.size(); begin += step * at_once) {
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      std::vector<BatchPtr> gathered(at_once);
      TARN_RETURN_IF_ERROR(
          runtime_.executor.ParallelFor(static_cast<int64_t>(at_once), [&](int64_t i) -> Status {
            const size_t from = std::min(places.size(), begin + static_cast<size_t>(i) * step);
            const size_t to = std::min(places.size(), from + step);
            if (from == to) return OkStatus();
            TARN_ASSIGN_OR_RETURN(gathered[static_cast<size_t>(i)],
                                  Gather(held_, places, from, to));
            return OkStatus();
          }));
      for (BatchPtr& batch : gathered) {
        if (batch != nullptr) TARN_RETURN_IF_ERROR(take(std::move(batch)));
      }
    }
    return OkStatus();
  }

  Status WriteHeld() {
    TARN_RETURN_IF_ERROR(ForEachSorted(
        kBatchRows, [&](BatchPtr batch) { return inner_->Write(std::move(batch)); }));
    LetGo();
    return OkStatus();
  }

  // One run to disk: what is in memory, sorted, with its keys.
  Status PutAside() {
    TARN_ASSIGN_OR_RETURN(const int fd, OpenNameless());
    TARN_ASSIGN_OR_RETURN(auto out, Lift(arrow::io::FileOutputStream::Open(fd), kInSort));
    auto options = arrow::ipc::IpcWriteOptions::Defaults();
    options.use_threads = false;
    TARN_ASSIGN_OR_RETURN(
        options.codec,
        Lift(arrow::util::Codec::Create(arrow::Compression::LZ4_FRAME), kInSort));
    arrow::FieldVector fields = held_.batches[0]->schema()->fields();
    fields.push_back(arrow::field("", arrow::binary(), false));
    const auto schema = arrow::schema(std::move(fields));
    TARN_ASSIGN_OR_RETURN(auto writer,
                          Lift(arrow::ipc::MakeStreamWriter(out, schema, options), kInSort));
    TARN_RETURN_IF_ERROR(ForEachSorted(kRunRows, [&](const BatchPtr& batch) -> Status {
      TARN_ASSIGN_OR_RETURN(const KeysPtr keys, keys_.Of(*batch));
      arrow::ArrayVector columns = batch->columns();
      columns.push_back(keys);
      const auto keyed = arrow::RecordBatch::Make(schema, batch->num_rows(), std::move(columns));
      const arrow::Status written = writer->WriteRecordBatch(*keyed);
      return written.ok() ? OkStatus() : Status(Aside("written"));
    }));
    if (!writer->Close().ok() || !out->Flush().ok()) return Aside("written");
    // The descriptor is the reader's from here on.
    const int again = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (again < 0 || lseek(again, 0, SEEK_SET) < 0) return Aside("read");
    if (!out->Close().ok()) return Aside("written");
    TARN_ASSIGN_OR_RETURN(auto file, Lift(arrow::io::ReadableFile::Open(again), kInSort));
    auto read = arrow::ipc::IpcReadOptions::Defaults();
    read.use_threads = false;
    TARN_ASSIGN_OR_RETURN(
        auto batches,
        Lift(arrow::ipc::RecordBatchStreamReader::Open(std::move(file), read), kInSort));
    runs_.push_back(std::move(batches));
    runtime_.metrics.Add("write.sort_runs", 1);
    LetGo();
    return OkStatus();
  }

  Result<bool> Advance(Cursor& cursor) {
    if (cursor.batch != nullptr && ++cursor.row < cursor.batch->num_rows()) return true;
    do {
      TARN_ASSIGN_OR_RETURN(cursor.batch, Lift(cursor.batches->Next(), kInSort));
    } while (cursor.batch != nullptr && cursor.batch->num_rows() == 0);
    cursor.row = 0;
    cursor.slot = kNoSlot;
    return cursor.batch != nullptr;
  }

  // All runs into one, a batch at a time.
  Status Merge() {
    std::vector<Cursor> cursors;
    cursors.reserve(runs_.size());
    for (Run& run : runs_) cursors.push_back({.batches = std::move(run)});
    const auto after = [&](size_t a, size_t b) {
      const int compared = cursors[a].Key().compare(cursors[b].Key());
      return compared != 0 ? compared > 0 : a > b;
    };
    std::priority_queue<size_t, std::vector<size_t>, decltype(after)> next(after);
    for (size_t i = 0; i < cursors.size(); ++i) {
      TARN_ASSIGN_OR_RETURN(const bool more, Advance(cursors[i]));
      if (more) next.push(i);
    }
    Held from;  // what the coming batch is gathered from; its keys stay where they are
    std::vector<Place> places;
    const auto put_out = [&]() -> Status {
      if (places.empty()) return OkStatus();
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      TARN_ASSIGN_OR_RETURN(BatchPtr batch, Gather(from, places, 0, places.size()));
      TARN_RETURN_IF_ERROR(inner_->Write(std::move(batch)));
      places.clear();
      from.batches.clear();
      for (Cursor& cursor : cursors) cursor.slot = kNoSlot;
      return OkStatus();
    };
    while (!next.empty()) {
      const size_t least = next.top();
      next.pop();
      Cursor& cursor = cursors[least];
      if (cursor.slot == kNoSlot) {
        cursor.slot = from.batches.size();
        const auto& columns = cursor.batch->columns();
        const auto& fields = cursor.batch->schema()->fields();
        from.batches.push_back(arrow::RecordBatch::Make(
            arrow::schema(arrow::FieldVector(fields.begin(), fields.end() - 1)),
            cursor.batch->num_rows(), arrow::ArrayVector(columns.begin(), columns.end() - 1)));
      }
      places.push_back(
          {0, static_cast<uint32_t>(cursor.slot), static_cast<int32_t>(cursor.row)});
      TARN_ASSIGN_OR_RETURN(const bool more, Advance(cursor));
      if (more) next.push(least);
      if (static_cast<int64_t>(places.size()) >= kBatchRows) TARN_RETURN_IF_ERROR(put_out());
    }
    return put_out();
  }

  static constexpr size_t kNoSlot = static_cast<size_t>(-1);
  Runtime& runtime_;
  const Schema schema_;
  const int32_t order_id_;
  const SortKeys keys_;
  const int64_t limit_;  // bytes of rows in memory
  const std::unique_ptr<TableWriter> inner_;
  Held held_;
  std::vector<Run> runs_;
  int64_t rows_written_ = 0;
};

}  // namespace

Result<std::unique_ptr<TableWriter>> MakeSortingWriter(Runtime& runtime,
                                                       const TableMetadata& metadata,
                                                       std::unique_ptr<TableWriter> inner) {
  TARN_ASSIGN_OR_RETURN(SortKeys keys, SortKeys::Make(metadata.schema, metadata.sort_order));
  return std::unique_ptr<TableWriter>(
      std::make_unique<SortingWriter>(runtime, metadata, std::move(keys), std::move(inner)));
}

}  // namespace tarn
