#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/lineage/reader_internal.h"

// Statements that write rows.
namespace tarn::lineage {
namespace {

using sql::tree::As;
using sql::tree::NodeKind;

}  // namespace

// The path of OPTIONS (path '…'): the string after the word.
std::string_view PathOption(sql::tree::List<const sql::tree::Clause*> clauses) {
  for (const auto* clause : clauses) {
    bool next = false;
    for (const std::string_view token : clause->tokens) {
      const bool text = token.size() >= 2 && (token[0] == '\'' || token[0] == '"');
      const std::string_view inner = text ? token.substr(1, token.size() - 2) : token;
      if (next && text) return inner;
      next = AsciiEqualsIgnoreCase(inner, "path") || (next && token == "=");
    }
  }
  return {};
}

StatementLineage Reader::Read(const Node& statement) {
  Begin(statement.span);
  Dispatch(statement);
  Finish();
  return std::move(out_);
}

StatementLineage Reader::ReadCondition(const Node& condition) {
  Begin(condition.span);
  out_.operation = Operation::kCondition;
  const uint32_t result = Dataset(session_.names().Intern("<query>"), DatasetKind::kQuery);
  const size_t mark = Mark();
  if (const auto* query = As<sql::tree::Query>(&condition)) {
    TraceMembership(*query, {EdgeKind::kFilter}, *ScopeLease(*this, nullptr, nullptr), true);
  } else {
    TracePredicate(&condition, EdgeKind::kFilter, *ScopeLease(*this, nullptr, nullptr));
  }
  WriteEffects(result, Take(mark));
  Finish();
  return std::move(out_);
}

void Reader::Begin(sql::SourceSpan span) {
  out_ = {};
  out_.span = span;
  ++statement_;
  scratch_.Reset();
  stack_.clear();
  leaves_.clear();
  datasets_.clear();
  written_.clear();
  written_effects_.clear();
  views_read_.clear();
  scopes_used_ = 0;
  lists_used_ = 0;
  where_ = {};
  outer_where_.reset();
  pipe_input_ = nullptr;
  temporary_seen_ = session_.temporary_count();
  empty_ = scratch_.New(Relation{});
}

void Reader::Dispatch(const Node& statement) {
  const auto with = [&](Operation operation) { out_.operation = operation; };
  switch (statement.kind) {
    case NodeKind::kQuery:
      return ReadPlainQuery(static_cast<const sql::tree::Query&>(statement));
    case NodeKind::kInsert: {
      using Mode = sql::tree::Insert::Mode;
      const Mode mode = static_cast<const sql::tree::Insert&>(statement).mode;
      with(mode == Mode::kInto ? Operation::kInsert : Operation::kInsertOverwrite);
      ReadChange(statement, nullptr);
      return;
    }
    case NodeKind::kMultiInsert:
      return ReadMultiInsert(static_cast<const sql::tree::MultiInsert&>(statement));
    case NodeKind::kMerge:
      with(Operation::kMerge);
      ReadChange(statement, nullptr);
      return;
    case NodeKind::kUpdate:
      with(Operation::kUpdate);
      ReadChange(statement, nullptr);
      return;
    case NodeKind::kDelete:
      with(Operation::kDelete);
      ReadChange(statement, nullptr);
      return;
    case NodeKind::kTruncate:
      return ReadTruncate(static_cast<const sql::tree::Truncate&>(statement));
    case NodeKind::kLoad:
      return ReadLoad(static_cast<const sql::tree::Load&>(statement));
    case NodeKind::kCopy:
      return ReadCopy(static_cast<const sql::tree::Copy&>(statement));
    case NodeKind::kExport:
      return ReadExport(static_cast<const sql::tree::Export&>(statement));
    case NodeKind::kImport:
      return ReadImport(static_cast<const sql::tree::Import&>(statement));
    case NodeKind::kCreateTable:
      return ReadCreateTable(static_cast<const sql::tree::CreateTable&>(statement));
    case NodeKind::kCreateView:
      return ReadCreateView(static_cast<const sql::tree::CreateView&>(statement));
    case NodeKind::kDrop:
      return ReadDrop(static_cast<const sql::tree::Drop&>(statement));
    case NodeKind::kAlter:
      return ReadAlter(static_cast<const sql::tree::Alter&>(statement));
    case NodeKind::kCache:
      return ReadCache(static_cast<const sql::tree::Cache&>(statement));
    case NodeKind::kMaintain: {
      const auto& table = static_cast<const sql::tree::Maintain&>(statement).table;
      return ReadMaintain(table.empty() ? kNoName : session_.TableName(table));
    }
    case NodeKind::kCallStatement:
      return ReadCall(static_cast<const sql::tree::CallStatement&>(statement));
    case NodeKind::kUse:
      session_.Use(static_cast<const sql::tree::Use&>(statement));
      return with(Operation::kSession);
    case NodeKind::kSet: {
      const auto& set = static_cast<const sql::tree::Set&>(statement);
      session_.Set(set.key, set.value);
      return with(Operation::kSession);
    }
    case NodeKind::kCreateFunction:
    case NodeKind::kDeclare:
      return with(Operation::kSession);
    default:
      return with(Operation::kOther);
  }
}

void Reader::ReadPlainQuery(const sql::tree::Query& query) {
  const auto* select = As<sql::tree::Select>(query.body);
  if (select != nullptr && !select->into.empty()) {
    out_.operation = Operation::kCreateTableAsSelect;
    return ReadCreateAs(select->into, query, nullptr, {});
  }
  out_.operation = Operation::kQuery;
  const Relation* const relation = ReadQuery(query, nullptr, nullptr);
  const uint32_t result = Dataset(session_.names().Intern("<query>"), DatasetKind::kQuery);
  BindColumns(result, *relation, {}, query.span);
  WriteEffects(result, relation->effects);
}

const Relation* Reader::ReadInsert(const sql::tree::Insert& insert,
                                   const sql::tree::MultiInsert* from, CteScope* ctes) {
  const Relation* relation = empty_;
  if (insert.query != nullptr) {
    const auto* select = As<sql::tree::Select>(insert.query->body);
    if (from != nullptr && select != nullptr) {
      relation = ReadSelect(*select, insert.query, nullptr, ctes, from);
    } else {
      relation = ReadQuery(*insert.query, nullptr, ctes);
    }
  }
  if (insert.table == nullptr) {
    std::string path = session_.Text(insert.directory);
    if (insert.directory == nullptr) path = PathOption(insert.clauses);
    const uint32_t dataset =
        PathDataset(insert.local ? "dir:file:" : "dir:", path, DatasetKind::kDirectory);
    AddOutput(dataset);
    BindColumns(dataset, *relation, {}, insert.span);
    WriteEffects(dataset, relation->effects);
    return empty_;
  }
  const auto* source = insert.table->source;
  const NameId name = source == nullptr ? session_.TableName(insert.table->name)
                                        : session_.TableName(session_.Text(source));
  const TableInfo& table = session_.Table(name);
  const uint32_t dataset = Dataset(name, table.kind);
  TableRelation(dataset, table);
  AddOutput(dataset);
  const size_t written_from = written_.size();
  if (!insert.assignments.empty()) {
    ScopeLease scope(*this, nullptr, ctes);
    std::vector<Assigned> assigned;
    for (const auto* assignment : insert.assignments) {
      ReadAssignment(*assignment, nullptr, *scope, assigned);
    }
    BindAssigned(dataset, table, assigned);
  } else {
    if (insert.query != nullptr) BindInsert(insert, dataset, table, *relation);
    WriteEffects(dataset, relation->effects);
    if (insert.conflict_update) ReadConflict(insert, dataset, table, *relation);
  }
  if (insert.returning.empty()) return empty_;
  ScopeLease scope(*this, nullptr, ctes);
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(table.columns.size());
  for (size_t index = 0; index < columns.size(); ++index) {
    columns[index].name = table.columns[index];
  }
  const auto& alias = insert.table->alias.name;
  Bind(*scope, Changed(*Made(columns, {}), dataset, written_from),
       alias.empty() ? TargetAlias(*insert.table) : session_.names().Fold(alias));
  return Returned(insert.returning, *scope, relation->effects);
}

// ON CONFLICT … DO UPDATE SET a = excluded.a: `excluded` is the row that was to be inserted.
void Reader::ReadConflict(const sql::tree::Insert& insert, uint32_t dataset, const TableInfo& table,
                          const Relation& rows) {
  ScopeLease scope(*this, nullptr, nullptr);
  const auto& alias = insert.table->alias.name;
  Bind(*scope, TableRelation(dataset, table),
       alias.empty() ? TargetAlias(*insert.table) : session_.names().Fold(alias));
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(rows.columns.size());
  std::copy(rows.columns.begin(), rows.columns.end(), columns.begin());
  for (size_t index = 0; index < columns.size(); ++index) {
    if (insert.columns_said && index < insert.columns.size()) {
      columns[index].name = session_.Part(insert.columns[index].parts[0]);
    } else if (!insert.columns_said && table.known && index < table.columns.size()) {
      columns[index].name = table.columns[index];
    }
  }
  scope->bindings.push_back(
      {.alias = session_.names().Intern("excluded"), .relation = Made(columns, {})});
  std::vector<Assigned> assigned;
  for (const auto* assignment : insert.conflict_set) {
    ReadAssignment(*assignment, &scope->bindings[0], *scope, assigned);
  }
  // Each column once: what is inserted and what replaces it.
  for (const Assigned& one : assigned) {
    const uint32_t leaf = LeafOf(dataset, one.column);
    const auto written = std::find_if(written_.begin(), written_.end(), [&](const Written& other) {
      return other.dataset == dataset && other.leaf == leaf;
    });
    if (written == written_.end()) {
      WriteColumn(dataset, one.column, kNoName, {.origins = one.origins}, one.where);
      continue;
    }
    const size_t mark = Mark();
    PushEffects(written->value.origins);
    PushEffects(one.origins);
    written->value = {.origins = Take(mark)};
  }
  const size_t mark = Mark();
  TracePredicate(insert.conflict_where, EdgeKind::kFilter, *scope);
  WriteEffects(dataset, Take(mark));
}

void Reader::ReadMultiInsert(const sql::tree::MultiInsert& insert) {
  out_.operation = Operation::kMultiInsert;
  CteScope* const ctes = WithCtes(insert.with, nullptr, nullptr);
  for (const auto* branch : insert.branches) ReadInsert(*branch, &insert, ctes);
  WarnUnused(ctes, nullptr);
}

// The column that `target` of SET names: without the table's alias in front.
NameId Reader::AssignedColumn(const Expression* target, const Binding* table) {
  target = sql::tree::Strip(target);
  if (const auto* subscript = As<sql::tree::Subscript>(target)) {
    return AssignedColumn(subscript->base, table);
  }
  if (const auto* field = As<sql::tree::Field>(target)) return AssignedColumn(field->base, table);
  const auto* column = As<sql::tree::Column>(target);
  if (column == nullptr) return kNoName;
  const auto& parts = column->name.parts;
  const NameId first = session_.Part(parts[0]);
  if (parts.size() > 1 && table != nullptr && first == table->alias) {
    return session_.Part(parts[1]);
  }
  if (parts.size() > 2 && table != nullptr && session_.Part(parts[1]) == table->alias) {
    return session_.Part(parts[2]);
  }
  return first;
}

Reader::Assigned Reader::AssignedValue(NameId column, const Expression* value, Scope& scope) {
  const WhereGuard guard(*this);
  where_ = Where(value->span);
  const size_t mark = Mark();
  Trace(value, {EdgeKind::kIdentity}, scope);
  return {column, Take(mark), where_};
}

void Reader::ReadAssignment(const sql::tree::Assignment& assignment, const Binding* target,
                            Scope& scope, std::vector<Assigned>& assigned) {
  const auto* several = As<sql::tree::Row>(assignment.target);
  if (several == nullptr) {
    const NameId column = AssignedColumn(assignment.target, target);
    if (column == kNoName) return;
    assigned.push_back(AssignedValue(column, assignment.value, scope));
    // SET s.a = x keeps the other fields: the column is made of the value, among others.
    const auto* dotted = As<sql::tree::Column>(assignment.target);
    const size_t whole = dotted != nullptr && target != nullptr && dotted->name.parts.size() > 1 &&
                                 session_.Part(dotted->name.parts[0]) == target->alias
                             ? 2
                             : 1;
    if (dotted == nullptr || dotted->name.parts.size() > whole) {
      const size_t mark = Mark();
      where_ = assigned.back().where;
      PushAll(assigned.back().origins, {EdgeKind::kTransformation});
      assigned.back().origins = Take(mark);
    }
    return;
  }
  const auto* values = As<sql::tree::Row>(sql::tree::Strip(assignment.value));
  const auto* query = As<sql::tree::Subquery>(assignment.value);
  const Relation* rows = nullptr;
  if (query != nullptr) rows = ReadQuery(*query->query, &scope, scope.ctes);
  for (size_t index = 0; index < several->elements.size(); ++index) {
    const NameId column = AssignedColumn(several->elements[index], target);
    if (values != nullptr && index < values->elements.size()) {
      assigned.push_back(AssignedValue(column, values->elements[index], scope));
    } else if (rows != nullptr && index < rows->columns.size()) {
      const WhereGuard guard(*this);
      where_ = Where(assignment.value->span);
      const size_t mark = Mark();
      Push(rows->columns[index].value, {EdgeKind::kIdentity});
      PushAll(rows->effects, {EdgeKind::kIdentity});
      assigned.push_back({column, Take(mark), where_});
    }
  }
}

const sql::tree::Table* Reader::TargetTable(const Node* target, sql::SourceSpan span,
                                            const char* statement) {
  const auto* named = As<sql::tree::Table>(target);
  if (named != nullptr && !named->name.empty()) return named;
  Warn(WarningCode::kUnsupported, span,
       std::string("the target of this ") + statement + " is no table");
  return nullptr;
}

const Relation* Reader::ReadMerge(const sql::tree::Merge& merge, CteScope* ctes) {
  const sql::tree::Table* const named = TargetTable(merge.target, merge.span, "MERGE");
  if (named == nullptr) return empty_;
  const TableInfo& table = session_.Table(session_.TableName(named->name));
  const uint32_t dataset = Dataset(table.name, table.kind);
  AddOutput(dataset);

  ScopeLease source(*this, nullptr, ctes);
  const size_t mark = Mark();
  ReadRelation(merge.source, *source);
  ScopeLease both(*this, nullptr, ctes);
  ReadTable(*named, *both);
  both->bindings.insert(both->bindings.end(), source->bindings.begin(), source->bindings.end());
  both->visible.insert(both->visible.end(), source->visible.begin(), source->visible.end());
  std::vector<RelationColumn>& columns = Columns();
  for (const VisibleColumn& visible : source->visible) columns.push_back(*visible.column);
  const Relation* const rows = Made(scratch_.Copy(std::span<const RelationColumn>(columns)), {});
  GiveBack();

  TracePredicate(merge.on, EdgeKind::kJoin, *both);
  for (const auto& column : merge.using_columns) {
    const WhereGuard guard(*this);
    where_ = Where(column.span);
    const NameId name = session_.names().Fold(column);
    for (const Relation* side : {both->bindings[0].relation, rows}) {
      const RelationColumn* const found = FindColumn(*side, name, column.span);
      if (found != nullptr) Push(found->value, {EdgeKind::kJoin});
    }
  }
  std::vector<Assigned> assigned;
  for (const auto* clause : merge.clauses) {
    TracePredicate(clause->condition, EdgeKind::kFilter, *both);
    TracePredicate(clause->where, EdgeKind::kFilter, *both);
    ReadMergeClause(*clause, table, *both, *source, *rows, assigned);
  }
  const std::span<const Origin> effects = Take(mark);
  WriteEffects(dataset, effects);
  const size_t written_from = written_.size();
  BindAssigned(dataset, table, assigned);
  if (merge.returning.empty()) return empty_;
  ChangeTarget(*both, dataset, written_from);
  return Returned(merge.returning, *both, effects);
}

void Reader::ReadMergeClause(const sql::tree::MergeClause& clause, const TableInfo& table,
                             Scope& both, Scope& source, const Relation& rows,
                             std::vector<Assigned>& assigned) {
  using Action = sql::tree::MergeClause::Action;
  if (clause.action != Action::kUpdate && clause.action != Action::kInsert) return;
  if (clause.all) {
    // UPDATE SET *, INSERT *: by name, as far as both have it.
    const std::vector<NameId> names = table.known ? table.columns : NamesOf(rows);
    const WhereGuard guard(*this);
    where_ = Where(clause.span);
    for (const NameId name : names) {
      if (name == kNoName) {
        Warn(WarningCode::kUnknownStar, clause.span,
             "which columns '*' stands for cannot be told without a schema");
        continue;
      }
      const RelationColumn* const column = FindColumn(rows, name, clause.span);
      if (column == nullptr) continue;
      const size_t mark = Mark();
      Push(column->value, {EdgeKind::kIdentity});
      assigned.push_back({name, Take(mark), where_});
    }
    return;
  }
  if (clause.action == Action::kUpdate) {
    const Binding target = both.bindings[0];
    for (const auto* assignment : clause.assignments) {
      ReadAssignment(*assignment, &target, both, assigned);
    }
    return;
  }
  std::vector<NameId> names = table.columns;
  if (!clause.columns.empty()) {
    names.clear();
    for (const auto& name : clause.columns) {
      names.push_back(session_.Part(name.parts[name.parts.size() - 1]));
    }
  } else if (!table.known) {
    Warn(WarningCode::kUnknownStar, clause.span,
         "which columns this INSERT writes cannot be told without a schema");
  }
  // A star among the values: every column of it.
  size_t at = 0;
  for (const Expression* value : clause.values) {
    if (at >= names.size()) break;
    assigned.push_back(AssignedValue(names[at++], value, source));
  }
}

const Relation* Reader::ReadUpdate(const sql::tree::Update& update, CteScope* ctes) {
  const Node* target = update.table;
  while (const auto* join = As<sql::tree::Join>(target)) target = join->left;
  const sql::tree::Table* const named = TargetTable(target, update.span, "UPDATE");
  if (named == nullptr) return empty_;
  const TableInfo& table = session_.Table(session_.TableName(named->name));
  const uint32_t dataset = Dataset(table.name, table.kind);
  AddOutput(dataset);
  ScopeLease scope(*this, nullptr, ctes);
  const size_t mark = Mark();
  ReadRelation(update.table, *scope);
  for (const Node* relation : update.from) ReadRelation(relation, *scope);
  TracePredicate(update.where, EdgeKind::kFilter, *scope);
  const Binding first = scope->bindings[0];
  std::vector<Assigned> assigned;
  for (const auto* assignment : update.assignments) {
    ReadAssignment(*assignment, &first, *scope, assigned);
  }
  const std::span<const Origin> effects = Take(mark);
  WriteEffects(dataset, effects);
  const size_t written_from = written_.size();
  BindAssigned(dataset, table, assigned);
  if (update.returning.empty()) return empty_;
  ChangeTarget(*scope, dataset, written_from);
  return Returned(update.returning, *scope, effects);
}

const Relation* Reader::ReadDelete(const sql::tree::Delete& statement, CteScope* ctes) {
  const sql::tree::Table* const named = TargetTable(statement.table, statement.span, "DELETE");
  if (named == nullptr) return empty_;
  const TableInfo& table = session_.Table(session_.TableName(named->name));
  const uint32_t dataset = Dataset(table.name, table.kind);
  AddOutput(dataset);
  ScopeLease scope(*this, nullptr, ctes);
  const size_t mark = Mark();
  ReadTable(*named, *scope);
  for (const Node* relation : statement.using_relations) ReadRelation(relation, *scope);
  TracePredicate(statement.where, EdgeKind::kFilter, *scope);
  const std::span<const Origin> effects = Take(mark);
  WriteEffects(dataset, effects);
  return Returned(statement.returning, *scope, effects);
}

void Reader::ReadLoad(const sql::tree::Load& load) {
  out_.operation = Operation::kLoad;
  AddInput(PathDataset(load.local ? "path:file:" : "path:", session_.Text(load.path),
                       DatasetKind::kPath));
  const TableInfo& table = session_.Table(session_.TableName(load.table));
  const uint32_t dataset = Dataset(table.name, table.kind);
  AddOutput(dataset);
  BindPartitions(dataset, load.partitions);
}

void Reader::ReadCopy(const sql::tree::Copy& copy) {
  out_.operation = Operation::kCopy;
  const std::string place = session_.Text(copy.place);
  if (copy.to) {
    const Relation* relation = empty_;
    if (copy.query != nullptr) {
      relation = ReadQuery(*copy.query, nullptr, nullptr);
    } else if (copy.table != nullptr) {
      ScopeLease scope(*this, nullptr, nullptr);
      relation = NamedRelation(copy.table->name, *scope, copy.table->span);
    }
    const uint32_t dataset = PathDataset("dir:", place, DatasetKind::kDirectory);
    AddOutput(dataset);
    BindColumns(dataset, *relation, {}, copy.span);
    return WriteEffects(dataset, relation->effects);
  }
  if (copy.table == nullptr) return;
  const TableInfo& table = session_.Table(session_.TableName(copy.table->name));
  const uint32_t dataset = Dataset(table.name, table.kind);
  TableRelation(dataset, table);
  AddOutput(dataset);
  if (copy.query == nullptr) {
    return AddInput(PathDataset("path:", place, DatasetKind::kPath));
  }
  const Relation* const relation = ReadQuery(*copy.query, nullptr, nullptr);
  // Files have named columns, and COPY INTO goes by them.
  BindColumns(dataset, *relation, {}, copy.span);
  WriteEffects(dataset, relation->effects);
}

void Reader::ReadExport(const sql::tree::Export& statement) {
  out_.operation = Operation::kExport;
  const uint32_t input = Dataset(session_.TableName(statement.table), DatasetKind::kTable);
  AddInput(input);
  BindPartitions(input, statement.partitions);
  AddOutput(PathDataset("dir:", session_.Text(statement.path), DatasetKind::kDirectory));
}

void Reader::ReadImport(const sql::tree::Import& import) {
  out_.operation = Operation::kImport;
  AddInput(PathDataset("path:", session_.Text(import.path), DatasetKind::kPath));
  if (import.table.empty()) return;
  const uint32_t output = Dataset(session_.TableName(import.table), DatasetKind::kTable);
  AddOutput(output);
  BindPartitions(output, import.partitions);
}

}  // namespace tarn::lineage
