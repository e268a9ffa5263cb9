#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tarn/model/commit.h"

namespace tarn::testing {

// id bigint, day string; partitioned by day.
inline TableMetadata EventsMetadata() {
  TableMetadata metadata;
  metadata.table_id = "7e57ab1e-0000-4000-8000-000000000001";
  metadata.schema.fields = {{.id = 1, .name = "id", .type = Type::Of(TypeKind::kInt64)},
                            {.id = 2, .name = "day", .type = Type::Of(TypeKind::kString)}};
  metadata.schema.last_column_id = 2;
  metadata.specs = {PartitionSpec{
      .id = 0, .fields = {PartitionField{.source_id = 2, .field_id = 1000, .name = "day"}}}};
  return metadata;
}

inline Commit CreateEvents(std::string id) {
  Commit commit;
  commit.id = std::move(id);
  commit.operation = {.kind = OperationKind::kCreate, .name = "CREATE TABLE"};
  commit.metadata = EventsMetadata();
  return commit;
}

inline DataFile FileOf(const std::string& day, const std::string& name, int64_t rows = 1) {
  DataFile file;
  file.path = "day=" + day + "/" + name;
  file.size_bytes = 100 + rows;
  file.record_count = rows;
  file.partition = {Value(day)};
  return file;
}

inline Commit Append(std::string id, std::vector<DataFile> files) {
  Commit commit;
  commit.id = std::move(id);
  commit.operation = {.kind = OperationKind::kAppend, .name = "WRITE"};
  commit.added = std::move(files);
  return commit;
}

inline Expression DayIs(const std::string& day) {
  return Expression::Compare(Expression::Op::kEqual, 2, Value(day));
}

// Dynamic overwrite of one day: reads the day, removes what it found there, adds `files`.
inline Commit OverwriteDay(std::string id, const std::string& day, std::vector<DataFile> removed,
                           std::vector<DataFile> added) {
  Commit commit;
  commit.id = std::move(id);
  commit.operation = {.kind = OperationKind::kOverwrite, .name = "WRITE"};
  for (DataFile& file : removed) {
    if (file.location.empty()) file.location = file.path;
  }
  commit.removed = std::move(removed);
  commit.added = std::move(added);
  commit.reads.predicates = {DayIs(day)};
  return commit;
}

}  // namespace tarn::testing
