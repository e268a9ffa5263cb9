#include <algorithm>
#include <utility>

#include "tarn/lineage/reader_internal.h"

// The datasets of one statement, and the leaves: the columns that origins mean.
namespace tarn::lineage {

Reader::ScopeLease::ScopeLease(Reader& reader, Scope* outer, CteScope* ctes)
    : reader_(reader),
      scope_(reader.scopes_used_ < reader.scopes_.size() ? reader.scopes_[reader.scopes_used_]
                                                         : reader.scopes_.emplace_back()) {
  ++reader.scopes_used_;
  scope_.outer = outer;
  scope_.ctes = ctes;
  scope_.bindings.clear();
  scope_.visible.clear();
  scope_.bindings_from = 0;
  scope_.visible_from = 0;
  scope_.aliases.clear();
  scope_.alias_use = Scope::Aliases::kHidden;
  scope_.windows = {};
  scope_.parameters.clear();
}

uint32_t Reader::Dataset(NameId name, DatasetKind kind) {
  const auto index = static_cast<size_t>(name);
  if (index >= dataset_stamp_.size()) {
    dataset_stamp_.resize(session_.names().size() + 64, 0);
    dataset_of_name_.resize(dataset_stamp_.size(), kNoIndex);
  }
  if (dataset_stamp_[index] != statement_) {
    dataset_stamp_[index] = statement_;
    dataset_of_name_[index] = static_cast<uint32_t>(datasets_.size());
    datasets_.push_back({.name = name});
    out_.datasets.push_back({.name = std::string(Text(name)), .kind = kind});
  }
  return dataset_of_name_[index];
}

uint32_t Reader::PathDataset(std::string_view prefix, std::string_view path, DatasetKind kind) {
  std::string name(prefix);
  name += path;
  const uint32_t dataset = Dataset(session_.names().Intern(name), kind);
  return dataset;
}

void Reader::AddInput(uint32_t dataset) {
  if (std::exchange(datasets_[dataset].input, true)) return;
  out_.inputs.push_back(DatasetId(dataset));
}

void Reader::AddOutput(uint32_t dataset) {
  if (std::exchange(datasets_[dataset].output, true)) return;
  out_.outputs.push_back(DatasetId(dataset));
}

uint32_t Reader::NewLeaf(uint32_t dataset, NameId name) {
  leaves_.push_back({.dataset = dataset, .name = name});
  return static_cast<uint32_t>(leaves_.size() - 1);
}

// The leaf of a column by name: one that is read and written is the same column.
uint32_t Reader::LeafOf(uint32_t dataset, NameId name) {
  const DatasetState& state = datasets_[dataset];
  if (state.first_leaf != kNoIndex) {
    for (size_t index = 0; index < state.relation->columns.size(); ++index) {
      if (state.relation->columns[index].name == name) {
        return state.first_leaf + static_cast<uint32_t>(index);
      }
    }
  }
  return UnknownColumn(dataset, name)->value.origins.front().leaf;
}

ColumnId Reader::ColumnOf(uint32_t leaf) {
  Leaf& found = leaves_[leaf];
  if (found.column == kNoIndex) {
    found.column = static_cast<uint32_t>(out_.columns.size());
    out_.columns.push_back({DatasetId(found.dataset), std::string(Text(found.name))});
  }
  return ColumnId(found.column);
}

const Relation* Reader::TableRelation(uint32_t dataset, const TableInfo& table) {
  if (datasets_[dataset].relation != nullptr) return datasets_[dataset].relation;
  if (!table.known) return UnknownRelation(dataset);
  out_.datasets[dataset].known = true;
  const size_t count = table.columns.size();
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(count);
  const std::span<Origin> origins = scratch_.NewArray<Origin>(count);
  datasets_[dataset].first_leaf = static_cast<uint32_t>(leaves_.size());
  for (size_t index = 0; index < count; ++index) {
    origins[index].leaf = NewLeaf(dataset, table.columns[index]);
    columns[index].name = table.columns[index];
    columns[index].value.origins = origins.subspan(index, 1);
  }
  return datasets_[dataset].relation = scratch_.New(Relation{.columns = columns});
}

// A relation of which nothing is known but its name: one place where its columns stand.
const Relation* Reader::UnknownRelation(uint32_t dataset) {
  if (datasets_[dataset].relation != nullptr) return datasets_[dataset].relation;
  const std::span<RelationColumn> columns = scratch_.NewArray<RelationColumn>(1);
  columns[0].star = true;
  columns[0].open = dataset;
  return datasets_[dataset].relation = scratch_.New(Relation{.columns = columns});
}

const RelationColumn* Reader::UnknownColumn(uint32_t dataset, NameId name) {
  for (const auto& [known, column] : datasets_[dataset].found) {
    if (known == name) return column;
  }
  Origin* const origin = scratch_.New(Origin{.leaf = NewLeaf(dataset, name)});
  const RelationColumn* const column =
      scratch_.New(RelationColumn{.name = name, .value = {.origins = {origin, 1}}});
  datasets_[dataset].found.emplace_back(name, column);
  return column;
}

void Reader::Warn(WarningCode code, sql::SourceSpan where, std::string message) {
  const sql::SourceSpan place = Where(where);
  // A recursive query is read more than once.
  const auto same = [&](const Warning& warning) {
    return warning.code == code && warning.where == place && warning.message == message;
  };
  if (std::any_of(out_.warnings.begin(), out_.warnings.end(), same)) return;
  out_.warnings.push_back({code, place, std::move(message)});
}

}  // namespace tarn::lineage
