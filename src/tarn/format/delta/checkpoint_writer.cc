#include "tarn/format/delta/checkpoint_writer.h"

#include <arrow/array.h>
#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_nested.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/builder.h>
#include <arrow/io/interfaces.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/writer.h>
#include <parquet/properties.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/format/delta/parsed_columns.h"

namespace tarn::delta {
namespace {

// Rows that are gathered before they are handed to the encoder, and rows of a row group: readers
// decode row groups in parallel and skip them by statistics.
constexpr int64_t kBatchRows = 4096;
constexpr int64_t kRowGroupRows = 32768;
// A checkpoint of no more rows is not compressed: it is read with the first block of the disk
// anyway, and a decoder for each column costs more than all else.
constexpr int64_t kFewRows = 64;

Status FromArrow(const arrow::Status& status) {
  if (status.ok()) return OkStatus();
  return Internal("delta: checkpoint: " + status.ToString());
}

// The bytes of the file, in the string that becomes the object: no copy at the end.
class StringOutput final : public arrow::io::OutputStream {
 public:
  explicit StringOutput(Bytes& bytes) : bytes_(bytes) {}
  arrow::Status Close() override {
    closed_ = true;
    return arrow::Status::OK();
  }
  bool closed() const override { return closed_; }
  arrow::Result<int64_t> Tell() const override { return static_cast<int64_t>(bytes_.size()); }
  using arrow::io::OutputStream::Write;
  arrow::Status Write(const void* data, int64_t size) override {
    bytes_.append(static_cast<const char*>(data), static_cast<size_t>(size));
    return arrow::Status::OK();
  }

 private:
  Bytes& bytes_;
  bool closed_ = false;
};

std::shared_ptr<arrow::Field> Optional(std::string name, std::shared_ptr<arrow::DataType> type) {
  return arrow::field(std::move(name), std::move(type), true);
}
std::shared_ptr<arrow::Field> Required(std::string name, std::shared_ptr<arrow::DataType> type) {
  return arrow::field(std::move(name), std::move(type), false);
}

std::shared_ptr<arrow::DataType> TextMap() { return arrow::map(arrow::utf8(), arrow::utf8()); }
std::shared_ptr<arrow::DataType> TextList() {
  return arrow::list(Optional("element", arrow::utf8()));
}

std::shared_ptr<arrow::DataType> DeletionVectorType() {
  return arrow::struct_(
      {Optional("storageType", arrow::utf8()), Optional("pathOrInlineDv", arrow::utf8()),
       Optional("offset", arrow::int32()), Required("sizeInBytes", arrow::int32()),
       Required("cardinality", arrow::int64())});
}

// The columns of a checkpoint, in this order. Nullability as Spark's encoders give it.
enum Column : int { kTxn, kAdd, kRemove, kMetaData, kProtocol, kDomainMetadata, kColumns };

std::shared_ptr<arrow::Schema> CheckpointSchema(bool stats_as_json, const ParsedColumns* parsed) {
  arrow::FieldVector add = {Optional("path", arrow::utf8()),
                            Optional("partitionValues", TextMap()),
                            Required("size", arrow::int64()),
                            Required("modificationTime", arrow::int64()),
                            Required("dataChange", arrow::boolean()),
                            Optional("tags", TextMap()),
                            Optional("deletionVector", DeletionVectorType()),
                            Optional("baseRowId", arrow::int64()),
                            Optional("defaultRowCommitVersion", arrow::int64()),
                            Optional("clusteringProvider", arrow::utf8())};
  if (stats_as_json) add.push_back(Optional("stats", arrow::utf8()));
  if (parsed != nullptr) {
    for (const auto& field : parsed->fields()) add.push_back(field);
  }
  return arrow::schema(
      {Optional("txn", arrow::struct_({Optional("appId", arrow::utf8()),
                                       Required("version", arrow::int64()),
                                       Optional("lastUpdated", arrow::int64())})),
       Optional("add", arrow::struct_(add)),
       Optional("remove",
                arrow::struct_(
                    {Optional("path", arrow::utf8()), Optional("deletionTimestamp", arrow::int64()),
                     Required("dataChange", arrow::boolean()),
                     Optional("extendedFileMetadata", arrow::boolean()),
                     Optional("partitionValues", TextMap()), Optional("size", arrow::int64()),
                     Optional("deletionVector", DeletionVectorType()),
                     Optional("baseRowId", arrow::int64()),
                     Optional("defaultRowCommitVersion", arrow::int64())})),
       Optional(
           "metaData",
           arrow::struct_(
               {Optional("id", arrow::utf8()), Optional("name", arrow::utf8()),
                Optional("description", arrow::utf8()),
                Optional("format", arrow::struct_({Optional("provider", arrow::utf8()),
                                                   Optional("options", TextMap())})),
                Optional("schemaString", arrow::utf8()), Optional("partitionColumns", TextList()),
                Optional("configuration", TextMap()), Optional("createdTime", arrow::int64())})),
       Optional("protocol", arrow::struct_({Required("minReaderVersion", arrow::int32()),
                                            Required("minWriterVersion", arrow::int32()),
                                            Optional("readerFeatures", TextList()),
                                            Optional("writerFeatures", TextList())})),
       Optional("domainMetadata", arrow::struct_({Optional("domain", arrow::utf8()),
                                                  Optional("configuration", arrow::utf8()),
                                                  Required("removed", arrow::boolean())}))});
}

// Appends the members of one struct in order. The builders are those of the types above, so the
// casts hold; the first failure is kept.
class RowAppender {
 public:
  explicit RowAppender(arrow::ArrayBuilder& builder)
      : struct_(static_cast<arrow::StructBuilder&>(builder)) {
    Keep(struct_.Append());
  }

  void Text(std::string_view text) { Keep(Next<arrow::StringBuilder>().Append(text)); }
  void TextUnlessEmpty(std::string_view text) {
    auto& builder = Next<arrow::StringBuilder>();
    Keep(text.empty() ? builder.AppendNull() : builder.Append(text));
  }
  void Text(const std::optional<std::string>& text) {
    auto& builder = Next<arrow::StringBuilder>();
    Keep(text ? builder.Append(*text) : builder.AppendNull());
  }
  void Long(int64_t value) { Keep(Next<arrow::Int64Builder>().Append(value)); }
  void Long(const std::optional<int64_t>& value) {
    auto& builder = Next<arrow::Int64Builder>();
    Keep(value ? builder.Append(*value) : builder.AppendNull());
  }
  void Int(int32_t value) { Keep(Next<arrow::Int32Builder>().Append(value)); }
  void Bool(bool value) { Keep(Next<arrow::BooleanBuilder>().Append(value)); }
  void Null() { Keep(struct_.field_builder(at_++)->AppendNull()); }

  void Map(const std::map<std::string, std::string>& values) {
    auto& builder = Next<arrow::MapBuilder>();
    Keep(builder.Append());
    for (const auto& [key, value] : values) {
      Keep(static_cast<arrow::StringBuilder*>(builder.key_builder())->Append(key));
      Keep(static_cast<arrow::StringBuilder*>(builder.item_builder())->Append(value));
    }
  }
  void MapUnlessEmpty(const std::map<std::string, std::string>& values) {
    values.empty() ? Null() : Map(values);
  }
  void Partition(const PartitionTexts& values) {
    auto& builder = Next<arrow::MapBuilder>();
    Keep(builder.Append());
    for (const auto& [key, text] : values) {
      auto& items = static_cast<arrow::StringBuilder&>(*builder.item_builder());
      Keep(static_cast<arrow::StringBuilder*>(builder.key_builder())->Append(key));
      Keep(text ? items.Append(*text) : items.AppendNull());
    }
  }
  void List(const std::vector<std::string>& values) {
    auto& builder = Next<arrow::ListBuilder>();
    Keep(builder.Append());
    for (const std::string& value : values) {
      Keep(static_cast<arrow::StringBuilder*>(builder.value_builder())->Append(value));
    }
  }
  void DeletionVector(const std::optional<DeletionVectorDescriptor>& vector) {
    arrow::ArrayBuilder& builder = *struct_.field_builder(at_++);
    if (!vector) return Keep(builder.AppendNull());
    RowAppender row(builder);
    row.Text(std::string_view(&vector->storage_type, 1));
    row.Text(std::string_view(vector->path_or_inline));
    auto& offset = row.Next<arrow::Int32Builder>();
    row.Keep(vector->offset ? offset.Append(*vector->offset) : offset.AppendNull());
    row.Int(vector->size_bytes);
    row.Long(vector->cardinality);
    Keep(row.status_);
  }
  // The builder of the next member, for what is appended elsewhere.
  arrow::ArrayBuilder& Child() { return *struct_.field_builder(at_++); }
  void Keep(arrow::Status status) {
    if (status_.ok()) status_ = std::move(status);
  }
  Status Done() const { return FromArrow(status_); }

 private:
  template <class Builder>
  Builder& Next() {
    return static_cast<Builder&>(*struct_.field_builder(at_++));
  }

  arrow::StructBuilder& struct_;
  int at_ = 0;
  arrow::Status status_;
};

// The leaves below a struct without maps and lists, as Parquet spells their paths.
void AppendLeaves(const arrow::Field& field, const std::string& path,
                  std::vector<std::string>& out) {
  if (field.type()->id() != arrow::Type::STRUCT) {
    out.push_back(path);
    return;
  }
  for (const auto& child : field.type()->fields()) {
    AppendLeaves(*child, path + "." + child->name(), out);
  }
}

// Columns of which a table has many values, or long ones. The others are empty or hold a handful:
// compressing them saves nothing, and every Load would make a decoder for each.
std::vector<std::string> CompressedLeaves(const TableMetadata& metadata,
                                          const ParsedColumns* parsed) {
  std::vector<std::string> leaves = {"add.path",
                                     "add.partitionValues.key_value.key",
                                     "add.partitionValues.key_value.value",
                                     "add.size",
                                     "add.modificationTime",
                                     "add.tags.key_value.value",
                                     "add.deletionVector.pathOrInlineDv",
                                     "add.stats",
                                     "remove.path",
                                     "remove.deletionTimestamp",
                                     "remove.partitionValues.key_value.value",
                                     "remove.size"};
  constexpr size_t kFewColumns = 64;
  if (metadata.schema.fields.size() > kFewColumns) {
    leaves.emplace_back("metaData.schemaString");
    leaves.emplace_back("metaData.configuration.key_value.value");
  }
  if (parsed != nullptr) {
    for (const auto& field : parsed->fields()) AppendLeaves(*field, "add." + field->name(), leaves);
  }
  return leaves;
}

std::shared_ptr<parquet::WriterProperties> WriterProperties(
    const TableProperties& properties, const std::vector<std::string>& compressed) {
  parquet::WriterProperties::Builder builder;
  for (const std::string& leaf : compressed) {
    if (properties.compression == "snappy") {
      builder.compression(leaf, parquet::Compression::SNAPPY);
    } else if (properties.compression == "zstd") {
      builder.compression(leaf, parquet::Compression::ZSTD)->compression_level(leaf, 1);
    }
  }
  builder.max_row_group_length(kRowGroupRows)
      ->created_by("tarn")
      // Histograms of levels: no reader of a log asks for them, and each Load would parse them.
      ->set_size_statistics_level(parquet::SizeStatisticsLevel::None)
      ->disable_dictionary("add.path")
      ->disable_dictionary("add.stats")
      ->disable_statistics("add.stats")
      ->disable_dictionary("remove.path")
      ->disable_statistics("metaData.schemaString");
  return builder.build();
}

}  // namespace

struct CheckpointWriter::Parts {
  TableProperties properties;
  std::vector<std::string> compressed;  // leaves
  std::optional<ParsedColumns> parsed;
  std::shared_ptr<arrow::Schema> schema;
  Bytes bytes;
  std::unique_ptr<parquet::arrow::FileWriter> writer;  // null until the first batch is written
  // A row fills one column. The others lag behind and are null there: PadWithNulls.
  std::unique_ptr<arrow::ArrayBuilder> builders[kColumns];
  int64_t gathered = 0;
  int64_t actions = 0;
  int64_t add_files = 0;

  Status Open(bool compress);
  Status PadWithNulls(int column) const;
  Status Flush();
  Status Fill(Column column);
  Status Row(const RowAppender& row);
};

Status CheckpointWriter::Parts::Open(bool compress) {
  auto opened = parquet::arrow::FileWriter::Open(
      *schema, arrow::default_memory_pool(), std::make_shared<StringOutput>(bytes),
      WriterProperties(properties, compress ? compressed : std::vector<std::string>{}),
      parquet::default_arrow_writer_properties());
  if (!opened.ok()) return FromArrow(opened.status()).error();
  writer = *std::move(opened);
  return OkStatus();
}

// A null struct keeps values in its required members, which a builder knows and MakeArrayOfNull
// does not.
Status CheckpointWriter::Parts::PadWithNulls(int column) const {
  return FromArrow(builders[column]->AppendNulls(gathered - builders[column]->length()));
}

Status CheckpointWriter::Parts::Flush() {
  if (gathered == 0) return OkStatus();
  if (writer == nullptr) TARN_RETURN_IF_ERROR(Open(gathered > kFewRows));
  arrow::ArrayVector arrays(kColumns);
  for (int column = 0; column < kColumns; ++column) {
    TARN_RETURN_IF_ERROR(PadWithNulls(column));
    TARN_RETURN_IF_ERROR(FromArrow(builders[column]->Finish(&arrays[column])));
  }
  const auto batch = arrow::RecordBatch::Make(schema, gathered, std::move(arrays));
  gathered = 0;
  return FromArrow(writer->WriteRecordBatch(*batch));
}

Status CheckpointWriter::Parts::Fill(Column column) {
  if (gathered >= kBatchRows) TARN_RETURN_IF_ERROR(Flush());
  return PadWithNulls(column);
}

Status CheckpointWriter::Parts::Row(const RowAppender& row) {
  ++gathered;
  ++actions;
  return row.Done();
}

CheckpointWriter::CheckpointWriter(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
CheckpointWriter::~CheckpointWriter() = default;

Result<std::unique_ptr<CheckpointWriter>> CheckpointWriter::Make(
    const TableMetadata& metadata, const TableProperties& properties) {
  auto parts = std::make_unique<Parts>();
  parts->properties = properties;
  if (properties.stats_as_struct) {
    TARN_ASSIGN_OR_RETURN(parts->parsed, ParsedColumns::Make(metadata));
  }
  const ParsedColumns* parsed = parts->parsed ? &*parts->parsed : nullptr;
  parts->compressed = CompressedLeaves(metadata, parsed);
  parts->schema = CheckpointSchema(properties.stats_as_json, parsed);
  for (int column = 0; column < kColumns; ++column) {
    TARN_RETURN_IF_ERROR(FromArrow(arrow::MakeBuilder(arrow::default_memory_pool(),
                                                      parts->schema->field(column)->type(),
                                                      &parts->builders[column])));
  }
  return std::unique_ptr<CheckpointWriter>(new CheckpointWriter(std::move(parts)));
}

Status CheckpointWriter::Write(const Protocol& action) {
  TARN_RETURN_IF_ERROR(parts_->Fill(kProtocol));
  RowAppender row(*parts_->builders[kProtocol]);
  row.Int(action.min_reader_version);
  row.Int(action.min_writer_version);
  action.min_reader_version >= 3 ? row.List(action.reader_features) : row.Null();
  action.min_writer_version >= 7 ? row.List(action.writer_features) : row.Null();
  return parts_->Row(row);
}

Status CheckpointWriter::Write(const MetadataAction& action) {
  TARN_RETURN_IF_ERROR(parts_->Fill(kMetaData));
  RowAppender row(*parts_->builders[kMetaData]);
  row.Text(std::string_view(action.id));
  row.TextUnlessEmpty(action.name);
  row.TextUnlessEmpty(action.description);
  RowAppender format(row.Child());
  format.Text(std::string_view(action.format_provider));
  format.Map(action.format_options);
  row.Text(std::string_view(action.schema_string));
  row.List(action.partition_columns);
  row.Map(action.configuration);
  row.Long(action.created_time_ms);
  TARN_RETURN_IF_ERROR(format.Done());
  return parts_->Row(row);
}

Status CheckpointWriter::Write(const Txn& action) {
  TARN_RETURN_IF_ERROR(parts_->Fill(kTxn));
  RowAppender row(*parts_->builders[kTxn]);
  row.Text(std::string_view(action.app_id));
  row.Long(action.version);
  row.Long(action.last_updated_ms);
  return parts_->Row(row);
}

Status CheckpointWriter::Write(const DomainMetadata& action) {
  TARN_RETURN_IF_ERROR(parts_->Fill(kDomainMetadata));
  RowAppender row(*parts_->builders[kDomainMetadata]);
  row.Text(std::string_view(action.domain));
  row.Text(std::string_view(action.configuration));
  row.Bool(action.removed);
  return parts_->Row(row);
}

Status CheckpointWriter::Write(const AddFile& action) {
  TARN_RETURN_IF_ERROR(parts_->Fill(kAdd));
  RowAppender row(*parts_->builders[kAdd]);
  row.Text(std::string_view(action.path));
  row.Partition(action.partition_values);
  row.Long(action.size_bytes);
  row.Long(action.modified_ms);
  row.Bool(false);
  row.MapUnlessEmpty(action.tags);
  row.DeletionVector(action.deletion_vector);
  row.Long(action.base_row_id);
  row.Long(action.default_row_commit_version);
  row.Text(action.clustering_provider);
  if (parts_->properties.stats_as_json) row.Text(action.stats);
  if (parts_->parsed) {
    for (size_t i = 0; i < parts_->parsed->fields().size(); ++i) {
      TARN_RETURN_IF_ERROR(parts_->parsed->Append(i, action, row.Child()));
    }
  }
  ++parts_->add_files;
  return parts_->Row(row);
}

Status CheckpointWriter::Write(const RemoveFile& action) {
  TARN_RETURN_IF_ERROR(parts_->Fill(kRemove));
  RowAppender row(*parts_->builders[kRemove]);
  row.Text(std::string_view(action.path));
  row.Long(action.deletion_timestamp_ms);
  row.Bool(false);
  row.Bool(action.extended_file_metadata);
  if (action.extended_file_metadata) {
    row.Partition(action.partition_values);
    row.Long(action.size_bytes);
  } else {
    row.Null();
    row.Null();
  }
  row.DeletionVector(action.deletion_vector);
  row.Long(action.base_row_id);
  row.Long(action.default_row_commit_version);
  return parts_->Row(row);
}

Result<Bytes> CheckpointWriter::Finish() {
  TARN_RETURN_IF_ERROR(parts_->Flush());
  if (parts_->writer == nullptr) TARN_RETURN_IF_ERROR(parts_->Open(false));
  TARN_RETURN_IF_ERROR(FromArrow(parts_->writer->Close()));
  return std::move(parts_->bytes);
}

int64_t CheckpointWriter::actions() const { return parts_->actions; }
int64_t CheckpointWriter::add_files() const { return parts_->add_files; }

}  // namespace tarn::delta
