#include <optional>
#include <string>

#include "tarn/lineage/reader_internal.h"

// Structs that a query builds: their fields keep their own origins, so that `s.a` is only what `a`
// was made of.
namespace tarn::lineage {
namespace {

using sql::tree::As;
using sql::tree::Call;
using sql::tree::Strip;

const sql::tree::Node* ValueOfArgument(const sql::tree::Node* node) {
  if (const auto* argument = As<sql::tree::Argument>(node)) return argument->value;
  if (const auto* alias = As<sql::tree::Alias>(node)) return alias->expression;
  return node;
}

}  // namespace

// The value of a whole select item: a struct keeps its fields.
Value Reader::ValueOf(const Expression* expression, Scope& scope) {
  expression = Strip(expression);
  if (const auto* column = As<sql::tree::Column>(expression)) {
    const Resolved found = Resolve(*column, scope);
    const size_t mark = Mark();
    Push(found.value, {found.part ? EdgeKind::kTransformation : EdgeKind::kIdentity});
    return {.origins = Take(mark),
            .fields = found.part ? std::span<const StructField>() : found.value.fields};
  }
  if (const std::optional<Value> whole = StructValue(expression, scope)) return *whole;
  const size_t mark = Mark();
  Trace(expression, {EdgeKind::kIdentity}, scope);
  return {.origins = Take(mark)};
}

// A struct of `fields`: as a whole it is a transformation of them all.
Value Reader::StructOf(std::span<const StructField> fields) {
  const size_t mark = Mark();
  for (const StructField& field : fields) Push(field.value, {EdgeKind::kTransformation});
  return {.origins = Take(mark), .fields = fields};
}

// What is known of `expression` as a struct; nothing if it is none that this query builds.
std::optional<Value> Reader::StructValue(const Expression* expression, Scope& scope) {
  expression = Strip(expression);
  if (const auto* call = As<Call>(expression)) {
    const std::span<const StructField> fields = FieldsOf(*call, scope);
    if (fields.empty()) return std::nullopt;
    return StructOf(fields);
  }
  if (const auto* built = As<sql::tree::StructLiteral>(expression)) {
    if (built->word == "MAP" || built->entries.empty()) return std::nullopt;
    const std::span<StructField> fields = scratch_.NewArray<StructField>(built->entries.size());
    for (size_t index = 0; index < fields.size(); ++index) {
      const auto* entry = built->entries[index];
      fields[index] = {session_.names().Fold(session_.Text(entry->key)),
                       ValueOf(entry->value, scope)};
    }
    return StructOf(fields);
  }
  if (const auto* row = As<sql::tree::Row>(expression)) {
    if (row->elements.size() < 2) return std::nullopt;
    const std::span<StructField> fields = scratch_.NewArray<StructField>(row->elements.size());
    for (size_t index = 0; index < fields.size(); ++index) {
      const auto* alias = As<sql::tree::Alias>(row->elements[index]);
      const Expression* const value = ValueOfArgument(row->elements[index]);
      bool named = false;
      const NameId name = alias != nullptr && !alias->name.empty()
                              ? session_.names().Fold(alias->name)
                              : ItemName(value, index, named);
      fields[index] = {name, ValueOf(value, scope)};
    }
    return StructOf(fields);
  }
  if (const auto* cast = As<sql::tree::Cast>(expression)) {
    return CastStruct(*cast, scope);
  }
  if (const auto* field = As<sql::tree::Field>(expression)) {
    const std::optional<Value> base = StructValue(field->base, scope);
    if (!base.has_value()) return std::nullopt;
    const NameId name = session_.names().Fold(field->field);
    const Resolved part = Fields(*base, std::span(&name, 1));
    if (part.part) return std::nullopt;
    return part.value;
  }
  if (const auto* column = As<sql::tree::Column>(expression)) {
    const Resolved found = Resolve(*column, scope);
    if (found.part || found.value.fields.empty()) return std::nullopt;
    return found.value;
  }
  return std::nullopt;
}

// CAST(ROW(a, b) AS ROW(x int, y int)): Trino's way to name fields.
std::optional<Value> Reader::CastStruct(const sql::tree::Cast& cast, Scope& scope) {
  if (cast.type == nullptr || cast.type->arguments.empty()) return std::nullopt;
  const std::optional<Value> inner = StructValue(cast.operand, scope);
  if (!inner.has_value() || inner->fields.empty()) return std::nullopt;
  const std::span<StructField> fields = scratch_.NewArray<StructField>(inner->fields.size());
  for (size_t index = 0; index < fields.size(); ++index) {
    fields[index] = inner->fields[index];
    if (index >= cast.type->arguments.size()) continue;
    if (const auto* field = As<sql::tree::TypeField>(cast.type->arguments[index])) {
      fields[index].name = session_.names().Fold(field->name);
    }
  }
  return StructOf(fields);
}

// The fields of a call that builds a struct; empty for others.
std::span<const StructField> Reader::FieldsOf(const Call& call, Scope& scope) {
  if (call.function.empty()) return {};
  const NameId name = session_.names().Fold(call.function.parts[call.function.parts.size() - 1]);
  const FunctionKind kind = session_.KindOf(name);
  if (kind != FunctionKind::kStruct && kind != FunctionKind::kNamedStruct) return {};
  const bool in_pairs = Text(name) == "named_struct";
  const size_t step = in_pairs ? 2 : 1;
  const std::span<StructField> fields =
      scratch_.NewArray<StructField>(call.arguments.size() / step);
  for (size_t index = 0; index < fields.size(); ++index) {
    const Node* const argument = call.arguments[index * step + step - 1];
    const Expression* const value = ValueOfArgument(argument);
    if (value == nullptr || value->kind == sql::tree::NodeKind::kStar) return {};
    bool said = false;
    NameId field = ItemName(value, index, said);
    const auto* alias = As<sql::tree::Alias>(argument);
    const auto* given = As<sql::tree::Argument>(argument);
    if (in_pairs) {
      field = session_.names().Fold(session_.Text(call.arguments[index * 2]));
    } else if (alias != nullptr && !alias->name.empty()) {
      field = session_.names().Fold(alias->name);
    } else if (given != nullptr && !given->name.empty()) {
      field = session_.names().Fold(given->name);
    } else if (!said) {
      field = session_.names().Intern("col" + std::to_string(index + 1));
    }
    fields[index] = {field, ValueOf(value, scope)};
  }
  return fields;
}

}  // namespace tarn::lineage
