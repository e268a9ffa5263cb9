#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <arrow/adapters/orc/adapter.h>
#include <arrow/api.h>
#include <arrow/compute/api_vector.h>
#include <arrow/io/interfaces.h>
#include <arrow/util/key_value_metadata.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/conform_internal.h"
#include "tarn/datafile/file_format.h"
#include "tarn/datafile/storage_file.h"

namespace tarn {
namespace {

constexpr const char* kWhere = "orc";
// The attribute in which ORC files carry field ids.
constexpr const char* kOrcFieldId = "iceberg.id";

using ArrowFile = std::shared_ptr<arrow::io::RandomAccessFile>;
using OrcReader = arrow::adapters::orc::ORCFileReader;

std::shared_ptr<arrow::DataType> WithFieldIds(const std::shared_ptr<arrow::DataType>& type);

// `field` with its id where the house looks for it.
std::shared_ptr<arrow::Field> WithFieldId(const std::shared_ptr<arrow::Field>& field) {
  std::shared_ptr<const arrow::KeyValueMetadata> metadata;
  if (field->metadata() != nullptr) {
    if (const auto id = field->metadata()->Get(kOrcFieldId); id.ok()) {
      metadata = arrow::key_value_metadata({kFieldIdKey}, {*id});
    }
  }
  return arrow::field(field->name(), WithFieldIds(field->type()), field->nullable(), metadata);
}

std::shared_ptr<arrow::DataType> WithFieldIds(const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case arrow::Type::STRUCT: {
      arrow::FieldVector members;
      for (const auto& member : type->fields()) members.push_back(WithFieldId(member));
      return arrow::struct_(std::move(members));
    }
    case arrow::Type::LIST:
      return arrow::list(WithFieldId(type->field(0)));
    case arrow::Type::MAP: {
      const auto& map = static_cast<const arrow::MapType&>(*type);
      return std::make_shared<arrow::MapType>(WithFieldId(map.key_field()),
                                              WithFieldId(map.item_field()));
    }
    default:
      return type;
  }
}

// The same values under a type that differs in names and metadata only.
std::shared_ptr<arrow::ArrayData> Relabelled(const arrow::ArrayData& data,
                                             std::shared_ptr<arrow::DataType> type) {
  auto copy = data.Copy();
  for (size_t i = 0; i < copy->child_data.size(); ++i) {
    copy->child_data[i] = Relabelled(*data.child_data[i], type->field(static_cast<int>(i))->type());
  }
  copy->type = std::move(type);
  return copy;
}

Result<std::unique_ptr<OrcReader>> OpenOrc(const ArrowFile& file) {
  return Lift(OrcReader::Open(file, arrow::default_memory_pool()), kWhere);
}

Result<std::shared_ptr<arrow::Schema>> SchemaOf(OrcReader& reader) {
  TARN_ASSIGN_OR_RETURN(const auto schema, Lift(reader.ReadSchema(), kWhere));
  arrow::FieldVector fields;
  for (const auto& field : schema->fields()) fields.push_back(WithFieldId(field));
  return arrow::schema(std::move(fields));
}

class OrcStream final : public BatchStream {
 public:
  OrcStream(std::unique_ptr<OrcReader> reader, FileReadOptions options,
            std::shared_ptr<arrow::Schema> schema, std::vector<int> columns,
            arrow::FieldVector file_fields)
      : reader_(std::move(reader)),
        options_(std::move(options)),
        schema_(std::move(schema)),
        columns_(std::move(columns)),
        file_fields_(std::move(file_fields)) {
    if (options_.skip_rows != nullptr) skip_rows_ = *options_.skip_rows;
  }

  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    TARN_ASSIGN_OR_RETURN(const auto batch, NextOfFile());
    if (batch == nullptr) return batch;
    const int64_t rows = batch->num_rows();
    const ConformOptions conforming{.match = options_.match,
                                    .names = FieldNames::kFile,
                                    .casts = ConformOptions::Casts::kChecked};
    std::vector<std::shared_ptr<arrow::Array>> columns;
    columns.reserve(options_.schema.fields.size() + 1);
    for (size_t i = 0; i < options_.schema.fields.size(); ++i) {
      const Field& field = options_.schema.fields[i];
      std::shared_ptr<arrow::Array> column;
      if (columns_[i] < 0) {
        TARN_ASSIGN_OR_RETURN(column, MissingColumn(field, rows));
      } else {
        const auto& of_file = file_fields_[static_cast<size_t>(columns_[i])];
        const auto read = batch->GetColumnByName(of_file->name());
        if (read == nullptr) return Corrupt("orc: column '" + of_file->name() + "' was not read");
        TARN_ASSIGN_OR_RETURN(
            column, ConformArray(arrow::MakeArray(Relabelled(*read->data(), of_file->type())),
                                 field, conforming, field.name));
      }
      columns.push_back(std::move(column));
    }
    arrow::Int64Builder positions;
    arrow::Int64Builder kept;
    for (int64_t row = 0; row < rows; ++row) {
      if (options_.row_positions) {
        TARN_RETURN_IF_ERROR(Lift(positions.Append(next_row_ + row), kWhere));
      }
      if (!skip_rows_.empty() && !skip_rows_.Contains(static_cast<uint64_t>(next_row_ + row))) {
        TARN_RETURN_IF_ERROR(Lift(kept.Append(row), kWhere));
      }
    }
    next_row_ += rows;
    if (options_.row_positions) {
      TARN_ASSIGN_OR_RETURN(auto array, Lift(positions.Finish(), kWhere));
      columns.push_back(std::move(array));
    }
    auto converted = arrow::RecordBatch::Make(schema_, rows, std::move(columns));
    if (skip_rows_.empty() || kept.length() == rows) return converted;
    if (converted->num_columns() == 0) {
      return arrow::RecordBatch::Make(schema_, kept.length(),
                                      std::vector<std::shared_ptr<arrow::Array>>());
    }
    TARN_ASSIGN_OR_RETURN(auto indices, Lift(kept.Finish(), kWhere));
    TARN_ASSIGN_OR_RETURN(const arrow::Datum taken,
                          Lift(arrow::compute::Take(converted, indices), kWhere));
    return taken.record_batch();
  }

 private:
  Result<std::shared_ptr<arrow::RecordBatch>> NextOfFile() {
    std::vector<std::string> names;
    for (const int column : columns_) {
      if (column >= 0) names.push_back(file_fields_[static_cast<size_t>(column)]->name());
    }
    if (names.empty()) {
      // Only rows are counted.
      const int64_t rows = std::min(options_.batch_rows, reader_->NumberOfRows() - next_row_);
      if (rows <= 0) return std::shared_ptr<arrow::RecordBatch>();
      return arrow::RecordBatch::Make(arrow::schema(arrow::FieldVector()), rows,
                                      std::vector<std::shared_ptr<arrow::Array>>());
    }
    if (batches_ == nullptr) {
      TARN_ASSIGN_OR_RETURN(
          batches_, Lift(reader_->GetRecordBatchReader(options_.batch_rows, names), kWhere));
    }
    std::shared_ptr<arrow::RecordBatch> batch;
    TARN_RETURN_IF_ERROR(Lift(batches_->ReadNext(&batch), kWhere));
    return batch;
  }

  const std::unique_ptr<OrcReader> reader_;
  const FileReadOptions options_;
  const std::shared_ptr<arrow::Schema> schema_;
  const std::vector<int> columns_;        // of each wanted field: its place in file_fields_, or -1
  const arrow::FieldVector file_fields_;  // with ids
  std::shared_ptr<arrow::RecordBatchReader> batches_;
  RowSet skip_rows_;
  int64_t next_row_ = 0;
};

class OrcFormat final : public FileFormat {
 public:
  std::string_view name() const override { return "orc"; }

  Result<Schema> ReadSchema(const ObjectReader& file) const override {
    TARN_ASSIGN_OR_RETURN(const auto reader,
                          OpenOrc(MakeArrowFile(std::shared_ptr<const ObjectReader>(
                              std::shared_ptr<void>(), &file))));
    TARN_ASSIGN_OR_RETURN(const auto schema, SchemaOf(*reader));
    return FromArrow(*schema);
  }

  Result<std::unique_ptr<BatchStream>> Read(std::shared_ptr<ObjectReader> file,
                                            const FileReadOptions& given) const override {
    TARN_ASSIGN_OR_RETURN(auto reader, OpenOrc(MakeArrowFile(std::move(file))));
    TARN_ASSIGN_OR_RETURN(const auto of_file, SchemaOf(*reader));
    FileReadOptions options = given;
    options.match = MatchIn(given.match, HasFieldIds(of_file->fields()));
    const ConformOptions conforming{.match = options.match, .names = FieldNames::kFile};
    std::vector<int> columns;
    columns.reserve(options.schema.fields.size());
    for (const Field& field : options.schema.fields) {
      TARN_ASSIGN_OR_RETURN(const int found, FindField(of_file->fields(), field, conforming, ""));
      columns.push_back(found);
    }
    TARN_ASSIGN_OR_RETURN(auto schema, ToArrow(options.schema));
    if (options.row_positions) {
      TARN_ASSIGN_OR_RETURN(
          schema,
          Lift(schema->AddField(schema->num_fields(), arrow::field("_pos", arrow::int64(), false)),
               kWhere));
    }
    return std::unique_ptr<BatchStream>(
        std::make_unique<OrcStream>(std::move(reader), std::move(options), std::move(schema),
                                    std::move(columns), of_file->fields()));
  }

  Result<std::unique_ptr<DataFileWriter>> Write(
      std::unique_ptr<ObjectWriter> /*object*/,
      const FileWriteOptions& /*options*/) const override {
    return Unsupported("orc: data files are read, not written");
  }
};

}  // namespace

std::unique_ptr<FileFormat> MakeOrcFormat() { return std::make_unique<OrcFormat>(); }

}  // namespace tarn
