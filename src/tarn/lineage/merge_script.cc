#include "tarn/lineage/merge_script.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tarn::lineage {
namespace {

// Puts statements together, one after the other.
class Merger {
 public:
  explicit Merger(const ScriptLineage& script) : script_(script) { FindRenames(); }

  MergedLineage Merge() {
    for (size_t index = 0; index < script_.statements.size(); ++index) {
      Add(index, script_.statements[index]);
    }
    return std::move(merged_);
  }

 private:
  // From `before` on backwards, `from` goes by the name `to`.
  struct Rename {
    size_t before;
    std::string from;
    std::string to;
  };

  // Tables that a statement writes and a later one renames: their old names mean nothing outside.
  void FindRenames() {
    for (size_t index = 0; index < script_.statements.size(); ++index) {
      const StatementLineage& statement = script_.statements[index];
      for (const DdlEffect& effect : statement.ddl) {
        if (effect.op != "RENAME_TABLE" && effect.op != "RENAME_VIEW") continue;
        if (IsWritten(effect.from, index)) renames_.push_back({index, effect.from, effect.to});
      }
    }
  }

  // Whether a statement before `end` leaves its rows under the name `name`.
  bool IsWritten(std::string_view name, size_t end) const {
    bool written = false;
    for (size_t index = 0; index < end; ++index) {
      const StatementLineage& statement = script_.statements[index];
      for (const DdlEffect& effect : statement.ddl) {
        if (effect.from == name) written = false;
      }
      for (const DatasetId output : statement.outputs) {
        written |= statement.dataset(output).name == name;
      }
    }
    return written;
  }

  // What the dataset called `name` at statement `index` is called in the end.
  std::string NameAt(size_t index, std::string name) const {
    for (const Rename& rename : renames_) {
      if (rename.before <= index || rename.from != name) continue;
      // What was read before anything was written is the table that had the name then.
      if (!IsWritten(name, index + 1)) continue;
      name = rename.to;
      index = rename.before;
    }
    return name;
  }

  bool IsRenameOnly(size_t index) const {
    return std::any_of(renames_.begin(), renames_.end(),
                       [&](const Rename& rename) { return rename.before == index; });
  }

  static void AddOnce(std::vector<std::string>& list, std::string name) {
    if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(std::move(name));
  }

  void Add(size_t index, const StatementLineage& statement) {
    const auto name_of = [&](DatasetId id) { return NameAt(index, statement.dataset(id).name); };
    merged_.ddl.insert(merged_.ddl.end(), statement.ddl.begin(), statement.ddl.end());
    for (const std::string& name : statement.transient) AddOnce(merged_.transient, name);
    if (IsRenameOnly(index)) {
      for (const DatasetId id : statement.outputs) {
        AddOnce(merged_.outputs, statement.dataset(id).name);
      }
      return;
    }
    for (const DatasetId id : statement.inputs) AddOnce(merged_.inputs, name_of(id));
    for (const DatasetId id : statement.outputs) AddOnce(merged_.outputs, name_of(id));
    for (const DatasetId id : statement.schema_from) AddOnce(merged_.schema_from, name_of(id));
    for (const DatasetId id : statement.maintenance) AddOnce(merged_.maintenance, name_of(id));
    for (const PartitionValue& value : statement.partitions) {
      merged_.partitions.push_back({name_of(value.dataset), value.column, value.value});
    }
    AddColumns(statement, name_of);
    AddEffects(statement, name_of);
  }

  template <class NameOf>
  void AddColumns(const StatementLineage& statement, const NameOf& name_of) {
    const auto column_name = [&](ColumnId id) {
      const Column& column = statement.column(id);
      return name_of(column.dataset) + "." + column.name;
    };
    for (const OutputColumn& output : statement.output_columns) {
      const Column& column = statement.column(output.column);
      std::string name = column_name(output.column);
      // Results of plain queries may have two columns of one name, and are never written again.
      const bool result = statement.dataset(column.dataset).kind == DatasetKind::kQuery;
      size_t at = merged_.columns.size();
      if (!result) {
        const auto [found, is_new] = column_at_.emplace(name, at);
        at = found->second;
      }
      if (at == merged_.columns.size()) {
        merged_.columns.push_back({std::move(name), output.projection, output.expression, {}});
      }
      std::vector<MergedSource>& sources = merged_.columns[at].sources;
      for (const Edge& edge : EdgesInto(statement, column.dataset, output.column)) {
        AddSource(sources, {column_name(edge.input), edge.kind, edge.masking, edge.where});
      }
    }
  }

  // Of several ways the strongest DIRECT one stands for all; INDIRECT kinds each count.
  static void AddSource(std::vector<MergedSource>& sources, MergedSource source) {
    const auto same = std::find_if(sources.begin(), sources.end(), [&](const MergedSource& other) {
      return other.column == source.column &&
             (other.kind == source.kind || (IsDirect(other.kind) && IsDirect(source.kind)));
    });
    if (same == sources.end()) {
      sources.push_back(std::move(source));
      return;
    }
    same->kind = std::max(same->kind, source.kind);
    same->masking &= source.masking;
  }

  template <class NameOf>
  void AddEffects(const StatementLineage& statement, const NameOf& name_of) {
    for (const Edge& edge : statement.edges) {
      if (edge.output != kEveryColumn) continue;
      const Column& column = statement.column(edge.input);
      std::string name = name_of(column.dataset) + "." + column.name;
      const std::string key = name + '\n' + std::string(EdgeKindName(edge.kind));
      const auto [found, is_new] = effect_at_.emplace(key, merged_.effects.size());
      if (is_new) merged_.effects.push_back({std::move(name), edge.kind, edge.where, {}});
      AddOnce(merged_.effects[found->second].outputs, name_of(edge.target));
    }
  }

  const ScriptLineage& script_;
  MergedLineage merged_;
  std::vector<Rename> renames_;
  std::unordered_map<std::string, size_t> column_at_;
  std::unordered_map<std::string, size_t> effect_at_;
};

}  // namespace

MergedLineage MergeScript(const ScriptLineage& script) { return Merger(script).Merge(); }

}  // namespace tarn::lineage
