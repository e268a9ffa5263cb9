#include <algorithm>
#include <utility>

#include "tarn/lineage/reader_internal.h"

// Joins: what their conditions decide about, and which columns stand for two (USING, NATURAL).
namespace tarn::lineage {

using sql::tree::JoinKind;

namespace {

constexpr bool KeepsLeftOnly(JoinKind kind) {
  return kind == JoinKind::kLeftSemi || kind == JoinKind::kLeftAnti;
}
constexpr bool KeepsRightOnly(JoinKind kind) {
  return kind == JoinKind::kRightSemi || kind == JoinKind::kRightAnti;
}

template <class T>
void EraseRange(std::vector<T>& list, size_t from, size_t to) {
  list.erase(list.begin() + static_cast<int64_t>(from), list.begin() + static_cast<int64_t>(to));
}

}  // namespace

void Reader::ReadJoin(const sql::tree::Join& join, Scope& scope) {
  const size_t left = scope.bindings.size();
  const size_t left_visible = scope.visible.size();
  ReadRelation(join.left, scope);
  const size_t right = scope.bindings.size();
  const size_t right_visible = scope.visible.size();
  const bool applies = join.join == JoinKind::kCrossApply || join.join == JoinKind::kOuterApply;
  const auto* derived = sql::tree::As<sql::tree::Derived>(join.right);
  if (applies && derived != nullptr && !derived->lateral) {
    sql::tree::Derived lateral = *derived;
    lateral.lateral = true;
    ReadRelation(&lateral, scope);
  } else {
    ReadRelation(join.right, scope);
  }

  if (join.on != nullptr) {
    const size_t bindings_from = std::exchange(scope.bindings_from, left);
    const size_t visible_from = std::exchange(scope.visible_from, left_visible);
    TracePredicate(join.on, EdgeKind::kJoin, scope);
    scope.bindings_from = bindings_from;
    scope.visible_from = visible_from;
  }
  if (join.natural || !join.using_columns.empty()) {
    std::vector<NameId> names;
    if (join.natural) {
      for (size_t at = left_visible; at < right_visible; ++at) {
        const NameId name = scope.visible[at].name;
        const bool shared = name != kNoName &&
                            std::any_of(scope.visible.begin() + static_cast<int64_t>(right_visible),
                                        scope.visible.end(), [&](const VisibleColumn& column) {
                                          return column.name == name;
                                        });
        if (shared) names.push_back(name);
      }
    } else {
      names.reserve(join.using_columns.size());
      for (const auto& column : join.using_columns) names.push_back(session_.names().Fold(column));
    }
    const WhereGuard guard(*this);
    where_ =
        Where(join.using_columns.empty() ? join.span
                                         : sql::SourceSpan{join.using_columns.front().span.begin,
                                                           join.using_columns.back().span.end});
    MergeColumns(names, join.join, left_visible, right_visible, scope);
  } else if (KeepsLeftOnly(join.join)) {
    scope.visible.resize(right_visible);
  } else if (KeepsRightOnly(join.join)) {
    EraseRange(scope.visible, left_visible, right_visible);
  }
  if (KeepsLeftOnly(join.join)) {
    scope.bindings.resize(right);
  } else if (KeepsRightOnly(join.join)) {
    EraseRange(scope.bindings, left, right);
  }
}

// The columns `names` of both sides become one each, in front of the others.
void Reader::MergeColumns(const std::vector<NameId>& names, JoinKind kind, size_t left_from,
                          size_t right_from, Scope& scope) {
  const auto find = [&](size_t from, size_t to, NameId name) -> const RelationColumn* {
    const RelationColumn* open = nullptr;
    for (size_t at = from; at < to; ++at) {
      const VisibleColumn& visible = scope.visible[at];
      if (!visible.column->star && visible.name == name) return visible.column;
      if (visible.column->star && open == nullptr) open = visible.column;
    }
    return open == nullptr ? nullptr : OpenColumn(*open, name);
  };
  std::vector<VisibleColumn> merged;
  merged.reserve(scope.visible.size() - left_from);
  for (const NameId name : names) {
    const RelationColumn* const left = find(left_from, right_from, name);
    const RelationColumn* const right = find(right_from, scope.visible.size(), name);
    RelationColumn both{.name = name};
    if (left != nullptr) Push(left->value, {EdgeKind::kJoin});
    if (right != nullptr) Push(right->value, {EdgeKind::kJoin});
    if (kind == JoinKind::kFull && left != nullptr && right != nullptr) {
      // Whichever side has a row: coalesce(left, right).
      const size_t mark = Mark();
      Push(left->value, {EdgeKind::kTransformation});
      Push(right->value, {EdgeKind::kTransformation});
      both.value.origins = Take(mark);
    } else if (left == nullptr ||
               (right != nullptr && (kind == JoinKind::kRight || KeepsRightOnly(kind)))) {
      if (right != nullptr) both.value = right->value;
    } else {
      both.value = left->value;
    }
    merged.push_back({.name = name, .column = scratch_.New(both)});
  }
  const auto rest = [&](size_t from, size_t to) {
    for (size_t at = from; at < to; ++at) {
      const bool taken =
          !scope.visible[at].column->star &&
          std::find(names.begin(), names.end(), scope.visible[at].name) != names.end();
      if (!taken) merged.push_back(scope.visible[at]);
    }
  };
  if (!KeepsRightOnly(kind)) rest(left_from, right_from);
  if (!KeepsLeftOnly(kind)) rest(right_from, scope.visible.size());
  scope.visible.resize(left_from);
  scope.visible.insert(scope.visible.end(), merged.begin(), merged.end());
}

void Reader::ReadNested(const sql::tree::Nested& nested, Scope& scope) {
  const size_t bindings = scope.bindings.size();
  const size_t visible = scope.visible.size();
  for (const Node* relation : nested.relations) ReadRelation(relation, scope);
  if (nested.alias.empty()) return;
  std::vector<RelationColumn>& columns = Columns();
  for (size_t at = visible; at < scope.visible.size(); ++at) {
    columns.push_back(*scope.visible[at].column);
  }
  const Relation* const whole = Made(scratch_.Copy(std::span<const RelationColumn>(columns)), {});
  GiveBack();
  scope.bindings.resize(bindings);
  scope.visible.resize(visible);
  Bind(scope, Renamed(whole, nested.alias.columns), session_.names().Fold(nested.alias.name));
}

}  // namespace tarn::lineage
