#include "tarn/query/row_lineage.h"

#include "tarn/duck/duck_session.h"

namespace tarn {

std::vector<LineageColumn> LineageOfRows(const ScanPlan& plan, const std::vector<Field>& fields,
                                         const std::string& alias) {
  if (fields.empty()) return {};
  std::string first_rows;
  std::string numbers;
  const auto append = [](std::string& list, int64_t number) {
    list +=
        (list.empty() ? "" : ", ") + (number < 0 ? std::string("NULL") : std::to_string(number));
  };
  for (const FileBatch& batch : plan.batches) {
    for (size_t row = 0; row < static_cast<size_t>(batch.size); ++row) {
      const int64_t first = batch.first_row_id.empty() ? -1 : batch.first_row_id[row];
      append(first_rows, first);
      // A row without a number of its own has no last change that could be told either.
      append(numbers, first < 0 ? -1 : batch.sequence_number[row]);
    }
  }
  const std::string table = QuoteIdentifier(alias) + ".";
  const auto of_file = [&](const std::string& list) {
    return "([" + list + "]::BIGINT[])[CAST(" + table + "file_index AS BIGINT) + 1]";
  };
  return {
      {.name = fields[0].name,
       .sql = "coalesce(" + table + QuoteIdentifier(fields[0].name) + ", " + of_file(first_rows) +
              " + " + table + "file_row_number)"},
      {.name = fields[1].name,
       .sql = "coalesce(" + table + QuoteIdentifier(fields[1].name) + ", " + of_file(numbers) + ")",
       .of_last_change = true}};
}

}  // namespace tarn
