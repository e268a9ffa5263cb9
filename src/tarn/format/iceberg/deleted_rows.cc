#include "tarn/format/iceberg/deleted_rows.h"

#include <algorithm>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/deletion_vector.h"

namespace tarn::iceberg {
namespace {

// "Reserved Field IDs" of position delete files.
constexpr int32_t kFilePathId = 2147483546;
constexpr int32_t kPositionId = 2147483545;

Schema PositionProjection() {
  Schema schema;
  schema.fields = {
      {.id = kFilePathId,
       .name = "file_path",
       .type = Type::Of(TypeKind::kString),
       .aliases = {"file_path"}},
      {.id = kPositionId, .name = "pos", .type = Type::Of(TypeKind::kInt64), .aliases = {"pos"}}};
  return schema;
}

std::string CacheKey(const TableHome& home, const Path& object,
                     const std::vector<int32_t>& ids = {}) {
  std::string key = home.storage.root_uri() + "\n" + home.root.str() + "\n" + object.str();
  for (const int32_t id : ids) key += "\n" + std::to_string(id);
  return key;
}

}  // namespace

Result<RowSet> DeletedRowsReader::Read(const TableHome& home, const Snapshot& snapshot,
                                       const DataFile& file) {
  TARN_ASSIGN_OR_RETURN(const IcebergState* state, StateOf(snapshot));
  const Locations locations(home, state->metadata->location);
  RowSet rows;
  std::map<std::vector<int32_t>, std::vector<const DeleteFile*>> by_equality;
  for (const DeleteFile& deletes : file.deletes) {
    const auto in_context = [&](const Error& error) {
      return error.WithContext("iceberg: delete file '" + deletes.location + "'");
    };
    if (deletes.kind == DeleteKind::kEqualityDeletes) {
      by_equality[deletes.equality_ids].push_back(&deletes);
    } else if (deletes.kind == DeleteKind::kDeletionVector) {
      Result<RowSet> vector = ReadVector(home, locations, deletes);
      if (!vector.ok()) return in_context(vector.error());
      rows.Merge(*vector);
    } else {
      auto positions = Positions(home, locations, deletes);
      if (!positions.ok()) return in_context(positions.error());
      const auto mine = (*positions)->find(file.path);
      if (mine != (*positions)->end()) rows.Merge(mine->second);
    }
  }
  for (const auto& [ids, deletes] : by_equality) {
    TARN_RETURN_IF_ERROR(
        AddEqualityDeleted(home, locations, snapshot, *state, file, deletes, rows));
  }
  return rows;
}

Result<RowSet> DeletedRowsReader::ReadVector(const TableHome& home, const Locations& locations,
                                             const DeleteFile& deletes) const {
  TARN_ASSIGN_OR_RETURN(const Path object, locations.Resolve(deletes.location));
  if (!deletes.offset || *deletes.offset < 0 || deletes.size_bytes <= 0) {
    return Corrupt("a deletion vector without 'content_offset' and 'content_size_in_bytes'");
  }
  Result<Bytes> framed = home.storage.ReadRange(object, {*deletes.offset, deletes.size_bytes});
  if (!framed.ok()) {
    if (framed.error().code == ErrorCode::kInvalid)
      return Corrupt("shorter than its metadata says");
    return std::move(framed).error();
  }
  TARN_ASSIGN_OR_RETURN(const BytesView vector, UnframeDeletionVector(*framed));
  TARN_ASSIGN_OR_RETURN(RowSet rows, DecodeDeletionVector(vector, deletes.row_count));
  if (rows.Count() != deletes.row_count) {
    return Corrupt(std::to_string(rows.Count()) + " rows; the manifest says " +
                   std::to_string(deletes.row_count));
  }
  return rows;
}

Result<std::unique_ptr<BatchStream>> DeletedRowsReader::Open(const TableHome& home,
                                                             const Path& object,
                                                             const std::string& format,
                                                             const FileReadOptions& options) const {
  const auto file_format = file_formats_.find(format);
  if (file_format == file_formats_.end()) {
    return Unsupported("iceberg: files of format '" + format + "'");
  }
  TARN_ASSIGN_OR_RETURN(auto reader, home.storage.OpenReader(object));
  return file_format->second->Read(std::move(reader), options);
}

Result<std::shared_ptr<const DeletedRowsReader::RowsByPath>> DeletedRowsReader::Positions(
    const TableHome& home, const Locations& locations, const DeleteFile& deletes) {
  TARN_ASSIGN_OR_RETURN(const Path object, locations.Resolve(deletes.location));
  const std::string key = CacheKey(home, object);
  if (auto cached = decoded_.Find(key)) return cached->positions;
  FileReadOptions options;
  options.schema = PositionProjection();
  options.match = ColumnMatch::kByIdElseAlias;
  TARN_ASSIGN_OR_RETURN(const auto stream, Open(home, object, deletes.format, options));
  auto rows = std::make_shared<RowsByPath>();
  std::string last_location;
  RowSet* last = nullptr;
  RowSet elsewhere;  // of files that are not here
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (batch == nullptr) break;
    const auto& paths = static_cast<const arrow::StringArray&>(*batch->column(0));
    const auto& positions = static_cast<const arrow::Int64Array&>(*batch->column(1));
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      if (paths.IsNull(row) || positions.IsNull(row) || positions.Value(row) < 0) {
        return Corrupt("a row without file and position");
      }
      if (last == nullptr || paths.GetView(row) != last_location) {
        last_location = paths.GetView(row);
        Result<std::string> path = locations.Spell(last_location);
        last = path.ok() ? &(*rows)[*std::move(path)] : &elsewhere;
      }
      last->Add(static_cast<uint64_t>(positions.Value(row)));
    }
  }
  decoded_.Keep(key, {.positions = rows});
  return std::shared_ptr<const RowsByPath>(std::move(rows));
}

Result<std::shared_ptr<const KeySet>> DeletedRowsReader::Keys(const TableHome& home,
                                                              const Locations& locations,
                                                              const Schema& columns,
                                                              const DeleteFile& deletes) {
  TARN_ASSIGN_OR_RETURN(const Path object, locations.Resolve(deletes.location));
  const std::string key = CacheKey(home, object, deletes.equality_ids);
  if (auto cached = decoded_.Find(key)) return cached->keys;
  FileReadOptions options;
  options.schema = columns;
  options.match = ColumnMatch::kByIdElseAlias;
  TARN_ASSIGN_OR_RETURN(const auto stream, Open(home, object, deletes.format, options));
  auto keys = std::make_shared<KeySet>();
  std::string row_key;
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (batch == nullptr) break;
    TARN_ASSIGN_OR_RETURN(auto fields, FieldsOf(*batch, columns, deletes.equality_ids));
    TARN_ASSIGN_OR_RETURN(const RowKeys of_batch, RowKeys::Make(std::move(fields)));
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      row_key.clear();
      of_batch.Append(row, row_key);
      keys->insert(row_key);
    }
  }
  decoded_.Keep(key, {.keys = keys});
  return std::shared_ptr<const KeySet>(std::move(keys));
}

Status DeletedRowsReader::AddEqualityDeleted(const TableHome& home, const Locations& locations,
                                             const Snapshot& snapshot, const IcebergState& state,
                                             const DataFile& file,
                                             const std::vector<const DeleteFile*>& deletes,
                                             RowSet& rows) {
  const std::vector<int32_t>& ids = deletes.front()->equality_ids;
  // A column that the table has lost since still decides.
  Result<Schema> columns = ColumnsHolding(snapshot.metadata.schema, ids);
  for (const Schema& schema : state.metadata->schemas) {
    if (!columns.ok()) columns = ColumnsHolding(schema, ids);
  }
  if (!columns.ok()) return columns.error().WithContext(deletes.front()->location);
  std::vector<std::shared_ptr<const KeySet>> deleted;
  deleted.reserve(deletes.size());
  for (const DeleteFile* one : deletes) {
    auto keys = Keys(home, locations, *columns, *one);
    if (!keys.ok()) {
      return keys.error().WithContext("iceberg: delete file '" + one->location + "'");
    }
    deleted.push_back(*std::move(keys));
  }
  FileReadOptions options;
  options.schema = *columns;
  options.match = ColumnMatch::kByIdElseAlias;
  options.row_positions = true;
  TARN_ASSIGN_OR_RETURN(const Path object, home.ObjectOf(file.path));
  TARN_ASSIGN_OR_RETURN(const auto stream, Open(home, object, file.format, options));
  const PartitionSpec* spec = state.metadata->SpecById(file.spec_id);
  std::string row_key;
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (batch == nullptr) return OkStatus();
    TARN_ASSIGN_OR_RETURN(auto fields, FieldsOf(*batch, *columns, ids));
    for (size_t i = 0; spec != nullptr && i < spec->fields.size(); ++i) {
      // What the table is partitioned by as it is may not stand in the file.
      const PartitionField& part = spec->fields[i];
      const auto place = std::find(ids.begin(), ids.end(), part.source_id);
      if (place == ids.end() || part.transform != TransformKind::kIdentity) continue;
      const auto at = static_cast<size_t>(place - ids.begin());
      if (columns->fields[at].id != part.source_id || i >= file.partition.size()) continue;
      TARN_ASSIGN_OR_RETURN(fields[at],
                            Repeat(columns->fields[at].type, file.partition[i], batch->num_rows()));
    }
    const auto& positions =
        static_cast<const arrow::Int64Array&>(*batch->column(batch->num_columns() - 1));
    TARN_ASSIGN_OR_RETURN(const RowKeys of_batch, RowKeys::Make(std::move(fields)));
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      row_key.clear();
      of_batch.Append(row, row_key);
      const bool gone = std::any_of(deleted.begin(), deleted.end(), [&](const auto& keys) {
        return keys->contains(std::string_view(row_key));
      });
      if (gone) rows.Add(static_cast<uint64_t>(positions.Value(row)));
    }
  }
}

}  // namespace tarn::iceberg
