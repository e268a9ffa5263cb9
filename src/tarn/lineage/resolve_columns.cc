#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "tarn/lineage/reader_internal.h"

// The pass that finds what a name in an expression means. In this order: a lambda's parameter; a
// column of the FROM clause (qualified, then not); a column that a table without schema may have; a
// select item of the same name; then the same in the query around. Nothing is guessed where several
// answers are possible: such a name has no source, and a warning.
namespace tarn::lineage {
namespace {

// Columns that engines add and no table has.
constexpr std::array<std::string_view, 17> kPseudo = {"grouping__id",
                                                      "spark_grouping_id",
                                                      "input__file__name",
                                                      "block__offset__inside__file",
                                                      "row__id",
                                                      "row__is__deleted",
                                                      "row__offset__inside__block",
                                                      "raw__data__size",
                                                      "_metadata",
                                                      "_file",
                                                      "_pos",
                                                      "$path",
                                                      "$file_size",
                                                      "$file_modified_time",
                                                      "$bucket",
                                                      "$partition",
                                                      "rownum"};

constexpr size_t kQualifierPartsMax = 3;

std::string Joined(std::span<const std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    if (!text.empty()) text += '.';
    text += part;
  }
  return text;
}

}  // namespace

Reader::Resolved Reader::Fields(const Value& value, std::span<const NameId> path) {
  Value at = value;
  for (const NameId name : path) {
    const auto field = std::find_if(at.fields.begin(), at.fields.end(),
                                    [&](const StructField& other) { return other.name == name; });
    if (field == at.fields.end()) return {.value = at, .part = true, .found = true};
    const Value inner = field->value;
    at = inner;
  }
  return {.value = at, .part = false, .found = true};
}

const RelationColumn* Reader::OpenColumn(const RelationColumn& star, NameId name) {
  if (star.open != kNoIndex) return UnknownColumn(star.open, name);
  RelationColumn any = star;
  any.star = false;
  any.name = name;
  return scratch_.New(any);
}

// The column `name` of `relation`: one it lists, else one of its only unknown table.
const RelationColumn* Reader::FindColumn(const Relation& relation, NameId name,
                                         sql::SourceSpan span) {
  const RelationColumn* open = nullptr;
  bool several = false;
  for (const RelationColumn& column : relation.columns) {
    if (column.star) {
      several |= open != nullptr && (open->open != column.open || column.open == kNoIndex);
      open = &column;
    } else if (column.name == name) {
      return &column;
    }
  }
  if (several) {
    Warn(WarningCode::kAmbiguousColumn, span,
         "'" + std::string(Text(name)) + "' may come from several tables without schema");
    return scratch_.New(RelationColumn{.name = name});
  }
  return open == nullptr ? nullptr : OpenColumn(*open, name);
}

// The newest binding that `qualifier` (table, db.table, …) names.
const Binding* Reader::FindBinding(const Scope& scope, std::span<const NameId> qualifier) {
  for (size_t at = scope.bindings.size(); at-- > 0;) {
    const Binding& binding = scope.bindings[at];
    if (binding.alias != qualifier.back()) continue;
    if (qualifier.size() == 1) return &binding;
    if (qualifier.size() <= binding.path.size() &&
        std::equal(qualifier.rbegin(), qualifier.rend(), binding.path.rbegin())) {
      return &binding;
    }
  }
  return nullptr;
}

bool Reader::ResolveQualified(std::span<const NameId> parts, Scope& scope, sql::SourceSpan span,
                              Resolved& out) {
  for (size_t count = std::min(parts.size() - 1, kQualifierPartsMax); count > 0; --count) {
    const Binding* const binding = FindBinding(scope, parts.first(count));
    if (binding == nullptr) continue;
    const RelationColumn* const column = FindColumn(*binding->relation, parts[count], span);
    if (column == nullptr) continue;
    out = Fields(column->value, parts.subspan(count + 1));
    return true;
  }
  return false;
}

// The first part is a column among visible[from, to), the others fields of it.
bool Reader::ResolveVisible(std::span<const NameId> parts, const Scope& scope, size_t from,
                            size_t to, sql::SourceSpan span, Resolved& out) {
  const RelationColumn* found = nullptr;
  for (size_t at = from; at < to; ++at) {
    if (scope.visible[at].name != parts[0] || scope.visible[at].column->star) continue;
    const RelationColumn* const column = scope.visible[at].column;
    if (found != nullptr && found->value.origins.data() != column->value.origins.data()) {
      Warn(WarningCode::kAmbiguousColumn, span,
           "'" + std::string(Text(parts[0])) + "' is a column of several tables here");
      out = {.found = true};
      return true;
    }
    found = column;
  }
  if (found == nullptr) return false;
  out = Fields(found->value, parts.subspan(1));
  return true;
}

// A column of the only relation here whose columns are not all known. `guess`: the first of several
// parts may be a struct of it.
bool Reader::ResolveOpen(std::span<const NameId> parts, const Scope& scope, sql::SourceSpan span,
                         bool guess, Resolved& out) {
  const RelationColumn* table = nullptr;
  const RelationColumn* function = nullptr;
  bool several = false;
  for (const VisibleColumn& visible : scope.visible) {
    if (!visible.column->star) continue;
    if (visible.column->open == kNoIndex) {
      function = visible.column;
    } else {
      several |= table != nullptr && table->open != visible.column->open;
      table = visible.column;
    }
  }
  if (table == nullptr && function == nullptr) return false;
  const std::string_view name = Text(parts[0]);
  if (std::find(kPseudo.begin(), kPseudo.end(), name) != kPseudo.end()) {
    out = {.found = true};
    return true;
  }
  if (several) {
    Warn(WarningCode::kAmbiguousColumn, span,
         "'" + std::string(name) + "' may come from several tables without schema");
    out = {.found = true};
    return true;
  }
  if (guess && table != nullptr) {
    Warn(WarningCode::kGuessedColumn, span,
         "'" + std::string(name) + "' names no table here: taken for a column of '" +
             out_.datasets[table->open].name + "'");
  }
  out =
      Fields(OpenColumn(table != nullptr ? *table : *function, parts[0])->value, parts.subspan(1));
  return true;
}

// Whether a table without schema has been found to have a column `name`.
bool Reader::OpenHas(const Scope& scope, NameId name) const {
  for (const VisibleColumn& visible : scope.visible) {
    if (!visible.column->star || visible.column->open == kNoIndex) continue;
    for (const auto& [found, column] : datasets_[visible.column->open].found) {
      if (found == name) return true;
    }
  }
  return false;
}

bool Reader::ResolveAlias(std::span<const NameId> parts, const Scope& scope, Resolved& out) {
  for (size_t at = scope.aliases.size(); at-- > 0;) {
    if (scope.aliases[at].name != parts[0] || scope.aliases[at].star) continue;
    out = Fields(scope.aliases[at].value, parts.subspan(1));
    return true;
  }
  return false;
}

bool Reader::ResolveFirst(std::span<const NameId> parts, Scope& scope, sql::SourceSpan span,
                          Resolved& out) {
  if (std::find(scope.parameters.begin(), scope.parameters.end(), parts[0]) !=
      scope.parameters.end()) {
    out = {.found = true};
    return true;
  }
  if (scope.alias_use == Scope::Aliases::kBefore && ResolveAlias(parts, scope, out)) return true;
  if (parts.size() > 1 && ResolveQualified(parts, scope, span, out)) return true;
  if (ResolveVisible(parts, scope, scope.visible_from, scope.visible.size(), span, out)) {
    return true;
  }
  return scope.visible_from > 0 && ResolveVisible(parts, scope, 0, scope.visible_from, span, out);
}

Reader::Resolved Reader::Resolve(const sql::tree::Column& column, Scope& scope) {
  std::array<NameId, 8> names{};
  const size_t count = std::min(column.name.parts.size(), names.size());
  for (size_t index = 0; index < count; ++index) {
    names[index] = session_.Part(column.name.parts[index]);
  }
  const std::span<const NameId> parts(names.data(), count);
  Resolved out;
  Scope* guessed = nullptr;
  for (Scope* at = &scope; at != nullptr; at = at->outer) {
    if (ResolveFirst(parts, *at, column.span, out)) return out;
    // An alias of the text is better than a column that a table without schema may have, unless
    // the text itself has named that column elsewhere.
    if (at->alias_use == Scope::Aliases::kAfter && !OpenHas(*at, parts[0]) &&
        ResolveAlias(parts, *at, out)) {
      return out;
    }
    // A variable comes after every column that is told, and before those that may be.
    if (session_.IsDeclared(parts[0]) && !OpenHas(*at, parts[0])) continue;
    if (count == 1) {
      if (ResolveOpen(parts, *at, column.span, false, out)) return out;
    } else if (guessed == nullptr) {
      guessed = at;
    }
  }
  const LoopRow* const loop = count > 1 ? session_.FindLoop(parts[0]) : nullptr;
  if (loop != nullptr && loop->query != nullptr) {
    const Relation* const row = LoopRelation(*loop, column.span);
    if (const RelationColumn* const found = FindColumn(*row, parts[1], column.span)) {
      return Fields(found->value, parts.subspan(2));
    }
  }
  if (session_.IsDeclared(parts[0])) {
    out.found = true;  // its value: the text does not say more
    return out;
  }
  for (Scope* at = guessed; at != nullptr; at = at->outer) {
    if (ResolveOpen(parts, *at, column.span, true, out)) return out;
  }
  if (std::find(kPseudo.begin(), kPseudo.end(), Text(parts[0])) != kPseudo.end()) {
    out.found = true;
    return out;
  }
  std::array<std::string_view, 8> texts{};
  for (size_t index = 0; index < count; ++index) texts[index] = Text(parts[index]);
  Warn(WarningCode::kUnknownColumn, column.span,
       "'" + Joined(std::span(texts.data(), count)) + "' is no column here");
  return out;
}

}  // namespace tarn::lineage
