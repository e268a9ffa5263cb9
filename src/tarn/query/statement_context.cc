#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/sql/rewrite.h"
#include "tarn/write/write_rows.h"

namespace tarn {

Result<std::unique_ptr<BatchStream>> RunQuery(StatementContext& context, std::string_view text) {
  TARN_ASSIGN_OR_RETURN(const sql::Rewritten rewritten,
                        context.tables.Rewrite(text, sql::TextKind::kQuery));
  const SqlOrigin origin{std::string(text), [&](size_t offset) {
                           return rewritten.OriginalOffset(static_cast<uint32_t>(offset));
                         }};
  auto rows = context.session.Query(rewritten.text, &origin);
  if (!rows.ok()) return context.tables.Explain(rows.error());
  return rows;
}

Result<StatementResult> RowsOf(StatementContext& context, const std::string& select) {
  TARN_ASSIGN_OR_RETURN(auto rows, context.session.Query(select));
  return StatementResult{.rows = std::move(rows)};
}

Isolation IsolationOf(const TableFormat& format, const TableMetadata& metadata,
                      OperationKind operation) {
  for (const IsolationProperty& property : format.traits().isolation) {
    if (property.operation != OperationKind::kOther && property.operation != operation) continue;
    const auto level = metadata.properties.find(std::string(property.name));
    if (level != metadata.properties.end() &&
        AsciiEqualsIgnoreCase(level->second, property.relaxed)) {
      return Isolation::kWriteSerializable;
    }
  }
  return Isolation::kSerializable;
}

std::string CountedRows(int64_t rows) { return HumanCount(rows) + (rows == 1 ? " row" : " rows"); }

Result<std::string> InDuckWords(const std::string& text) {
  TARN_ASSIGN_OR_RETURN(auto edits, sql::SpellingEdits(text));
  return sql::ApplyEdits(text, std::move(edits)).text;
}

Result<Version> PublishMetadata(StatementContext& context, Table& table, const Snapshot& base,
                                Commit commit) {
  if (table.committer == nullptr) return Invalid(table.name + " can only be read");
  commit.writer = WriterName();
  const Isolation isolation = IsolationOf(
      *table.format, commit.metadata ? *commit.metadata : base.metadata, commit.operation.kind);
  Transaction transaction(context.runtime, table.home, *table.format, *table.committer, base,
                          std::move(commit), isolation);
  TARN_ASSIGN_OR_RETURN(const Version version, transaction.Publish());
  RunUpkeepAfter(context.runtime, table.home, *table.format, *table.committer, version);
  return version;
}

Result<StatementResult> RerunIfItReads(
    StatementContext& context,
    const std::function<Result<StatementResult>(bool& reads_itself)>& run) {
  // A conflict of a blind write is an answer for the user, not a reason to run again.
  std::optional<Error> final_conflict;
  auto result = RerunOnConflict<StatementResult>(context.runtime, [&]() -> Result<StatementResult> {
    bool reads_itself = false;
    auto once = run(reads_itself);
    if (!once.ok() && once.error().code == ErrorCode::kConflict && !reads_itself) {
      final_conflict = once.error();
      return StatementResult{};
    }
    return once;
  });
  if (final_conflict) return *final_conflict;
  return result;
}

}  // namespace tarn
