#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tarn/lineage/column_pattern_internal.h"
#include "tarn/lineage/reader_internal.h"

// The pass that replaces * and its forms by columns. What stands for columns that nobody told us
// stays one column called `*`.
namespace tarn::lineage {
namespace {

using sql::tree::Alias;
using sql::tree::As;

// LIKE with % and _, without case: what DuckDB's `* LIKE 'a%'` picks.
bool IsLike(std::string_view text, std::string_view pattern) {
  size_t at = 0;
  size_t in = 0;
  size_t star = std::string_view::npos;
  size_t retry = 0;
  while (at < text.size()) {
    if (in < pattern.size() && pattern[in] == '%') {
      star = in++;
      retry = at;
    } else if (in < pattern.size() && (pattern[in] == '_' || pattern[in] == text[at])) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      in = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (in < pattern.size() && pattern[in] == '%') ++in;
  return in == pattern.size();
}

}  // namespace

// Which columns COLUMNS(…) picks: a regular expression, or a list of names.
std::function<bool(std::string_view)> Reader::PickedBy(const Expression& pattern) {
  if (const auto* list = As<sql::tree::Array>(&pattern)) {
    std::vector<NameId> names;
    names.reserve(list->elements.size());
    for (const Node* element : list->elements) {
      names.push_back(session_.names().Fold(session_.Text(element)));
    }
    return [this, names = std::move(names)](std::string_view name) {
      return std::find(names.begin(), names.end(), session_.names().Fold(name)) != names.end();
    };
  }
  if (As<sql::tree::Literal>(&pattern) != nullptr) {
    if (auto regular = ColumnPattern::Parse(session_.Text(&pattern))) {
      return [expression = *std::move(regular)](std::string_view name) {
        return expression.Matches(name);
      };
    }
  }
  Warn(WarningCode::kUnsupported, pattern.span, "this COLUMNS(…) is taken for every column");
  return [](std::string_view) { return true; };
}

void Reader::ExpandStar(const sql::tree::Star& star, Scope& scope,
                        std::vector<RelationColumn>& out) {
  // COLUMNS(* EXCLUDE (a)) is what stands in it.
  if (const auto* inner = As<sql::tree::Star>(star.pattern); inner != nullptr) {
    return ExpandStar(*inner, scope, out);
  }
  const size_t from = out.size();
  const auto add = [&](const RelationColumn& column) {
    out.push_back(column);
    out.back().where = Where(star.span);
    out.back().named = true;
  };
  if (star.base != nullptr) {
    const std::optional<Value> whole = StructValue(star.base, scope);
    if (whole.has_value() && !whole->fields.empty()) {
      for (const StructField& field : whole->fields) {
        add({.name = field.name, .value = field.value});
      }
    } else {
      const size_t mark = Mark();
      Trace(star.base, {EdgeKind::kTransformation}, scope);
      add({.star = true, .value = {.origins = Take(mark)}});
    }
  } else if (!star.qualifier.empty()) {
    std::vector<NameId> parts;
    parts.reserve(star.qualifier.parts.size());
    for (const auto& part : star.qualifier.parts) parts.push_back(session_.Part(part));
    const Binding* binding = nullptr;
    for (Scope* at = &scope; at != nullptr && binding == nullptr; at = at->outer) {
      binding = FindBinding(*at, parts);
    }
    if (binding != nullptr) {
      for (const RelationColumn& column : binding->relation->columns) add(column);
    } else {
      // s.*: the fields of a struct.
      sql::tree::Column column;
      column.name = star.qualifier;
      column.span = star.qualifier.span;
      const Resolved found = Resolve(column, scope);
      if (!found.value.fields.empty()) {
        for (const StructField& field : found.value.fields) {
          add({.name = field.name, .value = field.value});
        }
      } else if (found.found) {
        const size_t mark = Mark();
        Push(found.value, {EdgeKind::kTransformation});
        add({.star = true, .value = {.origins = Take(mark)}});
      }
    }
  } else {
    for (const VisibleColumn& visible : scope.visible) add(*visible.column);
  }

  const auto drop = [&](auto unwanted) {
    out.erase(std::remove_if(out.begin() + static_cast<int64_t>(from), out.end(), unwanted),
              out.end());
  };
  if (star.pattern != nullptr && star.columns_call) {
    drop([&, picked = PickedBy(*star.pattern)](const RelationColumn& column) {
      return !column.star && !picked(Text(column.name));
    });
  } else if (star.pattern != nullptr) {
    drop([&, pattern = session_.Text(star.pattern)](const RelationColumn& column) {
      return !column.star && !IsLike(Text(column.name), pattern);
    });
  }
  for (const auto& name : star.except) {
    const NameId excluded = session_.Part(name.parts[name.parts.size() - 1]);
    drop([&](const RelationColumn& column) { return column.name == excluded && !column.star; });
  }
  for (const Node* node : star.replace) {
    const auto* alias = As<Alias>(node);
    if (alias == nullptr) continue;
    const NameId name = session_.names().Fold(alias->name);
    const WhereGuard guard(*this);
    where_ = Where(alias->expression->span);
    const Value value = ValueOf(alias->expression, scope);
    for (size_t at = from; at < out.size(); ++at) {
      if (out[at].name == name && !out[at].star) {
        out[at].value = value;
        out[at].where = where_;
      }
    }
  }
  for (const Node* node : star.rename) {
    const auto* alias = As<Alias>(node);
    const auto* column = alias == nullptr ? nullptr : As<sql::tree::Column>(alias->expression);
    if (column == nullptr) continue;
    const NameId old = session_.Part(column->name.parts[column->name.parts.size() - 1]);
    for (size_t at = from; at < out.size(); ++at) {
      if (out[at].name == old && !out[at].star) out[at].name = session_.names().Fold(alias->name);
    }
  }
}

}  // namespace tarn::lineage
