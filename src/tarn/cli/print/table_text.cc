#include "tarn/cli/print/table_text.h"

#include <fmt/format.h>

#include "tarn/base/counted.h"
#include "tarn/base/text.h"
#include "tarn/cli/print/json_report.h"
#include "tarn/cli/print/text_table.h"
#include "tarn/engine/table_lineage.h"

namespace tarn::cli {
namespace {

constexpr size_t kPartitionsShown = 40;
constexpr size_t kFilesShown = 5;  // of one partition

std::string CountText(int64_t count) { return count < 0 ? "?" : HumanCount(count); }
std::string RowsText(int64_t count) { return count < 0 ? "? rows" : Counted(count, "row"); }

std::string TotalsText(const FileTotals& totals) {
  std::string text = fmt::format("{}, {}, {}", Counted(totals.files, "file"), RowsText(totals.rows),
                                 HumanBytes(totals.bytes));
  if (totals.deleted_rows > 0)
    text += fmt::format(" ({} deleted in place)", RowsText(totals.deleted_rows));
  return text;
}

int64_t LiveRows(const DataFile& file) {
  int64_t rows = file.record_count;
  if (rows < 0) return -1;
  for (const DeleteFile& deletes : file.deletes) rows -= deletes.row_count;
  return rows;
}

int64_t LiveRows(const PartitionFacts& partition, const DataFile& file) {
  const auto deleted = partition.deleted_rows.find(file.path);
  if (file.record_count < 0 || deleted == partition.deleted_rows.end()) return file.record_count;
  return file.record_count - deleted->second;
}

void AppendFields(const std::vector<Field>& fields, int depth,
                  std::vector<std::vector<std::string>>& rows) {
  for (const Field& field : fields) {
    const Type& type = field.type;
    const bool nested = type.IsNested();
    // A struct's members follow on lines of their own; repeating them in the type helps nobody.
    std::string type_text = type.kind == TypeKind::kStruct ? "struct" : TypeToText(type);
    rows.push_back(
        {std::to_string(field.id), std::string(static_cast<size_t>(depth) * 2, ' ') + field.name,
         std::move(type_text), field.required ? "not null" : "",
         field.write_default_sql ? "default " + *field.write_default_sql : "", field.doc});
    if (nested) AppendFields(type.fields, depth + 1, rows);
  }
}

std::string OrNone(const std::string& text) { return text.empty() ? "none" : text; }

// The partition's values under the spec of its files.
std::string PartitionText(const TableFacts& facts, const PartitionFacts& partition) {
  const PartitionSpec* spec = facts.snapshot.metadata.SpecById(partition.spec_id);
  if (spec == nullptr || spec->IsUnpartitioned()) return "";
  return PartitionToText(*spec, partition.values);
}

std::string Section(const std::string& title, const std::string& body) {
  std::string text = title + "\n";
  for (const std::string& line : Split(body, '\n')) {
    if (!line.empty()) text += "  " + line + "\n";
  }
  return text;
}

std::string PairsText(const std::map<std::string, std::string>& pairs) {
  std::vector<std::string> shown;
  shown.reserve(pairs.size());
  for (const auto& [key, value] : pairs) shown.push_back(key + "=" + value);
  return Join(shown, ", ");
}

std::string PartitionsText(const TableFacts& facts) {
  std::vector<std::vector<std::string>> rows;
  size_t shown = 0;
  for (const PartitionFacts& partition : facts.partitions) {
    if (shown++ == kPartitionsShown) break;
    const std::string values = PartitionText(facts, partition);
    rows.push_back({values.empty() ? "(all)" : values, HumanCount(partition.totals.files),
                    CountText(partition.totals.rows), HumanBytes(partition.totals.bytes)});
    for (size_t i = 0; i < partition.files.size() && i < kFilesShown; ++i) {
      const DataFile& file = partition.files[i];
      rows.push_back({"  " + file.path, "", CountText(LiveRows(partition, file)),
                      HumanBytes(file.size_bytes)});
    }
    if (partition.files.size() > kFilesShown) {
      rows.push_back({fmt::format("  … {} more", HumanCount(static_cast<int64_t>(
                                                     partition.files.size() - kFilesShown))),
                      "", "", ""});
    }
  }
  std::string text = PlainTable(
      {{"partition"}, {"files", Align::kRight}, {"rows", Align::kRight}, {"size", Align::kRight}},
      rows);
  if (facts.partitions.size() > kPartitionsShown) {
    text +=
        fmt::format("… {} more partitions; `tarn table files` lists all\n",
                    HumanCount(static_cast<int64_t>(facts.partitions.size() - kPartitionsShown)));
  }
  return text;
}

}  // namespace

std::string SchemaText(const Schema& schema) {
  std::vector<std::vector<std::string>> rows;
  AppendFields(schema.fields, 0, rows);
  return PlainTable({{"id", Align::kRight}, {"name"}, {"type"}, {""}, {""}, {"comment"}}, rows);
}

std::string TableFactsText(const TableFacts& facts) {
  const TableMetadata& metadata = facts.snapshot.metadata;
  std::vector<std::vector<std::string>> head = {
      {"table", facts.name},
      {"format", facts.format},
      {"location", facts.location},
      {"version", facts.snapshot.version.text + " of " + TimeOfMillis(facts.snapshot.timestamp_ms)},
      {"partitioned by", OrNone(SpecToText(metadata.default_spec(), metadata.schema))},
      {"holds", TotalsText(facts.totals)},
      {"columns by", metadata.column_match == ColumnMatch::kByName ? "name" : "id"}};
  if (!metadata.sort_order.IsUnsorted()) {
    head.push_back({"rows ordered by", SortOrderToText(metadata.sort_order, metadata.schema)});
  }
  if (metadata.writer_version > 0) {
    std::string protocol =
        fmt::format("reader {}, writer {}", metadata.reader_version, metadata.writer_version);
    std::vector<std::string> features = metadata.writer_features;
    for (const std::string& feature : metadata.reader_features) {
      bool known = false;
      for (const std::string& other : features) known = known || other == feature;
      if (!known) features.push_back(feature);
    }
    if (!features.empty()) protocol += ": " + Join(features, ", ");
    head.push_back({"protocol", protocol});
  }
  if (!metadata.description.empty()) head.push_back({"comment", metadata.description});
  std::string text;
  for (const auto& line : head) text += fmt::format("{:<15} {}\n", line[0], line[1]);
  text += "\n" + Section("columns", SchemaText(metadata.schema));
  if (!metadata.constraints.empty()) {
    std::string body;
    for (const CheckConstraint& constraint : metadata.constraints) {
      body += constraint.name + ": " + constraint.sql + "\n";
    }
    text += "\n" + Section("constraints", body);
  }
  if (!metadata.properties.empty()) {
    std::string body;
    for (const auto& [key, value] : metadata.properties) body += key + " = " + value + "\n";
    text += "\n" + Section("properties", body);
  }
  if (!facts.partitions.empty()) text += "\n" + Section("partitions", PartitionsText(facts));
  return text;
}

std::string HistoryText(const std::vector<Commit>& commits, WithLineage lineage) {
  std::vector<std::vector<std::string>> rows;
  for (const Commit& commit : commits) {
    std::string who = commit.engine;
    if (!commit.writer.empty()) who += (who.empty() ? "" : " ") + commit.writer;
    rows.push_back({commit.version.text, TimeOfMillis(commit.timestamp_ms), commit.operation.name,
                    PairsText(commit.operation.parameters), PairsText(commit.operation.metrics),
                    who});
  }
  std::string table = PlainTable(
      {{"version", Align::kRight}, {"time"}, {"operation"}, {"parameters"}, {"metrics"}, {"by"}},
      rows);
  if (lineage == WithLineage::kNo) return table;
  // The header, then a line per commit.
  std::vector<std::string> lines = Split(table, '\n');
  std::string text = lines[0] + "\n";
  for (size_t i = 0; i < commits.size(); ++i) {
    text += lines[i + 1] + "\n";
    const auto told = CommitLineageLines(commits[i]);
    if (!told.ok()) {
      text += "    " + told.error().message + "\n";
      continue;
    }
    for (const std::string& line : *told) text += "    " + line + "\n";
  }
  return text;
}

std::string FilesText(const TableFacts& facts) {
  std::vector<std::vector<std::string>> rows;
  for (const PartitionFacts& partition : facts.partitions) {
    for (const DataFile& file : partition.files) {
      rows.push_back({file.path, PartitionText(facts, partition),
                      CountText(LiveRows(partition, file)), HumanBytes(file.size_bytes)});
    }
  }
  return PlainTable({{"file"}, {"partition"}, {"rows", Align::kRight}, {"size", Align::kRight}},
                    rows) +
         TotalsText(facts.totals) + "\n";
}

std::string DiffText(const TableDiff& diff) {
  std::string text = "from version " + diff.from.text + " to " + diff.to.text + "\n";
  const auto lines = [&](const std::string& title, const std::vector<std::string>& changes) {
    if (!changes.empty()) text += "\n" + Section(title, Join(changes, "\n"));
  };
  lines("schema", diff.schema_changes);
  lines("properties", diff.property_changes);
  lines("table", diff.other_changes);
  std::vector<std::string> files;
  for (const DataFile& file : diff.files_added) {
    files.push_back(fmt::format("+ {}  {}, {}", file.path, RowsText(LiveRows(file)),
                                HumanBytes(file.size_bytes)));
  }
  for (const DataFile& file : diff.files_removed) {
    files.push_back(fmt::format("- {}  {}, {}", file.path, RowsText(LiveRows(file)),
                                HumanBytes(file.size_bytes)));
  }
  for (const DataFile& file : diff.files_with_rows_deleted) {
    files.push_back(fmt::format("~ {}  {} left", file.path, RowsText(LiveRows(file))));
  }
  lines("files", files);
  text += fmt::format("\nadded {}; removed {}", TotalsText(diff.added), TotalsText(diff.removed));
  if (diff.rows_deleted_in_files != 0) {
    text += fmt::format("; {} deleted in files that stay", RowsText(diff.rows_deleted_in_files));
  }
  return text + "\n";
}

}  // namespace tarn::cli
