#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tarn/sql/token.h"
#include "tarn/sql/tree_expressions.h"
#include "tarn/sql/tree_node.h"
#include "tarn/sql/tree_queries.h"
#include "tarn/sql/tree_statements.h"
#include "tarn/sql/tree_visit.h"

// The tree of a SQL text: what was said, not what it means. Nothing is resolved, folded or moved;
// one grammar takes every dialect, and a node records which spelling was used where that changes
// the meaning or the way back to text.
//
//   tree_node.h         Arena, List, Node, Identifier, Name, Visit: what the others are made of
//   tree_expressions.h  Literal … Lambda, Star, types
//   tree_queries.h      Query, Select, SetOperation …, and relations: what stands after FROM
//   tree_statements.h   Insert, CreateTable, Merge … scripting
//
// Nodes are plain structs in an arena, without destructors, never changed once parsed; every
// string_view is a piece of the parsed text or a constant. The ParsedScript (parser.h) owns both,
// and whoever holds a node holds it. A field that was not said is null, empty or false.
//
// How to use it:
//   if (const auto* call = As<Call>(node)) …      one kind, null for others (and for null)
//   switch (node->kind) { case NodeKind::kCall: … }
//   Visit(*node, [](const auto& typed) { … })     every kind at once
//   ForEachChild(*node, [](const Node& child) {}) the children, in the order of the grammar
namespace tarn::sql {
struct Dialect;
}  // namespace tarn::sql

namespace tarn::sql::tree {

// "Call", "CreateTable": for messages and the printed tree.
std::string_view KindName(NodeKind kind);

// a.b.c as written, without spaces: for messages.
std::string NameText(const Name& name);

// What a string literal means: unquoted, unescaped as `dialect` has it, its pieces joined. For
// other literals, their tokens joined by spaces.
std::string StringValue(const Literal& literal, const Dialect& dialect);

// The text between the first and the last byte of `span`, as written.
inline std::string_view TextOf(std::string_view sql, const SourceSpan& span) {
  return sql.substr(span.begin, span.size());
}

}  // namespace tarn::sql::tree
