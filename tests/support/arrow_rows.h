#pragma once

#include <arrow/api.h>
#include <arrow/json/from_string.h>

#include <algorithm>
#include <stdexcept>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/file_format.h"

namespace tarn::testing {

// A field for tests: Col(1, "id", "bigint").
inline Field Col(int32_t id, std::string name, const std::string& type, bool required = false) {
  return Field{.id = id, .name = std::move(name), .type = *ParseType(type), .required = required};
}

inline Schema SchemaOf(std::vector<Field> fields) {
  Schema schema;
  schema.fields = std::move(fields);
  schema.last_column_id = 0;
  ForEachField(schema, [&](const Field& field, const std::string&) {
    schema.last_column_id = std::max(schema.last_column_id, field.id);
  });
  return AssignFreshIds(schema);
}

// Arrow's JSON: R"([[1, "a"], [2, null]])" gives two rows of a table's schema.
inline std::shared_ptr<arrow::RecordBatch> BatchOf(const Schema& schema, const std::string& rows) {
  const auto arrow_schema = *ToArrow(schema);
  const auto structs =
      arrow::json::ArrayFromJSONString(arrow::struct_(arrow_schema->fields()), rows);
  if (!structs.ok()) throw std::runtime_error(structs.status().ToString());
  const auto& columns = static_cast<const arrow::StructArray&>(**structs);
  return arrow::RecordBatch::Make(arrow_schema, columns.length(), columns.fields());
}

class VectorStream final : public BatchStream {
 public:
  explicit VectorStream(std::vector<std::shared_ptr<arrow::RecordBatch>> batches,
                        std::shared_ptr<arrow::Schema> schema = nullptr)
      : batches_(std::move(batches)),
        schema_(schema != nullptr ? std::move(schema) : batches_.at(0)->schema()) {}
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (next_ == batches_.size()) return std::shared_ptr<arrow::RecordBatch>();
    return batches_[next_++];
  }

 private:
  const std::vector<std::shared_ptr<arrow::RecordBatch>> batches_;
  const std::shared_ptr<arrow::Schema> schema_;
  size_t next_ = 0;
};

// `batches` as one file of `format` at `path`.
inline Result<DataFile> WriteFile(const FileFormat& format, Storage& storage, const Path& path,
                                  const std::vector<std::shared_ptr<arrow::RecordBatch>>& batches,
                                  const FileWriteOptions& options) {
  TARN_ASSIGN_OR_RETURN(auto object, storage.OpenWriter(path));
  TARN_ASSIGN_OR_RETURN(auto writer, format.Write(std::move(object), options));
  for (const auto& batch : batches) TARN_RETURN_IF_ERROR(writer->Write(*batch));
  return writer->Finish();
}

inline Result<std::unique_ptr<BatchStream>> ReadFile(const FileFormat& format,
                                                     const Storage& storage, const Path& path,
                                                     const FileReadOptions& options) {
  TARN_ASSIGN_OR_RETURN(auto object, storage.OpenReader(path));
  return format.Read(std::move(object), options);
}

}  // namespace tarn::testing
