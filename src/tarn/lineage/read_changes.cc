#include <algorithm>
#include <vector>

#include "tarn/lineage/reader_internal.h"

// Statements that change a table, wherever they stand, and what they return: PostgreSQL's WITH
// moved AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM moved.
namespace tarn::lineage {
namespace {

using sql::tree::NodeKind;

}  // namespace

bool Reader::IsChange(const Node& statement) {
  return statement.kind == NodeKind::kInsert || statement.kind == NodeKind::kMerge ||
         statement.kind == NodeKind::kUpdate || statement.kind == NodeKind::kDelete;
}

const Relation* Reader::ReadChange(const Node& statement, CteScope* ctes) {
  const auto read = [&](const auto& change, auto how) {
    CteScope* const inner = WithCtes(change.with, ctes, nullptr);
    const Relation* const rows = how(change, inner);
    WarnUnused(inner, ctes);
    return rows;
  };
  switch (statement.kind) {
    case NodeKind::kInsert:
      return read(
          static_cast<const sql::tree::Insert&>(statement),
          [&](const auto& insert, CteScope* seen) { return ReadInsert(insert, nullptr, seen); });
    case NodeKind::kMerge:
      return read(static_cast<const sql::tree::Merge&>(statement),
                  [&](const auto& merge, CteScope* seen) { return ReadMerge(merge, seen); });
    case NodeKind::kUpdate:
      return read(static_cast<const sql::tree::Update&>(statement),
                  [&](const auto& update, CteScope* seen) { return ReadUpdate(update, seen); });
    default:
      return read(static_cast<const sql::tree::Delete&>(statement),
                  [&](const auto& change, CteScope* seen) { return ReadDelete(change, seen); });
  }
}

NameId Reader::TargetAlias(const sql::tree::Table& table) {
  const auto& parts = table.name.parts;
  return parts.empty() ? kNoName : session_.Part(parts[parts.size() - 1]);
}

const Relation* Reader::Changed(const Relation& before, uint32_t dataset, size_t written_from) {
  std::vector<RelationColumn>& columns = Columns();
  columns.assign(before.columns.begin(), before.columns.end());
  for (size_t index = written_from; index < written_.size(); ++index) {
    const Written& written = written_[index];
    if (written.dataset != dataset) continue;
    const NameId name = leaves_[written.leaf].name;
    const auto column = std::find_if(columns.begin(), columns.end(), [&](const auto& other) {
      return other.name == name && !other.star;
    });
    if (column != columns.end()) {
      column->value = written.value;
    } else {
      columns.insert(columns.begin(), {.name = name, .value = written.value});
    }
  }
  const Relation* const changed =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), before.effects);
  GiveBack();
  return changed;
}

void Reader::ChangeTarget(Scope& scope, uint32_t dataset, size_t written_from) {
  const std::span<const RelationColumn> before = scope.bindings[0].relation->columns;
  const Relation* const changed = Changed(*scope.bindings[0].relation, dataset, written_from);
  scope.bindings[0].relation = changed;
  // Those without a qualifier: of the table they were first in the list.
  std::vector<VisibleColumn> visible;
  visible.reserve(scope.visible.size() + changed->columns.size());
  for (const RelationColumn& column : changed->columns) {
    visible.push_back({.name = column.name, .column = &column});
  }
  for (const VisibleColumn& other : scope.visible) {
    const bool of_target = std::any_of(before.begin(), before.end(),
                                       [&](const auto& column) { return &column == other.column; });
    if (!of_target) visible.push_back(other);
  }
  scope.visible = std::move(visible);
}

const Relation* Reader::Returned(List<const sql::tree::Alias*> items, Scope& scope,
                                 std::span<const Origin> effects) {
  if (items.empty()) return empty_;
  std::vector<RelationColumn>& columns = Columns();
  ReadItems(items, scope, columns);
  const Relation* const rows =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), effects);
  GiveBack();
  return rows;
}

}  // namespace tarn::lineage
