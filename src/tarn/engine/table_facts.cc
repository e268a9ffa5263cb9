#include "tarn/engine/table_facts.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "tarn/scan/deleted_row_count.h"
#include "tarn/scan/plan.h"

namespace tarn {
namespace {

void Count(const DataFile& file, int64_t deleted, FileTotals& totals) {
  totals.files += 1;
  totals.bytes += file.size_bytes;
  totals.deleted_rows += deleted;
  if (file.record_count < 0 || totals.rows < 0) {
    totals.rows = -1;
  } else {
    totals.rows += file.record_count - deleted;
  }
}

// Types of a spec's partition values.
Result<std::vector<Type>> PartitionTypes(const Schema& schema, const PartitionSpec& spec) {
  std::vector<Type> types;
  for (const PartitionField& field : spec.fields) {
    const Field* source = schema.FindById(field.source_id);
    if (source == nullptr) {
      types.push_back(Type::Of(TypeKind::kString));
      continue;
    }
    TARN_ASSIGN_OR_RETURN(Type type, TransformedType(field, source->type));
    types.push_back(std::move(type));
  }
  return types;
}

}  // namespace

Result<TableFacts> ReadTableFacts(const Table& table, const AsOf& as_of, FileBounds bounds) {
  TableFacts facts;
  facts.name = table.name;
  facts.format = table.format->name();
  facts.location = table.home.storage.root_uri();
  if (!facts.location.ends_with('/')) facts.location += '/';
  facts.location += table.home.root.str();
  TARN_ASSIGN_OR_RETURN(facts.snapshot, table.Load(as_of));
  const TableMetadata& metadata = facts.snapshot.metadata;

  FileRequest request;
  request.all_bounds = bounds == FileBounds::kYes;
  TARN_ASSIGN_OR_RETURN(const ScanPlan plan,
                        PlanScan(*table.format, table.home, facts.snapshot, request));
  using Values = std::vector<std::optional<std::string>>;
  std::map<std::pair<int32_t, Values>, PartitionFacts> partitions;
  for (const FileBatch& batch : plan.batches) {
    const PartitionSpec* spec = metadata.SpecById(batch.spec_id);
    if (spec == nullptr)
      return Corrupt("table '" + table.name + "': a file has an unknown partition spec");
    TARN_ASSIGN_OR_RETURN(const std::vector<Type> types, PartitionTypes(metadata.schema, *spec));
    for (int64_t i = 0; i < batch.size; ++i) {
      DataFile file = batch.At(i);
      Values values;
      for (size_t field = 0; field < types.size() && field < file.partition.size(); ++field) {
        const Value& value = file.partition[field];
        values.push_back(IsNull(value) ? std::nullopt
                                       : std::optional(ValueToText(types[field], value)));
      }
      PartitionFacts& partition = partitions[{batch.spec_id, values}];
      TARN_ASSIGN_OR_RETURN(const int64_t deleted,
                            DeletedRowCount(*table.format, table.home, facts.snapshot, file));
      Count(file, deleted, partition.totals);
      Count(file, deleted, facts.totals);
      if (deleted > 0) partition.deleted_rows[file.path] = deleted;
      partition.files.push_back(std::move(file));
    }
  }
  for (auto& [key, partition] : partitions) {
    std::tie(partition.spec_id, partition.values) = key;
    std::sort(partition.files.begin(), partition.files.end(),
              [](const DataFile& a, const DataFile& b) { return a.path < b.path; });
    facts.partitions.push_back(std::move(partition));
  }
  return facts;
}

Result<std::vector<Commit>> ReadHistory(const Table& table, int64_t limit) {
  TARN_ASSIGN_OR_RETURN(const Snapshot newest, table.Load());
  TARN_ASSIGN_OR_RETURN(
      History history,
      table.format->Commits(table.home, Version{}, newest.version, HistoryDetail::kPeople));
  auto* commits = std::get_if<std::vector<Commit>>(&history);
  if (commits == nullptr) {
    return Corrupt("table '" + table.name + "': the commits before version " + newest.version.text +
                   " cannot be read any more");
  }
  std::reverse(commits->begin(), commits->end());
  if (limit > 0 && commits->size() > static_cast<size_t>(limit)) {
    commits->resize(static_cast<size_t>(limit));
  }
  return std::move(*commits);
}

std::string PartitionToText(const PartitionSpec& spec,
                            const std::vector<std::optional<std::string>>& values) {
  std::string text;
  for (size_t i = 0; i < values.size() && i < spec.fields.size(); ++i) {
    if (i > 0) text += '/';
    text += spec.fields[i].name + "=" + values[i].value_or("NULL");
  }
  return text;
}

}  // namespace tarn
