#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tarn/lineage/analyze_options.h"
#include "tarn/lineage/function_kind_internal.h"
#include "tarn/lineage/lineage.h"
#include "tarn/lineage/name_pool_internal.h"
#include "tarn/lineage/schema_provider.h"
#include "tarn/sql/parser.h"
#include "tarn/sql/tree.h"

namespace tarn::lineage {

// A table or view as the script finds it at some statement.
struct TableInfo {
  NameId name = kNoName;
  DatasetKind kind = DatasetKind::kTable;
  bool known = false;  // whether `columns` are all there are
  std::vector<NameId> columns = {};
  uint32_t partition_columns = 0;
  // Of a view: its text, read (by this script, or from the schema).
  const sql::tree::Query* view = nullptr;
  sql::tree::List<const sql::tree::ColumnDefinition*> view_columns = {};
  std::string view_default_db = {};
  bool view_of_schema = false;  // its text is view_text, not the script
  std::string_view view_text = {};
};

// CREATE TEMPORARY VIEW, CACHE TABLE … AS: a query under a name, looked through wherever it is
// read.
struct TemporaryView {
  NameId name = kNoName;
  const sql::tree::Query* query = nullptr;  // null: files of a path
  sql::tree::List<const sql::tree::ColumnDefinition*> columns = {};
  std::string path = {};
  std::string default_db = {};
  size_t earlier = 0;  // how many temporary views it may itself refer to
  bool dropped = false;
};

// FOR row AS query DO …: `row` holds a row of the query, for the statements of the loop.
struct LoopRow {
  NameId name = kNoName;
  const sql::tree::Query* query = nullptr;
};

// What the statements of a script leave for those after them: the current database, temporary
// views, tables made, changed and renamed, variables. Not thread-safe.
class Session {
 public:
  // All outlive the session.
  Session(const sql::Dialect& dialect, const SchemaProvider& schema, const AnalyzeOptions& options);

  const sql::Dialect& dialect() const { return dialect_; }
  const AnalyzeOptions& options() const { return options_; }
  NamePool& names() { return names_; }
  // The kind of the function called `name`.
  FunctionKind KindOf(NameId name);

  // Names (qualify_names.cc).

  // catalog.db.table of a name as written: the current database in front, parts folded.
  NameId TableName(const sql::tree::Name& name);
  // The same of a name in a text: a.b.`c.d`.
  NameId TableName(std::string_view name);
  // One part folded, with ${variables} filled in.
  NameId Part(const sql::tree::Identifier& part);
  // A string literal's text, with ${variables} filled in.
  std::string Text(const sql::tree::Expression* literal);

  void Use(const sql::tree::Use& use);
  void Set(std::string_view key, std::string_view value);
  const std::string& default_db() const { return default_db_; }
  void set_default_db(std::string db) { default_db_ = std::move(db); }

  void EnterLoop(LoopRow row) { loops_.push_back(row); }
  void LeaveLoop() { loops_.pop_back(); }
  // The innermost loop whose row is called `name`, or null.
  const LoopRow* FindLoop(NameId name) const {
    const auto found = std::find_if(loops_.rbegin(), loops_.rend(),
                                    [&](const LoopRow& row) { return row.name == name; });
    return found == loops_.rend() ? nullptr : &*found;
  }
  // Variables of scripts: a name that is no column may be one.
  void Declare(NameId name) { declared_.push_back(name); }
  bool IsDeclared(NameId name) const {
    return std::find(declared_.begin(), declared_.end(), name) != declared_.end();
  }

  // Tables.

  // The table called `name`; unknown ones too. Valid until the session ends.
  TableInfo& Table(NameId name);
  // `name` was made (again), with these columns.
  TableInfo& MakeTable(NameId name, DatasetKind kind, std::vector<NameId> columns);
  void DropTable(NameId name);
  void RenameTable(NameId from, NameId to);
  void SwapTables(NameId a, NameId b);

  // The newest temporary view called `name` among the first `earlier`, or null.
  const TemporaryView* FindTemporary(NameId name, size_t earlier) const;
  size_t temporary_count() const { return temporary_.size(); }
  void AddTemporary(TemporaryView view);
  // Whether there was one.
  bool DropTemporary(NameId name);

 private:
  void AppendPart(std::string_view part);
  std::string_view Fill(std::string_view text);
  NameId Qualified(size_t parts);
  void Learn(TableInfo& info);

  const sql::Dialect& dialect_;
  const SchemaProvider& schema_;
  const AnalyzeOptions& options_;
  NamePool names_;
  std::vector<int16_t> kind_of_name_;  // by NameId; kUnseen: not looked up yet
  std::string default_db_;
  std::string catalog_;
  std::string text_;  // of the name being put together
  std::string filled_;
  std::deque<TableInfo> tables_;
  std::vector<uint32_t> table_of_name_;  // by NameId; kNoIndex: not looked up yet
  std::deque<TemporaryView> temporary_;
  std::vector<std::pair<std::string, std::string>> variables_;
  std::vector<NameId> declared_;
  std::vector<LoopRow> loops_;
  std::vector<std::unique_ptr<sql::ParsedScript>> view_scripts_;
};

}  // namespace tarn::lineage
