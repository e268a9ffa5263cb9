#include <algorithm>
#include <optional>
#include <utility>

#include <arrow/record_batch.h>
#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/duck/batch_sql.h"
#include "tarn/model/evolution.h"
#include "tarn/model/spec_evolution.h"
#include "tarn/query/multi_file.h"
#include "tarn/query/partition_items.h"
#include "tarn/query/statement_context_internal.h"
#include "tarn/write/write_rows.h"

namespace tarn {

namespace {

// The state that ALTER TABLE asks for, action by action. What needs a look at the rows first (NOT
// NULL, CHECK) is collected.
class Alteration {
 public:
  Alteration(StatementContext& context, PinnedTable target)
      : context_(context), target_(std::move(target)), metadata_(target_.snapshot.metadata) {}

  Status Apply(const sql::AlterAction& action) {
    return std::visit([this](const auto& one) { return Act(one); }, action);
  }

  // Refuses if a row of the table breaks what was asked for.
  Status CheckRows() {
    for (const auto& [condition, message] : row_checks_) {
      const auto scan = std::make_shared<TableScan>(target_.table, target_.snapshot, true);
      const std::string key = context_.tables.AddOwnScan(scan);
      TARN_ASSIGN_OR_RETURN(
          auto rows, context_.session.Query("SELECT 1 FROM " + StatementTables::FromText(key, "t") +
                                            " WHERE " + condition + " LIMIT 1"));
      while (true) {
        TARN_ASSIGN_OR_RETURN(const auto batch, rows->Next());
        if (batch == nullptr) break;
        if (batch->num_rows() > 0) return Invalid(target_.table->name + ": " + message);
      }
    }
    return OkStatus();
  }

  const PinnedTable& target() const { return target_; }
  TableMetadata& metadata() { return metadata_; }
  bool reads_rows() const { return !row_checks_.empty(); }
  // The last column of these that was renamed or dropped, for the question; empty if none was.
  const std::string& renamed_or_dropped() const { return renamed_or_dropped_; }
  const std::string& operation() const { return operation_; }
  const std::map<std::string, std::string>& parameters() const { return parameters_; }
  const std::vector<ReferenceChange>& references() const { return references_; }
  // IF EXISTS or IF NOT EXISTS of the last branch or tag was said.
  bool lenient() const { return lenient_; }

 private:
  Status Evolved(SchemaChange change, std::string operation) {
    operation_ = std::move(operation);
    TARN_ASSIGN_OR_RETURN(metadata_.schema,
                          Evolve(std::move(metadata_.schema), {std::move(change)}));
    return OkStatus();
  }

  Result<const Field*> Find(const std::string& path) const {
    if (const Field* field = metadata_.schema.FindByPath(path)) return field;
    std::vector<std::string> names;
    ForEachField(metadata_.schema,
                 [&](const Field&, const std::string& known) { names.push_back(known); });
    return NotFound(target_.table->name + " has no column '" + path + "'" +
                    DidYouMean(path, names));
  }

  Status Act(const sql::AddColumns& add) {
    for (const sql::ColumnDefinition& column : add.columns) {
      if (!column.generated.empty()) {
        return Unsupported("ADD COLUMN: generated columns ('" + column.field.name + "')");
      }
      const std::string path =
          column.parent.empty() ? column.field.name : column.parent + "." + column.field.name;
      if (add.if_not_exists && metadata_.schema.FindByPath(path) != nullptr) continue;
      TARN_RETURN_IF_ERROR(
          Evolved(tarn::AddColumn{column.parent, column.field, {column.first, column.after}},
                  "ADD COLUMNS"));
      if (!column.check.empty()) {
        TARN_RETURN_IF_ERROR(Act(sql::AddConstraint{{{}, column.check}}));
        operation_ = "ADD COLUMNS";
      }
    }
    return OkStatus();
  }

  Status Act(const sql::DropColumns& drop) {
    for (const std::string& path : drop.paths) {
      if (drop.if_exists && metadata_.schema.FindByPath(path) == nullptr) continue;
      TARN_ASSIGN_OR_RETURN(const Field* field, Find(path));
      TARN_RETURN_IF_ERROR(CheckNotNeeded(*field, path));
      renamed_or_dropped_ = path;
      TARN_RETURN_IF_ERROR(Evolved(tarn::DropColumn{path}, "DROP COLUMNS"));
    }
    return OkStatus();
  }

  Status Act(const sql::RenameColumnTo& rename) {
    TARN_ASSIGN_OR_RETURN(const Field* field, Find(rename.path));
    const int32_t id = field->id;
    renamed_or_dropped_ = rename.path;
    parameters_["oldColumnPath"] = rename.path;
    TARN_RETURN_IF_ERROR(
        Evolved(tarn::RenameColumn{rename.path, rename.new_name}, "RENAME COLUMN"));
    for (PartitionSpec& spec : metadata_.specs) {
      for (PartitionField& part : spec.fields) {
        if (part.source_id == id && part.transform == TransformKind::kIdentity) {
          part.name = rename.new_name;
        }
      }
    }
    return OkStatus();
  }

  // A dropped column comes back as the newest commit that still had it described it.
  Status Act(const sql::UndropColumn& undrop) {
    if (undrop.new_name.empty() && metadata_.schema.FindByPath(undrop.path) != nullptr) {
      return AlreadyExists(target_.table->name + " has a column '" + undrop.path +
                           "'; bring the old one back under another name: UNDROP COLUMN " +
                           undrop.path + " AS …");
    }
    if (context_.options.undrop_column) {
      TARN_ASSIGN_OR_RETURN(
          metadata_,
          context_.options.undrop_column(*target_.table, metadata_, undrop.path, undrop.new_name));
      operation_ = "UNDROP COLUMN";
      return OkStatus();
    }
    const Table& table = *target_.table;
    TARN_ASSIGN_OR_RETURN(const History history,
                          table.format->Commits(table.home, Version{}, target_.snapshot.version,
                                                HistoryDetail::kConflicts));
    const auto* commits = std::get_if<std::vector<Commit>>(&history);
    if (commits != nullptr) {
      for (auto commit = commits->rbegin(); commit != commits->rend(); ++commit) {
        if (!commit->metadata) continue;
        const Field* field = commit->metadata->schema.FindByPath(undrop.path);
        if (field == nullptr || metadata_.schema.FindById(field->id) != nullptr) continue;
        const std::string path = commit->metadata->schema.PathOf(field->id);
        const size_t dot = path.size() - std::min(path.size(), field->name.size());
        const std::string parent = dot == 0 ? std::string() : path.substr(0, dot - 1);
        std::vector<Field>* siblings = &metadata_.schema.fields;
        if (!parent.empty()) {
          const Field* holder = metadata_.schema.FindByPath(parent);
          if (holder == nullptr || holder->type.kind != TypeKind::kStruct) break;
          siblings = const_cast<std::vector<Field>*>(&holder->type.fields);
        }
        Field revived = *field;
        revived.required = false;
        if (!undrop.new_name.empty()) {
          revived.source_name = field->file_name();
          revived.name = undrop.new_name;
        }
        siblings->push_back(std::move(revived));
        operation_ = "UNDROP COLUMN";
        return OkStatus();
      }
    }
    return NotFound(table.name + ": its history knows no dropped column '" + undrop.path + "'");
  }

  Status Act(const sql::AlterColumnType& alter) {
    TARN_ASSIGN_OR_RETURN(const Field* field, Find(alter.path));
    if (TypeToText(field->type) == TypeToText(alter.type)) return OkStatus();
    return Evolved(tarn::WidenColumn{alter.path, alter.type}, "CHANGE COLUMN");
  }
  Status Act(const sql::CommentColumn& comment) {
    return Evolved(tarn::SetColumnDoc{comment.path, comment.comment}, "CHANGE COLUMN");
  }
  Status Act(const sql::SetNotNull& set) {
    TARN_ASSIGN_OR_RETURN(const Field* field, Find(set.path));
    if (field->required) return OkStatus();
    const auto index = metadata_.schema.IndexOf(set.path);
    if (!index || metadata_.schema.fields[*index].id != field->id) {
      return Unsupported("SET NOT NULL on a member of a struct");
    }
    row_checks_.emplace_back(QuoteIdentifier(field->name) + " IS NULL",
                             "column '" + set.path + "' holds NULL");
    metadata_.schema.fields[*index].required = true;
    operation_ = "CHANGE COLUMN";
    return OkStatus();
  }
  Status Act(const sql::DropNotNull& drop) {
    return Evolved(tarn::MakeOptional{drop.path}, "CHANGE COLUMN");
  }
  Status Act(const sql::SetDefault& set) {
    return Evolved(tarn::SetColumnDefault{set.path, set.sql}, "CHANGE COLUMN");
  }
  Status Act(const sql::PlaceColumn& place) {
    return Evolved(tarn::MoveColumn{place.path, {place.first, place.after}}, "CHANGE COLUMN");
  }
  Status Act(const sql::SetProperties& set) {
    operation_ = "SET TBLPROPERTIES";
    for (const auto& [key, value] : set.properties) metadata_.properties[key] = value;
    return OkStatus();
  }
  Status Act(const sql::UnsetProperties& unset) {
    operation_ = "UNSET TBLPROPERTIES";
    for (const std::string& key : unset.keys) {
      if (metadata_.properties.erase(key) == 0 && !unset.if_exists) {
        return NotFound(target_.table->name + " has no property '" + key + "'");
      }
    }
    return OkStatus();
  }
  Status Act(const sql::AddConstraint& add) {
    operation_ = "ADD CONSTRAINT";
    std::string name = add.constraint.name;
    if (name.empty()) name = "check_" + std::to_string(metadata_.constraints.size() + 1);
    for (const CheckConstraint& constraint : metadata_.constraints) {
      if (AsciiEqualsIgnoreCase(constraint.name, name)) {
        return AlreadyExists(target_.table->name + " has a constraint '" + name + "'");
      }
    }
    TARN_ASSIGN_OR_RETURN(const std::string text, InDuckWords(add.constraint.check));
    row_checks_.emplace_back(
        "NOT coalesce(CAST((" + text + "\n) AS BOOLEAN), false)",
        "a row breaks the constraint '" + name + "' (" + add.constraint.check + ")");
    metadata_.constraints.push_back({std::move(name), add.constraint.check});
    return OkStatus();
  }
  Status Act(const sql::DropConstraint& drop) {
    operation_ = "DROP CONSTRAINT";
    const auto erased =
        std::erase_if(metadata_.constraints, [&](const CheckConstraint& constraint) {
          return AsciiEqualsIgnoreCase(constraint.name, drop.name);
        });
    if (erased > 0 || drop.if_exists) return OkStatus();
    return NotFound(target_.table->name + " has no constraint '" + drop.name + "'");
  }
  // Files keep the spec that they were written under: only what is written from now on changes.
  Status Act(const sql::AddPartitionField& add) {
    operation_ = "ADD PARTITION FIELD";
    return AddField(add, std::nullopt);
  }
  Status Act(const sql::DropPartitionField& drop) {
    operation_ = "DROP PARTITION FIELD";
    return TakeField(drop.item).status();
  }
  Status Act(const sql::ReplacePartitionField& replace) {
    operation_ = "REPLACE PARTITION FIELD";
    TARN_ASSIGN_OR_RETURN(const size_t place, TakeField(replace.item));
    return AddField(replace.with, place);
  }
  Status Act(const sql::SetWriteOrder& order) {
    operation_ = "WRITE ORDERED BY";
    const FormatTraits traits = target_.table->format->traits();
    if (!traits.sort_orders) {
      return Unsupported(target_.table->name + ": a table of format '" +
                         std::string(target_.table->format->name()) +
                         "' keeps no order of rows; sort what is inserted: INSERT … ORDER BY");
    }
    if (!order.keeps_order) {
      TARN_ASSIGN_OR_RETURN(SortOrder wanted, BindSortItems(metadata_.schema, order.items));
      if (wanted.fields != metadata_.sort_order.fields) metadata_.sort_order = std::move(wanted);
    }
    if (order.distribution && !traits.distribution_property.empty()) {
      metadata_.properties[std::string(traits.distribution_property)] = *order.distribution;
    }
    return OkStatus();
  }
  Status Act(const sql::CommentTable& comment) {
    operation_ = "SET TBLPROPERTIES";
    metadata_.description = comment.comment;
    return OkStatus();
  }
  Status Act(const sql::ChangeReference& asked) {
    using Do = sql::ChangeReference::Do;
    ReferenceChange change;
    change.kind = asked.is_branch ? ReferenceChange::Kind::kBranch : ReferenceChange::Kind::kTag;
    change.name = asked.name;
    change.keep_name_ms = asked.keep_name_ms;
    change.keep_versions_ms = asked.keep_versions_ms;
    change.keep_versions_min = asked.keep_versions_min;
    if (asked.action == Do::kCreate) change.when = ReferenceChange::When::kIfNew;
    if (asked.action == Do::kReplace || asked.action == Do::kDrop) {
      change.when = ReferenceChange::When::kIfThere;
    }
    if (asked.action != Do::kDrop) {
      change.version = asked.version.value_or(target_.snapshot.version.text);
    }
    lenient_ = asked.lenient;
    operation_ = asked.is_branch ? "ALTER BRANCH" : "ALTER TAG";
    parameters_["reference"] = asked.name;
    references_.push_back(std::move(change));
    return OkStatus();
  }
  Status Act(const sql::RenameTable&) {
    return Invalid("ALTER TABLE: RENAME TO cannot be joined with other actions");
  }

  // A struct takes its members along.
  static bool Holds(const Field& field, int32_t id) {
    return field.id == id || std::any_of(field.type.fields.begin(), field.type.fields.end(),
                                         [&](const Field& child) { return Holds(child, id); });
  }

  Status CheckNotNeeded(const Field& field, const std::string& path) const {
    for (const PartitionSpec& spec : metadata_.specs) {
      for (const PartitionField& part : spec.fields) {
        if (!Holds(field, part.source_id)) continue;
        const bool now = spec.id == metadata_.default_spec_id;
        return Invalid("DROP COLUMN: '" + path + "' " + (now ? "partitions " : "partitioned ") +
                       target_.table->name + (now ? "" : " once, and files are known by it"));
      }
    }
    for (const SortField& part : metadata_.sort_order.fields) {
      if (!Holds(field, part.source_id)) continue;
      return Invalid("DROP COLUMN: rows of " + target_.table->name + " are ordered by '" + path +
                     "'; ALTER TABLE … WRITE UNORDERED first");
    }
    return OkStatus();
  }

  Result<PartitionSpec*> SpecToChange() {
    if (!target_.table->format->traits().hidden_partitioning) {
      return Unsupported(target_.table->name + ": a table of format '" +
                         std::string(target_.table->format->name()) +
                         "' keeps the partitioning it was created with; write it anew: CREATE OR "
                         "REPLACE TABLE … PARTITIONED BY … AS SELECT …");
    }
    for (PartitionSpec& spec : metadata_.specs) {
      if (spec.id == metadata_.default_spec_id) return &spec;
    }
    return Internal(target_.table->name + ": its partition spec is missing");
  }

  Status AddField(const sql::AddPartitionField& add, std::optional<size_t> place) {
    TARN_ASSIGN_OR_RETURN(PartitionSpec * spec, SpecToChange());
    TARN_ASSIGN_OR_RETURN(PartitionField field, BindPartitionItem(metadata_.schema, add.item));
    field.name = add.name;
    TARN_ASSIGN_OR_RETURN(
        *spec, WithPartitionField(std::move(*spec), metadata_.schema, std::move(field), place));
    return OkStatus();
  }

  // Where the field stood that the statement names, by its name or by what it is.
  Result<size_t> TakeField(const sql::PartitionItem& item) {
    TARN_ASSIGN_OR_RETURN(PartitionSpec * spec, SpecToChange());
    std::optional<size_t> place;
    if (item.transform == "identity") place = FindPartitionField(*spec, item.column);
    if (!place) {
      const Result<PartitionField> like = BindPartitionItem(metadata_.schema, item);
      if (like.ok()) place = FindPartitionField(*spec, *like);
    }
    if (!place) {
      std::vector<std::string> names;
      for (const PartitionField& field : spec->fields) names.push_back(field.name);
      return NotFound(target_.table->name + " has no such partition field" +
                      DidYouMean(item.column, names));
    }
    spec->fields.erase(spec->fields.begin() + static_cast<std::ptrdiff_t>(*place));
    return *place;
  }

  StatementContext& context_;
  PinnedTable target_;
  TableMetadata metadata_;
  std::vector<std::pair<std::string, std::string>> row_checks_;  // condition, message
  std::string renamed_or_dropped_;
  std::string operation_ = "ALTER TABLE";
  std::map<std::string, std::string> parameters_;
  std::vector<ReferenceChange> references_;
  bool lenient_ = false;
};

// The first rename or drop raises what readers must know: a person decides.
Status AskAboutColumnMapping(StatementContext& context, const Alteration& alteration,
                             const TableMetadata& prepared) {
  const TableMetadata& before = alteration.target().snapshot.metadata;
  const bool raised = prepared.reader_version > before.reader_version ||
                      prepared.reader_features.size() > before.reader_features.size();
  if (!raised || alteration.renamed_or_dropped().empty()) return OkStatus();
  if (context.options.assume_yes) return OkStatus();
  const std::string consequence = fmt::format(
      "changing '{}' of {} turns on column mapping by name: the table will need reader version {} "
      "and writer version {}. Readers without column mapping will refuse it; delta-rs (up to 1.6) "
      "reads the renamed columns as NULL through its DataFusion and PyArrow doors and refuses to "
      "append, DuckDB's delta_scan (1.4, 1.5) reads partition columns as NULL. It cannot be turned "
      "off again without writing the table anew.",
      alteration.renamed_or_dropped(), alteration.target().table->name, prepared.reader_version,
      prepared.writer_version);
  if (!context.options.ask) {
    return Invalid("ALTER TABLE: " + consequence + " Say --yes to agree");
  }
  if (!context.options.ask("ALTER TABLE: " + consequence + " Continue?")) {
    return Cancelled("ALTER TABLE: nothing was changed");
  }
  return OkStatus();
}

// A constraint that no longer finds its columns would refuse every row to come.
Status CheckConstraintsBind(StatementContext& context, const std::string& table,
                            const TableMetadata& prepared) {
  const auto bound =
      ConstraintChecker::Make(context.runtime, prepared.schema, prepared.constraints);
  if (bound.ok()) return OkStatus();
  return Invalid(
      "ALTER TABLE: a constraint of " + table +
      " needs what would be gone; drop the constraint first: " + bound.error().ToString());
}

Result<StatementResult> ChangeReferences(StatementContext& context, const Alteration& alteration) {
  const PinnedTable& target = alteration.target();
  Commit commit;
  commit.operation.kind = OperationKind::kAlter;
  commit.operation.name = alteration.operation();
  commit.operation.parameters = alteration.parameters();
  commit.references = alteration.references();
  const auto version = PublishMetadata(context, *target.table, target.snapshot, std::move(commit));
  if (!version.ok()) {
    const ErrorCode code = version.error().code;
    const bool so_already = code == ErrorCode::kAlreadyExists || code == ErrorCode::kNotFound;
    if (!alteration.lenient() || !so_already) return version.error();
    return StatementResult{.message = target.table->name + " is so already"};
  }
  return StatementResult{
      .message = fmt::format("{} altered, version {}", target.table->name, version->text)};
}

Result<StatementResult> Attempt(StatementContext& context, const sql::AlterTable& alter) {
  context.tables.Begin();
  auto pinned = context.tables.Pin(alter.table);
  if (!pinned.ok()) {
    if (alter.if_exists && pinned.error().code == ErrorCode::kNotFound) {
      return StatementResult{.message = alter.table.ToText() + " does not exist"};
    }
    return pinned.error();
  }
  Alteration alteration(context, std::move(pinned).value());
  for (const sql::AlterAction& action : alter.actions) {
    TARN_RETURN_IF_ERROR(alteration.Apply(action));
  }
  const PinnedTable& target = alteration.target();
  StatementResult result;
  if (!alteration.references().empty()) {
    if (!target.table->format->traits().references) {
      return Unsupported(target.table->name + ": a table of format '" +
                         std::string(target.table->format->name()) +
                         "' has no branches and no tags");
    }
    if (alter.actions.size() > 1) {
      return Invalid("ALTER TABLE: one branch or tag is changed at a time, and nothing else");
    }
    return ChangeReferences(context, alteration);
  }
  if (alteration.metadata() == target.snapshot.metadata) {
    result.message = target.table->name + " is so already";
    return result;
  }
  TARN_ASSIGN_OR_RETURN(
      TableMetadata prepared,
      target.table->format->Prepare(&target.snapshot.metadata, alteration.metadata()));
  TARN_RETURN_IF_ERROR(CheckConstraintsBind(context, target.table->name, prepared));
  TARN_RETURN_IF_ERROR(AskAboutColumnMapping(context, alteration, prepared));
  TARN_RETURN_IF_ERROR(alteration.CheckRows());
  Commit commit;
  commit.operation.kind = OperationKind::kAlter;
  commit.operation.name = alteration.operation();
  commit.operation.parameters = alteration.parameters();
  commit.metadata = std::move(prepared);
  commit.reads.everything = alteration.reads_rows();
  TARN_ASSIGN_OR_RETURN(const Version version, PublishMetadata(context, *target.table,
                                                               target.snapshot, std::move(commit)));
  result.message = fmt::format("{} altered, version {}", target.table->name, version.text);
  return result;
}

}  // namespace

Result<StatementResult> RunAlterTable(StatementContext& context, const sql::AlterTable& alter) {
  if (alter.actions.size() == 1) {
    if (const auto* rename = std::get_if<sql::RenameTable>(&alter.actions[0])) {
      TARN_RETURN_IF_ERROR(context.resolver.Rename(context.tables.ReferenceOf(alter.table),
                                                   context.tables.ReferenceOf(rename->to)));
      return StatementResult{.message = alter.table.ToText() + " is called " + rename->to.ToText() +
                                        " now"};
    }
  }
  return RerunIfItReads(context, [&](bool& reads_itself) {
    reads_itself = true;
    return Attempt(context, alter);
  });
}

}  // namespace tarn
