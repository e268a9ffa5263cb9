#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/scan/read.h"
#include "tarn/table/table.h"
#include "tarn/write/delete_rows.h"
#include "tarn/write/table_writer.h"

namespace tarn {

// Copies a stream into a writer.
Status WriteAll(BatchStream& rows, TableWriter& writer);

// Rows of the plan's touched files that stay.
Result<std::unique_ptr<BatchStream>> ReadSurvivors(Runtime& runtime, const Table& table,
                                                   const Registry<FileFormat>& file_formats,
                                                   const RemovalPlan& plan);

// Rows that go: picked ones of touched files and all of the removed.
Result<std::vector<std::unique_ptr<BatchStream>>> ReadRemoved(
    Runtime& runtime, const Table& table, const Registry<FileFormat>& file_formats,
    const Snapshot& base, const RemovalPlan& plan);

// Writes change data: rows of the table with a column _change_type, into _change_data/ (Delta,
// "Add CDC File"). Ids and places of other columns are the table's.
class ChangeWriter {
 public:
  static Result<std::unique_ptr<ChangeWriter>> Make(Runtime& runtime, Table& table,
                                                    const FileFormat& file_format,
                                                    const TableMetadata& metadata,
                                                    const WriteTicket& ticket);
  // `change`: "insert" or "delete".
  Status Write(const arrow::RecordBatch& batch, const std::string& change);
  Status WriteAll(BatchStream& rows, const std::string& change);
  Result<std::vector<DataFile>> Finish() { return writer_->Finish(); }

 private:
  ChangeWriter(std::unique_ptr<TableWriter> writer, Schema table_schema)
      : writer_(std::move(writer)), table_schema_(std::move(table_schema)) {}
  std::unique_ptr<TableWriter> writer_;
  Schema table_schema_;
};

}  // namespace tarn
