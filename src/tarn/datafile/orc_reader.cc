#include "tarn/datafile/orc_reader_internal.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <arrow/adapters/orc/adapter.h>
#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/conform_stream_internal.h"
#include "tarn/datafile/orc_types_internal.h"
#include "tarn/datafile/storage_file.h"

namespace tarn {
namespace {

using arrow::adapters::orc::ORCFileReader;
using BatchPtr = std::shared_ptr<arrow::RecordBatch>;

constexpr const char* kInOrcReader = "orc";

// work(), with what the ORC library throws past Arrow turned into our Error.
template <class Work>
auto Guard(Work&& work) -> decltype(work()) {
  try {
    return std::forward<Work>(work)();
  } catch (const std::bad_alloc&) {
    return Unavailable("orc: out of memory");
  } catch (const std::exception& thrown) {
    return ArrowError(arrow::Status::Invalid(thrown.what()), kInOrcReader);
  }
}

Result<std::unique_ptr<ORCFileReader>> Open(std::shared_ptr<const ObjectReader> file) {
  return Lift(ORCFileReader::Open(MakeArrowFile(std::move(file)), arrow::default_memory_pool()),
              kInOrcReader);
}

class OrcStream final : public BatchStream {
 public:
  OrcStream(std::unique_ptr<ORCFileReader> reader, std::vector<int> columns,
            std::shared_ptr<arrow::Schema> schema, int64_t batch_rows)
      : reader_(std::move(reader)),
        columns_(std::move(columns)),
        schema_(std::move(schema)),
        batch_rows_(batch_rows),
        rows_left_(reader_->NumberOfRows()) {}

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<BatchPtr> Next() override {
    return Guard([&]() -> Result<BatchPtr> {
      if (columns_.empty()) return NextEmpty();
      while (true) {
        if (stripe_ == nullptr) {
          TARN_ASSIGN_OR_RETURN(
              stripe_, Lift(reader_->NextStripeReader(batch_rows_, columns_), kInOrcReader));
          if (stripe_ == nullptr) return BatchPtr();
        }
        BatchPtr batch;
        TARN_RETURN_IF_ERROR(Lift(stripe_->ReadNext(&batch), kInOrcReader));
        if (batch != nullptr) return Convert(*batch);
        stripe_.reset();
      }
    });
  }

 private:
  Result<BatchPtr> NextEmpty() {
    if (rows_left_ == 0) return BatchPtr();
    const int64_t rows = std::min(rows_left_, batch_rows_);
    rows_left_ -= rows;
    return arrow::RecordBatch::Make(schema_, rows, std::vector<std::shared_ptr<arrow::Array>>());
  }

  Result<BatchPtr> Convert(const arrow::RecordBatch& batch) const {
    std::vector<std::shared_ptr<arrow::Array>> columns;
    columns.reserve(static_cast<size_t>(batch.num_columns()));
    for (int i = 0; i < batch.num_columns(); ++i) {
      TARN_ASSIGN_OR_RETURN(auto column, FromOrcArray(batch.column(i), schema_->field(i)->type()));
      columns.push_back(std::move(column));
    }
    return arrow::RecordBatch::Make(schema_, batch.num_rows(), std::move(columns));
  }

  const std::unique_ptr<ORCFileReader> reader_;
  const std::vector<int> columns_;
  const std::shared_ptr<arrow::Schema> schema_;
  const int64_t batch_rows_;
  int64_t rows_left_;
  std::shared_ptr<arrow::RecordBatchReader> stripe_;
};

Result<std::shared_ptr<arrow::Schema>> SchemaOf(ORCFileReader& reader, const std::string& prefix) {
  TARN_ASSIGN_OR_RETURN(const auto schema, Lift(reader.ReadSchema(), kInOrcReader));
  arrow::FieldVector fields;
  fields.reserve(static_cast<size_t>(schema->num_fields()));
  for (const auto& field : schema->fields()) fields.push_back(FromOrcField(*field, prefix));
  return arrow::schema(std::move(fields));
}

}  // namespace

Result<Schema> ReadOrcSchema(std::shared_ptr<const ObjectReader> file, const std::string& prefix) {
  return Guard([&]() -> Result<Schema> {
    TARN_ASSIGN_OR_RETURN(const auto reader, Open(std::move(file)));
    TARN_ASSIGN_OR_RETURN(const auto schema, SchemaOf(*reader, prefix));
    return FromArrow(*schema);
  });
}

Result<std::unique_ptr<BatchStream>> ReadOrc(std::shared_ptr<const ObjectReader> file,
                                             const FileReadOptions& given,
                                             const std::string& prefix) {
  return Guard([&]() -> Result<std::unique_ptr<BatchStream>> {
    TARN_ASSIGN_OR_RETURN(auto reader, Open(std::move(file)));
    TARN_ASSIGN_OR_RETURN(const auto schema, SchemaOf(*reader, prefix));
    const bool has_ids = HasFieldIds(schema->fields());
    FileReadOptions options = given;
    options.match = MatchIn(given.match, has_ids);
    if (options.match == ColumnMatch::kById && !has_ids && schema->num_fields() > 0) {
      return Corrupt("orc: the table finds columns by field id, but the file has none");
    }
    // Whole columns are read, members of structs that nobody asked for too: the adapter selects no
    // deeper.
    std::vector<int> columns;
    for (const Field& field : options.schema.fields) {
      TARN_ASSIGN_OR_RETURN(const int found,
                            FindField(schema->fields(), field,
                                      {.match = options.match, .names = FieldNames::kFile}, ""));
      if (found >= 0) columns.push_back(found);
    }
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    arrow::FieldVector fields;
    fields.reserve(columns.size());
    for (const int column : columns) fields.push_back(schema->field(column));
    auto stream = std::make_unique<OrcStream>(std::move(reader), std::move(columns),
                                              arrow::schema(std::move(fields)),
                                              std::max<int64_t>(options.batch_rows, 1));
    return MakeConformStream(std::move(stream), options);
  });
}

}  // namespace tarn
