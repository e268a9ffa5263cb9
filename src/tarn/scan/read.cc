#include "tarn/scan/read.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include <arrow/api.h>
#include <arrow/compute/api_vector.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn {
namespace {

using BatchPtr = std::shared_ptr<arrow::RecordBatch>;

// Files up to this size are read whole, several at once; larger ones are decoded in parallel by
// their format.
constexpr int64_t kSmallFileBytes = int64_t{8} << 20;

// Where a column of the result comes from, within one file.
struct Origin {
  int in_file = -1;                    // position in the file's batches, or
  std::optional<Value> constant = {};  // the same value in every row
};

// One data file of the plan, being read.
struct OpenedFile {
  std::string path;
  std::unique_ptr<BatchStream> rows;
  std::vector<Origin> origins;        // per column wanted
  const RowSet* only_rows = nullptr;  // positions; null: all
  int64_t first_row_id = -1;
  int64_t sequence_number = -1;
};

class PlanStream final : public BatchStream {
 public:
  PlanStream(Runtime& runtime, const TableFormat& format, const TableHome& home,
             const Registry<FileFormat>& file_formats, const ScanPlan& plan, ReadOptions options,
             std::vector<Field> wanted, std::shared_ptr<arrow::Schema> schema)
      : runtime_(runtime),
        format_(format),
        home_(home),
        file_formats_(file_formats),
        plan_(plan),
        options_(std::move(options)),
        wanted_(std::move(wanted)),
        schema_(std::move(schema)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<BatchPtr> Next() override {
    while (true) {
      if (!ready_.empty()) {
        BatchPtr batch = std::move(ready_.front());
        ready_.pop_front();
        return batch;
      }
      TARN_RETURN_IF_ERROR(runtime_.cancellation.Check());
      if (open_) {
        TARN_ASSIGN_OR_RETURN(BatchPtr batch, NextOf(*open_));
        if (batch == nullptr) open_.reset();
        if (batch != nullptr && batch->num_rows() > 0) return batch;
        continue;
      }
      std::vector<DataFile> files = NextFiles();
      if (files.empty()) return BatchPtr();
      if (files.size() == 1 && files[0].size_bytes > kSmallFileBytes) {
        TARN_ASSIGN_OR_RETURN(open_, Open(files[0]));
      } else {
        TARN_RETURN_IF_ERROR(ReadWhole(files));
      }
    }
  }

 private:
  std::optional<DataFile> Peek() {
    while (batch_ < plan_.batches.size() && row_ == plan_.batches[batch_].size) {
      ++batch_;
      row_ = 0;
    }
    if (batch_ == plan_.batches.size()) return std::nullopt;
    return plan_.batches[batch_].At(row_);
  }

  // The next few small files, or one large one.
  std::vector<DataFile> NextFiles() {
    std::vector<DataFile> files;
    const size_t most = static_cast<size_t>(runtime_.executor.threads());
    while (files.size() < most) {
      std::optional<DataFile> file = Peek();
      if (!file || (!files.empty() && file->size_bytes > kSmallFileBytes)) break;
      files.push_back(std::move(*file));
      ++row_;
      if (files.back().size_bytes > kSmallFileBytes) break;
    }
    return files;
  }

  Status ReadWhole(const std::vector<DataFile>& files) {
    std::vector<std::vector<BatchPtr>> read(files.size());
    const auto work = [&](int64_t i) -> Status {
      TARN_ASSIGN_OR_RETURN(OpenedFile file, Open(files[static_cast<size_t>(i)]));
      while (true) {
        TARN_ASSIGN_OR_RETURN(BatchPtr batch, NextOf(file));
        if (batch == nullptr) return OkStatus();
        if (batch->num_rows() > 0) read[static_cast<size_t>(i)].push_back(std::move(batch));
      }
    };
    TARN_RETURN_IF_ERROR(runtime_.executor.ParallelFor(static_cast<int64_t>(files.size()), work));
    for (auto& batches : read) {
      for (BatchPtr& batch : batches) ready_.push_back(std::move(batch));
    }
    return OkStatus();
  }

  Result<OpenedFile> Open(const DataFile& file) const {
    Result<OpenedFile> opened = OpenUnnamed(file);
    if (!opened.ok()) return opened.error().WithContext(file.path);
    return opened;
  }

  Result<OpenedFile> OpenUnnamed(const DataFile& file) const {
    const TableMetadata& metadata = plan_.snapshot.metadata;
    OpenedFile opened;
    opened.path = file.path;
    FileReadOptions read;
    read.match = metadata.column_match;
    read.filter = options_.filter;
    read.row_positions = options_.with_file || !options_.row_lineage.empty();
    const PartitionSpec* spec = metadata.SpecById(file.spec_id);
    for (const Field& field : wanted_) {
      Origin origin;
      for (size_t i = 0; spec != nullptr && i < spec->fields.size(); ++i) {
        const PartitionField& part = spec->fields[i];
        if (part.source_id == field.id && part.transform == TransformKind::kIdentity &&
            i < file.partition.size()) {
          origin.constant = file.partition[i];
        }
      }
      if (!origin.constant) {
        origin.in_file = static_cast<int>(read.schema.fields.size());
        read.schema.fields.push_back(field);
      }
      opened.origins.push_back(std::move(origin));
    }
    for (const Field& field : options_.row_lineage) read.schema.fields.push_back(field);
    opened.first_row_id = file.first_row_id;
    opened.sequence_number = file.sequence_number;
    RowSet deleted;
    if (!file.deletes.empty()) {
      TARN_ASSIGN_OR_RETURN(deleted, format_.DeletedRows(home_, plan_.snapshot, file));
    }
    if (options_.picked_rows != nullptr) {
      const auto picked = options_.picked_rows->find(file.path);
      if (picked != options_.picked_rows->end()) {
        if (options_.picked == ReadOptions::Picked::kLeftOut) {
          deleted.Merge(picked->second);
        } else {
          opened.only_rows = &picked->second;
          read.row_positions = true;
        }
      }
    }
    if (!deleted.empty()) read.skip_rows = &deleted;
    TARN_ASSIGN_OR_RETURN(const FileFormat* file_format, file_formats_.Find(file.format));
    TARN_ASSIGN_OR_RETURN(const Path object, home_.ObjectOf(file.path));
    TARN_ASSIGN_OR_RETURN(auto reader, home_.storage.OpenReader(object));
    // The stream copies the deleted rows: `deleted` ends here.
    TARN_ASSIGN_OR_RETURN(opened.rows, file_format->Read(std::move(reader), read));
    return opened;
  }

  Result<BatchPtr> NextOf(OpenedFile& file) const {
    Result<BatchPtr> batch = file.rows->Next();
    if (!batch.ok()) return batch.error().WithContext(file.path);
    if (*batch == nullptr) return batch;
    if (file.only_rows != nullptr) {
      TARN_ASSIGN_OR_RETURN(*batch, OnlyRows(**batch, *file.only_rows));
    }
    const int64_t rows = (*batch)->num_rows();
    std::vector<std::shared_ptr<arrow::Array>> columns;
    for (size_t i = 0; i < wanted_.size(); ++i) {
      const Origin& origin = file.origins[i];
      if (origin.in_file >= 0) {
        columns.push_back((*batch)->column(origin.in_file));
        continue;
      }
      TARN_ASSIGN_OR_RETURN(auto constant, Repeat(wanted_[i].type, *origin.constant, rows));
      columns.push_back(std::move(constant));
    }
    if (!options_.row_lineage.empty()) {
      TARN_RETURN_IF_ERROR(AppendLineage(file, **batch, columns));
    }
    if (options_.with_file) {
      TARN_ASSIGN_OR_RETURN(auto path, Repeat(Type::Of(TypeKind::kString), Value(file.path), rows));
      columns.push_back(std::move(path));
      columns.push_back((*batch)->column((*batch)->num_columns() - 1));
    }
    return arrow::RecordBatch::Make(schema_, rows, std::move(columns));
  }

  // What the file says of its rows' lineage, else what follows from their place in it. The columns
  // before the positions, which are last.
  static Status AppendLineage(const OpenedFile& file, const arrow::RecordBatch& batch,
                              std::vector<std::shared_ptr<arrow::Array>>& columns) {
    const int last = batch.num_columns() - 1;
    const auto& positions = static_cast<const arrow::Int64Array&>(*batch.column(last));
    const auto& ids = static_cast<const arrow::Int64Array&>(*batch.column(last - 2));
    const auto& changes = static_cast<const arrow::Int64Array&>(*batch.column(last - 1));
    arrow::Int64Builder row_ids;
    arrow::Int64Builder changed_by;
    TARN_RETURN_IF_ERROR(Lift(row_ids.Reserve(batch.num_rows()), "read"));
    TARN_RETURN_IF_ERROR(Lift(changed_by.Reserve(batch.num_rows()), "read"));
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      if (file.first_row_id < 0) {
        row_ids.UnsafeAppendNull();
        changed_by.UnsafeAppendNull();
        continue;
      }
      row_ids.UnsafeAppend(ids.IsValid(row) ? ids.Value(row)
                                            : file.first_row_id + positions.Value(row));
      changed_by.UnsafeAppend(changes.IsValid(row) ? changes.Value(row) : file.sequence_number);
    }
    for (arrow::Int64Builder* builder : {&row_ids, &changed_by}) {
      TARN_ASSIGN_OR_RETURN(auto column, Lift(builder->Finish(), "read"));
      columns.push_back(std::move(column));
    }
    return OkStatus();
  }

  // The rows of `batch` whose position, its last column, is in `only`.
  static Result<BatchPtr> OnlyRows(const arrow::RecordBatch& batch, const RowSet& only) {
    const auto& positions =
        static_cast<const arrow::Int64Array&>(*batch.column(batch.num_columns() - 1));
    arrow::Int64Builder kept;
    for (int64_t row = 0; row < batch.num_rows(); ++row) {
      if (!only.Contains(static_cast<uint64_t>(positions.Value(row)))) continue;
      TARN_RETURN_IF_ERROR(Lift(kept.Append(row), "read"));
    }
    TARN_ASSIGN_OR_RETURN(auto rows, Lift(kept.Finish(), "read"));
    TARN_ASSIGN_OR_RETURN(const arrow::Datum taken,
                          Lift(arrow::compute::Take(batch.Slice(0), rows), "read"));
    return taken.record_batch();
  }

  Runtime& runtime_;
  const TableFormat& format_;
  const TableHome& home_;
  const Registry<FileFormat>& file_formats_;
  const ScanPlan plan_;
  const ReadOptions options_;
  const std::vector<Field> wanted_;
  const std::shared_ptr<arrow::Schema> schema_;
  size_t batch_ = 0;  // the next file: row_ of batch_
  int64_t row_ = 0;
  std::optional<OpenedFile> open_;
  std::deque<BatchPtr> ready_;
};

}  // namespace

Result<std::unique_ptr<BatchStream>> ReadPlan(Runtime& runtime, const TableFormat& format,
                                              const TableHome& home,
                                              const Registry<FileFormat>& file_formats,
                                              const ScanPlan& plan, const ReadOptions& options) {
  const Schema& table = plan.snapshot.metadata.schema;
  Schema wanted;
  if (options.field_ids.empty()) {
    wanted.fields = table.fields;
  } else {
    for (const int32_t id : options.field_ids) {
      const auto found = std::find_if(table.fields.begin(), table.fields.end(),
                                      [id](const Field& field) { return field.id == id; });
      if (found == table.fields.end()) {
        return NotFound("no top-level column with id " + std::to_string(id));
      }
      wanted.fields.push_back(*found);
    }
  }
  TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(wanted));
  auto fields = schema->fields();
  for (const Field& field : options.row_lineage) {
    fields.push_back(arrow::field(field.name, arrow::int64()));
  }
  if (options.with_file) {
    fields.push_back(arrow::field("_file", arrow::utf8(), false));
    fields.push_back(arrow::field("_pos", arrow::int64(), false));
  }
  schema = arrow::schema(std::move(fields));
  return std::unique_ptr<BatchStream>(
      std::make_unique<PlanStream>(runtime, format, home, file_formats, plan, options,
                                   std::move(wanted.fields), std::move(schema)));
}

}  // namespace tarn
