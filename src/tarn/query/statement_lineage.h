#pragma once

#include <map>
#include <string>

#include "tarn/model/table_metadata.h"
#include "tarn/query/statement_tables.h"
#include "tarn/sql/statement.h"
#include "tarn/table/table.h"

namespace tarn {

// What the running statement's commit says of its lineage (Commit::lineage, in the form of
// lineage/commit_lineage.h): every table it reads with the version that it saw, and how the
// target's columns come from theirs. Queries, conditions and values are given as `tables` has
// rewritten them, so that names are those that DuckDB binds. Empty where it cannot be told; a
// statement never fails for that.

// INSERT and CREATE TABLE AS: the rows of `query`. `replaces`: no row of before remains.
struct WrittenTable {
  const Table& table;
  const TableMetadata& metadata;  // as it will be
  const Version& base;            // what an UPDATE or DELETE sees
};
std::string LineageOfInsert(const StatementTables& tables, const WrittenTable& target,
                            const sql::Insert& insert, const std::string& query, bool replaces);
std::string LineageOfCreate(const StatementTables& tables, const WrittenTable& target,
                            const std::string& query);

// UPDATE: `values` by index of the column; `alias` is what they call the table.
std::string LineageOfUpdate(const StatementTables& tables, const WrittenTable& target,
                            const std::string& alias, const std::map<size_t, std::string>& values,
                            const std::string& where);

// DELETE: only what decides which rows go.
std::string LineageOfDelete(const StatementTables& tables, const WrittenTable& target,
                            const std::string& alias, const std::string& where);

}  // namespace tarn
