#pragma once

#include <string_view>
#include <type_traits>
#include <utility>

#include "tarn/sql/tree_expressions.h"
#include "tarn/sql/tree_node.h"
#include "tarn/sql/tree_queries.h"
#include "tarn/sql/tree_statements.h"

// From a Node to what it is. The only list of all kinds beside the enum itself.
namespace tarn::sql::tree {

// Calls `visitor` with `node` as its own type and gives what that gives.
template <class Visitor>
decltype(auto) Visit(const Node& node, Visitor&& visitor) {
  switch (node.kind) {
    case NodeKind::kLiteral:
      return visitor(static_cast<const Literal&>(node));
    case NodeKind::kInterval:
      return visitor(static_cast<const Interval&>(node));
    case NodeKind::kParameter:
      return visitor(static_cast<const Parameter&>(node));
    case NodeKind::kColumn:
      return visitor(static_cast<const Column&>(node));
    case NodeKind::kStar:
      return visitor(static_cast<const Star&>(node));
    case NodeKind::kField:
      return visitor(static_cast<const Field&>(node));
    case NodeKind::kSubscript:
      return visitor(static_cast<const Subscript&>(node));
    case NodeKind::kUnary:
      return visitor(static_cast<const Unary&>(node));
    case NodeKind::kBinary:
      return visitor(static_cast<const Binary&>(node));
    case NodeKind::kBetween:
      return visitor(static_cast<const Between&>(node));
    case NodeKind::kIn:
      return visitor(static_cast<const In&>(node));
    case NodeKind::kLike:
      return visitor(static_cast<const Like&>(node));
    case NodeKind::kIs:
      return visitor(static_cast<const Is&>(node));
    case NodeKind::kQuantified:
      return visitor(static_cast<const Quantified&>(node));
    case NodeKind::kCase:
      return visitor(static_cast<const Case&>(node));
    case NodeKind::kWhen:
      return visitor(static_cast<const When&>(node));
    case NodeKind::kCast:
      return visitor(static_cast<const Cast&>(node));
    case NodeKind::kCall:
      return visitor(static_cast<const Call&>(node));
    case NodeKind::kArgument:
      return visitor(static_cast<const Argument&>(node));
    case NodeKind::kTableArgument:
      return visitor(static_cast<const TableArgument&>(node));
    case NodeKind::kLambda:
      return visitor(static_cast<const Lambda&>(node));
    case NodeKind::kRow:
      return visitor(static_cast<const Row&>(node));
    case NodeKind::kArray:
      return visitor(static_cast<const Array&>(node));
    case NodeKind::kStructLiteral:
      return visitor(static_cast<const StructLiteral&>(node));
    case NodeKind::kStructEntry:
      return visitor(static_cast<const StructEntry&>(node));
    case NodeKind::kComprehension:
      return visitor(static_cast<const Comprehension&>(node));
    case NodeKind::kSubquery:
      return visitor(static_cast<const Subquery&>(node));
    case NodeKind::kExists:
      return visitor(static_cast<const Exists&>(node));
    case NodeKind::kParenthesized:
      return visitor(static_cast<const Parenthesized&>(node));
    case NodeKind::kAlias:
      return visitor(static_cast<const Alias&>(node));
    case NodeKind::kSortItem:
      return visitor(static_cast<const SortItem&>(node));
    case NodeKind::kWindow:
      return visitor(static_cast<const Window&>(node));
    case NodeKind::kGroupingSet:
      return visitor(static_cast<const GroupingSet&>(node));
    case NodeKind::kType:
      return visitor(static_cast<const Type&>(node));
    case NodeKind::kTypeField:
      return visitor(static_cast<const TypeField&>(node));
    case NodeKind::kQuery:
      return visitor(static_cast<const Query&>(node));
    case NodeKind::kWith:
      return visitor(static_cast<const With&>(node));
    case NodeKind::kCte:
      return visitor(static_cast<const Cte&>(node));
    case NodeKind::kSelect:
      return visitor(static_cast<const Select&>(node));
    case NodeKind::kTransform:
      return visitor(static_cast<const Transform&>(node));
    case NodeKind::kSetOperation:
      return visitor(static_cast<const SetOperation&>(node));
    case NodeKind::kValues:
      return visitor(static_cast<const Values&>(node));
    case NodeKind::kTableQuery:
      return visitor(static_cast<const TableQuery&>(node));
    case NodeKind::kNamedWindow:
      return visitor(static_cast<const NamedWindow&>(node));
    case NodeKind::kPipe:
      return visitor(static_cast<const Pipe&>(node));
    case NodeKind::kTable:
      return visitor(static_cast<const Table&>(node));
    case NodeKind::kDerived:
      return visitor(static_cast<const Derived&>(node));
    case NodeKind::kFunction:
      return visitor(static_cast<const Function&>(node));
    case NodeKind::kJoin:
      return visitor(static_cast<const Join&>(node));
    case NodeKind::kNested:
      return visitor(static_cast<const Nested&>(node));
    case NodeKind::kLateralView:
      return visitor(static_cast<const LateralView&>(node));
    case NodeKind::kPivot:
      return visitor(static_cast<const Pivot&>(node));
    case NodeKind::kUnpivot:
      return visitor(static_cast<const Unpivot&>(node));
    case NodeKind::kUnpivotItem:
      return visitor(static_cast<const UnpivotItem&>(node));
    case NodeKind::kMatchRecognize:
      return visitor(static_cast<const MatchRecognize&>(node));
    case NodeKind::kSample:
      return visitor(static_cast<const Sample&>(node));
    case NodeKind::kTimeTravel:
      return visitor(static_cast<const TimeTravel&>(node));
    case NodeKind::kInsert:
      return visitor(static_cast<const Insert&>(node));
    case NodeKind::kPartitionItem:
      return visitor(static_cast<const PartitionItem&>(node));
    case NodeKind::kPartitionSpec:
      return visitor(static_cast<const PartitionSpec&>(node));
    case NodeKind::kMultiInsert:
      return visitor(static_cast<const MultiInsert&>(node));
    case NodeKind::kAssignment:
      return visitor(static_cast<const Assignment&>(node));
    case NodeKind::kMerge:
      return visitor(static_cast<const Merge&>(node));
    case NodeKind::kMergeClause:
      return visitor(static_cast<const MergeClause&>(node));
    case NodeKind::kUpdate:
      return visitor(static_cast<const Update&>(node));
    case NodeKind::kDelete:
      return visitor(static_cast<const Delete&>(node));
    case NodeKind::kTruncate:
      return visitor(static_cast<const Truncate&>(node));
    case NodeKind::kLoad:
      return visitor(static_cast<const Load&>(node));
    case NodeKind::kCopy:
      return visitor(static_cast<const Copy&>(node));
    case NodeKind::kExport:
      return visitor(static_cast<const Export&>(node));
    case NodeKind::kImport:
      return visitor(static_cast<const Import&>(node));
    case NodeKind::kColumnDefinition:
      return visitor(static_cast<const ColumnDefinition&>(node));
    case NodeKind::kClause:
      return visitor(static_cast<const Clause&>(node));
    case NodeKind::kCreateTable:
      return visitor(static_cast<const CreateTable&>(node));
    case NodeKind::kCreateView:
      return visitor(static_cast<const CreateView&>(node));
    case NodeKind::kCreateFunction:
      return visitor(static_cast<const CreateFunction&>(node));
    case NodeKind::kCreateOther:
      return visitor(static_cast<const CreateOther&>(node));
    case NodeKind::kDrop:
      return visitor(static_cast<const Drop&>(node));
    case NodeKind::kAlter:
      return visitor(static_cast<const Alter&>(node));
    case NodeKind::kAlterAction:
      return visitor(static_cast<const AlterAction&>(node));
    case NodeKind::kCache:
      return visitor(static_cast<const Cache&>(node));
    case NodeKind::kUse:
      return visitor(static_cast<const Use&>(node));
    case NodeKind::kSet:
      return visitor(static_cast<const Set&>(node));
    case NodeKind::kMaintain:
      return visitor(static_cast<const Maintain&>(node));
    case NodeKind::kCallStatement:
      return visitor(static_cast<const CallStatement&>(node));
    case NodeKind::kExplain:
      return visitor(static_cast<const Explain&>(node));
    case NodeKind::kCommand:
      return visitor(static_cast<const Command&>(node));
    case NodeKind::kBlock:
      return visitor(static_cast<const Block&>(node));
    case NodeKind::kIf:
      return visitor(static_cast<const If&>(node));
    case NodeKind::kBranch:
      return visitor(static_cast<const Branch&>(node));
    case NodeKind::kLoop:
      return visitor(static_cast<const Loop&>(node));
    case NodeKind::kDeclare:
      return visitor(static_cast<const Declare&>(node));
  }
  __builtin_unreachable();
}

// Calls `visit(const Node&)` for each child of `node` in the order of its Fields; not for what
// stands below them.
template <class Visitor>
void ForEachChild(const Node& node, Visitor&& visit) {
  const auto child = [&](const Node* found) {
    if (found != nullptr) visit(*found);
  };
  Visit(node, [&](const auto& typed) {
    typed.Fields([&](std::string_view, const auto& field) {
      using Field = std::decay_t<decltype(field)>;
      if constexpr (std::is_convertible_v<Field, const Node*>) {
        child(field);
      } else if constexpr (requires { field.types; }) {
        for (const Node* type : field.types) child(type);
      } else if constexpr (requires { static_cast<const Node*>(*field.begin()); }) {
        for (const Node* element : field) child(element);
      }
    });
  });
}

}  // namespace tarn::sql::tree
