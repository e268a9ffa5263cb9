#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/format/iceberg/location.h"
#include "tarn/model/data_file.h"
#include "tarn/model/row_set.h"
#include "tarn/table/table_format.h"
#include "tarn/table/table_home.h"

namespace tarn::iceberg {

// What an entry says of a new delete file of positions.
struct NewDelete {
  DataFile file;  // of the deletes: location, format, sizes, record count; spec and partition of
                  // the data files it applies to
  std::optional<std::string> referenced_data_file = {};  // the only one, as the manifest spells it
  std::optional<int64_t> content_offset = {};            // of a deletion vector
  std::optional<int64_t> content_size = {};
  std::optional<std::pair<int64_t, int64_t>> positions = {};  // the lowest and the highest
};

// Delete files about to be: their entries, the objects to stage, and the data files whose older
// deletion vector is contained in a new one.
struct NewDeletes {
  std::vector<NewDelete> entries = {};
  std::vector<NewObject> objects = {};
  std::set<std::string, std::less<>> replaced = {};
};

struct DeleteWriterTools {
  const FileFormat* parquet = nullptr;
  // The rows that a file's deletes take away.
  std::function<Result<RowSet>(const DataFile& file)> deleted;
};

// Rows of data files as the table's version frames them (specification, "Position Delete Files",
// "Deletion Vectors"):
//   version 2  a Parquet file of (file_path, pos), sorted, per partition
//   version 3  one Puffin file with a vector per data file; what its older vector and position
//              deletes took is in it, so that there is one at most
// `name` begins the files' names. kUnsupported in version 1.
Result<NewDeletes> WriteDeletes(const TableHome& home, const Locations& locations,
                                int32_t format_version, const std::string& name,
                                const std::vector<RowDelete>& deletes,
                                const DeleteWriterTools& tools);

}  // namespace tarn::iceberg
