#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/lineage/lineage.h"
#include "tarn/lineage/relation_internal.h"
#include "tarn/lineage/scratch_internal.h"
#include "tarn/lineage/session_internal.h"
#include "tarn/sql/tree.h"

namespace tarn::lineage {

// A WITH entry; read when it is first referred to, so that what nobody reads is no input.
struct CteScope {
  NameId name = kNoName;
  const sql::tree::Cte* cte = nullptr;
  CteScope* earlier = nullptr;    // what its query sees
  struct Scope* outer = nullptr;  // of a WITH in a correlated subquery
  bool recursive = false;
  bool being_read = false;
  const Relation* relation = nullptr;  // null: not read yet
};

// A relation under a name, in a FROM clause.
struct Binding {
  NameId alias = kNoName;             // what qualifies its columns
  std::span<const NameId> path = {};  // of a table without an alias: catalog, db, table
  const Relation* relation = nullptr;
};

// A column that needs no qualifier; `column` may be a place of unknown ones.
struct VisibleColumn {
  NameId name = kNoName;
  const RelationColumn* column = nullptr;
};

// What names mean at some place of a query. Its own FROM first, then the queries around it.
struct Scope {
  Scope* outer = nullptr;
  CteScope* ctes = nullptr;
  std::vector<Binding> bindings;
  std::vector<VisibleColumn> visible;  // in the order of `*`
  size_t bindings_from = 0;            // a join's ON looks at its own two sides first
  size_t visible_from = 0;
  std::vector<RelationColumn> aliases;  // select items that have been read
  enum class Aliases : uint8_t { kHidden, kAfter, kBefore } alias_use = Aliases::kHidden;
  sql::tree::List<const sql::tree::NamedWindow*> windows;
  std::vector<NameId> parameters;  // of the lambdas around
};

// Reads one statement after the other. A query is walked once, from the leaves up: every relation
// knows, per column, which columns of datasets it is made of, so what stands above it only puts
// these together. The passes are members of this class, each in a file of its own:
//
//   read_relations.cc    FROM → bindings of a Scope; read_joins.cc, read_functions.cc (lateral
//                        views, table functions), read_pivots.cc
//   resolve_columns.cc   a name in a Scope → its Value
//   expand_stars.cc      * and its forms → columns
//   trace_expressions.cc an expression → origins, by kind; struct_values.cc: structs, by field
//   read_queries.cc      WITH, SELECT, set operations, pipes → Relation
//   bind_targets.cc      a Relation → the columns of a target, edges
//   read_statements.cc   INSERT, MERGE, UPDATE …       read_ddl.cc  CREATE, ALTER, DROP …
//   read_changes.cc      what these return, where they stand in WITH
class Reader {
 public:
  // `session` outlives the reader; `text` is the script's.
  Reader(Session& session, std::string_view text) : session_(session), text_(text) {}

  // The lineage of `statement`; what it leaves to others goes to the session.
  StatementLineage Read(const sql::tree::Node& statement);
  // The same of what a script looks at on its way: an expression, or the query of a FOR loop.
  StatementLineage ReadCondition(const sql::tree::Node& condition);

 private:
  using Node = sql::tree::Node;
  using Expression = sql::tree::Expression;
  template <class T>
  using List = sql::tree::List<T>;

  // A column of a dataset, as origins mean it; becomes a Column when an edge needs it.
  struct Leaf {
    uint32_t dataset = 0;
    NameId name = kNoName;
    uint32_t column = kNoIndex;
  };
  // What is known of a dataset of the statement, beside out_.datasets.
  struct DatasetState {
    NameId name = kNoName;
    const Relation* relation = nullptr;                           // as it is read; null: not yet
    std::vector<std::pair<NameId, const RelationColumn*>> found;  // unknown columns met so far
    uint32_t first_leaf = kNoIndex;  // of a known table: its columns' leaves, in order
    bool input = false;
    bool output = false;
  };
  // Puts the spans of what is read back when it goes: those of `outer` stand while it lives.
  class WhereGuard;
  class ScopeLease;

  // -- Datasets and leaves (datasets.cc).
  uint32_t Dataset(NameId name, DatasetKind kind);
  uint32_t PathDataset(std::string_view prefix, std::string_view path, DatasetKind kind);
  void AddInput(uint32_t dataset);
  void AddOutput(uint32_t dataset);
  uint32_t NewLeaf(uint32_t dataset, NameId name);
  uint32_t LeafOf(uint32_t dataset, NameId name);
  ColumnId ColumnOf(uint32_t leaf);
  const Relation* TableRelation(uint32_t dataset, const TableInfo& table);
  const Relation* UnknownRelation(uint32_t dataset);
  const RelationColumn* UnknownColumn(uint32_t dataset, NameId name);
  void Warn(WarningCode code, sql::SourceSpan where, std::string message);
  std::string_view Text(NameId name) { return session_.names().Text(name); }
  sql::SourceSpan Where(sql::SourceSpan span) const { return outer_where_.value_or(span); }

  // -- Origins under way (origins.cc). A stack: what is pushed after a mark is taken off with it.
  size_t Mark() const { return stack_.size(); }
  void Push(const Value& value, Flow flow);
  void PushAll(std::span<const Origin> origins, Flow flow);
  void PushEffects(std::span<const Origin> effects) {
    stack_.insert(stack_.end(), effects.begin(), effects.end());
  }
  std::span<const Origin> Take(size_t mark);

  // -- Relations.
  void ReadRelation(const Node* node, Scope& scope);  // null: what comes through a pipe
  void ReadTable(const sql::tree::Table& table, Scope& scope);
  const Relation* NamedRelation(const sql::tree::Name& name, Scope& scope, sql::SourceSpan span);
  const Relation* TableByName(NameId name, sql::SourceSpan span);
  const Relation* SourceRelation(const Expression& source, sql::SourceSpan span);
  const Relation* CteRelation(CteScope& cte);
  const Relation* RecursiveRelation(CteScope& cte);
  const Relation* LoopRelation(const LoopRow& loop, sql::SourceSpan span);
  const Relation* TemporaryRelation(const TemporaryView& view, sql::SourceSpan span);
  const Relation* ViewRelation(const TableInfo& view, sql::SourceSpan span);
  bool MayWalk(const Node& query, sql::SourceSpan span);
  CteScope* FindCte(CteScope* from, NameId name);
  void ReadJoin(const sql::tree::Join& join, Scope& scope);
  void MergeColumns(const std::vector<NameId>& names, sql::tree::JoinKind kind, size_t left_from,
                    size_t right_from, Scope& scope);
  void ReadNested(const sql::tree::Nested& nested, Scope& scope);
  void ReadLateralView(const sql::tree::LateralView& view, Scope& scope);
  void ReadFunction(const sql::tree::Function& function, Scope& scope);
  const Relation* FunctionRelation(const sql::tree::Function& function, Scope& scope);
  std::optional<const Relation*> FileFunction(const sql::tree::Call& call);
  void ReadPivot(const sql::tree::Pivot& pivot, Scope& scope);
  void ReadUnpivot(const sql::tree::Unpivot& unpivot, Scope& scope);
  void ReadMatchRecognize(const sql::tree::MatchRecognize& match, Scope& scope);
  void Bind(Scope& scope, const Relation* relation, NameId alias,
            std::span<const NameId> path = {});
  const Relation* Renamed(const Relation* relation, List<sql::tree::Identifier> columns);
  const Relation* Generated(const sql::tree::Call& call, List<sql::tree::Identifier> names,
                            NameId alias, bool ordinality, Scope& scope);
  std::span<const RelationColumn> OneColumn(RelationColumn column);

  // -- Names.
  struct Resolved {
    Value value;
    bool part = false;  // a field of it, not the whole
    bool found = false;
  };
  Resolved Resolve(const sql::tree::Column& column, Scope& scope);
  bool ResolveQualified(std::span<const NameId> parts, Scope& scope, sql::SourceSpan span,
                        Resolved& out);
  bool ResolveFirst(std::span<const NameId> parts, Scope& scope, sql::SourceSpan span,
                    Resolved& out);
  bool ResolveVisible(std::span<const NameId> parts, const Scope& scope, size_t from, size_t to,
                      sql::SourceSpan span, Resolved& out);
  bool ResolveOpen(std::span<const NameId> parts, const Scope& scope, sql::SourceSpan span,
                   bool guess, Resolved& out);
  bool ResolveAlias(std::span<const NameId> parts, const Scope& scope, Resolved& out);
  const RelationColumn* FindColumn(const Relation& relation, NameId name, sql::SourceSpan span);
  const RelationColumn* OpenColumn(const RelationColumn& star, NameId name);
  const Binding* FindBinding(const Scope& scope, std::span<const NameId> qualifier);
  static Resolved Fields(const Value& value, std::span<const NameId> path);
  bool OpenHas(const Scope& scope, NameId name) const;

  // -- Stars.
  void ExpandStar(const sql::tree::Star& star, Scope& scope, std::vector<RelationColumn>& out);
  std::function<bool(std::string_view)> PickedBy(const Expression& pattern);

  // -- Expressions.
  void Trace(const Expression* expression, Flow flow, Scope& scope);
  void TraceCall(const sql::tree::Call& call, Flow flow, Scope& scope);
  void TraceArgument(const Node* argument, Flow flow, Scope& scope);
  void TraceWindow(const sql::tree::Window& window, Flow flow, Scope& scope);
  void TraceSubquery(const sql::tree::Query& query, Flow flow, Scope& scope);
  void TraceMembership(const sql::tree::Query& query, Flow flow, Scope& scope, bool columns);
  void TracePredicate(const Expression* predicate, EdgeKind kind, Scope& scope);
  Value ValueOf(const Expression* expression, Scope& scope);
  std::optional<Value> StructValue(const Expression* expression, Scope& scope);
  Value StructOf(std::span<const StructField> fields);
  std::optional<Value> CastStruct(const sql::tree::Cast& cast, Scope& scope);
  std::span<const StructField> FieldsOf(const sql::tree::Call& call, Scope& scope);
  bool HasAggregate(const Node& expression);
  const sql::tree::Window* NamedWindowOf(const sql::tree::Identifier& name, const Scope& scope);

  // -- Queries. Effects are left on the stack's side of the relation they come with.
  const Relation* ReadQuery(const sql::tree::Query& query, Scope* outer, CteScope* ctes);
  const Relation* ReadBody(const Node* body, Scope* outer, CteScope* ctes);
  const Relation* ReadSelect(const sql::tree::Select& select, const sql::tree::Query* query,
                             Scope* outer, CteScope* ctes, const sql::tree::MultiInsert* from);
  const Relation* ReadSetOperation(const sql::tree::SetOperation& operation, Scope* outer,
                                   CteScope* ctes);
  const Relation* ReadValues(const sql::tree::Values& values, Scope* outer, CteScope* ctes);
  const Relation* ReadTransform(const sql::tree::Transform& transform, Scope& scope);
  const Relation* ReadPipe(const sql::tree::Pipe& pipe, const Relation* input, NameId& alias,
                           Scope* outer, CteScope* ctes);
  void ReadPipeStep(const sql::tree::Pipe& pipe, const Relation* input, Scope& scope,
                    std::vector<RelationColumn>& columns);
  NameId ValuesName(size_t position);
  void ReadItems(List<const sql::tree::Alias*> items, Scope& scope,
                 std::vector<RelationColumn>& out);
  void ReadItem(const sql::tree::Alias& item, size_t position, Scope& scope,
                std::vector<RelationColumn>& out);
  bool ReadItemOfEach(const sql::tree::Alias& item, Scope& scope, std::vector<RelationColumn>& out);
  void GroupEffects(const sql::tree::Select& select, Scope& scope,
                    std::span<const RelationColumn> columns);
  void KeyEffects(const Expression* key, EdgeKind kind, Scope& scope,
                  std::span<const RelationColumn> columns);
  void OrderEffects(const sql::tree::Query& query, Scope& scope,
                    std::span<const RelationColumn> columns);
  CteScope* WithCtes(const sql::tree::With* with, CteScope* ctes, Scope* outer);
  void WarnUnused(CteScope* from, CteScope* to);
  NameId ItemName(const Expression* expression, size_t position, bool& named);
  // A list to fill, given back in the opposite order.
  std::vector<RelationColumn>& Columns();
  void GiveBack() { --lists_used_; }
  const Relation* Made(std::span<const RelationColumn> columns, std::span<const Origin> effects);

  // -- Targets.
  // What a statement gives to one column of its target, before ids are given out.
  struct Written {
    uint32_t dataset = 0;
    uint32_t leaf = 0;
    NameId projection = kNoName;
    Value value;
    sql::SourceSpan where;
  };
  struct WrittenEffects {
    uint32_t dataset = 0;
    std::span<const Origin> effects;
  };
  // MERGE and UPDATE may write one column several times.
  struct Assigned {
    NameId column = kNoName;
    std::span<const Origin> origins;
    sql::SourceSpan where;
  };
  void BindColumns(uint32_t dataset, const Relation& relation, std::span<const NameId> names,
                   sql::SourceSpan span);
  void BindInsert(const sql::tree::Insert& insert, uint32_t dataset, const TableInfo& table,
                  const Relation& relation);
  void BindPartitions(uint32_t dataset, List<const sql::tree::PartitionItem*> partitions);
  void BindAssigned(uint32_t dataset, const TableInfo& table,
                    const std::vector<Assigned>& assigned);
  void WriteColumn(uint32_t dataset, NameId name, NameId projection, const Value& value,
                   sql::SourceSpan where);
  void WriteEffects(uint32_t dataset, std::span<const Origin> effects) {
    written_effects_.push_back({dataset, effects});
  }
  std::vector<NameId> NamesOf(const Relation& relation);
  void AddEdges(uint32_t target, ColumnId output, std::span<const Origin> origins,
                sql::SourceSpan where);
  void Finish();

  // -- Statements.
  void Begin(sql::SourceSpan span);
  void Dispatch(const Node& statement);
  void ReadPlainQuery(const sql::tree::Query& query);
  // INSERT, MERGE, UPDATE or DELETE, which see `ctes`: the rows that it returns.
  const Relation* ReadChange(const Node& statement, CteScope* ctes);
  static bool IsChange(const Node& statement);
  // The rows of `before`, a relation of `dataset`, with what was written to it since.
  const Relation* Changed(const Relation& before, uint32_t dataset, size_t written_from);
  // The same of the first relation of `scope`.
  void ChangeTarget(Scope& scope, uint32_t dataset, size_t written_from);
  const Relation* Returned(List<const sql::tree::Alias*> items, Scope& scope,
                           std::span<const Origin> effects);
  NameId TargetAlias(const sql::tree::Table& table);
  const Relation* ReadInsert(const sql::tree::Insert& insert, const sql::tree::MultiInsert* from,
                             CteScope* ctes);
  void ReadConflict(const sql::tree::Insert& insert, uint32_t dataset, const TableInfo& table,
                    const Relation& rows);
  void ReadMultiInsert(const sql::tree::MultiInsert& insert);
  // The table that a MERGE, UPDATE or DELETE changes; null, with a warning, where it is none.
  const sql::tree::Table* TargetTable(const Node* target, sql::SourceSpan span,
                                      const char* statement);
  const Relation* ReadMerge(const sql::tree::Merge& merge, CteScope* ctes);
  void ReadMergeClause(const sql::tree::MergeClause& clause, const TableInfo& table, Scope& both,
                       Scope& source, const Relation& rows, std::vector<Assigned>& assigned);
  const Relation* ReadUpdate(const sql::tree::Update& update, CteScope* ctes);
  const Relation* ReadDelete(const sql::tree::Delete& statement, CteScope* ctes);
  void ReadAssignment(const sql::tree::Assignment& assignment, const Binding* target, Scope& scope,
                      std::vector<Assigned>& assigned);
  Assigned AssignedValue(NameId column, const Expression* value, Scope& scope);
  NameId AssignedColumn(const Expression* target, const Binding* table);
  void ReadLoad(const sql::tree::Load& load);
  void ReadCopy(const sql::tree::Copy& copy);
  void ReadExport(const sql::tree::Export& statement);
  void ReadImport(const sql::tree::Import& import);
  void ReadCreateTable(const sql::tree::CreateTable& create);
  NameId LikeOf(List<const sql::tree::Clause*> constraints);
  void ReadCreateAs(const sql::tree::Name& name, const sql::tree::Query& query, CteScope* ctes,
                    std::span<const NameId> columns);
  void ReadCreateView(const sql::tree::CreateView& create);
  void ReadViewQuery(NameId name, const sql::tree::Query& query,
                     List<const sql::tree::ColumnDefinition*> columns);
  void ReadDrop(const sql::tree::Drop& drop);
  void ReadTruncate(const sql::tree::Truncate& truncate);
  void ReadAlter(const sql::tree::Alter& alter);
  void ReadAlterAction(const sql::tree::Alter& alter, const sql::tree::AlterAction& action);
  void ReadAlterColumns(const sql::tree::AlterAction& action, NameId name);
  void ReadRename(std::string_view object, NameId from, NameId to);
  void ReadSwap(NameId a, NameId b);
  void ReadExchange(const sql::tree::AlterAction& action, NameId name);
  void CopyTable(NameId from, NameId to);
  void ReadCache(const sql::tree::Cache& cache);
  void ReadMaintain(NameId name);
  void ReadCall(const sql::tree::CallStatement& call);
  void AddDdl(std::string op, std::string_view object, std::vector<std::string> columns = {});
  std::vector<NameId> DefinedColumns(List<const sql::tree::ColumnDefinition*> columns);

  Session& session_;
  std::string_view text_;  // what spans mean: the script, or a view of the schema
  StatementLineage out_;
  Scratch scratch_;
  std::vector<Origin> stack_;
  std::vector<Leaf> leaves_;
  std::vector<DatasetState> datasets_;
  std::vector<uint32_t> dataset_of_name_;  // by NameId, as of statement_
  std::vector<uint32_t> dataset_stamp_;
  uint32_t statement_ = 0;
  std::vector<uint64_t> seen_;  // per leaf and kind: the take and the place it was kept at
  uint32_t take_ = 0;
  std::deque<Scope> scopes_;
  size_t scopes_used_ = 0;
  std::deque<std::vector<RelationColumn>> lists_;
  size_t lists_used_ = 0;
  sql::SourceSpan where_ = {};                       // of what is being traced
  std::optional<sql::SourceSpan> outer_where_ = {};  // within a view: where the view is named
  size_t temporary_seen_ = 0;                        // how many temporary views may be referred to
  uint32_t levels_ = 0;                              // of the trees being walked within each other
  // COLUMNS(…) within an expression stands for one column after the other.
  bool columns_met_ = false;
  std::optional<size_t> columns_at_ = {};  // the one it stands for now
  bool in_pattern_ = false;                // MEASURES: first() and last() are no aggregates
  const Relation* pipe_input_ = nullptr;   // what |> JOIN and |> UNION begin with
  NameId pipe_alias_ = kNoName;
  const Relation* empty_ = nullptr;
  std::vector<Written> written_;
  std::vector<WrittenEffects> written_effects_;
  std::vector<std::pair<const void*, const Relation*>> views_read_;  // by the view's query

  friend class ScopeLease;
};

// The path of OPTIONS (path '…') among `clauses`; empty if there is none.
std::string_view PathOption(sql::tree::List<const sql::tree::Clause*> clauses);

// Saves what must be the same again after something else was read in between.
class Reader::WhereGuard {
 public:
  explicit WhereGuard(Reader& reader)
      : reader_(reader), where_(reader.where_), outer_(reader.outer_where_) {}
  WhereGuard(const WhereGuard&) = delete;
  WhereGuard& operator=(const WhereGuard&) = delete;
  ~WhereGuard() {
    reader_.where_ = where_;
    reader_.outer_where_ = outer_;
  }

 private:
  Reader& reader_;
  sql::SourceSpan where_;
  std::optional<sql::SourceSpan> outer_;
};

// A Scope taken from those the reader keeps, so that its lists need no new memory.
class Reader::ScopeLease {
 public:
  ScopeLease(Reader& reader, Scope* outer, CteScope* ctes);
  ScopeLease(const ScopeLease&) = delete;
  ScopeLease& operator=(const ScopeLease&) = delete;
  ~ScopeLease() { --reader_.scopes_used_; }
  Scope& operator*() { return scope_; }
  Scope* operator->() { return &scope_; }

 private:
  Reader& reader_;
  Scope& scope_;
};

}  // namespace tarn::lineage
