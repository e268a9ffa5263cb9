#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/lineage/reader_internal.h"

// The pass that walks an expression down to the columns it is made of. The way so far is the Flow:
// each step deepens it, each column met is pushed with what it has become.
namespace tarn::lineage {
namespace {

using sql::tree::Argument;
using sql::tree::As;
using sql::tree::Call;
using sql::tree::NodeKind;
using sql::tree::Strip;

// FILTER also where the predicate stands in ON: what a membership test decides is who stays.
constexpr EdgeKind MembershipKind(EdgeKind kind) {
  return kind == EdgeKind::kJoin || IsDirect(kind) ? EdgeKind::kFilter : kind;
}

}  // namespace

void Reader::TracePredicate(const Expression* predicate, EdgeKind kind, Scope& scope) {
  if (predicate == nullptr) return;
  predicate = Strip(predicate);
  const auto* chain = As<sql::tree::Binary>(predicate);
  if (chain != nullptr && chain->symbol == "AND") {
    for (const Expression* operand : chain->operands) TracePredicate(operand, kind, scope);
    return;
  }
  const sql::SourceSpan before = where_;
  where_ = Where(predicate->span);
  Trace(predicate, {kind}, scope);
  where_ = before;
}

void Reader::Trace(const Expression* expression, Flow flow, Scope& scope) {
  if (expression == nullptr) return;
  const Flow deeper = Deeper(flow, EdgeKind::kTransformation);
  switch (expression->kind) {
    case NodeKind::kLiteral:
    case NodeKind::kParameter:
    case NodeKind::kType:
      return;
    case NodeKind::kColumn: {
      const Resolved found = Resolve(static_cast<const sql::tree::Column&>(*expression), scope);
      return Push(found.value, found.part ? deeper : flow);
    }
    case NodeKind::kParenthesized:
      return Trace(static_cast<const sql::tree::Parenthesized&>(*expression).inner, flow, scope);
    case NodeKind::kAlias:
      return Trace(static_cast<const sql::tree::Alias&>(*expression).expression, flow, scope);
    case NodeKind::kArgument:
      return Trace(static_cast<const Argument&>(*expression).value, flow, scope);
    case NodeKind::kCall:
      return TraceCall(static_cast<const Call&>(*expression), flow, scope);
    case NodeKind::kCase: {
      const auto& chosen = static_cast<const sql::tree::Case&>(*expression);
      const Flow condition = Deeper(flow, EdgeKind::kConditional);
      Trace(chosen.operand, condition, scope);
      for (const auto* when : chosen.whens) {
        Trace(when->condition, condition, scope);
        Trace(when->result, deeper, scope);
      }
      return Trace(chosen.otherwise, deeper, scope);
    }
    case NodeKind::kField: {
      const auto& field = static_cast<const sql::tree::Field&>(*expression);
      if (const std::optional<Value> known = StructValue(expression, scope)) {
        return Push(*known, flow);
      }
      return Trace(field.base, deeper, scope);
    }
    case NodeKind::kSubquery:
      return TraceSubquery(*static_cast<const sql::tree::Subquery&>(*expression).query, flow,
                           scope);
    case NodeKind::kQuery:  // ARRAY(SELECT …)
      return TraceSubquery(static_cast<const sql::tree::Query&>(*expression), deeper, scope);
    case NodeKind::kExists:
      return TraceMembership(*static_cast<const sql::tree::Exists&>(*expression).query, flow, scope,
                             false);
    case NodeKind::kIn: {
      const auto& in = static_cast<const sql::tree::In&>(*expression);
      const Flow operand = in.query != nullptr && flow.kind == EdgeKind::kJoin
                               ? Flow{EdgeKind::kFilter, flow.masking}
                               : deeper;
      Trace(in.operand, operand, scope);
      for (const Expression* value : in.values) Trace(value, deeper, scope);
      Trace(in.list, deeper, scope);
      if (in.query != nullptr) TraceMembership(*in.query, flow, scope, true);
      return;
    }
    case NodeKind::kQuantified: {
      const auto& quantified = static_cast<const sql::tree::Quantified&>(*expression);
      Trace(quantified.operand, deeper, scope);
      if (const auto* query = As<sql::tree::Subquery>(quantified.argument)) {
        return TraceMembership(*query->query, flow, scope, true);
      }
      return Trace(quantified.argument, deeper, scope);
    }
    case NodeKind::kLambda: {
      const auto& lambda = static_cast<const sql::tree::Lambda&>(*expression);
      const size_t before = scope.parameters.size();
      for (const auto& parameter : lambda.parameters) {
        scope.parameters.push_back(session_.names().Fold(parameter));
      }
      Trace(lambda.body, deeper, scope);
      scope.parameters.resize(before);
      return;
    }
    case NodeKind::kComprehension: {
      const auto& made = static_cast<const sql::tree::Comprehension&>(*expression);
      Trace(made.list, deeper, scope);
      const size_t before = scope.parameters.size();
      for (const auto& variable : made.variables) {
        scope.parameters.push_back(session_.names().Fold(variable));
      }
      Trace(made.result, deeper, scope);
      Trace(made.condition, Deeper(flow, EdgeKind::kConditional), scope);
      scope.parameters.resize(before);
      return;
    }
    case NodeKind::kStar: {
      // count(t.*), struct(*): all of it.
      const auto& star = static_cast<const sql::tree::Star&>(*expression);
      std::vector<RelationColumn>& columns = Columns();
      ExpandStar(star, scope, columns);
      columns_met_ |= star.columns_call;
      const auto push = [&](const RelationColumn& column, Flow how) {
        const bool open = column.star && column.open != kNoIndex;
        Push(open ? UnknownColumn(column.open, session_.names().Intern("*"))->value : column.value,
             how);
      };
      if (star.columns_call && columns_at_.has_value()) {
        if (*columns_at_ < columns.size()) push(columns[*columns_at_], flow);
      } else {
        for (const RelationColumn& column : columns) push(column, deeper);
      }
      return GiveBack();
    }
    default:
      // Whatever else computes something from its parts.
      return sql::tree::ForEachChild(*expression,
                                     [&](const Node& child) { Trace(&child, deeper, scope); });
  }
}

// The value of (SELECT …): its column, and what decided about its row acts on this value only.
void Reader::TraceSubquery(const sql::tree::Query& query, Flow flow, Scope& scope) {
  const WhereGuard guard(*this);
  const Relation* const relation = ReadQuery(query, &scope, scope.ctes);
  for (const RelationColumn& column : relation->columns) {
    if (column.star && column.open != kNoIndex) continue;
    Push(column.value, flow);
  }
  PushAll(relation->effects, flow);
}

// IN (SELECT …), EXISTS (SELECT …): who is there decides; of EXISTS not what was selected.
void Reader::TraceMembership(const sql::tree::Query& query, Flow flow, Scope& scope, bool columns) {
  const WhereGuard guard(*this);
  const Flow member{MembershipKind(flow.kind), flow.masking};
  const Relation* const relation = ReadQuery(query, &scope, scope.ctes);
  if (columns) {
    for (const RelationColumn& column : relation->columns) {
      if (!column.star) Push(column.value, member);
    }
  }
  PushAll(relation->effects, member);
}

const sql::tree::Window* Reader::NamedWindowOf(const sql::tree::Identifier& name,
                                               const Scope& scope) {
  const NameId wanted = session_.names().Fold(name);
  for (const auto* window : scope.windows) {
    if (session_.names().Fold(window->name) == wanted) return window->window;
  }
  return nullptr;
}

void Reader::TraceWindow(const sql::tree::Window& window, Flow flow, Scope& scope) {
  const Flow key = Deeper(flow, EdgeKind::kWindow);
  const sql::tree::Window* at = &window;
  // A window refines another at most as often as there are names.
  for (size_t steps = scope.windows.size() + 1; at != nullptr && steps > 0; --steps) {
    for (const Expression* expression : at->partition_by) Trace(expression, key, scope);
    for (const auto* item : at->order_by) Trace(item->expression, key, scope);
    Trace(at->start, key, scope);
    Trace(at->end, key, scope);
    at = at->base.empty() ? nullptr : NamedWindowOf(at->base, scope);
  }
}

void Reader::TraceArgument(const Node* argument, Flow flow, Scope& scope) {
  if (const auto* table = As<sql::tree::TableArgument>(argument)) {
    ScopeLease lease(*this, &scope, scope.ctes);
    ReadRelation(table->relation, *lease);
    for (const VisibleColumn& visible : lease->visible) {
      if (!visible.column->star) Push(visible.column->value, flow);
    }
    return;
  }
  Trace(argument, flow, scope);
}

void Reader::TraceCall(const Call& call, Flow flow, Scope& scope) {
  const NameId name =
      call.function.empty()
          ? kNoName
          : session_.names().Fold(call.function.parts[call.function.parts.size() - 1]);
  FunctionKind kind = session_.KindOf(name);
  const bool aggregates = call.quantifier == "DISTINCT" || call.filter != nullptr ||
                          !call.within_group.empty() || !call.order_by.empty();
  if (kind == FunctionKind::kValue && call.over == nullptr && !in_pattern_)
    kind = FunctionKind::kAggregate;
  if (kind == FunctionKind::kTransformation && aggregates) kind = FunctionKind::kAggregate;

  const Flow argument = [&] {
    switch (kind) {
      case FunctionKind::kAggregate:
      case FunctionKind::kOrderedSet:
        return Deeper(flow, EdgeKind::kAggregation);
      case FunctionKind::kMasking:
        return Flow{Deeper(flow.kind, EdgeKind::kTransformation), true};
      default:
        return Deeper(flow, EdgeKind::kTransformation);
    }
  }();
  const Flow condition = Deeper(flow, EdgeKind::kConditional);
  const size_t count = call.arguments.size();
  if (kind == FunctionKind::kIf) {
    for (size_t index = 0; index < count; ++index) {
      TraceArgument(call.arguments[index], index == 0 ? condition : argument, scope);
    }
  } else if (kind == FunctionKind::kDecode && count > 2) {
    for (size_t index = 0; index < count; ++index) {
      const bool result = index >= 2 && (index % 2 == 0 || index + 1 == count);
      TraceArgument(call.arguments[index], result ? argument : condition, scope);
    }
  } else if (kind == FunctionKind::kUnit) {
    for (size_t index = 0; index < count; ++index) {
      const auto* word = As<sql::tree::Column>(call.arguments[index]);
      const bool unit = word != nullptr && word->name.parts.size() == 1 && count > 1 &&
                        IsTimeUnit(Text(session_.names().Fold(word->name.parts[0])));
      if (!unit) TraceArgument(call.arguments[index], argument, scope);
    }
  } else if (kind != FunctionKind::kRanking && kind != FunctionKind::kGrouping) {
    for (const Node* given : call.arguments) TraceArgument(given, argument, scope);
  }
  const Flow order = Deeper(flow, EdgeKind::kSort);
  for (const auto* item : call.order_by) Trace(item->expression, order, scope);
  const Flow within = kind == FunctionKind::kOrderedSet || Text(name) == "mode" ? argument : order;
  for (const auto* item : call.within_group) Trace(item->expression, within, scope);
  Trace(call.filter, condition, scope);
  if (call.over != nullptr) TraceWindow(*call.over, flow, scope);
}

// Whether `expression` aggregates the rows of its own query: GROUP BY ALL leaves such items out.
bool Reader::HasAggregate(const Node& expression) {
  if (expression.kind == NodeKind::kSubquery || expression.kind == NodeKind::kExists ||
      expression.kind == NodeKind::kQuery) {
    return false;
  }
  if (const auto* call = As<Call>(&expression); call && call->over == nullptr) {
    if (call->star || call->quantifier == "DISTINCT" || call->filter != nullptr) return true;
    if (!call->function.empty()) {
      const FunctionKind kind = session_.KindOf(
          session_.names().Fold(call->function.parts[call->function.parts.size() - 1]));
      if (kind == FunctionKind::kAggregate || kind == FunctionKind::kValue ||
          kind == FunctionKind::kOrderedSet) {
        return true;
      }
    }
  }
  bool found = false;
  sql::tree::ForEachChild(expression, [&](const Node& child) { found |= HasAggregate(child); });
  return found;
}

}  // namespace tarn::lineage
