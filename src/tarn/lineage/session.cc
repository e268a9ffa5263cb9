#include "tarn/lineage/session_internal.h"

#include <algorithm>
#include <utility>

#include "tarn/lineage/relation_internal.h"

namespace tarn::lineage {
namespace {

constexpr int16_t kUnseen = -1;

}  // namespace

FunctionKind Session::KindOf(NameId name) {
  const auto index = static_cast<size_t>(name);
  if (index >= kind_of_name_.size()) kind_of_name_.resize(names_.size() + 64, kUnseen);
  int16_t& kind = kind_of_name_[index];
  if (kind == kUnseen) kind = static_cast<int16_t>(FunctionKindOf(names_.Text(name)));
  return static_cast<FunctionKind>(kind);
}

TableInfo& Session::Table(NameId name) {
  const auto index = static_cast<size_t>(name);
  if (index >= table_of_name_.size()) table_of_name_.resize(names_.size() + 64, kNoIndex);
  if (table_of_name_[index] == kNoIndex) {
    table_of_name_[index] = static_cast<uint32_t>(tables_.size());
    tables_.emplace_back().name = name;
    Learn(tables_.back());
  }
  return tables_[table_of_name_[index]];
}

// What the schema says about `info.name`.
void Session::Learn(TableInfo& info) {
  const TableSchema* const schema = schema_.Find(names_.Text(info.name));
  if (schema == nullptr) return;
  info.known = !schema->columns.empty();
  info.partition_columns = schema->partition_columns;
  info.columns.reserve(schema->columns.size());
  for (const ColumnSchema& column : schema->columns) {
    info.columns.push_back(names_.Fold(column.name));
  }
  if (schema->view_sql.empty()) return;
  info.kind = DatasetKind::kView;
  info.view_default_db = schema->view_default_db;
  info.view_of_schema = true;
  view_scripts_.push_back(
      std::make_unique<sql::ParsedScript>(sql::Parse(schema->view_sql, dialect_)));
  info.view_text = view_scripts_.back()->text;
  if (view_scripts_.back()->statements.empty()) return;
  const sql::tree::Node* const root = view_scripts_.back()->statements.front().root;
  info.view = sql::tree::As<sql::tree::Query>(root);
  if (const auto* create = sql::tree::As<sql::tree::CreateView>(root)) {
    info.view = create->query;
    info.view_columns = create->columns;
  }
}

TableInfo& Session::MakeTable(NameId name, DatasetKind kind, std::vector<NameId> columns) {
  TableInfo& table = Table(name);
  table = TableInfo{.name = name, .kind = kind, .known = true, .columns = std::move(columns)};
  return table;
}

void Session::DropTable(NameId name) {
  TableInfo& table = Table(name);
  table = TableInfo{.name = name};
}

void Session::RenameTable(NameId from, NameId to) {
  TableInfo moved = Table(from);
  moved.name = to;
  Table(to) = std::move(moved);
  DropTable(from);
}

void Session::SwapTables(NameId a, NameId b) {
  Table(a);  // both are looked up before references are held
  TableInfo& second = Table(b);
  TableInfo& first = Table(a);
  std::swap(first, second);
  std::swap(first.name, second.name);
}

const TemporaryView* Session::FindTemporary(NameId name, size_t earlier) const {
  for (size_t index = std::min(earlier, temporary_.size()); index-- > 0;) {
    if (temporary_[index].name != name) continue;
    return temporary_[index].dropped ? nullptr : &temporary_[index];
  }
  return nullptr;
}

void Session::AddTemporary(TemporaryView view) {
  view.earlier = temporary_.size();
  temporary_.push_back(std::move(view));
}

bool Session::DropTemporary(NameId name) {
  if (FindTemporary(name, temporary_.size()) == nullptr) return false;
  temporary_.push_back({.name = name, .earlier = temporary_.size(), .dropped = true});
  return true;
}

}  // namespace tarn::lineage
