#include "tarn/engine/table_lineage.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/engine/engine.h"
#include "tarn/engine/table_facts.h"
#include "tarn/lineage/analyze.h"
#include "tarn/lineage/commit_lineage.h"
#include "tarn/lineage/lineage_graph.h"

namespace tarn {
namespace {

using lineage::CommitLineage;

constexpr std::string_view kPathPrefix = "path:";

struct KnownCommit {
  std::string version;
  int64_t timestamp_ms = 0;
  bool brings_rows = false;
  std::string by;  // operation and engine, for messages
  std::optional<CommitLineage> lineage;
};

// A table and what its commits say, read once.
struct KnownTable {
  std::string name;
  std::string table_id;
  std::shared_ptr<Table> table;
  Schema schema;                     // of the newest version
  std::vector<KnownCommit> commits;  // newest first
};

// A column under way: by id where it has one, else by name.
struct WantedColumn {
  std::string name;
  int32_t field_id = 0;

  bool Is(const std::string& other, int32_t other_id) const {
    if (field_id != 0 && other_id != 0) return field_id == other_id;
    return AsciiEqualsIgnoreCase(name, other);
  }
};

// Whether a commit may have brought rows.
bool BringsRows(const Commit& commit) {
  switch (commit.operation.kind) {
    case OperationKind::kRewrite:
    case OperationKind::kAlter:
    case OperationKind::kRestore:
    case OperationKind::kDelete:
      return false;
    case OperationKind::kCreate: {
      const auto rows = commit.operation.metrics.find("numOutputRows");
      return rows != commit.operation.metrics.end() && rows->second != "0";
    }
    default:
      return true;
  }
}

// An edge of one of several commits; equal ones of neighbouring commits become one step.
struct Found {
  LineageStep step;
  WantedColumn next;  // the column to follow
  const KnownTable* next_table = nullptr;
  bool follow = false;
};

class Walker {
 public:
  Walker(Engine& engine, TableLineage* out) : engine_(engine), out_(*out) {}

  Result<const KnownTable*> Open(const std::string& name) {
    const auto [entry, is_new] = by_name_.try_emplace(name, nullptr);
    if (!is_new) {
      if (entry->second == nullptr) return NotFound("no table '" + name + "'");
      return entry->second;
    }
    auto read = Read(name);
    if (!read.ok()) return read.error();
    auto& table = tables_[(*read)->table_id + "\n" + (*read)->name];
    if (table == nullptr) table = std::move(read).value();
    entry->second = table.get();
    return const_cast<const KnownTable*>(table.get());
  }

  // The tables of the lake that can be read.
  Result<std::vector<const KnownTable*>> All() {
    if (all_) return *all_;
    all_.emplace();
    if (engine_.lake_folder().empty()) return *all_;
    TARN_ASSIGN_OR_RETURN(const auto names, engine_.resolver().List(std::nullopt));
    for (const std::string& name : names) {
      const auto table = Open(name);
      if (table.ok()) {
        all_->push_back(*table);
      } else {
        Warn(name + ": " + table.error().message);
      }
    }
    return *all_;
  }

  Status Up(const KnownTable& table, const std::optional<std::string>& version,
            const WantedColumn* column, int32_t depth) {
    const auto begin =
        version
            ? std::find_if(table.commits.begin(), table.commits.end(),
                           [&](const KnownCommit& commit) { return commit.version == *version; })
            : table.commits.begin();
    if (begin == table.commits.end()) {
      if (version) Warn(table.name + ": the commit of version " + *version + " is gone");
      return {};
    }
    const std::string from = begin->version;
    if (column != nullptr &&
        !seen_.emplace(&table, column->field_id, AsciiLower(column->name), from).second) {
      return {};
    }
    std::vector<Found> found;
    for (auto commit = begin; commit != table.commits.end(); ++commit) {
      if (!commit->lineage) {
        if (commit->brings_rows) WarnWithout(table, *commit);
        continue;
      }
      TARN_RETURN_IF_ERROR(Collect(table, *commit, column, depth, &found));
      if (commit->lineage->replaces) break;
    }
    return Emit(std::move(found), [&](const Found& one) {
      const std::optional<std::string> read =
          one.step.from.version.empty() ? std::nullopt : std::optional(one.step.from.version);
      return Up(*one.next_table, read, &one.next, depth + 1);
    });
  }

  Status Down(const KnownTable& table, const std::optional<std::string>& version,
              const WantedColumn* column, int32_t depth) {
    if (column != nullptr &&
        !seen_.emplace(&table, column->field_id, AsciiLower(column->name), "").second) {
      return {};
    }
    TARN_ASSIGN_OR_RETURN(std::vector<const KnownTable*> readers, All());
    if (std::find(readers.begin(), readers.end(), &table) == readers.end()) {
      readers.push_back(&table);
    }
    std::vector<Found> found;
    for (const KnownTable* reader : readers) {
      for (const KnownCommit& commit : reader->commits) {
        if (commit.lineage) Collect(table, version, column, *reader, commit, depth, &found);
      }
    }
    return Emit(std::move(found), [&](const Found& one) {
      return Down(*one.next_table, std::nullopt, &one.next, depth + 1);
    });
  }

  void Warn(std::string text) {
    if (warned_.insert(text).second) out_.warnings.push_back(std::move(text));
  }

 private:
  Result<std::unique_ptr<KnownTable>> Read(const std::string& name) {
    auto known = std::make_unique<KnownTable>();
    const bool is_path = name.starts_with(kPathPrefix);
    TARN_ASSIGN_OR_RETURN(known->table,
                          engine_.OpenTable(is_path ? name.substr(kPathPrefix.size()) : name));
    known->name = is_path ? name : known->table->name;
    TARN_ASSIGN_OR_RETURN(const Snapshot newest, known->table->Load());
    known->table_id = newest.metadata.table_id;
    known->schema = newest.metadata.schema;
    TARN_ASSIGN_OR_RETURN(const std::vector<Commit> commits, ReadHistory(*known->table, 0));
    for (const Commit& commit : commits) {
      KnownCommit one{commit.version.text, commit.timestamp_ms, BringsRows(commit),
                      commit.operation.name, std::nullopt};
      if (!commit.engine.empty()) one.by += " by " + commit.engine;
      if (!commit.lineage.empty()) {
        auto decoded = lineage::DecodeCommitLineage(commit.lineage);
        if (decoded.ok()) {
          one.lineage = std::move(decoded).value();
        } else {
          Warn(known->name + ", version " + one.version + ": " + decoded.error().message);
        }
      }
      known->commits.push_back(std::move(one));
    }
    return known;
  }

  void WarnWithout(const KnownTable& table, const KnownCommit& commit) {
    Warn(table.name + ", version " + commit.version + " (" + commit.by + ") tells no lineage");
  }

  // The table that a commit read: by its name, if it is still the same one, else by its id.
  Result<const KnownTable*> TableOf(const CommitLineage::Source& source) {
    if (source.table_id.empty()) return nullptr;
    const auto named = Open(source.name);
    if (named.ok() && (*named)->table_id == source.table_id) return *named;
    TARN_ASSIGN_OR_RETURN(const auto all, All());
    for (const KnownTable* table : all) {
      if (table->table_id == source.table_id) return table;
    }
    Warn("table '" + source.name + "' is not to be found any more");
    return nullptr;
  }

  static Found FoundIn(const CommitLineage& lineage, const CommitLineage::Flow& flow,
                       const KnownTable& table, const KnownCommit& commit, int32_t depth) {
    const CommitLineage::Input& input = lineage.inputs[flow.input];
    const CommitLineage::Source& source = lineage.sources[input.source];
    Found found;
    LineageStep& step = found.step;
    step.from = {source.name, input.column, source.version};
    step.to = {table.name, "", commit.version};
    if (flow.output != CommitLineage::kEveryOutput) {
      step.to.column = lineage.outputs[flow.output].column;
    }
    step.kind = flow.kind;
    step.masking = flow.masking;
    step.operation = lineage.operation;
    step.timestamp_ms = commit.timestamp_ms;
    step.oldest_version = commit.version;
    step.depth = depth;
    return found;
  }

  // Edges of `commit` that end in `column` of `table` (null: in any).
  Status Collect(const KnownTable& table, const KnownCommit& commit, const WantedColumn* column,
                 int32_t depth, std::vector<Found>* all) {
    const CommitLineage& lineage = *commit.lineage;
    for (const CommitLineage::Flow& flow : lineage.flows) {
      if (column != nullptr && flow.output != CommitLineage::kEveryOutput) {
        const CommitLineage::Output& output = lineage.outputs[flow.output];
        if (!column->Is(output.column, output.field_id)) continue;
      }
      Found found = FoundIn(lineage, flow, table, commit, depth);
      const CommitLineage::Input& input = lineage.inputs[flow.input];
      TARN_ASSIGN_OR_RETURN(found.next_table, TableOf(lineage.sources[input.source]));
      found.next = {input.column, input.field_id};
      found.follow = lineage::IsDirect(flow.kind) && found.next_table != nullptr;
      all->push_back(std::move(found));
    }
    return {};
  }

  // Edges of `commit` of `reader` that begin in `column` of `table` (null: in any).
  static void Collect(const KnownTable& table, const std::optional<std::string>& version,
                      const WantedColumn* column, const KnownTable& reader,
                      const KnownCommit& commit, int32_t depth, std::vector<Found>* all) {
    const CommitLineage& lineage = *commit.lineage;
    for (const CommitLineage::Flow& flow : lineage.flows) {
      const CommitLineage::Input& input = lineage.inputs[flow.input];
      const CommitLineage::Source& source = lineage.sources[input.source];
      if (source.table_id.empty() || source.table_id != table.table_id) continue;
      if (version && source.version != *version) continue;
      if (column != nullptr && !column->Is(input.column, input.field_id)) continue;
      Found found = FoundIn(lineage, flow, reader, commit, depth);
      found.next_table = &reader;
      if (flow.output != CommitLineage::kEveryOutput) {
        const CommitLineage::Output& output = lineage.outputs[flow.output];
        found.next = {output.column, output.field_id};
        found.follow = lineage::IsDirect(flow.kind);
      }
      all->push_back(std::move(found));
    }
  }

  // One step for equal edges (they come newest first), each followed by what is below it.
  template <class Follow>
  Status Emit(std::vector<Found> all, const Follow& follow) {
    std::vector<Found> steps;
    std::map<std::tuple<std::string, std::string, std::string, std::string, lineage::EdgeKind, bool,
                        std::string>,
             size_t>
        known;
    for (Found& found : all) {
      const LineageStep& step = found.step;
      const auto [entry, is_new] =
          known.try_emplace({step.from.dataset, step.from.column, step.to.dataset, step.to.column,
                             step.kind, step.masking, step.operation},
                            steps.size());
      if (is_new) {
        steps.push_back(std::move(found));
      } else {
        LineageStep& kept = steps[entry->second].step;
        kept.oldest_version = step.oldest_version;
        ++kept.commits;
      }
    }
    // What carries values first, and what decides about all rows last.
    std::stable_sort(steps.begin(), steps.end(), [](const Found& a, const Found& b) {
      return std::pair(a.step.to.column.empty(), a.step.to.column) <
             std::pair(b.step.to.column.empty(), b.step.to.column);
    });
    for (const Found& found : steps) {
      out_.steps.push_back(found.step);
      if (found.follow) TARN_RETURN_IF_ERROR(follow(found));
    }
    return {};
  }

  Engine& engine_;
  TableLineage& out_;
  std::map<std::string, std::unique_ptr<KnownTable>> tables_;
  std::map<std::string, const KnownTable*> by_name_;  // null: cannot be opened
  std::optional<std::vector<const KnownTable*>> all_;
  std::set<std::tuple<const KnownTable*, int32_t, std::string, std::string>> seen_;
  std::set<std::string> warned_;
};

// All steps as one statement.
lineage::ScriptLineage AsScript(const TableLineage& table) {
  lineage::StatementLineage statement;
  std::map<std::string, lineage::DatasetId> datasets;
  std::map<std::pair<lineage::DatasetId, std::string>, lineage::ColumnId> columns;
  std::set<lineage::DatasetId> inputs;
  std::set<lineage::DatasetId> outputs;
  const auto dataset_of = [&](const std::string& name) {
    const auto id = static_cast<lineage::DatasetId>(statement.datasets.size());
    const auto [found, is_new] = datasets.try_emplace(name, id);
    if (is_new) statement.datasets.push_back({.name = name, .known = true});
    return found->second;
  };
  const auto column_of = [&](lineage::DatasetId dataset, const std::string& name) {
    const auto id = static_cast<lineage::ColumnId>(statement.columns.size());
    const auto [found, is_new] = columns.try_emplace({dataset, name}, id);
    if (is_new) statement.columns.push_back({dataset, name});
    return found->second;
  };
  std::set<lineage::ColumnId> written;
  for (const LineageStep& step : table.steps) {
    const lineage::DatasetId from = dataset_of(step.from.dataset);
    const lineage::DatasetId to = dataset_of(step.to.dataset);
    if (inputs.insert(from).second) statement.inputs.push_back(from);
    if (outputs.insert(to).second) statement.outputs.push_back(to);
    lineage::Edge edge{.target = to,
                       .output = lineage::kEveryColumn,
                       .input = column_of(from, step.from.column),
                       .kind = step.kind,
                       .masking = step.masking};
    if (!step.to.column.empty()) {
      edge.output = column_of(to, step.to.column);
      if (written.insert(edge.output).second) statement.output_columns.push_back({edge.output});
    }
    statement.edges.push_back(edge);
  }
  std::stable_sort(statement.edges.begin(), statement.edges.end(),
                   [](const auto& a, const auto& b) {
                     return std::pair(a.target, a.output) < std::pair(b.target, b.output);
                   });
  return {{std::move(statement)}};
}

}  // namespace

std::string KindOf(const LineageStep& step) {
  return std::string(lineage::EdgeKindName(step.kind)) + (step.masking ? "+MASKING" : "");
}

std::string TableLineageDot(const TableLineage& lineage) {
  return lineage::LineageDot(AsScript(lineage));
}

std::string TableLineageMermaid(const TableLineage& lineage) {
  return lineage::LineageMermaid(AsScript(lineage));
}

Result<std::vector<std::string>> CommitLineageLines(const Commit& commit) {
  std::vector<std::string> lines;
  if (commit.lineage.empty()) return lines;
  TARN_ASSIGN_OR_RETURN(const CommitLineage lineage, lineage::DecodeCommitLineage(commit.lineage));
  const auto line_for = [&](uint32_t output, const std::string& title) {
    std::string sources;
    for (const CommitLineage::Flow& flow : lineage.flows) {
      if (flow.output != output) continue;
      const CommitLineage::Input& input = lineage.inputs[flow.input];
      const CommitLineage::Source& source = lineage.sources[input.source];
      sources += (sources.empty() ? "" : ", ") + source.name + "." + input.column + " (" +
                 std::string(lineage::EdgeKindName(flow.kind)) + (flow.masking ? "+MASKING)" : ")");
    }
    if (!sources.empty()) lines.push_back(title + " ← " + sources);
  };
  for (uint32_t output = 0; output < lineage.outputs.size(); ++output) {
    line_for(output, lineage.outputs[output].column);
  }
  line_for(CommitLineage::kEveryOutput, "every row");
  return lines;
}

Result<TableLineage> WalkTableLineage(Engine& engine, const TableLineageRequest& request) {
  TableLineage lineage;
  lineage.direction = request.direction;
  Walker walker(engine, &lineage);
  TARN_ASSIGN_OR_RETURN(const KnownTable* const table, walker.Open(request.table));
  lineage.table = table->name;
  const bool up = request.direction == LineageDirection::kUp;
  if (request.version) {
    lineage.version = *request.version;
  } else if (up && !table->commits.empty()) {
    lineage.version = table->commits.front().version;
  }
  Schema schema = table->schema;
  if (request.version) {
    TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, table->table->Load(AtVersion{*request.version}));
    schema = snapshot.metadata.schema;
  }
  std::optional<WantedColumn> column;
  if (request.column) {
    const auto index = schema.IndexOf(*request.column);
    if (!index) {
      std::vector<std::string> names;
      for (const Field& field : schema.fields) names.push_back(field.name);
      return NotFound(table->name + " has no column '" + *request.column + "'" +
                      DidYouMean(*request.column, names));
    }
    column = WantedColumn{schema.fields[*index].name, schema.fields[*index].id};
  }
  const WantedColumn* const wanted = column ? &*column : nullptr;
  TARN_RETURN_IF_ERROR(up ? walker.Up(*table, request.version, wanted, 0)
                          : walker.Down(*table, request.version, wanted, 0));
  return lineage;
}

}  // namespace tarn
