#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"
#include "tarn/lineage/reader_internal.h"

// Statements that make, change and remove objects, and those that only look after them.
namespace tarn::lineage {
namespace {

using sql::tree::AlterAction;
using sql::tree::As;

// "MATERIALIZED VIEW" → "MATERIALIZED_VIEW"
std::string Underscored(std::string_view words) {
  std::string text(words);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

std::string AsWritten(const sql::tree::Name& name) {
  std::string text;
  for (const auto& part : name.parts) {
    if (!text.empty()) text += '.';
    text += AsciiLower(part.Value());
  }
  return text;
}

bool IsTableOrView(std::string_view object) {
  return object.find("TABLE") != std::string_view::npos ||
         object.find("VIEW") != std::string_view::npos;
}

}  // namespace

void Reader::AddDdl(std::string op, std::string_view object, std::vector<std::string> columns) {
  out_.ddl.push_back(
      {.op = std::move(op), .object = std::string(object), .columns = std::move(columns)});
}

std::vector<NameId> Reader::DefinedColumns(List<const sql::tree::ColumnDefinition*> columns) {
  std::vector<NameId> names;
  names.reserve(columns.size());
  for (const auto* column : columns) {
    names.push_back(session_.Part(column->name.parts[column->name.parts.size() - 1]));
  }
  return names;
}

// CREATE TABLE … AS: the query's columns, under the names that were said.
void Reader::ReadCreateAs(const sql::tree::Name& name, const sql::tree::Query& query,
                          CteScope* ctes, std::span<const NameId> columns) {
  const Relation* const relation = ReadQuery(query, nullptr, ctes);
  const NameId full = session_.TableName(name);
  const uint32_t dataset = Dataset(full, DatasetKind::kTable);
  AddOutput(dataset);
  const bool open = std::any_of(relation->columns.begin(), relation->columns.end(),
                                [](const RelationColumn& column) { return column.star; });
  std::vector<NameId> names(columns.begin(), columns.end());
  BindColumns(dataset, *relation, names, query.span);
  WriteEffects(dataset, relation->effects);
  if (names.empty()) names = NamesOf(*relation);
  if (open) {
    session_.DropTable(full);  // whatever it was, its columns are no longer known
  } else {
    session_.MakeTable(full, DatasetKind::kTable, std::move(names));
  }
}

// CREATE TABLE t (LIKE s INCLUDING …): s, or no name.
NameId Reader::LikeOf(List<const sql::tree::Clause*> constraints) {
  std::string name;
  for (const auto* clause : constraints) {
    if (clause->word != "LIKE") continue;
    for (size_t index = 1; index < clause->tokens.size(); ++index) {
      const std::string_view token = clause->tokens[index];
      const bool joins = token == "." || name.empty() || name.back() == '.';
      if (!joins) break;
      name += token;
    }
  }
  return name.empty() ? kNoName : session_.TableName(name);
}

void Reader::ReadCreateTable(const sql::tree::CreateTable& create) {
  const NameId name = session_.TableName(create.name);
  std::vector<NameId> columns = DefinedColumns(create.columns);
  const size_t defined = columns.size();
  for (const Node* partition : create.partitioned_by) {
    const auto* column = As<sql::tree::ColumnDefinition>(partition);
    if (column == nullptr || column->name.empty()) continue;
    const NameId added = session_.Part(column->name.parts[column->name.parts.size() - 1]);
    if (std::find(columns.begin(), columns.end(), added) == columns.end()) {
      columns.push_back(added);
    }
  }
  if (create.query != nullptr) {
    out_.operation = Operation::kCreateTableAsSelect;
    CteScope* const ctes = WithCtes(create.with, nullptr, nullptr);
    ReadCreateAs(
        create.name, *create.query, ctes,
        create.columns_said ? std::span<const NameId>(columns) : std::span<const NameId>());
    return WarnUnused(ctes, nullptr);
  }
  const uint32_t dataset = Dataset(name, DatasetKind::kTable);
  AddOutput(dataset);
  if (!create.clone.empty()) {
    out_.operation = Operation::kCloneTable;
    return CopyTable(session_.TableName(create.clone), name);
  }
  const NameId like_name =
      create.like.empty() ? LikeOf(create.constraints) : session_.TableName(create.like);
  if (like_name != kNoName) {
    out_.operation = Operation::kCreateTableLike;
    const TableInfo like = session_.Table(like_name);
    out_.schema_from.push_back(DatasetId(Dataset(like.name, like.kind)));
    if (like.known && !(create.if_not_exists && session_.Table(name).known)) {
      session_.MakeTable(name, DatasetKind::kTable, like.columns).partition_columns =
          like.partition_columns;
    }
    return;
  }
  out_.operation = Operation::kCreateTable;
  if (create.if_not_exists && session_.Table(name).known) return;
  if (columns.empty()) return;
  session_.MakeTable(name, DatasetKind::kTable, columns).partition_columns =
      static_cast<uint32_t>(columns.size() - defined);
}

// What a view reads and gives, also when it is only changed.
void Reader::ReadViewQuery(NameId name, const sql::tree::Query& query,
                           List<const sql::tree::ColumnDefinition*> columns) {
  const Relation* const relation = ReadQuery(query, nullptr, nullptr);
  const uint32_t dataset = Dataset(name, DatasetKind::kView);
  out_.datasets[dataset].kind = DatasetKind::kView;
  AddOutput(dataset);
  std::vector<NameId> names = DefinedColumns(columns);
  // The view's old columns are no longer its own.
  datasets_[dataset].first_leaf = kNoIndex;
  BindColumns(dataset, *relation, names, query.span);
  WriteEffects(dataset, relation->effects);
  if (names.empty()) names = NamesOf(*relation);
  const bool open = std::any_of(relation->columns.begin(), relation->columns.end(),
                                [](const RelationColumn& column) { return column.star; });
  TableInfo& table = session_.MakeTable(name, DatasetKind::kView, std::move(names));
  table.known = !open;
  if (open) table.columns.clear();
  table.view = &query;
  table.view_columns = columns;
  table.view_default_db = session_.default_db();
}

void Reader::ReadCreateView(const sql::tree::CreateView& create) {
  if (create.temporary) {
    out_.operation = Operation::kCreateTemporaryView;
    const NameId name = session_.Part(create.name.parts[create.name.parts.size() - 1]);
    out_.transient.emplace_back(Text(name));
    TemporaryView view{.name = name, .query = create.query, .columns = create.columns};
    view.default_db = session_.default_db();
    if (create.query == nullptr) {
      view.path = create.location != nullptr ? session_.Text(create.location)
                                             : std::string(PathOption(create.clauses));
      if (view.path.empty()) return;
    }
    return session_.AddTemporary(std::move(view));
  }
  out_.operation =
      create.materialized ? Operation::kCreateMaterializedView : Operation::kCreateView;
  const NameId name = session_.TableName(create.name);
  if (create.query == nullptr) {
    return AddOutput(Dataset(name, DatasetKind::kView));
  }
  ReadViewQuery(name, *create.query, create.columns);
  // A materialized view holds rows of its own: it is read, not looked through.
  if (create.materialized) session_.Table(name).view = nullptr;
}

void Reader::ReadDrop(const sql::tree::Drop& drop) {
  out_.operation = Operation::kDrop;
  for (const auto& name : drop.names) {
    if (!IsTableOrView(drop.object)) {
      AddDdl("DROP_" + Underscored(drop.object), AsWritten(name));
      continue;
    }
    if (name.parts.size() == 1 && session_.DropTemporary(session_.Part(name.parts[0]))) {
      out_.transient.emplace_back(Text(session_.Part(name.parts[0])));
      continue;
    }
    const NameId full = session_.TableName(name);
    AddDdl("DROP_" + Underscored(drop.object), Text(full));
    session_.DropTable(full);
  }
}

void Reader::ReadTruncate(const sql::tree::Truncate& truncate) {
  out_.operation = Operation::kTruncate;
  for (const auto& name : truncate.names) {
    const TableInfo& table = session_.Table(session_.TableName(name));
    const uint32_t dataset = Dataset(table.name, table.kind);
    AddOutput(dataset);
    AddDdl("TRUNCATE", Text(table.name));
    BindPartitions(dataset, truncate.partitions);
  }
}

// Every column of `from` goes to the column of the same name of `to`.
void Reader::CopyTable(NameId from, NameId to) {
  const TableInfo source = session_.Table(from);
  const uint32_t input = Dataset(from, source.kind);
  AddInput(input);
  const uint32_t output = Dataset(to, source.kind);
  AddOutput(output);
  BindColumns(output, *TableRelation(input, source), {}, out_.span);
  if (source.known) {
    session_.MakeTable(to, source.kind, source.columns).partition_columns =
        source.partition_columns;
  }
}

void Reader::ReadRename(std::string_view object, NameId from, NameId to) {
  out_.operation = Operation::kRename;
  out_.ddl.push_back({.op = "RENAME_" + Underscored(object),
                      .from = std::string(Text(from)),
                      .to = std::string(Text(to))});
  CopyTable(from, to);
  session_.RenameTable(from, to);
}

void Reader::ReadSwap(NameId a, NameId b) {
  out_.operation = Operation::kRename;
  out_.ddl.push_back(
      {.op = "SWAP_TABLES", .from = std::string(Text(a)), .to = std::string(Text(b))});
  const TableInfo first = session_.Table(a);
  const TableInfo second = session_.Table(b);
  CopyTable(a, b);
  const uint32_t input = Dataset(b, second.kind);
  AddInput(input);
  const uint32_t output = Dataset(a, first.kind);
  AddOutput(output);
  BindColumns(output, *TableRelation(input, second), {}, out_.span);
  session_.Table(a) = second;
  session_.Table(a).name = a;
  session_.Table(b) = first;
  session_.Table(b).name = b;
}

// ALTER TABLE t EXCHANGE PARTITION (…) WITH TABLE s: the partition of s becomes one of t.
void Reader::ReadExchange(const AlterAction& action, NameId name) {
  out_.operation = Operation::kExchangePartition;
  const NameId from = session_.TableName(action.name);
  out_.ddl.push_back({.op = "EXCHANGE_PARTITION",
                      .object = std::string(Text(name)),
                      .from = std::string(Text(from)),
                      .to = std::string(Text(name))});
  const TableInfo& table = session_.Table(from);
  const uint32_t input = Dataset(from, table.kind);
  AddInput(input);
  const uint32_t output = Dataset(name, DatasetKind::kTable);
  AddOutput(output);
  BindColumns(output, *TableRelation(input, table), {}, out_.span);
}

void Reader::ReadAlter(const sql::tree::Alter& alter) {
  out_.operation = alter.object.find("VIEW") != std::string_view::npos ? Operation::kAlterView
                                                                       : Operation::kAlterTable;
  for (const auto* action : alter.actions) ReadAlterAction(alter, *action);
}

void Reader::ReadAlterAction(const sql::tree::Alter& alter, const AlterAction& action) {
  if (!IsTableOrView(alter.object)) {
    return AddDdl("ALTER_" + Underscored(alter.object), AsWritten(alter.name));
  }
  const NameId name = session_.TableName(alter.name);
  switch (action.what) {
    case AlterAction::What::kRenameTable: {
      NameId to = session_.TableName(action.name);
      if (action.name.parts.size() == 1 && session_.dialect().name == "spark") {
        // The new name stays in the database of the old one.
        const std::string old(Text(name));
        const size_t dot = old.rfind('.');
        to = session_.names().Intern(
            (dot == std::string::npos ? std::string() : old.substr(0, dot + 1)) +
            std::string(Text(session_.Part(action.name.parts[0]))));
      }
      return ReadRename(alter.object, name, to);
    }
    case AlterAction::What::kSwapWith:
      return ReadSwap(name, session_.TableName(action.name));
    case AlterAction::What::kExchangePartition:
      return ReadExchange(action, name);
    case AlterAction::What::kSetQuery:
      if (action.query != nullptr) ReadViewQuery(name, *action.query, {});
      return;
    case AlterAction::What::kAddColumns:
    case AlterAction::What::kReplaceColumns:
    case AlterAction::What::kDropColumns:
    case AlterAction::What::kRenameColumn:
    case AlterAction::What::kChangeColumn:
    case AlterAction::What::kAlterColumn:
      return ReadAlterColumns(action, name);
    case AlterAction::What::kAddPartitions:
      return AddDdl("ADD_PARTITION", Text(name));
    case AlterAction::What::kDropPartitions:
      return AddDdl("DROP_PARTITION", Text(name));
    case AlterAction::What::kRenamePartition:
      return AddDdl("RENAME_PARTITION", Text(name));
    case AlterAction::What::kSetLocation:
      return AddDdl("SET_LOCATION", Text(name));
    case AlterAction::What::kSetSchema:
    case AlterAction::What::kOther:
      return AddDdl("ALTER_" + Underscored(alter.object), Text(name));
  }
}

void Reader::ReadAlterColumns(const AlterAction& action, NameId name) {
  TableInfo& table = session_.Table(name);
  std::vector<NameId>& columns = table.columns;
  const auto at_partitions = [&] {
    return columns.end() -
           static_cast<int64_t>(std::min<size_t>(table.partition_columns, columns.size()));
  };
  std::vector<NameId> named;
  for (const auto& column : action.column_names) named.push_back(session_.Part(column.parts[0]));
  const std::vector<NameId> defined = DefinedColumns(action.columns);
  const auto texts = [&](const std::vector<NameId>& list) {
    std::vector<std::string> out;
    out.reserve(list.size());
    for (const NameId column : list) out.emplace_back(Text(column));
    return out;
  };
  const auto rename = [&](NameId from, NameId to) {
    std::replace(columns.begin(), columns.end(), from, to);
    out_.ddl.push_back({.op = "RENAME_COLUMN",
                        .object = std::string(Text(name)),
                        .from = std::string(Text(from)),
                        .to = std::string(Text(to))});
  };
  switch (action.what) {
    case AlterAction::What::kAddColumns:
      if (table.known) columns.insert(at_partitions(), defined.begin(), defined.end());
      return AddDdl("ADD_COLUMNS", Text(name), texts(defined));
    case AlterAction::What::kReplaceColumns: {
      const std::vector<NameId> partitions(at_partitions(), columns.end());
      if (table.known) {
        columns = defined;
        columns.insert(columns.end(), partitions.begin(), partitions.end());
      }
      return AddDdl("REPLACE_COLUMNS", Text(name), texts(defined));
    }
    case AlterAction::What::kDropColumns:
      for (const NameId column : named) {
        columns.erase(std::remove(columns.begin(), columns.end(), column), columns.end());
      }
      return AddDdl("DROP_COLUMNS", Text(name), texts(named));
    case AlterAction::What::kRenameColumn:
      if (!named.empty() && !action.new_column.empty()) {
        rename(named[0], session_.Part(action.new_column.parts[0]));
      }
      return;
    case AlterAction::What::kChangeColumn:
      if (!named.empty() && !defined.empty() && named[0] != defined[0]) {
        return rename(named[0], defined[0]);
      }
      return AddDdl("CHANGE_COLUMN", Text(name), texts(named));
    default:
      return AddDdl("ALTER_COLUMN", Text(name), texts(named));
  }
}

void Reader::ReadCache(const sql::tree::Cache& cache) {
  out_.operation = Operation::kCache;
  if (cache.name.empty()) return;
  const NameId name = session_.Part(cache.name.parts[cache.name.parts.size() - 1]);
  if (cache.uncache) {
    session_.DropTemporary(name);
    return;
  }
  if (cache.query == nullptr) return;
  out_.transient.emplace_back(Text(name));
  TemporaryView view{.name = name, .query = cache.query};
  view.default_db = session_.default_db();
  session_.AddTemporary(std::move(view));
}

void Reader::ReadMaintain(NameId name) {
  out_.operation = Operation::kMaintenance;
  if (name == kNoName) return;
  out_.maintenance.push_back(DatasetId(Dataset(name, session_.Table(name).kind)));
}

// CALL catalog.system.rewrite_data_files(table => 'db.t'): the table is the argument called so, or
// the first string.
void Reader::ReadCall(const sql::tree::CallStatement& statement) {
  out_.operation = Operation::kMaintenance;
  const auto* call = As<sql::tree::Call>(statement.call);
  if (call == nullptr) return;
  const Node* table = nullptr;
  for (const Node* node : call->arguments) {
    const auto* argument = As<sql::tree::Argument>(node);
    const Node* const value = argument != nullptr ? argument->value : node;
    const auto* literal = As<sql::tree::Literal>(value);
    if (literal == nullptr || literal->what != sql::tree::Literal::Class::kString) continue;
    if (table == nullptr) table = value;
    if (argument != nullptr && AsciiEqualsIgnoreCase(argument->name.text, "table")) {
      table = value;
      break;
    }
  }
  if (table != nullptr) ReadMaintain(session_.TableName(session_.Text(table)));
}

}  // namespace tarn::lineage
