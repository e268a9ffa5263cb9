#include <algorithm>
#include <utility>
#include <vector>

#include "tarn/lineage/reader_internal.h"

// Pipe syntax: FROM t |> WHERE … |> AGGREGATE … : each step takes a relation and gives one.
namespace tarn::lineage {

using sql::tree::As;

// `alias` is what |> AS has called the relation so far.
const Relation* Reader::ReadPipe(const sql::tree::Pipe& pipe, const Relation* input, NameId& alias,
                                 Scope* outer, CteScope* ctes) {
  if (pipe.step == "AS") {
    alias = session_.names().Fold(pipe.alias);
    return input;
  }
  if (pipe.set_operation != nullptr) {
    const Relation* const before = std::exchange(pipe_input_, input);
    const Relation* const relation = ReadBody(pipe.set_operation, outer, ctes);
    pipe_input_ = before;
    return relation;
  }
  ScopeLease scope(*this, outer, ctes);
  const size_t mark = Mark();
  std::vector<RelationColumn>& columns = Columns();
  if (pipe.relation != nullptr) {
    const Relation* const before = std::exchange(pipe_input_, input);
    const NameId name = std::exchange(pipe_alias_, alias);
    ReadRelation(pipe.relation, *scope);
    pipe_input_ = before;
    pipe_alias_ = name;
    for (const VisibleColumn& visible : scope->visible) columns.push_back(*visible.column);
  } else {
    PushEffects(input->effects);
    Bind(*scope, input, alias);
    ReadPipeStep(pipe, input, *scope, columns);
  }
  const Relation* const relation =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), Take(mark));
  GiveBack();
  return relation;
}

void Reader::ReadPipeStep(const sql::tree::Pipe& pipe, const Relation* input, Scope& scope,
                          std::vector<RelationColumn>& columns) {
  const auto keep = [&] { columns.assign(input->columns.begin(), input->columns.end()); };
  scope.alias_use = Scope::Aliases::kAfter;
  if (pipe.step == "SELECT") {
    ReadItems(pipe.items, scope, columns);
  } else if (pipe.step == "EXTEND") {
    keep();
    ReadItems(pipe.items, scope, columns);
  } else if (pipe.step == "AGGREGATE") {
    ReadItems(pipe.group_by, scope, columns);
    const WhereGuard guard(*this);
    for (const auto* key : pipe.group_by) {
      where_ = Where(key->span);
      Trace(key->expression, {EdgeKind::kGroupBy}, scope);
    }
    ReadItems(pipe.items, scope, columns);
  } else if (pipe.step == "SET") {
    keep();
    const WhereGuard guard(*this);
    for (const auto* item : pipe.items) {
      const NameId name = session_.names().Fold(item->name);
      where_ = Where(item->span);
      const Value value = ValueOf(item->expression, scope);
      for (RelationColumn& column : columns) {
        if (column.name == name && !column.star) column.value = value;
      }
    }
  } else if (pipe.step == "DROP") {
    keep();
    for (const auto& name : pipe.names) {
      const NameId dropped = session_.names().Fold(name);
      columns.erase(std::remove_if(columns.begin(), columns.end(),
                                   [&](const RelationColumn& column) {
                                     return column.name == dropped && !column.star;
                                   }),
                    columns.end());
    }
  } else if (pipe.step == "RENAME") {
    keep();
    for (const auto* item : pipe.items) {
      const auto* old = As<sql::tree::Column>(item->expression);
      if (old == nullptr) continue;
      const NameId name = session_.Part(old->name.parts[old->name.parts.size() - 1]);
      for (RelationColumn& column : columns) {
        if (column.name == name) column.name = session_.names().Fold(item->name);
      }
    }
  } else {
    keep();
    TracePredicate(pipe.condition, EdgeKind::kFilter, scope);
    for (const auto* item : pipe.order_by) {
      KeyEffects(item->expression, EdgeKind::kSort, scope, columns);
    }
  }
}

}  // namespace tarn::lineage
