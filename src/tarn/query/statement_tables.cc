#include "tarn/query/statement_tables.h"

#include <algorithm>
#include <utility>

#include <arrow/record_batch.h>
#include <arrow/scalar.h>
#include <arrow/type.h>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/query/changes.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/relations.h"

namespace tarn {

namespace {

// What a table is for "once per statement": where it lies, whatever it is called.
std::string PlaceOf(const Table& table) {
  return table.home.storage.root_uri() + "\n" + table.home.root.str() + "\n" + table.home.branch;
}

std::string AsOfText(const AsOf& as_of) {
  if (const auto* version = std::get_if<AtVersion>(&as_of)) return "v" + version->version;
  if (const auto* time = std::get_if<AtTimestamp>(&as_of))
    return "t" + std::to_string(time->micros);
  return {};
}

// The name a relation goes by in the statement when it has no alias.
std::string ShortName(const sql::TableName& name) {
  if (!name.suffix.empty()) return name.suffix.back();
  if (!name.parts.empty()) return name.parts.back();
  std::string_view path = name.path;
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return std::string(path.substr(path.rfind('/') + 1));
}

// The one value of the first column of a one-row result, as text.
Result<std::string> SingleText(DuckSession& session, const std::string& query) {
  TARN_ASSIGN_OR_RETURN(auto rows, session.Query(query));
  TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
  if (batch == nullptr || batch->num_rows() != 1) return Invalid("sql: one value is wanted");
  const auto value = batch->column(0)->GetScalar(0);
  if (!value.ok() || !(*value)->is_valid) return Invalid("sql: the value is NULL");
  return (*value)->ToString();
}

// What every table has, where its format does not say it in words of its own.
constexpr std::string_view kRelations[] = {"history", "files", "partitions"};

std::vector<std::string> RelationsOf(const TableFormat& format) {
  std::vector<std::string> names(std::begin(kRelations), std::end(kRelations));
  for (const std::string_view name : format.traits().relations) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<Relation> ReadRelation(const Table& table, const Snapshot& snapshot,
                              const std::string& name) {
  for (const std::string_view known : table.format->traits().relations) {
    if (known == name) return table.format->ReadRelation(table.home, snapshot, name);
  }
  if (name == "history") return HistoryOf(table, snapshot);
  if (name == "files") return FilesOf(table, snapshot);
  return PartitionsOf(table, snapshot);
}

// `name` without its last part, if that may be a relation of the table before it.
std::optional<std::pair<sql::TableName, std::string>> SplitRelation(const sql::TableName& name) {
  sql::TableName table = name;
  if (!table.suffix.empty()) {
    std::string last = std::move(table.suffix.back());
    table.suffix.pop_back();
    return std::pair(std::move(table), std::move(last));
  }
  if (table.parts.size() < 2) return std::nullopt;
  std::string last = std::move(table.parts.back());
  table.parts.pop_back();
  return std::pair(std::move(table), std::move(last));
}

// What follows `prefix` in the last part of a name, if that begins so: t.branch_x, t.tag_x.
std::optional<std::string> LastPartAfter(const sql::TableName& name, std::string_view prefix) {
  if (name.suffix.empty() && name.parts.size() < 2) return std::nullopt;
  const std::string& last = name.suffix.empty() ? name.parts.back() : name.suffix.back();
  if (last.size() <= prefix.size()) return std::nullopt;
  if (!AsciiEqualsIgnoreCase(std::string_view(last).substr(0, prefix.size()), prefix)) {
    return std::nullopt;
  }
  return last.substr(prefix.size());
}

sql::TableName WithoutLastPart(sql::TableName name) {
  auto& parts = name.suffix.empty() ? name.parts : name.suffix;
  parts.pop_back();
  return name;
}

}  // namespace

StatementTables::StatementTables(TableResolver& resolver, DuckSession& session, bool skipping)
    : resolver_(resolver), session_(session), skipping_(skipping) {}

void StatementTables::Begin() {
  opened_.clear();
  by_name_.clear();
  not_found_.clear();
  scans_.clear();
  own_scans_.clear();
  for (const auto& [key, title] : registered_) (void)session_.DropRegistered(key);
  registered_.clear();
}

TableReference StatementTables::ReferenceOf(const sql::TableName& name) const {
  TableReference reference{.parts = name.parts, .path = name.path, .format = name.format};
  if (reference.parts.size() == 1 && !namespace_.empty()) {
    reference.parts.insert(reference.parts.begin(), namespace_.begin(), namespace_.end());
  }
  return reference;
}

Result<StatementTables::Opened*> StatementTables::Open(const TableReference& reference,
                                                       const std::string& branch) {
  const std::string name = reference.format + "\n" + reference.ToText() + "\n" + branch;
  if (const auto known = by_name_.find(name); known != by_name_.end()) return known->second;
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<Table> table, resolver_.Open(reference));
  if (!branch.empty()) {
    if (!table->format->traits().references) {
      return Invalid(table->name + ": a table of format '" + std::string(table->format->name()) +
                     "' has no branches");
    }
    table->home.branch = branch;
  }
  auto& opened = opened_[PlaceOf(*table)];
  if (!opened) opened = std::make_unique<Opened>(Opened{std::move(table), {}});
  by_name_[name] = opened.get();
  return opened.get();
}

Result<StatementTables::Opened*> StatementTables::OpenNamed(const sql::TableName& name,
                                                            AsOf& as_of) {
  Result<Opened*> whole =
      Error(Invalid("'" + name.ToText() + "' is a relation about a table, not a table"));
  if (name.suffix.empty()) whole = Open(ReferenceOf(name), "");
  if (whole.ok() || (name.suffix.empty() && whole.error().code != ErrorCode::kNotFound)) {
    return whole;
  }
  const auto branch = LastPartAfter(name, "branch_");
  const auto tag = LastPartAfter(name, "tag_");
  const sql::TableName table = branch || tag ? WithoutLastPart(name) : name;
  if ((!branch && !tag) || !table.suffix.empty()) return whole;
  Result<Opened*> line = Open(ReferenceOf(table), branch.value_or(""));
  // Where there is no such table either, the name is told as it was written.
  if (!line.ok() && line.error().code == ErrorCode::kNotFound && name.suffix.empty()) return whole;
  if (line.ok() && tag && std::holds_alternative<Newest>(as_of)) as_of = AtVersion{*tag};
  return line;
}

Result<PinnedTable> StatementTables::Pin(const sql::TableName& name, const AsOf& said) {
  AsOf as_of = said;
  TARN_ASSIGN_OR_RETURN(Opened * opened, OpenNamed(name, as_of));
  const std::string asked = AsOfText(as_of);
  if (const auto known = opened->snapshots.find(asked); known != opened->snapshots.end()) {
    return PinnedTable{opened->table, known->second};
  }
  TARN_ASSIGN_OR_RETURN(Snapshot snapshot, opened->table->Load(as_of));
  return PinnedTable{opened->table,
                     opened->snapshots.emplace(asked, std::move(snapshot)).first->second};
}

Result<AsOf> StatementTables::Evaluate(const sql::TimeTravel& travel) {
  const std::string& expression = travel.expression.text;
  if (travel.kind == sql::TimeTravel::Kind::kVersion) {
    if (travel.literal) return AsOf(AtVersion{*travel.literal});
    TARN_ASSIGN_OR_RETURN(std::string version,
                          SingleText(session_, "SELECT CAST((" + expression + "\n) AS VARCHAR)"));
    return AsOf(AtVersion{std::move(version)});
  }
  const std::string value =
      travel.literal ? QuoteLiteral(*travel.literal) : "(" + expression + "\n)";
  auto micros =
      SingleText(session_, "SELECT epoch_us(CAST(" + value + " AS TIMESTAMP WITH TIME ZONE))");
  if (!micros.ok()) {
    return micros.error().WithContext("TIMESTAMP AS OF " +
                                      (travel.literal ? *travel.literal : expression));
  }
  return AsOf(AtTimestamp{std::stoll(*micros)});
}

std::string StatementTables::AddScan(std::shared_ptr<TableScan> scan) {
  std::string key = std::string(kScanKeyPrefix) + std::to_string(next_key_++);
  scans_[key] = std::move(scan);
  return key;
}

std::string StatementTables::AddOwnScan(std::shared_ptr<TableScan> scan) {
  std::string key = AddScan(std::move(scan));
  own_scans_.insert(key);
  return key;
}

std::string StatementTables::FromText(const std::string& key, const std::string& name) {
  return QuoteIdentifier(key) + "." + QuoteIdentifier(name);
}

Result<std::shared_ptr<TableScan>> StatementTables::Find(std::string_view key) const {
  const auto found = scans_.find(key);
  if (found == scans_.end()) return NotFound("sql: no scan '" + std::string(key) + "'");
  return found->second;
}

const std::string* StatementTables::TitleOf(std::string_view key) const {
  const auto found = registered_.find(key);
  return found == registered_.end() ? nullptr : &found->second;
}

Result<std::string> StatementTables::KeyOfName(const std::vector<std::string>& parts) {
  sql::TableName name{.parts = parts};
  if (parts.size() == 1 && parts[0].find('/') != std::string::npos) {
    name = sql::TableName{.path = parts[0]};
  }
  auto pinned = Pin(name);
  if (!pinned.ok()) {
    if (pinned.error().code == ErrorCode::kNotFound) {
      not_found_.try_emplace(name.ToText(), pinned.error());
    }
    return pinned.error();
  }
  return AddScan(std::make_shared<TableScan>(pinned->table, pinned->snapshot, skipping_));
}

Result<std::optional<std::string>> StatementTables::ReplaceRelation(const sql::TableUse& use,
                                                                    const sql::TableName& table,
                                                                    const std::string& relation) {
  AsOf as_of = Newest{};
  if (use.as_of) {
    TARN_ASSIGN_OR_RETURN(as_of, Evaluate(*use.as_of));
  }
  auto pinned = Pin(table, as_of);
  if (!pinned.ok()) {
    if (pinned.error().code != ErrorCode::kNotFound) return pinned.error();
    not_found_.try_emplace(use.name.ToText(), pinned.error());
    return std::optional<std::string>();
  }
  if (use.arguments) {
    if (use.arguments->size() != 2) {
      return Invalid(table.ToText() + ".changes takes two versions: changes(from, to)");
    }
    std::string versions[2];
    for (size_t i = 0; i < 2; ++i) {
      TARN_ASSIGN_OR_RETURN(
          versions[i],
          SingleText(session_, "SELECT CAST((" + (*use.arguments)[i] + "\n) AS VARCHAR)"));
    }
    TARN_ASSIGN_OR_RETURN(const std::vector<ChangePart> parts,
                          ChangesBetween(pinned->table, versions[0], versions[1]));
    std::string query;
    for (const ChangePart& part : parts) {
      const std::string change =
          part.change_type.empty() ? "" : QuoteLiteral(part.change_type) + " AS _change_type, ";
      query += fmt::format(
          "{}SELECT *, {}{}::BIGINT AS _commit_version, "
          "make_timestamptz({}) AS _commit_timestamp FROM {}",
          query.empty() ? "" : " UNION ALL ", change, part.version, part.timestamp_ms * 1000,
          FromText(AddScan(part.scan), "c"));
    }
    if (parts.empty()) {
      // Nothing changed: the columns without rows.
      TARN_ASSIGN_OR_RETURN(const PinnedTable last, Pin(table, AtVersion{versions[1]}));
      ScanPlan none{.snapshot = last.snapshot, .batches = {}};
      query =
          "SELECT *, NULL::VARCHAR AS _change_type, NULL::BIGINT AS _commit_version, "
          "NULL::TIMESTAMP WITH TIME ZONE AS _commit_timestamp FROM " +
          FromText(AddScan(std::make_shared<TableScan>(pinned->table, std::move(none))), "c");
    }
    return std::optional("(" + query + ")" + (use.alias.empty() ? " AS changes" : ""));
  }
  const std::string name = AsciiLower(relation);
  const std::vector<std::string> names = RelationsOf(*pinned->table->format);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    return NotFound("'" + use.name.ToText() + "': " + pinned->table->name + " has the relations " +
                    Join(names, ", ") + " and changes(from, to)" + DidYouMean(name, names));
  }
  TARN_ASSIGN_OR_RETURN(Relation rows, ReadRelation(*pinned->table, pinned->snapshot, name));
  std::string key = std::string(kBatchesKeyPrefix) + std::to_string(next_key_++);
  TARN_RETURN_IF_ERROR(session_.RegisterBatches(key, rows.schema, std::move(rows.batches)));
  registered_.emplace(key, pinned->table->name + "." + name);
  return std::optional(FromText(key, name));
}

Result<std::optional<std::string>> StatementTables::Replace(const sql::TableUse& use) {
  const auto relation = SplitRelation(use.name);
  if (use.arguments) {
    if (!relation || !AsciiEqualsIgnoreCase(relation->second, "changes")) {
      return std::optional<std::string>();  // a table function of DuckDB's
    }
    return ReplaceRelation(use, relation->first, relation->second);
  }
  if (!use.name.suffix.empty()) {
    const bool line = LastPartAfter(use.name, "branch_") || LastPartAfter(use.name, "tag_");
    if (!line) return ReplaceRelation(use, relation->first, relation->second);
  }
  AsOf as_of = Newest{};
  if (use.as_of) {
    TARN_ASSIGN_OR_RETURN(as_of, Evaluate(*use.as_of));
  }
  auto pinned = Pin(use.name, as_of);
  if (pinned.ok()) {
    auto scan = std::make_shared<TableScan>(pinned->table, pinned->snapshot, skipping_);
    return std::optional(FromText(AddScan(std::move(scan)), ShortName(use.name)));
  }
  if (pinned.error().code != ErrorCode::kNotFound) return pinned.error();
  if (relation && use.name.suffix.empty()) {
    auto replaced = ReplaceRelation(use, relation->first, relation->second);
    if (replaced.ok() && *replaced) return replaced;
    if (!replaced.ok() && replaced.error().code != ErrorCode::kNotFound) return replaced.error();
    // A table of that name has no such relation; but something else may be called so.
    if (!replaced.ok()) pinned = replaced.error();
  }
  // Time travel says that it is a table; anything else DuckDB may know.
  if (use.as_of) return pinned.error();
  not_found_.try_emplace(use.name.ToText(), pinned.error());
  return std::optional<std::string>();
}

Result<sql::Rewritten> StatementTables::Rewrite(std::string_view text, sql::TextKind kind) {
  TARN_ASSIGN_OR_RETURN(const std::vector<sql::TableUse> uses, sql::FindTables(text, kind));
  std::vector<sql::Edit> edits;
  for (const sql::TableUse& use : uses) {
    TARN_ASSIGN_OR_RETURN(std::optional<std::string> replacement, Replace(use));
    if (replacement) edits.push_back({use.span, std::move(*replacement)});
  }
  TARN_ASSIGN_OR_RETURN(std::vector<sql::Edit> qualifiers, sql::QualifierEdits(text, uses));
  TARN_ASSIGN_OR_RETURN(std::vector<sql::Edit> spellings, sql::SpellingEdits(text));
  edits.insert(edits.end(), qualifiers.begin(), qualifiers.end());
  edits.insert(edits.end(), spellings.begin(), spellings.end());
  return sql::ApplyEdits(text, std::move(edits));
}

ReadSet StatementTables::ReadsOf(const Table& table) const {
  ReadSet reads;
  const std::string place = PlaceOf(table);
  const auto opened = opened_.find(place);
  if (opened == opened_.end()) return reads;
  const auto newest = opened->second->snapshots.find(AsOfText(Newest{}));
  for (const auto& [key, scan] : scans_) {
    if (own_scans_.contains(key) || PlaceOf(scan->table()) != place) continue;
    // An older state cannot change any more.
    if (newest != opened->second->snapshots.end() &&
        scan->snapshot().version != newest->second.version) {
      continue;
    }
    const std::vector<Expression> filters = scan->FiltersSeen();
    for (const Expression& filter : filters) {
      if (filter.IsTrue()) {
        reads.everything = true;
      } else if (std::find(reads.predicates.begin(), reads.predicates.end(), filter) ==
                 reads.predicates.end()) {
        reads.predicates.push_back(filter);
      }
    }
    // Bound but never planned: DuckDB needed no row of it (LIMIT 0); its columns decided.
    if (filters.empty()) reads.everything = true;
  }
  if (reads.everything) reads.predicates.clear();
  return reads;
}

bool StatementTables::Uses(const Table& table) const {
  const std::string place = PlaceOf(table);
  return std::any_of(scans_.begin(), scans_.end(), [&](const auto& entry) {
    return !own_scans_.contains(entry.first) && PlaceOf(entry.second->table()) == place;
  });
}

Error StatementTables::Explain(const Error& duck_error) const {
  const std::string& said = duck_error.message;
  const bool unknown = said.find("does not exist") != std::string::npos ||
                       said.find("No files found") != std::string::npos;
  if (!unknown) return duck_error;
  for (const auto& [name, error] : not_found_) {
    const std::string last = name.substr(name.rfind('.') + 1);
    if (said.find(last) != std::string::npos || not_found_.size() == 1) return error;
  }
  return duck_error;
}

}  // namespace tarn
