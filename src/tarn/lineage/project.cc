#include "tarn/lineage/project.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/lineage/schema_file.h"

namespace tarn::lineage {
namespace {

// The catalog, and before it, where the catalog is silent, what the scripts make.
class ProjectSchema final : public SchemaProvider {
 public:
  explicit ProjectSchema(const SchemaProvider& catalog) : catalog_(catalog) {}
  const TableSchema* Find(std::string_view name) const override {
    const TableSchema* const known = catalog_.Find(name);
    return known != nullptr ? known : made_.Find(name);
  }
  void Add(std::string_view name, TableSchema schema) { made_.Add(name, std::move(schema)); }

 private:
  const SchemaProvider& catalog_;
  SchemaMap made_;
};

// A plain query that gives its columns: not one that could not be read, nor one of another
// statement beside it.
bool IsModel(const ScriptLineage& script) {
  return script.statements.size() == 1 && script.statements[0].operation == Operation::kQuery &&
         !script.statements[0].output_columns.empty();
}

void NameModel(StatementLineage& statement, const std::string& model) {
  statement.operation = Operation::kCreateView;
  for (size_t i = 0; i < statement.datasets.size(); ++i) {
    Dataset& dataset = statement.datasets[i];
    // An incremental model reads what it gave before.
    if (dataset.name == "{{ this }}") dataset.name = model;
    if (dataset.kind != DatasetKind::kQuery) continue;
    dataset = {.name = model, .kind = DatasetKind::kView, .known = true};
    statement.outputs = {static_cast<DatasetId>(i)};
  }
}

bool MakesItsColumns(Operation operation) {
  return operation == Operation::kCreateView || operation == Operation::kCreateMaterializedView ||
         operation == Operation::kCreateTableAsSelect;
}

void AddWhatItMakes(const ScriptLineage& script, ProjectSchema& schema) {
  for (const StatementLineage& statement : script.statements) {
    if (!MakesItsColumns(statement.operation) || statement.outputs.size() != 1) continue;
    TableSchema made;
    for (const OutputColumn& output : statement.output_columns) {
      const std::string& name = statement.column(output.column).name;
      if (name == "*") made.columns.clear();  // of a table nobody knows: better none than some
      if (name == "*") break;
      made.columns.push_back({.name = name});
    }
    if (!made.columns.empty()) {
      schema.Add(statement.dataset(statement.outputs[0]).name, std::move(made));
    }
  }
}

class Project {
 public:
  Project(std::vector<ProjectScript>& scripts, const sql::Dialect& dialect,
          const SchemaProvider& schema, const AnalyzeOptions& options)
      : scripts_(scripts), dialect_(dialect), schema_(schema), options_(options) {}

  void Run() {
    for (size_t i = 0; i < scripts_.size(); ++i) {
      Read(i);
      for (const StatementLineage& statement : scripts_[i].lineage.statements) {
        for (const DatasetId made : statement.outputs) {
          maker_.emplace(AsciiLower(statement.dataset(made).name), i);
        }
      }
    }
    state_.assign(scripts_.size(), State::kWaiting);
    for (size_t i = 0; i < scripts_.size(); ++i) Visit(i);
  }

 private:
  enum class State : uint8_t { kWaiting, kOpen, kDone };

  void Read(size_t script) {
    ProjectScript& of = scripts_[script];
    of.lineage = Analyze(of.sql, dialect_, schema_, options_);
    if (IsModel(of.lineage)) NameModel(of.lineage.statements[0], ModelName(of.file));
  }

  // The script that makes the dataset, by its whole name or, for models, its last part.
  const size_t* MakerOf(const std::string& name) const {
    const std::string folded = AsciiLower(name);
    auto found = maker_.find(folded);
    if (found == maker_.end()) found = maker_.find(folded.substr(folded.rfind('.') + 1));
    return found == maker_.end() ? nullptr : &found->second;
  }

  // Depth first, without recursion: what a script reads is read before it.
  void Visit(size_t first) {
    std::vector<size_t> path = {first};
    while (!path.empty()) {
      const size_t script = path.back();
      if (state_[script] == State::kWaiting) {
        state_[script] = State::kOpen;
        const size_t below = path.size();
        for (const StatementLineage& statement : scripts_[script].lineage.statements) {
          for (const DatasetId input : statement.inputs) {
            const size_t* const maker = MakerOf(statement.dataset(input).name);
            if (maker != nullptr && state_[*maker] == State::kWaiting) path.push_back(*maker);
          }
        }
        if (path.size() > below) continue;
      }
      path.pop_back();
      if (state_[script] == State::kDone) continue;
      state_[script] = State::kDone;
      Read(script);
      AddWhatItMakes(scripts_[script].lineage, schema_);
    }
  }

  std::vector<ProjectScript>& scripts_;
  const sql::Dialect& dialect_;
  ProjectSchema schema_;
  const AnalyzeOptions& options_;
  std::unordered_map<std::string, size_t> maker_;
  std::vector<State> state_;
};

}  // namespace

std::string ModelName(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

void AnalyzeProject(std::vector<ProjectScript>& scripts, const sql::Dialect& dialect,
                    const SchemaProvider& schema, const AnalyzeOptions& options) {
  Project(scripts, dialect, schema, options).Run();
}

}  // namespace tarn::lineage
