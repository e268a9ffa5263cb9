#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/lineage/reader_internal.h"

// Relations that turn rows into columns, columns into rows, or match patterns of rows.
namespace tarn::lineage {
namespace {

using sql::tree::As;
using sql::tree::Node;

// Calls `visit` with every column named in `node`.
template <class Visit>
void ForEachColumn(const Node& node, const Visit& visit) {
  if (const auto* column = As<sql::tree::Column>(&node)) return visit(*column);
  sql::tree::ForEachChild(node, [&](const Node& child) { ForEachColumn(child, visit); });
}

bool IsWord(std::string_view token) {
  return !token.empty() && (token[0] == '_' || (token[0] >= 'a' && token[0] <= 'z') ||
                            (token[0] >= 'A' && token[0] <= 'Z'));
}

}  // namespace

void Reader::ReadPivot(const sql::tree::Pivot& pivot, Scope& scope) {
  ScopeLease inner(*this, scope.outer, scope.ctes);
  ReadRelation(pivot.input, *inner);
  const WhereGuard guard(*this);
  where_ = Where(pivot.span);

  // Keys of rows: what no aggregate and no pivot key names.
  std::vector<NameId> used;
  const auto use = [&](const sql::tree::Column& column) {
    used.push_back(session_.Part(column.name.parts[column.name.parts.size() - 1]));
  };
  for (const auto* aggregate : pivot.aggregates) ForEachColumn(*aggregate, use);
  for (const Expression* key : pivot.keys) ForEachColumn(*key, use);
  std::vector<RelationColumn>& columns = Columns();
  if (!pivot.group_by.empty()) {
    for (const Expression* key : pivot.group_by) {
      bool named = false;
      columns.push_back(
          {.name = ItemName(key, columns.size(), named), .value = ValueOf(key, *inner)});
    }
  } else {
    for (const VisibleColumn& visible : inner->visible) {
      if (std::find(used.begin(), used.end(), visible.name) == used.end()) {
        columns.push_back(*visible.column);
      }
    }
  }
  for (const RelationColumn& column : columns) {
    if (!column.star) Push(column.value, {EdgeKind::kGroupBy});
  }

  const auto add = [&](NameId name, const sql::tree::Alias* aggregate, bool star) {
    const size_t mark = Mark();
    if (aggregate != nullptr) Trace(aggregate->expression, {EdgeKind::kIdentity}, *inner);
    for (const Expression* key : pivot.keys) Trace(key, {EdgeKind::kConditional}, *inner);
    columns.push_back({.name = name, .star = star, .value = {.origins = Take(mark)}});
  };
  const auto name_of = [&](const sql::tree::Alias& value) {
    if (!value.name.empty()) return session_.names().Fold(value.name);
    std::string text = session_.Text(value.expression);
    if (text.empty()) text = sql::tree::TextOf(text_, value.expression->span);
    return session_.names().Fold(text);
  };
  for (const auto* value : pivot.values) {
    const NameId name = name_of(*value);
    if (pivot.aggregates.empty()) add(name, nullptr, false);
    for (const auto* aggregate : pivot.aggregates) {
      const bool suffix = pivot.aggregates.size() > 1 ||
                          (!aggregate->name.empty() && session_.dialect().name == "duckdb");
      std::string text(Text(name));
      bool named = false;
      if (suffix) {
        text += '_';
        text += aggregate->name.empty() ? Text(ItemName(aggregate->expression, 0, named))
                                        : Text(session_.names().Fold(aggregate->name));
      }
      add(session_.names().Intern(text), aggregate, false);
    }
  }
  if (pivot.values.empty()) {
    for (const auto* aggregate : pivot.aggregates) add(kNoName, aggregate, true);
  }
  const Relation* const relation =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), {});
  GiveBack();
  Bind(scope, Renamed(relation, pivot.alias.columns), session_.names().Fold(pivot.alias.name));
}

void Reader::ReadUnpivot(const sql::tree::Unpivot& unpivot, Scope& scope) {
  ScopeLease inner(*this, scope.outer, scope.ctes);
  ReadRelation(unpivot.input, *inner);
  const WhereGuard guard(*this);
  where_ = Where(unpivot.span);
  std::vector<NameId> used;
  for (const auto* item : unpivot.items) {
    ForEachColumn(*item, [&](const sql::tree::Column& column) {
      used.push_back(session_.Part(column.name.parts[column.name.parts.size() - 1]));
    });
  }
  std::vector<RelationColumn>& columns = Columns();
  for (const VisibleColumn& visible : inner->visible) {
    if (std::find(used.begin(), used.end(), visible.name) == used.end()) {
      columns.push_back(*visible.column);
    }
  }
  columns.push_back({.name = unpivot.name.empty() ? session_.names().Intern("name")
                                                  : session_.names().Fold(unpivot.name)});
  const size_t width = std::max<size_t>(unpivot.values.size(), 1);
  for (size_t index = 0; index < width; ++index) {
    const size_t mark = Mark();
    for (const auto* item : unpivot.items) {
      if (index < item->columns.size()) {
        Trace(item->columns[index], {EdgeKind::kIdentity}, *inner);
      }
    }
    columns.push_back({.name = index < unpivot.values.size()
                                   ? session_.names().Fold(unpivot.values[index])
                                   : session_.names().Intern("value"),
                       .value = {.origins = Take(mark)}});
  }
  const Relation* const relation =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), {});
  GiveBack();
  Bind(scope, Renamed(relation, unpivot.alias.columns), session_.names().Fold(unpivot.alias.name));
}

void Reader::ReadMatchRecognize(const sql::tree::MatchRecognize& match, Scope& scope) {
  ScopeLease inner(*this, scope.outer, scope.ctes);
  ReadRelation(match.input, *inner);
  const WhereGuard guard(*this);

  // A pattern variable is the input under another name.
  std::vector<RelationColumn>& input = Columns();
  for (const VisibleColumn& visible : inner->visible) input.push_back(*visible.column);
  const Relation* const rows = Made(scratch_.Copy(std::span<const RelationColumn>(input)), {});
  GiveBack();
  const auto variable = [&](NameId name) {
    if (FindBinding(*inner, std::span(&name, 1)) == nullptr) {
      inner->bindings.push_back({.alias = name, .relation = rows});
    }
  };
  for (const auto* define : match.defines) variable(session_.names().Fold(define->name));
  for (const auto& tokens : {match.pattern, match.subset}) {
    for (const std::string_view token : tokens) {
      if (IsWord(token)) variable(session_.names().Fold(token));
    }
  }

  for (const auto* define : match.defines) {
    where_ = Where(define->span);
    Trace(define->expression, {EdgeKind::kFilter}, *inner);
  }
  const auto keys = [&](EdgeKind kind) {
    for (const Expression* key : match.partition_by) {
      Trace(key, {kind}, *inner);
    }
    for (const auto* key : match.order_by) Trace(key->expression, {kind}, *inner);
  };
  where_ = Where(match.span);
  keys(EdgeKind::kFilter);

  std::vector<RelationColumn>& columns = Columns();
  const bool every_row = !match.rows.empty() && AsciiEqualsIgnoreCase(match.rows[0], "all");
  const bool in_pattern = std::exchange(in_pattern_, true);
  if (every_row) {
    columns.assign(rows->columns.begin(), rows->columns.end());
  } else {
    for (const Expression* key : match.partition_by) {
      bool named = false;
      columns.push_back(
          {.name = ItemName(key, columns.size(), named), .value = ValueOf(key, *inner)});
    }
  }
  for (const auto* measure : match.measures) {
    where_ = Where(measure->span);
    const size_t mark = Mark();
    Trace(measure->expression, {EdgeKind::kTransformation}, *inner);
    keys(EdgeKind::kWindow);
    columns.push_back(
        {.name = session_.names().Fold(measure->name), .value = {.origins = Take(mark)}});
  }
  in_pattern_ = in_pattern;
  const Relation* const relation =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), {});
  GiveBack();
  Bind(scope, Renamed(relation, match.alias.columns), session_.names().Fold(match.alias.name));
}

}  // namespace tarn::lineage
