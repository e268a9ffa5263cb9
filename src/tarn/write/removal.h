#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/scan/plan.h"
#include "tarn/scan/read.h"
#include "tarn/table/table.h"
#include "tarn/write/table_writer.h"

namespace tarn {

// The live rows of a plan's files for which a predicate is true, by file and position. Files
// without such a row are left out.
using RowFinder = std::function<Result<std::vector<RowDelete>>(const ScanPlan& files)>;

// A finder that evaluates `where_sql` (an expression over the table's columns) with DuckDB on
// batches of the plan. References outlive it. Predicates with subqueries need a finder of the
// caller's.
RowFinder FindRowsBySql(Runtime& runtime, const Table& table,
                        const Registry<FileFormat>& file_formats, std::string where_sql);

// How the rows that match a predicate leave a table.
struct RemovalPlan {
  std::vector<DataFile> removed;  // whole files, known by metadata or by finding all rows
  ScanPlan touched;               // files of which some rows go
  std::map<std::string, RowSet> rows_by_path;  // those rows
  int64_t rows_removed = 0;                    // -1: a whole file did not say how many it held
};

// What of `base` matches `where`: files whose every row surely does go without a look inside; in
// the others that may match, `find` looks for rows. `find` is not called when there is none.
Result<RemovalPlan> PlanRemoval(const Table& table, const Snapshot& base, const Expression& where,
                                const RowFinder& find);

// Copies a stream into a writer.
Status WriteAll(BatchStream& rows, TableWriter& writer);

// Rows of the plan's touched files that stay, with their lineage as the ticket asks.
Result<std::unique_ptr<BatchStream>> ReadSurvivors(Runtime& runtime, const Table& table,
                                                   const Registry<FileFormat>& file_formats,
                                                   const RemovalPlan& plan,
                                                   const WriteTicket& ticket);

// The table as the files have it that hold moved rows: with the ticket's columns of row lineage.
TableMetadata WithRowLineage(TableMetadata metadata, const WriteTicket& ticket);

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
  // `change`: "insert", "delete", "update_preimage" or "update_postimage".
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
