#include <algorithm>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

#include "tarn/lineage/reader_internal.h"

// The pass that reads queries from the inside out: what FROM gives, what the select list makes of
// it, and what WHERE, GROUP BY, HAVING, QUALIFY and ORDER BY decide.
namespace tarn::lineage {
namespace {

using sql::tree::Alias;
using sql::tree::As;
using sql::tree::Call;
using sql::tree::NodeKind;
using sql::tree::Strip;

// Whether select items may be named by the items after them.
bool HasLateralAliases(const sql::Dialect& dialect) {
  return dialect.name != "hive" && dialect.name != "trino" && dialect.name != "postgres";
}

// The position that ORDER BY 2 means, from 0; nothing for other expressions.
std::optional<size_t> OrdinalOf(const sql::tree::Node* key) {
  const auto* literal = As<sql::tree::Literal>(Strip(key));
  if (literal == nullptr || literal->what != sql::tree::Literal::Class::kNumber ||
      literal->tokens.size() != 1) {
    return std::nullopt;
  }
  const std::string_view text = literal->tokens[0];
  size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number == 0) return std::nullopt;
  return number - 1;
}

}  // namespace

std::vector<RelationColumn>& Reader::Columns() {
  if (lists_used_ == lists_.size()) lists_.emplace_back();
  std::vector<RelationColumn>& list = lists_[lists_used_++];
  list.clear();
  return list;
}

// What a select item is called when the text does not say: each engine has its own way.
NameId Reader::ItemName(const Expression* expression, size_t position, bool& named) {
  expression = Strip(expression);
  named = true;
  if (const auto* column = As<sql::tree::Column>(expression)) {
    return session_.Part(column->name.parts[column->name.parts.size() - 1]);
  }
  if (const auto* field = As<sql::tree::Field>(expression)) {
    return session_.names().Fold(field->field);
  }
  const std::string_view dialect = session_.dialect().name;
  if (const auto* cast = As<sql::tree::Cast>(expression); cast && dialect == "postgres") {
    return ItemName(cast->operand, position, named);
  }
  named = false;
  if (dialect == "hive") return session_.names().Intern("_c" + std::to_string(position));
  if (dialect == "trino") return session_.names().Intern("_col" + std::to_string(position));
  if (dialect == "postgres") {
    const auto* call = As<Call>(expression);
    if (call == nullptr || call->function.empty()) {
      return session_.names().Intern(expression->kind == NodeKind::kCase ? "case" : "?column?");
    }
    return session_.names().Fold(call->function.parts[call->function.parts.size() - 1]);
  }
  return session_.names().Fold(sql::tree::TextOf(text_, expression->span));
}

CteScope* Reader::WithCtes(const sql::tree::With* with, CteScope* ctes, Scope* outer) {
  if (with == nullptr) return ctes;
  for (const auto* cte : with->ctes) {
    ctes = scratch_.New(CteScope{.name = session_.names().Fold(cte->name),
                                 .cte = cte,
                                 .earlier = ctes,
                                 .outer = outer,
                                 .recursive = with->recursive});
  }
  return ctes;
}

void Reader::WarnUnused(CteScope* from, CteScope* to) {
  for (; from != to; from = from->earlier) {
    if (from->relation != nullptr) continue;
    if (IsChange(*from->cte->query)) {  // done whether it is read or not
      CteRelation(*from);
      continue;
    }
    Warn(WarningCode::kUnusedCte, from->cte->name.span,
         "nothing reads '" + std::string(Text(from->name)) + "'");
  }
}

const Relation* Reader::ReadQuery(const sql::tree::Query& query, Scope* outer, CteScope* ctes) {
  CteScope* const inner = WithCtes(query.with, ctes, outer);
  const WhereGuard guard(*this);
  const Relation* relation = nullptr;
  if (const auto* select = As<sql::tree::Select>(query.body)) {
    relation = ReadSelect(*select, &query, outer, inner, nullptr);
  } else {
    relation = ReadBody(query.body, outer, inner);
    if (!query.order_by.empty() || !query.sort_by.empty() || !query.cluster_by.empty() ||
        query.order_by_all) {
      ScopeLease scope(*this, outer, inner);
      const size_t mark = Mark();
      PushEffects(relation->effects);
      Bind(*scope, relation, kNoName);
      OrderEffects(query, *scope, relation->columns);
      relation = Made(relation->columns, Take(mark));
    }
  }
  NameId alias = kNoName;
  for (const auto* pipe : query.pipes) relation = ReadPipe(*pipe, relation, alias, outer, inner);
  WarnUnused(inner, ctes);
  return relation;
}

const Relation* Reader::ReadBody(const Node* body, Scope* outer, CteScope* ctes) {
  if (body == nullptr) return pipe_input_ != nullptr ? pipe_input_ : empty_;
  switch (body->kind) {
    case NodeKind::kQuery:
      return ReadQuery(static_cast<const sql::tree::Query&>(*body), outer, ctes);
    case NodeKind::kSelect:
      return ReadSelect(static_cast<const sql::tree::Select&>(*body), nullptr, outer, ctes,
                        nullptr);
    case NodeKind::kSetOperation:
      return ReadSetOperation(static_cast<const sql::tree::SetOperation&>(*body), outer, ctes);
    case NodeKind::kValues:
      return ReadValues(static_cast<const sql::tree::Values&>(*body), outer, ctes);
    case NodeKind::kTableQuery: {
      ScopeLease scope(*this, outer, ctes);
      return NamedRelation(static_cast<const sql::tree::TableQuery&>(*body).name, *scope,
                           body->span);
    }
    default: {
      // PIVOT and UNPIVOT as statements are relations.
      ScopeLease scope(*this, outer, ctes);
      const size_t mark = Mark();
      ReadRelation(body, *scope);
      std::vector<RelationColumn>& columns = Columns();
      for (const VisibleColumn& visible : scope->visible) columns.push_back(*visible.column);
      const Relation* const relation =
          Made(scratch_.Copy(std::span<const RelationColumn>(columns)), Take(mark));
      GiveBack();
      return relation;
    }
  }
}

const Relation* Reader::ReadSelect(const sql::tree::Select& select, const sql::tree::Query* query,
                                   Scope* outer, CteScope* ctes,
                                   const sql::tree::MultiInsert* from) {
  ScopeLease lease(*this, outer, ctes);
  Scope& scope = *lease;
  const size_t mark = Mark();
  if (from != nullptr) {
    for (const Node* relation : from->from) ReadRelation(relation, scope);
  }
  for (const Node* relation : select.from) ReadRelation(relation, scope);
  if (select.lateral_view != nullptr) ReadRelation(select.lateral_view, scope);
  scope.windows = select.windows;

  std::vector<RelationColumn>& columns = Columns();
  if (select.transform != nullptr) {
    const Relation* const transformed = ReadTransform(*select.transform, scope);
    columns.assign(transformed->columns.begin(), transformed->columns.end());
  } else if (select.items.empty()) {
    for (const VisibleColumn& visible : scope.visible) columns.push_back(*visible.column);
  } else {
    if (HasLateralAliases(session_.dialect())) scope.alias_use = Scope::Aliases::kAfter;
    ReadItems(select.items, scope, columns);
  }

  scope.alias_use =
      session_.dialect().name == "duckdb" ? Scope::Aliases::kAfter : Scope::Aliases::kHidden;
  TracePredicate(select.where, EdgeKind::kFilter, scope);
  scope.alias_use = Scope::Aliases::kAfter;
  GroupEffects(select, scope, columns);
  TracePredicate(select.having, EdgeKind::kFilter, scope);
  TracePredicate(select.qualify, EdgeKind::kFilter, scope);
  if (query != nullptr) OrderEffects(*query, scope, columns);

  const Relation* const relation =
      Made(scratch_.Copy(std::span<const RelationColumn>(columns)), Take(mark));
  GiveBack();
  return relation;
}

void Reader::ReadItems(List<const Alias*> items, Scope& scope, std::vector<RelationColumn>& out) {
  const WhereGuard guard(*this);
  // Hive counts the items to name them, others the columns.
  const bool by_item = session_.dialect().name == "hive";
  for (size_t index = 0; index < items.size(); ++index) {
    const size_t from = out.size();
    ReadItem(*items[index], by_item ? index : from, scope, out);
    scope.aliases.insert(scope.aliases.end(), out.begin() + static_cast<int64_t>(from), out.end());
  }
}

void Reader::ReadItem(const Alias& item, size_t position, Scope& scope,
                      std::vector<RelationColumn>& out) {
  where_ = Where(item.expression->span);
  if (const auto* star = As<sql::tree::Star>(item.expression)) {
    return ExpandStar(*star, scope, out);
  }
  if (const auto* like = As<sql::tree::Like>(item.expression); like && !like->negated) {
    // DuckDB: * LIKE 'a%' picks columns.
    if (const auto* star = As<sql::tree::Star>(like->operand)) {
      sql::tree::Star picked = *star;
      picked.pattern = like->pattern;
      return ExpandStar(picked, scope, out);
    }
  }
  const auto* call = As<Call>(item.expression);
  if (!item.names.empty() && call != nullptr) {
    // json_tuple(line, 'a', 'b') AS (x, y)
    for (const RelationColumn& column :
         Generated(*call, item.names, kNoName, false, scope)->columns) {
      out.push_back(column);
      out.back().where = where_;
    }
    return;
  }
  RelationColumn column{.where = where_};
  const auto columns_at = std::exchange(columns_at_, std::nullopt);
  const bool columns_met = std::exchange(columns_met_, false);
  column.value = ValueOf(item.expression, scope);
  const bool of_each = std::exchange(columns_met_, columns_met) && ReadItemOfEach(item, scope, out);
  columns_at_ = columns_at;
  if (of_each) return;
  column.name = item.name.empty() ? ItemName(item.expression, position, column.named)
                                  : session_.names().Fold(item.name);
  out.push_back(column);
}

// min(COLUMNS(*)): an item for each column that COLUMNS stands for, named like it. Whether it is
// one.
bool Reader::ReadItemOfEach(const Alias& item, Scope& scope, std::vector<RelationColumn>& out) {
  const sql::tree::Star* star = nullptr;
  const auto find = [&](const auto& self, const Node& node) -> void {
    if (node.kind == NodeKind::kQuery) return;  // has items of its own
    const auto* found = As<sql::tree::Star>(&node);
    if (found != nullptr && found->columns_call && star == nullptr) star = found;
    if (star == nullptr)
      sql::tree::ForEachChild(node, [&](const Node& child) { self(self, child); });
  };
  find(find, *item.expression);
  if (star == nullptr) return false;
  std::vector<RelationColumn>& each = Columns();
  ExpandStar(*star, scope, each);
  for (size_t index = 0; index < each.size(); ++index) {
    columns_at_ = index;
    RelationColumn column = each[index];
    column.value = ValueOf(item.expression, scope);
    column.where = where_;
    column.open = kNoIndex;
    if (!item.name.empty()) column.name = session_.names().Fold(item.name);
    out.push_back(column);
  }
  GiveBack();
  return true;
}

// One key of GROUP BY or ORDER BY: a position, or an expression.
void Reader::KeyEffects(const Expression* key, EdgeKind kind, Scope& scope,
                        std::span<const RelationColumn> columns) {
  const WhereGuard guard(*this);
  where_ = Where(key->span);
  if (const std::optional<size_t> position = OrdinalOf(key)) {
    if (*position < columns.size()) Push(columns[*position].value, {kind});
    return;
  }
  Trace(key, {kind}, scope);
}

void Reader::GroupEffects(const sql::tree::Select& select, Scope& scope,
                          std::span<const RelationColumn> columns) {
  for (const Expression* key : select.group_by) {
    KeyEffects(key, EdgeKind::kGroupBy, scope, columns);
  }
  if (select.grouping_sets != nullptr) {
    KeyEffects(select.grouping_sets, EdgeKind::kGroupBy, scope, columns);
  }
  for (const Expression* key : select.distinct_on) {
    KeyEffects(key, EdgeKind::kGroupBy, scope, columns);
  }
  if (!select.group_by_all) return;
  for (const Alias* item : select.items) {
    if (!HasAggregate(*item->expression)) {
      KeyEffects(item->expression, EdgeKind::kGroupBy, scope, columns);
    }
  }
}

void Reader::OrderEffects(const sql::tree::Query& query, Scope& scope,
                          std::span<const RelationColumn> columns) {
  scope.alias_use = Scope::Aliases::kBefore;
  for (const auto& items : {query.order_by, query.sort_by}) {
    for (const auto* item : items) {
      KeyEffects(item->expression, EdgeKind::kSort, scope, columns);
    }
  }
  for (const Expression* key : query.cluster_by) {
    KeyEffects(key, EdgeKind::kSort, scope, columns);
  }
  if (query.order_by_all) {
    const WhereGuard guard(*this);
    where_ = Where(query.span);
    for (const RelationColumn& column : columns) Push(column.value, {EdgeKind::kSort});
  }
}

const Relation* Reader::ReadSetOperation(const sql::tree::SetOperation& operation, Scope* outer,
                                         CteScope* ctes) {
  const WhereGuard guard(*this);
  const size_t mark = Mark();
  const bool adds = operation.word == "UNION";
  std::vector<const Relation*> operands;
  operands.reserve(operation.operands.size());
  for (const Node* operand : operation.operands) {
    const Relation* const relation = ReadBody(operand, outer, ctes);
    if (adds || operands.empty()) {
      PushEffects(relation->effects);
    } else {
      // EXCEPT, INTERSECT: the rows on the right only decide which of the left stay.
      where_ = Where(operand != nullptr ? operand->span : operation.span);
      PushAll(relation->effects, {EdgeKind::kFilter});
      for (const RelationColumn& column : relation->columns) {
        if (!column.star) Push(column.value, {EdgeKind::kFilter});
      }
    }
    operands.push_back(relation);
  }
  if (!adds) return Made(operands[0]->columns, Take(mark));

  const std::span<const RelationColumn> first = operands[0]->columns;
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(first.size());
  std::copy(first.begin(), first.end(), columns.begin());
  std::vector<size_t> listed(operands.size());  // columns before the first that are not known
  for (size_t index = 0; index < operands.size(); ++index) {
    const auto& of = operands[index]->columns;
    listed[index] = static_cast<size_t>(
        std::find_if(of.begin(), of.end(), [](const auto& column) { return column.star; }) -
        of.begin());
    if (index > 0 && listed[index] < of.size() && !operation.by_name) {
      Warn(WarningCode::kUnknownStar, operation.operands[index]->span,
           "which columns this adds to which cannot be told without a schema");
    }
  }
  for (size_t at = 0; at < columns.size() && (at < listed[0] || operation.by_name); ++at) {
    const size_t column_mark = Mark();
    PushEffects(columns[at].value.origins);
    for (size_t index = 1; index < operands.size(); ++index) {
      const RelationColumn* other = nullptr;
      if (operation.by_name) {
        other = FindColumn(*operands[index], columns[at].name, operation.span);
      } else if (at < listed[index]) {
        other = &operands[index]->columns[at];
      }
      if (other != nullptr) PushEffects(other->value.origins);
    }
    columns[at].value.origins = Take(column_mark);
    // Fields of structs would have to be merged one by one.
    if (operands.size() > 1) columns[at].value.fields = {};
  }
  return Made(columns, Take(mark));
}

NameId Reader::ValuesName(size_t position) {
  const std::string_view dialect = session_.dialect().name;
  if (dialect == "postgres") {
    return session_.names().Intern("column" + std::to_string(position + 1));
  }
  if (dialect == "duckdb") return session_.names().Intern("col" + std::to_string(position));
  if (dialect == "trino") return session_.names().Intern("_col" + std::to_string(position));
  return session_.names().Intern("col" + std::to_string(position + 1));
}

const Relation* Reader::ReadValues(const sql::tree::Values& values, Scope* outer, CteScope* ctes) {
  ScopeLease scope(*this, outer, ctes);
  const WhereGuard guard(*this);
  const auto width_of = [](const Node* row) {
    const auto* several = As<sql::tree::Row>(row);
    return several != nullptr ? several->elements.size() : size_t{1};
  };
  size_t width = 0;
  for (const Node* row : values.rows) width = std::max(width, width_of(row));
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(width);
  for (size_t at = 0; at < width; ++at) {
    columns[at].name = ValuesName(at);
    columns[at].named = false;
    const size_t mark = Mark();
    for (const Node* row : values.rows) {
      const auto* several = As<sql::tree::Row>(row);
      if (at >= width_of(row)) continue;
      const Expression* const value = several != nullptr ? several->elements[at] : row;
      where_ = Where(value->span);
      if (columns[at].where.size() == 0) columns[at].where = where_;
      Trace(value, {EdgeKind::kIdentity}, *scope);
    }
    columns[at].value.origins = Take(mark);
  }
  return Made(columns, {});
}

// A script is opaque: each of its columns may be made of all that it is given.
const Relation* Reader::ReadTransform(const sql::tree::Transform& transform, Scope& scope) {
  const WhereGuard guard(*this);
  where_ = Where(transform.span);
  const size_t mark = Mark();
  for (const Expression* argument : transform.arguments) {
    Trace(argument, {EdgeKind::kTransformation}, scope);
  }
  const Value all{.origins = Take(mark)};
  const size_t count = transform.columns.empty() ? 2 : transform.columns.size();
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(count);
  for (size_t index = 0; index < count; ++index) {
    columns[index].name = transform.columns.empty()
                              ? session_.names().Intern(index == 0 ? "key" : "value")
                              : session_.names().Fold(transform.columns[index]->name);
    columns[index].value = all;
    columns[index].where = where_;
  }
  return Made(columns, {});
}

}  // namespace tarn::lineage
