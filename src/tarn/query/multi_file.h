#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/duck/duck_session.h"
#include "tarn/duck/file_system.h"
#include "tarn/query/table_scan.h"

namespace tarn {

// Asked while DuckDB binds. What a key of the running statement stands for; the key to use for a
// name that only DuckDB has met (in a view of its own), where kNotFound lets DuckDB look for it
// itself.
using FindScan = std::function<Result<std::shared_ptr<TableScan>>(std::string_view key)>;
using FindTableByName = std::function<Result<std::string>(const std::vector<std::string>& parts)>;

// Keys begin so. FROM "tarn:7".events is a scan of what key "tarn:7" finds, FROM "tarn=8".x the
// batches registered as "tarn=8"; the second part is the name that columns may be qualified with.
inline constexpr std::string_view kScanKeyPrefix = "tarn:";
inline constexpr std::string_view kBatchesKeyPrefix = "tarn=";

// Teaches the session's DuckDB to read Tarn's tables: the table function tarn_scan('<key>'), which
// is DuckDB's own Parquet reader given our files, column ids, partition values and deletes, and the
// names that lead to it. `files` and the callbacks are kept by the session.
// `file_formats` read what DuckDB does not; they outlive the session.
Status InstallScan(DuckSession& session, std::shared_ptr<ObjectFiles> files,
                   const Registry<FileFormat>& file_formats, FindScan find_scan,
                   FindTableByName find_table);

// `where` as an expression over the columns of `scan` (what `key` finds): for deciding which files
// a DELETE touches. Opaque where it is more than the model can say. kInvalid as the binder says.
Result<Expression> BindPredicate(DuckSession& session, const std::string& key,
                                 const TableScan& scan, const std::string& alias,
                                 const std::string& where);

}  // namespace tarn
