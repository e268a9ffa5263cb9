#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/base/runtime.h"
#include "tarn/datafile/file_format.h"
#include "tarn/model/data_file.h"
#include "tarn/model/table_metadata.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn {

struct TableWriterOptions {
  WriteTicket ticket;
  FormatTraits traits;
  // Prefix of the folder data files go to, relative to the table's root; empty: the root. Change
  // data goes to "_change_data".
  std::string folder = {};
};

// Rows into new data files of a table: NOT NULL checked, routed by the partition spec, written on
// all of the executor's threads, rolled at the target size, in bounded memory (the budget's; the
// least recently used open file is closed early when it is short). A table with a sort order gets
// its rows in that order (row_sorter.h): all are there before the first file ends. Files are
// named <uuid>.<format> below name=value folders; nothing refers to them until a commit does. Write
// may be called from one thread at a time. Destroyed without Finish, it removes the files it made.
class TableWriter {
 public:
  virtual ~TableWriter() = default;
  // A batch of the table's schema (see Conform). Errors: kInvalid naming column and row for a NULL
  // in a required column or, where the format cannot tell '' from NULL, an empty string in a
  // partition column (S16); what storage reports.
  virtual Status Write(std::shared_ptr<arrow::RecordBatch> batch) = 0;
  // Closes all files; sorted by path.
  virtual Result<std::vector<DataFile>> Finish() = 0;
  virtual int64_t rows_written() const = 0;
  virtual int64_t bytes_written() const = 0;
};

Result<std::unique_ptr<TableWriter>> MakeTableWriter(Runtime& runtime, Storage& storage,
                                                     const TableHome& home,
                                                     const FileFormat& file_format,
                                                     const TableMetadata& metadata,
                                                     TableWriterOptions options);

}  // namespace tarn
