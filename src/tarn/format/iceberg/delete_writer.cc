#include "tarn/format/iceberg/delete_writer.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/format/iceberg/puffin.h"
#include "tarn/model/partition_key.h"
#include "tarn/model/value.h"
#include "tarn/storage/buffer_writer.h"

namespace tarn::iceberg {
namespace {

constexpr const char* kFolder = "data/";
constexpr size_t kBatchRows = 65536;

// "Position Delete Files": the columns, with their reserved ids.
Schema PositionColumns() {
  Schema schema;
  schema.fields = {
      {.id = 2147483546,
       .name = "file_path",
       .type = Type::Of(TypeKind::kString),
       .required = true},
      {.id = 2147483545, .name = "pos", .type = Type::Of(TypeKind::kInt64), .required = true}};
  return schema;
}

std::string LocationOf(const DataFile& file, const Locations& locations) {
  return file.location.empty() ? locations.LocationOf(file.path) : file.location;
}

// Files of one spec and partition, by their location.
using Partition = std::map<std::string, const RowDelete*>;

// Appends pairs of path and position batch by batch.
class PositionRows {
 public:
  explicit PositionRows(DataFileWriter& writer) : writer_(writer) {}

  Status Add(const std::string& path, uint64_t position) {
    TARN_RETURN_IF_ERROR(Lift(paths_.Append(path), kWhere));
    TARN_RETURN_IF_ERROR(Lift(positions_.Append(static_cast<int64_t>(position)), kWhere));
    return static_cast<size_t>(positions_.length()) < kBatchRows ? OkStatus() : Flush();
  }

  Status Flush() {
    const int64_t rows = positions_.length();
    if (rows == 0) return OkStatus();
    TARN_ASSIGN_OR_RETURN(auto paths, Lift(paths_.Finish(), kWhere));
    TARN_ASSIGN_OR_RETURN(auto positions, Lift(positions_.Finish(), kWhere));
    const auto batch =
        arrow::RecordBatch::Make(arrow::schema({arrow::field("file_path", arrow::utf8(), false),
                                                arrow::field("pos", arrow::int64(), false)}),
                                 rows, {std::move(paths), std::move(positions)});
    return writer_.Write(*batch);
  }

 private:
  static constexpr const char* kWhere = "iceberg: position deletes";
  DataFileWriter& writer_;
  arrow::StringBuilder paths_;
  arrow::Int64Builder positions_;
};

Result<NewDelete> WritePositions(const Partition& partition, const FileFormat& parquet,
                                 Bytes& bytes) {
  FileWriteOptions options;
  options.schema = PositionColumns();
  TARN_ASSIGN_OR_RETURN(const auto writer, parquet.Write(MakeBufferWriter(bytes), options));
  PositionRows rows(*writer);
  NewDelete made;
  int64_t lowest = INT64_MAX;
  int64_t highest = 0;
  // "The rows in the delete file must be sorted by file_path then pos."
  for (const auto& [location, one] : partition) {
    Status added;
    one->rows.ForEach([&, &path = location](uint64_t position) {
      lowest = std::min(lowest, static_cast<int64_t>(position));
      highest = std::max(highest, static_cast<int64_t>(position));
      if (added.ok()) added = rows.Add(path, position);
    });
    TARN_RETURN_IF_ERROR(added);
    made.file.record_count =
        std::max<int64_t>(made.file.record_count, 0) + static_cast<int64_t>(one->rows.Count());
  }
  TARN_RETURN_IF_ERROR(rows.Flush());
  TARN_RETURN_IF_ERROR(writer->Finish().status());
  made.file.size_bytes = static_cast<int64_t>(bytes.size());
  made.file.format = "parquet";
  made.positions = {lowest, highest};
  if (partition.size() == 1) made.referenced_data_file = partition.begin()->first;
  return made;
}

Result<NewDeletes> InParquet(const TableHome& home, const Locations& locations,
                             const std::string& name, const std::vector<RowDelete>& deletes,
                             const DeleteWriterTools& tools) {
  std::map<std::string, Partition> partitions;
  for (const RowDelete& one : deletes) {
    if (one.rows.empty()) continue;
    partitions[PartitionKey(one.file.spec_id, one.file.partition)]
              [LocationOf(one.file, locations)] = &one;
  }
  NewDeletes made;
  for (const auto& [key, partition] : partitions) {
    const std::string path =
        kFolder + name + "-" + std::to_string(made.entries.size()) + "-deletes.parquet";
    NewObject object;
    TARN_ASSIGN_OR_RETURN(object.path, home.ObjectOf(path));
    TARN_ASSIGN_OR_RETURN(NewDelete entry, WritePositions(partition, *tools.parquet, object.bytes));
    const DataFile& any = partition.begin()->second->file;
    entry.file.path = path;
    entry.file.location = locations.LocationOf(path);
    entry.file.spec_id = any.spec_id;
    entry.file.partition = any.partition;
    made.entries.push_back(std::move(entry));
    made.objects.push_back(std::move(object));
  }
  return made;
}

Result<NewDeletes> InPuffin(const TableHome& home, const Locations& locations,
                            const std::string& name, const std::vector<RowDelete>& deletes,
                            const DeleteWriterTools& tools) {
  NewDeletes made;
  PuffinVectors vectors;
  const std::string path = kFolder + name + "-deletes.puffin";
  for (const RowDelete& one : deletes) {
    if (one.rows.empty()) continue;
    DataFile by_position = one.file;
    std::erase_if(by_position.deletes,
                  [](const DeleteFile& file) { return file.kind == DeleteKind::kEqualityDeletes; });
    RowSet rows = one.rows;
    if (!by_position.deletes.empty()) {
      TARN_ASSIGN_OR_RETURN(const RowSet before, tools.deleted(by_position));
      rows.Merge(before);
    }
    NewDelete entry;
    const std::string location = LocationOf(one.file, locations);
    const PuffinVectors::Place place = vectors.Add(rows, location);
    entry.file.path = path;
    entry.file.location = locations.LocationOf(path);
    entry.file.format = "puffin";
    entry.file.record_count = static_cast<int64_t>(rows.Count());
    entry.file.spec_id = one.file.spec_id;
    entry.file.partition = one.file.partition;
    entry.referenced_data_file = location;
    entry.content_offset = place.offset;
    entry.content_size = place.size_bytes;
    made.entries.push_back(std::move(entry));
    if (!by_position.deletes.empty()) made.replaced.insert(location);
  }
  if (made.entries.empty()) return made;
  NewObject object;
  TARN_ASSIGN_OR_RETURN(object.path, home.ObjectOf(path));
  object.bytes = vectors.Finish();
  for (NewDelete& entry : made.entries) {
    entry.file.size_bytes = static_cast<int64_t>(object.bytes.size());
  }
  made.objects.push_back(std::move(object));
  return made;
}

}  // namespace

Result<NewDeletes> WriteDeletes(const TableHome& home, const Locations& locations,
                                int32_t format_version, const std::string& name,
                                const std::vector<RowDelete>& deletes,
                                const DeleteWriterTools& tools) {
  if (format_version < 2 || tools.parquet == nullptr) {
    return Unsupported("iceberg: in format version 1 rows are deleted by rewriting their files");
  }
  return format_version == 2 ? InParquet(home, locations, name, deletes, tools)
                             : InPuffin(home, locations, name, deletes, tools);
}

}  // namespace tarn::iceberg
