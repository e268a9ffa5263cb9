#include "tarn/query/row_finder.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <map>
#include <utility>

namespace tarn {

RowFinder FindRowsInDuck(StatementContext& context, std::shared_ptr<Table> table, std::string alias,
                         std::string where) {
  return [&context, table = std::move(table), alias = std::move(alias),
          where = std::move(where)](const ScanPlan& files) -> Result<std::vector<RowDelete>> {
    const std::string key = context.tables.AddOwnScan(std::make_shared<TableScan>(
        table, files, std::map<std::string, RowSet, std::less<>>(), /*skipping=*/false));
    TARN_ASSIGN_OR_RETURN(
        auto rows,
        context.session.Query("SELECT CAST(file_index AS BIGINT), file_row_number FROM " +
                              StatementTables::FromText(key, "t") + " AS " +
                              QuoteIdentifier(alias) + " WHERE (" + where + "\n)"));
    std::map<int64_t, RowSet> found;
    while (true) {
      TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
      if (batch == nullptr) break;
      const auto& file = static_cast<const arrow::Int64Array&>(*batch->column(0));
      const auto& row = static_cast<const arrow::Int64Array&>(*batch->column(1));
      for (int64_t i = 0; i < batch->num_rows(); ++i) {
        found[file.Value(i)].Add(static_cast<uint64_t>(row.Value(i)));
      }
    }
    std::vector<RowDelete> deletes;
    int64_t begin = 0;
    for (const FileBatch& batch : files.batches) {
      for (auto at = found.lower_bound(begin); at != found.end() && at->first < begin + batch.size;
           ++at) {
        deletes.push_back({batch.At(at->first - begin), std::move(at->second)});
      }
      begin += batch.size;
    }
    return deletes;
  };
}

}  // namespace tarn
