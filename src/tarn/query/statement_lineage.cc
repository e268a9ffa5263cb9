#include "tarn/query/statement_lineage.h"

#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/lineage/analyze.h"
#include "tarn/lineage/commit_lineage.h"
#include "tarn/sql/dialect.h"

namespace tarn {
namespace {

// What the target is called in the text that is analysed.
constexpr std::string_view kTargetKey = "tarn:target";

// The key in "tarn:3.orders".
std::string_view KeyOf(std::string_view dataset) { return dataset.substr(0, dataset.find('.')); }

// The statement's tables as lineage sees them: the columns of the very snapshots it reads.
class StatementSchema final : public lineage::SchemaProvider {
 public:
  StatementSchema(const StatementTables& tables, const TableMetadata& target) : tables_(tables) {
    known_[std::string(kTargetKey)] = Columns(target.schema.fields);
  }

  const lineage::TableSchema* Find(std::string_view name) const override {
    const std::string key(KeyOf(name));
    const auto known = known_.find(key);
    if (known != known_.end()) return &known->second;
    const auto scan = tables_.Find(key);
    if (!scan.ok()) return nullptr;
    return &known_.emplace(key, Columns((*scan)->columns())).first->second;
  }

 private:
  static lineage::TableSchema Columns(const std::vector<Field>& fields) {
    lineage::TableSchema schema;
    schema.columns.reserve(fields.size());
    for (const Field& field : fields) schema.columns.push_back({field.name});
    return schema;
  }

  const StatementTables& tables_;
  mutable std::unordered_map<std::string, lineage::TableSchema> known_;
};

// Tables by path go by where they are.
std::string NameOf(const Table& table) {
  if (table.name.find('/') == std::string::npos) return table.name;
  std::string root = table.home.storage.root_uri();
  constexpr std::string_view kLocal = "file://";
  if (root.starts_with(kLocal)) root.erase(0, kLocal.size());
  if (!root.ends_with('/')) root += '/';
  return "path:" + root + table.home.root.str();
}

const Field* ColumnCalled(const Schema& schema, const std::string& name) {
  const auto index = schema.IndexOf(name);
  return index ? &schema.fields[*index] : nullptr;
}

class Lineage {
 public:
  Lineage(const StatementTables& tables, const WrittenTable& target)
      : tables_(tables), target_(target) {}

  // `sql` writes the table called Target().
  std::string Of(const std::string& sql, bool replaces) const {
    const StatementSchema schema(tables_, target_.metadata);
    const lineage::ScriptLineage script = lineage::Analyze(sql, sql::DuckDbDialect(), schema);
    if (script.statements.size() != 1) return {};
    const lineage::StatementLineage& statement = script.statements[0];
    for (const lineage::DatasetId output : statement.outputs) {
      if (KeyOf(statement.dataset(output).name) != kTargetKey) continue;
      lineage::CommitLineage compact = lineage::CommitLineageOf(statement, output);
      compact.replaces = replaces;
      GiveNames(compact);
      return lineage::EncodeCommitLineage(compact);
    }
    return {};
  }

  static std::string Target() { return StatementTables::FromText(std::string(kTargetKey), "t"); }

 private:
  // Keys become names, ids and versions; columns are spelled as their tables do.
  void GiveNames(lineage::CommitLineage& lineage) const {
    std::vector<const Schema*> schemas;
    std::vector<std::shared_ptr<TableScan>> scans;  // they keep the schemas
    for (lineage::CommitLineage::Source& source : lineage.sources) {
      schemas.push_back(nullptr);
      const std::string key(KeyOf(source.name));
      if (key == kTargetKey) {  // an UPDATE's own columns
        source = {NameOf(target_.table), target_.metadata.table_id, target_.base.text};
        schemas.back() = &target_.metadata.schema;
        continue;
      }
      auto scan = tables_.Find(key);
      if (!scan.ok()) {
        if (const std::string* title = tables_.TitleOf(key)) source.name = *title;
        continue;
      }
      const TableScan& read = *scans.emplace_back(std::move(scan).value());
      source = {NameOf(read.table()), read.snapshot().metadata.table_id,
                read.snapshot().version.text};
      schemas.back() = &read.snapshot().metadata.schema;
    }
    for (lineage::CommitLineage::Input& input : lineage.inputs) {
      const Schema* const schema = schemas[input.source];
      if (schema == nullptr) continue;
      if (const Field* field = ColumnCalled(*schema, input.column)) {
        input.column = field->name;
        input.field_id = field->id;
      }
    }
    for (lineage::CommitLineage::Output& output : lineage.outputs) {
      if (const Field* field = ColumnCalled(target_.metadata.schema, output.column)) {
        output.column = field->name;
        output.field_id = field->id;
      }
    }
  }

  const StatementTables& tables_;
  const WrittenTable& target_;
};

std::string QuotedList(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) {
    list += (list.empty() ? "" : ", ") + QuoteIdentifier(name);
  }
  return list;
}

}  // namespace

std::string LineageOfInsert(const StatementTables& tables, const WrittenTable& target,
                            const sql::Insert& insert, const std::string& query, bool replaces) {
  std::string sql =
      (insert.mode == sql::Insert::Mode::kInto ? "INSERT INTO " : "INSERT OVERWRITE ") +
      Lineage::Target();
  std::string partitions;
  for (const sql::Insert::Partition& partition : insert.partitions) {
    partitions += (partitions.empty() ? "" : ", ") + QuoteIdentifier(partition.column);
    if (partition.value) partitions += " = " + *partition.value;
  }
  if (!partitions.empty()) sql += " PARTITION (" + partitions + ")";
  if (!insert.columns.empty()) sql += " (" + QuotedList(insert.columns) + ")";
  if (insert.by_name) sql += " BY NAME";
  return Lineage(tables, target).Of(sql + " " + query, replaces);
}

std::string LineageOfCreate(const StatementTables& tables, const WrittenTable& target,
                            const std::string& query) {
  // Columns that the statement lists take the query's by position; else they are called like them.
  return Lineage(tables, target)
      .Of("CREATE TABLE " + Lineage::Target() + " AS " + query, /*replaces=*/true);
}

std::string LineageOfUpdate(const StatementTables& tables, const WrittenTable& target,
                            const std::string& alias, const std::map<size_t, std::string>& values,
                            const std::string& where) {
  std::string assignments;
  for (const auto& [column, value] : values) {
    assignments += (assignments.empty() ? "" : ", ") +
                   QuoteIdentifier(target.metadata.schema.fields[column].name) + " = (" + value +
                   "\n)";
  }
  return Lineage(tables, target)
      .Of("UPDATE " + Lineage::Target() + " AS " + QuoteIdentifier(alias) + " SET " + assignments +
              " WHERE " + where,
          /*replaces=*/false);
}

std::string LineageOfDelete(const StatementTables& tables, const WrittenTable& target,
                            const std::string& alias, const std::string& where) {
  return Lineage(tables, target)
      .Of("DELETE FROM " + Lineage::Target() + " AS " + QuoteIdentifier(alias) + " WHERE " + where,
          /*replaces=*/false);
}

}  // namespace tarn
