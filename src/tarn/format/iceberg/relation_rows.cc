#include "tarn/format/iceberg/relation_rows.h"

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/arrow_status.h"

namespace tarn::iceberg {

struct RelationRows::Parts {
  std::shared_ptr<arrow::Schema> schema;
  std::vector<std::unique_ptr<arrow::ArrayBuilder>> builders;
  arrow::Status status;
};

std::shared_ptr<arrow::Field> FieldOf(std::string name, std::shared_ptr<arrow::DataType> type) {
  return arrow::field(std::move(name), std::move(type));
}
std::shared_ptr<arrow::DataType> UtcMillis() {
  return arrow::timestamp(arrow::TimeUnit::MILLI, "UTC");
}
std::shared_ptr<arrow::DataType> TextMap() { return arrow::map(arrow::utf8(), arrow::utf8()); }

RelationRows::RelationRows(std::vector<std::shared_ptr<arrow::Field>> fields)
    : parts_(std::make_unique<Parts>()) {
  parts_->schema = arrow::schema(std::move(fields));
  for (const auto& field : parts_->schema->fields()) {
    auto builder = arrow::MakeBuilder(field->type());
    Keep(builder.status());
    parts_->builders.push_back(builder.ok() ? *std::move(builder)
                                            : std::make_unique<arrow::NullBuilder>());
  }
}
RelationRows::~RelationRows() = default;
RelationRows::RelationRows(RelationRows&&) noexcept = default;

arrow::ArrayBuilder* RelationRows::builder(int column) {
  return parts_->builders[static_cast<size_t>(column)].get();
}

void RelationRows::Keep(const arrow::Status& status) {
  if (parts_->status.ok()) parts_->status = status;
}

void RelationRows::Null(int column) { Keep(builder(column)->AppendNull()); }

void RelationRows::Number(int column, std::optional<int64_t> number) {
  if (!number) return Null(column);
  arrow::ArrayBuilder* into = builder(column);
  switch (into->type()->id()) {
    case arrow::Type::INT8:
      return Keep(static_cast<arrow::Int8Builder*>(into)->Append(static_cast<int8_t>(*number)));
    case arrow::Type::INT32:
      return Keep(static_cast<arrow::Int32Builder*>(into)->Append(static_cast<int32_t>(*number)));
    case arrow::Type::TIMESTAMP:
      return Keep(static_cast<arrow::TimestampBuilder*>(into)->Append(*number));
    case arrow::Type::INT64:
      return Keep(static_cast<arrow::Int64Builder*>(into)->Append(*number));
    default:
      return Keep(arrow::Status::TypeError("no column of numbers"));
  }
}

void RelationRows::Flag(int column, std::optional<bool> flag) {
  if (!flag) return Null(column);
  Keep(static_cast<arrow::BooleanBuilder*>(builder(column))->Append(*flag));
}

void RelationRows::Text(int column, std::optional<std::string_view> text) {
  if (!text) return Null(column);
  Keep(static_cast<arrow::BinaryBuilder*>(builder(column))->Append(*text));
}

void RelationRows::Texts(int column, const std::map<std::string, std::string>& entries,
                         std::string_view but) {
  auto* map = static_cast<arrow::MapBuilder*>(builder(column));
  Keep(map->Append());
  for (const auto& [key, value] : entries) {
    if (key == but) continue;
    Keep(static_cast<arrow::StringBuilder*>(map->key_builder())->Append(key));
    Keep(static_cast<arrow::StringBuilder*>(map->item_builder())->Append(value));
  }
}

Status RelationRows::Cell(int column, const Type& type, const Value& value) {
  if (IsNull(value) || type.kind == TypeKind::kVoid) {
    Null(column);
    return OkStatus();
  }
  TARN_ASSIGN_OR_RETURN(const auto one, Repeat(type, value, 1));
  return Slice(column, *one, 0);
}

Status RelationRows::Slice(int column, const arrow::Array& array, int64_t row) {
  return Lift(builder(column)->AppendArraySlice(*array.data(), row, 1), "iceberg: relation");
}

Result<Relation> RelationRows::Finish() {
  arrow::ArrayVector arrays;
  for (auto& builder : parts_->builders) {
    TARN_RETURN_IF_ERROR(Lift(parts_->status, "iceberg: relation", ErrorCode::kInternal));
    TARN_ASSIGN_OR_RETURN(auto array,
                          Lift(builder->Finish(), "iceberg: relation", ErrorCode::kInternal));
    arrays.push_back(std::move(array));
  }
  const int64_t rows = arrays.front()->length();
  return Relation{parts_->schema,
                  {arrow::RecordBatch::Make(parts_->schema, rows, std::move(arrays))}};
}

}  // namespace tarn::iceberg
