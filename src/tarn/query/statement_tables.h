#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/base/result.h"
#include "tarn/datafile/file_format.h"
#include "tarn/duck/duck_session.h"
#include "tarn/model/commit.h"
#include "tarn/query/table_resolver.h"
#include "tarn/query/table_scan.h"
#include "tarn/sql/rewrite.h"
#include "tarn/sql/statement.h"

namespace tarn {

// A table as one statement has it: opened once, one snapshot per state asked for.
struct PinnedTable {
  std::shared_ptr<Table> table;
  Snapshot snapshot;
};

// The tables of the running statement: what its names mean, which snapshots it sees, what it read
// of them. Not thread-safe but for Find.
class StatementTables {
 public:
  StatementTables(TableResolver& resolver, DuckSession& session, bool skipping);

  // A new statement: nothing is pinned.
  void Begin();
  // Where names of one part are looked for first.
  void SetNamespace(std::vector<std::string> names) { namespace_ = std::move(names); }
  const std::vector<std::string>& current_namespace() const { return namespace_; }

  // `name` as the resolver takes it: a single part stands in the current namespace.
  TableReference ReferenceOf(const sql::TableName& name) const;

  // The table at its newest state, or at `as_of`; opened and loaded at most once per statement.
  // Errors as TableResolver::Open and TableFormat::Load.
  Result<PinnedTable> Pin(const sql::TableName& name, const AsOf& as_of = Newest{});

  // `text` for DuckDB: Spark's spellings rewritten; every table, relation of a table (t.history,
  // t.files, t.partitions, t.changes(1, 3)) and path in it replaced by a key. Names that are no
  // table of ours stay for DuckDB to look up.
  Result<sql::Rewritten> Rewrite(std::string_view text, sql::TextKind kind);

  // A key for a scan made by hand. A statement's own scans (the rows it deletes or rewrites) are
  // not counted among what it read: the verb says that itself.
  std::string AddScan(std::shared_ptr<TableScan> scan);
  std::string AddOwnScan(std::shared_ptr<TableScan> scan);
  // What a relation about a table is, by its key ("sales.orders.history"); null for other keys.
  const std::string* TitleOf(std::string_view key) const;
  // FROM text for a key: "tarn:3"."name".
  static std::string FromText(const std::string& key, const std::string& name);

  // For InstallScan.
  Result<std::shared_ptr<TableScan>> Find(std::string_view key) const;
  Result<std::string> KeyOfName(const std::vector<std::string>& parts);

  // What this statement read of `table` at the state it pinned as newest: the filter of each scan;
  // everything if one had none. Empty if it was not read. Asked once the query was planned.
  ReadSet ReadsOf(const Table& table) const;

  // Whether the texts rewritten so far name `table`.
  bool Uses(const Table& table) const;

  // The error to report for DuckDB's: where it does not know a name that was not found here either,
  // what the resolver said about it (near names).
  Error Explain(const Error& duck_error) const;

 private:
  struct Opened {
    std::shared_ptr<Table> table;
    std::map<std::string, Snapshot> snapshots;  // by what was asked for
  };

  Result<Opened*> Open(const TableReference& reference, const std::string& branch);
  // The table that a name means, also by one of its branches (t.branch_x) or tags (t.tag_x): then
  // `as_of` becomes the tag.
  Result<Opened*> OpenNamed(const sql::TableName& name, AsOf& as_of);
  Result<AsOf> Evaluate(const sql::TimeTravel& travel);
  // The replacement of one use, or nothing when it is not ours.
  Result<std::optional<std::string>> Replace(const sql::TableUse& use);
  Result<std::optional<std::string>> ReplaceRelation(const sql::TableUse& use,
                                                     const sql::TableName& table,
                                                     const std::string& relation);

  TableResolver& resolver_;
  DuckSession& session_;
  bool skipping_;
  std::vector<std::string> namespace_;
  std::map<std::string, std::unique_ptr<Opened>> opened_;  // by where the table is
  std::map<std::string, Opened*> by_name_;                 // by how it was called
  std::map<std::string, Error> not_found_;                 // by how it was called
  std::map<std::string, std::shared_ptr<TableScan>, std::less<>> scans_;
  std::set<std::string> own_scans_;
  std::map<std::string, std::string, std::less<>> registered_;  // relations: key → title
  int64_t next_key_ = 1;
};

}  // namespace tarn
