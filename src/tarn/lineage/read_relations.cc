#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/lineage/reader_internal.h"

// The pass that reads what stands after FROM: each relation becomes a binding of the scope, and
// leaves its effects on the stack.
namespace tarn::lineage {
namespace {

using sql::tree::As;
using sql::tree::Identifier;
using sql::tree::NodeKind;

// How many levels of trees may be walked within each other: a walk costs about a kilobyte of stack
// per level, and views and WITH entries are walked where they are named.
constexpr uint32_t kLevelsMax = 3000;

// What walking `query` costs of them; a small one that reads itself must end as well.
uint32_t LevelsOf(const sql::tree::Node& query) { return std::max<uint32_t>(query.height, 16); }

// Spark: parquet.`x`. Any other word is a format where what follows is clearly a path.
constexpr std::array<std::string_view, 8> kFileFormats = {"parquet", "csv",  "json",       "orc",
                                                          "avro",    "text", "binaryfile", "jsonl"};

// The strings in quotes of a template: ref('a', 'b') → a, b.
std::vector<std::string_view> QuotedIn(std::string_view text) {
  std::vector<std::string_view> found;
  for (size_t at = text.find_first_of("'\""); at != std::string_view::npos;) {
    const size_t close = text.find(text[at], at + 1);
    if (close == std::string_view::npos) break;
    found.push_back(text.substr(at + 1, close - at - 1));
    at = text.find_first_of("'\"", close + 1);
  }
  return found;
}

}  // namespace

void Reader::ReadRelation(const Node* given, Scope& scope) {
  if (given == nullptr) {
    if (pipe_input_ == nullptr) return;
    PushEffects(pipe_input_->effects);
    return Bind(scope, pipe_input_, pipe_alias_);
  }
  const Node& node = *given;
  switch (node.kind) {
    case NodeKind::kTable:
      return ReadTable(static_cast<const sql::tree::Table&>(node), scope);
    case NodeKind::kDerived: {
      const auto& derived = static_cast<const sql::tree::Derived&>(node);
      const auto* query = As<sql::tree::Query>(derived.query);
      if (query == nullptr) {
        Warn(WarningCode::kUnsupported, node.span, "a statement in place of a table");
        return;
      }
      const Relation* const relation =
          ReadQuery(*query, derived.lateral ? &scope : scope.outer, scope.ctes);
      PushEffects(relation->effects);
      return Bind(scope, Renamed(relation, derived.alias.columns),
                  session_.names().Fold(derived.alias.name));
    }
    case NodeKind::kFunction:
      return ReadFunction(static_cast<const sql::tree::Function&>(node), scope);
    case NodeKind::kJoin:
      return ReadJoin(static_cast<const sql::tree::Join&>(node), scope);
    case NodeKind::kNested:
      return ReadNested(static_cast<const sql::tree::Nested&>(node), scope);
    case NodeKind::kLateralView:
      return ReadLateralView(static_cast<const sql::tree::LateralView&>(node), scope);
    case NodeKind::kPivot:
      return ReadPivot(static_cast<const sql::tree::Pivot&>(node), scope);
    case NodeKind::kUnpivot:
      return ReadUnpivot(static_cast<const sql::tree::Unpivot&>(node), scope);
    case NodeKind::kMatchRecognize:
      return ReadMatchRecognize(static_cast<const sql::tree::MatchRecognize&>(node), scope);
    default:
      Warn(WarningCode::kUnsupported, node.span, "this relation is not followed");
  }
}

void Reader::Bind(Scope& scope, const Relation* relation, NameId alias,
                  std::span<const NameId> path) {
  scope.bindings.push_back({.alias = alias, .path = path, .relation = relation});
  for (const RelationColumn& column : relation->columns) {
    scope.visible.push_back({.name = column.name, .column = &column});
  }
}

const Relation* Reader::Made(std::span<const RelationColumn> columns,
                             std::span<const Origin> effects) {
  return scratch_.New(Relation{.columns = columns, .effects = effects});
}

// t(a, b): its columns under other names, by position.
const Relation* Reader::Renamed(const Relation* relation, List<Identifier> columns) {
  if (columns.empty()) return relation;
  const std::span<const RelationColumn> old = relation->columns;
  const bool spread = old.size() == 1 && old[0].star;  // unknown columns get these names
  const size_t count = spread ? columns.size() : old.size();
  const std::span<RelationColumn> named = scratch_.NewArray<RelationColumn>(count);
  for (size_t index = 0; index < count; ++index) {
    const NameId name =
        index < columns.size() ? session_.names().Fold(columns[index]) : old[index].name;
    if (spread && old[0].open == kNoIndex) {
      named[index] = old[0];
      named[index].star = false;
    } else if (spread) {
      // The names of the table's own columns are not told; those by position are not invented.
      named[index] = RelationColumn{};
    } else {
      named[index] = old[index];
    }
    named[index].name = name;
    named[index].named = true;
  }
  return Made(named, relation->effects);
}

void Reader::ReadTable(const sql::tree::Table& table, Scope& scope) {
  const Relation* const relation = table.source != nullptr
                                       ? SourceRelation(*table.source, table.span)
                                       : NamedRelation(table.name, scope, table.span);
  PushEffects(relation->effects);
  NameId alias = session_.names().Fold(table.alias.name);
  std::span<const NameId> path;
  if (alias == kNoName && !table.name.empty()) {
    const size_t parts = table.name.parts.size();
    const bool with_db = parts == 1 && !session_.default_db().empty();
    const std::span<NameId> names = scratch_.NewArray<NameId>(parts + (with_db ? 1 : 0));
    if (with_db) names[0] = session_.names().Fold(session_.default_db());
    for (size_t index = 0; index < parts; ++index) {
      names[index + (with_db ? 1 : 0)] = session_.Part(table.name.parts[index]);
    }
    path = names;
    alias = names.back();
  }
  Bind(scope, Renamed(relation, table.alias.columns), alias, path);
  if (table.sample != nullptr) {
    for (const Expression* expression : table.sample->on) {
      TracePredicate(expression, EdgeKind::kFilter, scope);
    }
  }
}

CteScope* Reader::FindCte(CteScope* from, NameId name) {
  while (from != nullptr && from->name != name) from = from->earlier;
  return from;
}

const Relation* Reader::NamedRelation(const sql::tree::Name& name, Scope& scope,
                                      sql::SourceSpan span) {
  const size_t parts = name.parts.size();
  const NameId first = session_.Part(name.parts[0]);
  if (parts == 1) {
    if (CteScope* const cte = FindCte(scope.ctes, first)) return CteRelation(*cte);
  }
  const NameId last = session_.Part(name.parts[parts - 1]);
  if (parts == 1 || (parts == 2 && Text(first) == "global_temp")) {
    if (const TemporaryView* view = session_.FindTemporary(last, temporary_seen_)) {
      return TemporaryRelation(*view, span);
    }
  }
  if (parts == 2 && name.parts[1].quoted() &&
      (name.parts[1].Value().find('/') != std::string::npos ||
       std::find(kFileFormats.begin(), kFileFormats.end(), Text(first)) != kFileFormats.end())) {
    const uint32_t dataset = PathDataset("path:", name.parts[1].Value(), DatasetKind::kPath);
    AddInput(dataset);
    return UnknownRelation(dataset);
  }
  const NameId full = session_.TableName(name);
  if (parts >= 2 && !session_.Table(full).known) {
    // FROM t, t.items i: a column of an earlier relation, taken apart.
    const NameId column = session_.Part(name.parts[1]);
    const Binding* const binding = FindBinding(scope, std::span(&first, 1));
    if (binding != nullptr) {
      for (const RelationColumn& of : binding->relation->columns) {
        if (of.name != column || of.star) continue;
        const size_t mark = Mark();
        Push(of.value, {EdgeKind::kTransformation});
        return Made(OneColumn({.name = last, .star = true, .value = {.origins = Take(mark)}}), {});
      }
    }
  }
  return TableByName(full, span);
}

std::span<const RelationColumn> Reader::OneColumn(RelationColumn column) {
  return {scratch_.New(column), 1};
}

const Relation* Reader::TableByName(NameId name, sql::SourceSpan span) {
  const TableInfo& table = session_.Table(name);
  if (table.view != nullptr) {
    out_.through_views = true;
    if (session_.options().views == Views::kExpanded) return ViewRelation(table, span);
  }
  const uint32_t dataset = Dataset(name, table.kind);
  AddInput(dataset);
  if (!table.known && datasets_[dataset].relation == nullptr) {
    Warn(WarningCode::kUnknownTable, span,
         "'" + std::string(Text(name)) + "' is not in the schema: its columns are taken from here");
  }
  return TableRelation(dataset, table);
}

const Relation* Reader::SourceRelation(const Expression& source, sql::SourceSpan span) {
  if (const auto* call = As<sql::tree::Call>(&source)) {
    // IDENTIFIER('db.t')
    if (!call->arguments.empty() && As<sql::tree::Literal>(call->arguments[0]) != nullptr) {
      return TableByName(session_.TableName(session_.Text(call->arguments[0])), span);
    }
    Warn(WarningCode::kUnsupported, span, "which table this names is computed when it is run");
    return empty_;
  }
  if (const auto* parameter = As<sql::tree::Parameter>(&source)) {
    const std::vector<std::string_view> names = QuotedIn(parameter->text);
    const bool of_source = parameter->text.find("source(") != std::string_view::npos ||
                           parameter->text.find("source (") != std::string_view::npos;
    if (of_source && names.size() >= 2) {
      return TableByName(session_.TableName(std::string(names[0]) + "." + std::string(names[1])),
                         span);
    }
    if (!names.empty()) return TableByName(session_.TableName(names.back()), span);
    const std::string text = session_.Text(parameter);
    const bool filled = text != parameter->text;
    return TableByName(filled ? session_.TableName(text) : session_.names().Intern(text), span);
  }
  const uint32_t dataset = PathDataset("path:", session_.Text(&source), DatasetKind::kPath);
  AddInput(dataset);
  return UnknownRelation(dataset);
}

// Whether `query`, which is named at `span`, can be walked from here.
bool Reader::MayWalk(const Node& query, sql::SourceSpan span) {
  if (levels_ + LevelsOf(query) <= kLevelsMax) return true;
  Warn(WarningCode::kTooDeep, span, "queries are nested too deep here, or one reads itself");
  return false;
}

const Relation* Reader::CteRelation(CteScope& cte) {
  if (cte.relation != nullptr) return cte.relation;
  const Node& read = *cte.cte->query;
  const auto* query = As<sql::tree::Query>(&read);
  if (query == nullptr && !IsChange(read)) {
    Warn(WarningCode::kUnsupported, cte.cte->span, "a statement in WITH is not followed");
    return cte.relation = empty_;
  }
  if (cte.being_read || !MayWalk(read, cte.cte->name.span)) return cte.relation = empty_;
  cte.being_read = true;
  const WhereGuard guard(*this);
  levels_ += LevelsOf(read);
  if (query == nullptr) {
    cte.relation = Renamed(ReadChange(read, cte.earlier), cte.cte->columns);
  } else if (cte.recursive) {
    RecursiveRelation(cte);
  } else {
    cte.relation = Renamed(ReadQuery(*query, cte.outer, cte.earlier), cte.cte->columns);
  }
  levels_ -= LevelsOf(read);
  cte.being_read = false;
  return cte.relation;
}

// A query that may refer to itself: read again with what was found, until nothing is added.
const Relation* Reader::RecursiveRelation(CteScope& cte) {
  const auto& query = static_cast<const sql::tree::Query&>(*cte.cte->query);
  const auto* operation = As<sql::tree::SetOperation>(query.body);
  if (operation == nullptr) {
    cte.relation = empty_;
    return cte.relation = Renamed(ReadQuery(query, cte.outer, &cte), cte.cte->columns);
  }
  const auto weight = [](const Relation& relation) {
    size_t sum = relation.effects.size();
    for (const RelationColumn& column : relation.columns) {
      for (const Origin& origin : column.value.origins) {
        sum += 1 + static_cast<size_t>(origin.kind);
      }
    }
    return sum;
  };
  cte.relation =
      Renamed(ReadBody(operation->operands[0], cte.outer, cte.earlier), cte.cte->columns);
  for (size_t rounds = cte.relation->columns.size() + 3; rounds > 0; --rounds) {
    const size_t before = weight(*cte.relation);
    cte.relation = Renamed(ReadQuery(query, cte.outer, &cte), cte.cte->columns);
    if (weight(*cte.relation) == before) break;
  }
  return cte.relation;
}

const Relation* Reader::LoopRelation(const LoopRow& loop, sql::SourceSpan span) {
  for (const auto& [query, relation] : views_read_) {
    if (query == loop.query) return relation;
  }
  views_read_.emplace_back(loop.query, empty_);  // what it finds of itself
  const size_t at = views_read_.size() - 1;
  if (!MayWalk(*loop.query, span)) return empty_;
  const WhereGuard guard(*this);
  levels_ += LevelsOf(*loop.query);
  const Relation* const relation = ReadQuery(*loop.query, nullptr, nullptr);
  levels_ -= LevelsOf(*loop.query);
  return views_read_[at].second = relation;
}

const Relation* Reader::TemporaryRelation(const TemporaryView& view, sql::SourceSpan span) {
  const std::string name(Text(view.name));
  if (std::find(out_.transient.begin(), out_.transient.end(), name) == out_.transient.end()) {
    out_.transient.push_back(name);
  }
  for (const auto& [query, relation] : views_read_) {
    if (query == &view) return relation;
  }
  if (view.query == nullptr) {
    const uint32_t dataset = PathDataset("path:", view.path, DatasetKind::kPath);
    AddInput(dataset);
    if (view.columns.empty()) return UnknownRelation(dataset);
    const std::span<RelationColumn> columns =
        scratch_.NewArray<RelationColumn>(view.columns.size());
    for (size_t index = 0; index < columns.size(); ++index) {
      columns[index] =
          *UnknownColumn(dataset, session_.names().Fold(view.columns[index]->name.parts[0]));
    }
    return Made(columns, {});
  }
  if (!MayWalk(*view.query, span)) return empty_;
  const WhereGuard guard(*this);
  const size_t seen = std::exchange(temporary_seen_, view.earlier);
  const std::string db = session_.default_db();
  session_.set_default_db(view.default_db);
  levels_ += LevelsOf(*view.query);
  const Relation* relation = ReadQuery(*view.query, nullptr, nullptr);
  levels_ -= LevelsOf(*view.query);
  session_.set_default_db(db);
  temporary_seen_ = seen;
  if (!view.columns.empty()) {
    const std::span<Identifier> names = scratch_.NewArray<Identifier>(view.columns.size());
    for (size_t index = 0; index < names.size(); ++index) {
      names[index] = view.columns[index]->name.parts[0];
    }
    relation = Renamed(relation, {names.data(), names.size()});
  }
  views_read_.emplace_back(&view, relation);
  return relation;
}

const Relation* Reader::ViewRelation(const TableInfo& view, sql::SourceSpan span) {
  for (const auto& [query, relation] : views_read_) {
    if (query == view.view) return relation;
  }
  if (!MayWalk(*view.view, span)) return empty_;
  const WhereGuard guard(*this);
  if (view.view_of_schema) {
    outer_where_ = Where(span);
    where_ = *outer_where_;
  }
  const std::string_view text =
      std::exchange(text_, view.view_of_schema ? std::string_view(view.view_text) : text_);
  const size_t seen = std::exchange(temporary_seen_, 0);
  const std::string db = session_.default_db();
  if (!view.view_default_db.empty()) session_.set_default_db(view.view_default_db);
  levels_ += LevelsOf(*view.view);
  const Relation* const read = ReadQuery(*view.view, nullptr, nullptr);
  levels_ -= LevelsOf(*view.view);
  session_.set_default_db(db);
  temporary_seen_ = seen;
  text_ = text;
  // The names that the catalog, or CREATE VIEW v (a, b), gives to its columns.
  const size_t count = read->columns.size();
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(count);
  for (size_t index = 0; index < count; ++index) {
    columns[index] = read->columns[index];
    if (columns[index].star) continue;
    if (index < view.columns.size()) {
      columns[index].name = view.columns[index];
    } else if (index < view.view_columns.size()) {
      columns[index].name = session_.names().Fold(view.view_columns[index]->name.parts[0]);
    }
  }
  const Relation* const relation = Made(columns, read->effects);
  views_read_.emplace_back(view.view, relation);
  return relation;
}

}  // namespace tarn::lineage
