#include "tarn/format/iceberg/manifest_list.h"

#include <charconv>
#include <memory>
#include <utility>

#include <arrow/api.h>

#include "tarn/datafile/avro_reader.h"
#include "tarn/format/iceberg/columns_internal.h"

namespace tarn::iceberg {
namespace {

Result<AvroFile> OpenAvro(const TableHome& home, const Path& path) {
  TARN_ASSIGN_OR_RETURN(auto reader, home.storage.OpenReader(path));
  return AvroFile::Open(std::move(reader), path.str());
}

Result<std::vector<std::vector<FieldSummary>>> SummariesOf(
    const std::shared_ptr<arrow::Array>& column, int64_t rows) {
  std::vector<std::vector<FieldSummary>> summaries(static_cast<size_t>(rows));
  if (column == nullptr || column->type_id() != arrow::Type::LIST) return summaries;
  const auto& list = static_cast<const arrow::ListArray&>(*column);
  if (list.values()->type_id() != arrow::Type::STRUCT) {
    return Corrupt("iceberg: manifest list: 'partitions' holds no records");
  }
  const auto& fields = static_cast<const arrow::StructArray&>(*list.values());
  TARN_ASSIGN_OR_RETURN(
      const auto nulls,
      IntegerColumn::Make(ColumnOf(fields, 509, "contains_null"), "contains_null"));
  TARN_ASSIGN_OR_RETURN(const auto nans,
                        IntegerColumn::Make(ColumnOf(fields, 518, "contains_nan"), "contains_nan"));
  TARN_ASSIGN_OR_RETURN(const auto lower,
                        BytesColumn::Make(ColumnOf(fields, 510, "lower_bound"), "lower_bound"));
  TARN_ASSIGN_OR_RETURN(const auto upper,
                        BytesColumn::Make(ColumnOf(fields, 511, "upper_bound"), "upper_bound"));
  for (int64_t row = 0; row < rows; ++row) {
    if (list.IsNull(row)) continue;
    auto& of_row = summaries[static_cast<size_t>(row)];
    of_row.reserve(static_cast<size_t>(list.value_length(row)));
    for (int64_t at = list.value_offset(row); at < list.value_offset(row + 1); ++at) {
      FieldSummary summary;
      summary.contains_null = nulls.Or(at, 1) != 0;
      if (const auto nan = nans.At(at)) summary.contains_nan = *nan != 0;
      if (const auto bound = lower.At(at)) summary.lower = Bytes(*bound);
      if (const auto bound = upper.At(at)) summary.upper = Bytes(*bound);
      of_row.push_back(std::move(summary));
    }
  }
  return summaries;
}

Status TakeBatch(const arrow::RecordBatch& batch, std::vector<ManifestFile>& manifests) {
  const auto numbers = [&](int32_t id, const char* name) {
    return IntegerColumn::Make(ColumnOf(batch, id, name), name);
  };
  const auto bytes = [&](int32_t id, const char* name) {
    return BytesColumn::Make(ColumnOf(batch, id, name), name);
  };
  TARN_ASSIGN_OR_RETURN(const auto path, bytes(500, "manifest_path"));
  TARN_ASSIGN_OR_RETURN(const auto length, numbers(501, "manifest_length"));
  TARN_ASSIGN_OR_RETURN(const auto spec, numbers(502, "partition_spec_id"));
  TARN_ASSIGN_OR_RETURN(const auto content, numbers(517, "content"));
  TARN_ASSIGN_OR_RETURN(const auto sequence, numbers(515, "sequence_number"));
  TARN_ASSIGN_OR_RETURN(const auto min_sequence, numbers(516, "min_sequence_number"));
  TARN_ASSIGN_OR_RETURN(const auto snapshot, numbers(503, "added_snapshot_id"));
  TARN_ASSIGN_OR_RETURN(const auto added, numbers(504, "added_files_count"));
  TARN_ASSIGN_OR_RETURN(const auto existing, numbers(505, "existing_files_count"));
  TARN_ASSIGN_OR_RETURN(const auto deleted, numbers(506, "deleted_files_count"));
  TARN_ASSIGN_OR_RETURN(const auto added_rows, numbers(512, "added_rows_count"));
  TARN_ASSIGN_OR_RETURN(const auto existing_rows, numbers(513, "existing_rows_count"));
  TARN_ASSIGN_OR_RETURN(const auto deleted_rows, numbers(514, "deleted_rows_count"));
  TARN_ASSIGN_OR_RETURN(auto partitions,
                        SummariesOf(ColumnOf(batch, 507, "partitions"), batch.num_rows()));
  TARN_ASSIGN_OR_RETURN(const auto key, bytes(519, "key_metadata"));
  TARN_ASSIGN_OR_RETURN(const auto first_row, numbers(520, "first_row_id"));
  manifests.reserve(manifests.size() + static_cast<size_t>(batch.num_rows()));
  for (int64_t row = 0; row < batch.num_rows(); ++row) {
    ManifestFile manifest;
    const auto location = path.At(row);
    if (!location) return Corrupt("iceberg: manifest list: 'manifest_path' is missing");
    manifest.location = *location;
    manifest.length = length.Or(row, 0);
    manifest.spec_id = static_cast<int32_t>(spec.Or(row, 0));
    manifest.content = content.Or(row, 0) == 1 ? ManifestContent::kDeletes : ManifestContent::kData;
    manifest.sequence_number = sequence.Or(row, 0);
    manifest.min_sequence_number = min_sequence.Or(row, 0);
    manifest.added_snapshot_id = snapshot.Or(row, 0);
    manifest.added_files = added.At(row);
    manifest.existing_files = existing.At(row);
    manifest.deleted_files = deleted.At(row);
    manifest.added_rows = added_rows.At(row);
    manifest.existing_rows = existing_rows.At(row);
    manifest.deleted_rows = deleted_rows.At(row);
    manifest.partitions = std::move(partitions[static_cast<size_t>(row)]);
    if (const auto metadata = key.At(row)) manifest.key_metadata = Bytes(*metadata);
    manifest.first_row_id = first_row.At(row);
    manifests.push_back(std::move(manifest));
  }
  return OkStatus();
}

Result<ManifestFile> DescribeNamed(const TableHome& home, const Locations& locations,
                                   const SnapshotEntry& snapshot, const std::string& location) {
  ManifestFile manifest;
  manifest.location = location;
  manifest.added_snapshot_id = snapshot.id;
  TARN_ASSIGN_OR_RETURN(const Path path, locations.Resolve(location));
  TARN_ASSIGN_OR_RETURN(const AvroFile file, OpenAvro(home, path));
  if (const std::string* spec = file.header().Find("partition-spec-id")) {
    std::from_chars(spec->data(), spec->data() + spec->size(), manifest.spec_id);
  }
  return manifest;
}

}  // namespace

Result<std::vector<ManifestFile>> ReadManifests(Runtime& runtime, const TableHome& home,
                                                const Locations& locations,
                                                const SnapshotEntry& snapshot) {
  std::vector<ManifestFile> manifests;
  if (snapshot.manifest_list.empty()) {
    for (const std::string& location : snapshot.manifests) {
      TARN_ASSIGN_OR_RETURN(ManifestFile manifest,
                            DescribeNamed(home, locations, snapshot, location));
      manifests.push_back(std::move(manifest));
    }
    return manifests;
  }
  TARN_ASSIGN_OR_RETURN(const Path path, locations.Resolve(snapshot.manifest_list));
  TARN_ASSIGN_OR_RETURN(const AvroFile file, OpenAvro(home, path));
  TARN_ASSIGN_OR_RETURN(const auto rows, file.Read(runtime, AvroReadOptions{}));
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
    if (batch == nullptr) return manifests;
    Status taken = TakeBatch(*batch, manifests);
    if (!taken.ok()) return taken.error().WithContext("'" + path.str() + "'");
  }
}

}  // namespace tarn::iceberg
