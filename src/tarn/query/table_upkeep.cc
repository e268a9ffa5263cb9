#include "tarn/query/table_upkeep.h"

#include <optional>
#include <variant>

#include "tarn/base/text.h"
#include "tarn/query/call_sql.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/sql/statement_parser.h"

namespace tarn {
namespace {

constexpr const char* kCommitsProperty = "tarn.upkeep.commits";

// The number in a version: "12", "v12", "00012-<uuid>".
std::optional<int64_t> NumberOf(const Version& version) {
  const std::string& text = version.text;
  const size_t begin = text.starts_with('v') ? 1 : 0;
  const size_t end = text.find_first_not_of("0123456789", begin);
  return ParseInt64(std::string_view(text).substr(begin, end - begin));
}

Status Run(StatementContext& context, const sql::TableName& name) {
  TARN_ASSIGN_OR_RETURN(const PinnedTable before, context.tables.Pin(name));
  if (!AsksForUpkeep(before.snapshot)) return OkStatus();
  TARN_ASSIGN_OR_RETURN(const Snapshot after, before.table->Load());
  if (!UpkeepIsDue(before.snapshot, after)) return OkStatus();
  TARN_ASSIGN_OR_RETURN(
      const auto script,
      sql::ParseScript(CallSql("upkeep", {.parts = name.parts, .path = name.path})));
  return RunCall(context, std::get<sql::Call>(script.front().body)).status();
}

}  // namespace

bool AsksForUpkeep(const Snapshot& snapshot) {
  return snapshot.metadata.properties.contains(kCommitsProperty);
}

bool UpkeepIsDue(const Snapshot& before, const Snapshot& after) {
  const auto asked = after.metadata.properties.find(kCommitsProperty);
  if (asked == after.metadata.properties.end()) return false;
  const std::optional<int64_t> every = ParseInt64(asked->second);
  const std::optional<int64_t> from = before.exists() ? NumberOf(before.version) : 0;
  const std::optional<int64_t> to = NumberOf(after.version);
  return every && *every > 0 && from && to && *from / *every < *to / *every;
}

void RunUpkeepAfterStatement(StatementContext& context, const sql::TableName& name) {
  const Status done = Run(context, name);
  if (done.ok()) return;
  context.runtime.log.Warn("upkeep of " + name.ToText() + ": " + done.error().ToString());
}

}  // namespace tarn
