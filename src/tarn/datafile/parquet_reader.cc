#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/conform_stream_internal.h"
#include "tarn/datafile/parquet_guard_internal.h"
#include "tarn/datafile/parquet_reader_internal.h"
#include "tarn/datafile/parquet_statistics_internal.h"
#include "tarn/datafile/storage_file.h"
#include "tarn/model/prune.h"

namespace tarn {
namespace {

using parquet::arrow::SchemaField;

constexpr const char* kInParquetReader = "parquet";
// Row groups up to this size, uncompressed, are decoded whole, one per thread; larger ones batch by
// batch, their columns in parallel.
constexpr int64_t kWholeGroupBytes = int64_t{64} << 20;

parquet::ArrowReaderProperties ReaderProperties(bool use_threads, int64_t batch_rows) {
  parquet::ArrowReaderProperties properties(use_threads);
  properties.set_batch_size(batch_rows);
  properties.set_pre_buffer(false);
  // Spark's INT96 holds days and nanoseconds: as ns the years beyond 1678…2262 would wrap around.
  properties.set_coerce_int96_timestamp_unit(arrow::TimeUnit::MICRO);
  return properties;
}

Result<std::unique_ptr<parquet::arrow::FileReader>> OpenArrowReader(
    const std::shared_ptr<arrow::io::RandomAccessFile>& file,
    std::shared_ptr<parquet::FileMetaData> metadata, bool use_threads, int64_t batch_rows) {
  parquet::arrow::FileReaderBuilder builder;
  TARN_RETURN_IF_ERROR(
      Lift(builder.Open(file, parquet::default_reader_properties(), std::move(metadata)),
           kInParquetReader));
  builder.properties(ReaderProperties(use_threads, batch_rows));
  return Lift(builder.Build(), kInParquetReader);
}

// Which leaf columns of a file hold what is wanted of it.
class Selection {
 public:
  Selection(const FileReadOptions& options) : options_(options) {}  // NOLINT: internal

  Status Select(const std::vector<Field>& wanted, const std::vector<SchemaField>& nodes) {
    for (const Field& field : wanted) {
      TARN_ASSIGN_OR_RETURN(const SchemaField* node, Find(field, nodes, ""));
      if (node != nullptr) TARN_RETURN_IF_ERROR(SelectOne(field, *node, false, field.name));
    }
    return OkStatus();
  }

  std::vector<int> columns() const { return {columns_.begin(), columns_.end()}; }
  // The column of a leaf outside lists and maps by field id; -1 where the file lacks it.
  int ColumnOf(int32_t field_id) const {
    const auto found = by_id_.find(field_id);
    return found == by_id_.end() ? -1 : found->second;
  }
  static ConformOptions Conforming(const FileReadOptions& options) {
    return {.match = options.match,
            .names = FieldNames::kFile,
            .casts = ConformOptions::Casts::kChecked};
  }

 private:
  Result<const SchemaField*> Find(const Field& wanted, const std::vector<SchemaField>& nodes,
                                  const std::string& path) const {
    std::vector<std::shared_ptr<arrow::Field>> fields;
    fields.reserve(nodes.size());
    for (const SchemaField& node : nodes) fields.push_back(node.field);
    TARN_ASSIGN_OR_RETURN(const int found, FindField(fields, wanted, Conforming(options_), path));
    return found < 0 ? nullptr : &nodes[static_cast<size_t>(found)];
  }

  Status SelectOne(const Field& wanted, const SchemaField& node, bool repeated,
                   const std::string& path) {
    const arrow::Type::type kind = node.field->type()->id();
    if (wanted.type.kind == TypeKind::kStruct && kind == arrow::Type::STRUCT) {
      const size_t before = columns_.size();
      for (const Field& member : wanted.type.fields) {
        TARN_ASSIGN_OR_RETURN(const SchemaField* child, Find(member, node.children, path));
        if (child == nullptr) continue;
        TARN_RETURN_IF_ERROR(SelectOne(member, *child, repeated, path + "." + member.name));
      }
      // Whether the struct itself is NULL is told by any of its leaves.
      if (columns_.size() == before) SelectLeaves(node, 1);
    } else if (wanted.type.kind == TypeKind::kList && kind == arrow::Type::LIST) {
      return SelectOne(wanted.type.fields[0], node.children[0], true, path + ".element");
    } else if (wanted.type.kind == TypeKind::kMap && kind == arrow::Type::MAP) {
      const SchemaField& entries = node.children[0];
      TARN_RETURN_IF_ERROR(
          SelectOne(wanted.type.fields[0], entries.children[0], true, path + ".key"));
      return SelectOne(wanted.type.fields[1], entries.children[1], true, path + ".value");
    } else if (node.is_leaf()) {
      columns_.insert(node.column_index);
      if (!repeated && wanted.id != 0) by_id_[wanted.id] = node.column_index;
    } else {
      SelectLeaves(node, wanted.type.kind == TypeKind::kVariant ? SIZE_MAX : 1);
    }
    return OkStatus();
  }

  void SelectLeaves(const SchemaField& node, size_t limit) {
    if (node.is_leaf()) {
      columns_.insert(node.column_index);
      return;
    }
    for (size_t i = 0; i < std::min(limit, node.children.size()); ++i) {
      SelectLeaves(node.children[i], limit);
    }
  }

  const FileReadOptions& options_;
  std::set<int> columns_;
  std::map<int32_t, int> by_id_;
};

struct Group {
  int index = 0;
  int64_t first_row = 0;
  int64_t row_count = 0;
  int64_t bytes = 0;  // uncompressed
};

// The row groups of which some row may satisfy the filter.
Result<std::vector<Group>> KeptGroups(const parquet::FileMetaData& metadata,
                                      const FileReadOptions& options, const Selection& selection) {
  std::vector<Group> groups;
  int64_t first_row = 0;
  for (int i = 0; i < metadata.num_row_groups(); ++i) {
    const auto group = metadata.RowGroup(i);
    groups.push_back({i, first_row, group->num_rows(), group->total_byte_size()});
    first_row += group->num_rows();
  }
  if (options.filter.IsTrue() || groups.empty()) return groups;

  // The same pruning as of files: each row group stands for a file.
  FileBatch batch;
  batch.size = static_cast<int64_t>(groups.size());
  for (const Group& group : groups) {
    batch.path.Append("");
    batch.size_bytes.push_back(group.bytes);
    batch.record_count.push_back(group.row_count);
    batch.modified_ms.push_back(0);
  }
  for (const int32_t id : BoundsNeeded(options.filter, PartitionSpec{})) {
    const Field* field = options.schema.FindById(id);
    const int column = selection.ColumnOf(id);
    if (field == nullptr || column < 0 || field->type.IsNested()) continue;
    BoundsColumns bounds;
    bounds.field_id = id;
    bounds.lower = ValueColumn::Of(field->type);
    bounds.upper = ValueColumn::Of(field->type);
    for (const Group& group : groups) {
      const auto chunk = metadata.RowGroup(group.index)->ColumnChunk(column);
      const ChunkStatistics known =
          ReadChunkStatistics(*chunk, *metadata.schema()->Column(column), field->type);
      bounds.lower.Append(known.lower.value_or(Value()));
      bounds.upper.Append(known.upper.value_or(Value()));
      bounds.null_count.push_back(known.null_count.value_or(-1));
      bounds.nan_count.push_back(-1);
    }
    batch.bounds.push_back(std::move(bounds));
  }
  const std::vector<uint8_t> keep =
      MayMatch(options.filter, options.schema, PartitionSpec{}, batch);
  std::vector<Group> kept;
  for (size_t i = 0; i < groups.size(); ++i) {
    if (keep[i] != 0) kept.push_back(groups[i]);
  }
  return kept;
}

class ParquetStream final : public BatchStream {
 public:
  ParquetStream(Runtime& runtime, std::shared_ptr<arrow::io::RandomAccessFile> file,
                std::shared_ptr<parquet::FileMetaData> metadata, FileReadOptions options,
                std::shared_ptr<arrow::Schema> schema, std::vector<int> columns,
                std::vector<Group> groups)
      : runtime_(runtime),
        file_(std::move(file)),
        metadata_(std::move(metadata)),
        options_(std::move(options)),
        schema_(std::move(schema)),
        columns_(std::move(columns)),
        groups_(std::move(groups)) {
    if (options_.skip_rows != nullptr && !options_.skip_rows->empty()) {
      deleted_ = options_.skip_rows->ToBitmap(metadata_->num_rows());
    }
    options_.skip_rows = nullptr;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    return GuardParquet(kInParquetReader, [&]() -> Result<std::shared_ptr<arrow::RecordBatch>> {
      while (true) {
        if (!ready_.empty()) {
          auto batch = std::move(ready_.front());
          ready_.pop_front();
          return batch;
        }
        TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
        if (open_ != nullptr) {
          TARN_ASSIGN_OR_RETURN(auto batch, NextOfOpen());
          if (batch != nullptr) return batch;
          continue;
        }
        if (next_ == groups_.size()) return std::shared_ptr<arrow::RecordBatch>();
        if (groups_[next_].bytes > kWholeGroupBytes) {
          TARN_ASSIGN_OR_RETURN(open_, OpenGroup(groups_[next_], true));
          continue;
        }
        TARN_RETURN_IF_ERROR(DecodeSome());
      }
    });
  }

 private:
  // One row group being read.
  struct OpenedGroup {
    std::unique_ptr<parquet::arrow::FileReader> reader;
    std::unique_ptr<arrow::RecordBatchReader> batches;  // before reader is gone
    int64_t next_row = 0;
    ~OpenedGroup() { batches.reset(); }
  };

  Result<std::unique_ptr<OpenedGroup>> OpenGroup(const Group& group, bool use_threads) const {
    auto opened = std::make_unique<OpenedGroup>();
    opened->next_row = group.first_row;
    TARN_ASSIGN_OR_RETURN(opened->reader,
                          OpenArrowReader(file_, metadata_, use_threads, options_.batch_rows));
    TARN_ASSIGN_OR_RETURN(
        opened->batches,
        Lift(opened->reader->GetRecordBatchReader({group.index}, columns_), kInParquetReader));
    return opened;
  }

  Result<std::shared_ptr<arrow::RecordBatch>> NextOfOpen() {
    TARN_ASSIGN_OR_RETURN(auto batch, Advance(*open_));
    if (batch == nullptr) {
      open_.reset();
      ++next_;
    }
    return batch;
  }

  Result<std::shared_ptr<arrow::RecordBatch>> Advance(OpenedGroup& group) const {
    std::shared_ptr<arrow::RecordBatch> batch;
    TARN_RETURN_IF_ERROR(Lift(group.batches->ReadNext(&batch), kInParquetReader));
    if (batch == nullptr) return batch;
    const int64_t first_row = group.next_row;
    group.next_row += batch->num_rows();
    return Convert(*batch, first_row);
  }

  // Decodes the next small row groups, one per thread.
  Status DecodeSome() {
    size_t count = 0;
    const size_t most = static_cast<size_t>(runtime_.executor.threads());
    while (count < most && next_ + count < groups_.size() &&
           groups_[next_ + count].bytes <= kWholeGroupBytes) {
      ++count;
    }
    std::vector<std::vector<std::shared_ptr<arrow::RecordBatch>>> decoded(count);
    const auto decode = [&](int64_t i) -> Status {
      return GuardParquet(kInParquetReader, [&]() -> Status {
        TARN_ASSIGN_OR_RETURN(auto opened, OpenGroup(groups_[next_ + i], false));
        while (true) {
          TARN_ASSIGN_OR_RETURN(auto batch, Advance(*opened));
          if (batch == nullptr) return OkStatus();
          decoded[i].push_back(std::move(batch));
        }
      });
    };
    if (count == 1) {
      TARN_RETURN_IF_ERROR(decode(0));
    } else {
      TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(static_cast<int64_t>(count), decode));
    }
    next_ += count;
    for (auto& batches : decoded) {
      for (auto& batch : batches) ready_.push_back(std::move(batch));
    }
    return OkStatus();
  }

  Result<std::shared_ptr<arrow::RecordBatch>> Convert(const arrow::RecordBatch& batch,
                                                      int64_t first_row) const {
    TARN_ASSIGN_OR_RETURN(auto converted, ConformRows(batch, options_, schema_, first_row));
    return deleted_.empty() ? std::move(converted)
                            : WithoutDeleted(std::move(converted), first_row);
  }

  Result<std::shared_ptr<arrow::RecordBatch>> WithoutDeleted(
      std::shared_ptr<arrow::RecordBatch> batch, int64_t first_row) const {
    arrow::Int32Builder kept;
    TARN_RETURN_IF_ERROR(Lift(kept.Reserve(batch->num_rows()), kInParquetReader));
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      const uint64_t at = static_cast<uint64_t>(first_row + row);
      if ((deleted_[at >> 6] >> (at & 63) & 1) == 0) kept.UnsafeAppend(static_cast<int32_t>(row));
    }
    if (kept.length() == batch->num_rows()) return batch;
    TARN_ASSIGN_OR_RETURN(const auto rows, Lift(kept.Finish(), kInParquetReader));
    return RowsAt(std::move(batch), rows);
  }

  Runtime& runtime_;
  const std::shared_ptr<arrow::io::RandomAccessFile> file_;
  const std::shared_ptr<parquet::FileMetaData> metadata_;
  FileReadOptions options_;
  const std::shared_ptr<arrow::Schema> schema_;
  const std::vector<int> columns_;
  const std::vector<Group> groups_;
  std::vector<uint64_t> deleted_;  // a bit per row of the file; empty: none
  size_t next_ = 0;                // among groups_: the one open, or the next to open
  std::unique_ptr<OpenedGroup> open_;
  std::deque<std::shared_ptr<arrow::RecordBatch>> ready_;
};

bool HasIds(const std::vector<SchemaField>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const SchemaField& node) {
    return FieldIdOf(*node.field) != 0 || HasIds(node.children);
  });
}

}  // namespace

Result<Schema> ReadParquetSchema(std::shared_ptr<const ObjectReader> file) {
  return GuardParquet(kInParquetReader, [&]() -> Result<Schema> {
    TARN_ASSIGN_OR_RETURN(auto reader,
                          OpenArrowReader(MakeArrowFile(std::move(file)), nullptr, false, 1));
    std::shared_ptr<arrow::Schema> schema;
    TARN_RETURN_IF_ERROR(Lift(reader->GetSchema(&schema), kInParquetReader));
    return FromArrow(*schema);
  });
}

Result<std::unique_ptr<BatchStream>> ReadParquet(Runtime& runtime,
                                                 std::shared_ptr<const ObjectReader> file,
                                                 const FileReadOptions& given) {
  return GuardParquet(kInParquetReader, [&]() -> Result<std::unique_ptr<BatchStream>> {
    auto arrow_file = MakeArrowFile(std::move(file));
    TARN_ASSIGN_OR_RETURN(auto reader,
                          OpenArrowReader(arrow_file, nullptr, false, given.batch_rows));
    const auto& nodes = reader->manifest().schema_fields;
    const bool has_ids = HasIds(nodes);
    if (given.match == ColumnMatch::kById && !nodes.empty() && !has_ids) {
      return Corrupt("parquet: the table finds columns by field id, but the file has none");
    }
    FileReadOptions options = given;
    options.match = MatchIn(given.match, has_ids);
    Selection selection(options);
    TARN_RETURN_IF_ERROR(selection.Select(options.schema.fields, nodes));
    auto metadata = reader->parquet_reader()->metadata();
    TARN_ASSIGN_OR_RETURN(auto groups, KeptGroups(*metadata, options, selection));

    TARN_ASSIGN_OR_RETURN(auto schema, SchemaRead(options));
    return std::unique_ptr<BatchStream>(std::make_unique<ParquetStream>(
        runtime, std::move(arrow_file), std::move(metadata), options, std::move(schema),
        selection.columns(), std::move(groups)));
  });
}

}  // namespace tarn
