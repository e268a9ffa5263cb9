#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tarn/lineage/reader_internal.h"

// The pass that says which column of the target each column of a query becomes: by position, by a
// list, or by name; and turns origins into edges.
namespace tarn::lineage {

void Reader::WriteColumn(uint32_t dataset, NameId name, NameId projection, const Value& value,
                         sql::SourceSpan where) {
  // Two columns of a result may have one name; those of a table may not.
  const bool result = out_.datasets[dataset].kind == DatasetKind::kQuery;
  const uint32_t leaf = result ? NewLeaf(dataset, name) : LeafOf(dataset, name);
  written_.push_back({dataset, leaf, projection, value, where});
}

std::vector<NameId> Reader::NamesOf(const Relation& relation) {
  std::vector<NameId> names;
  names.reserve(relation.columns.size());
  for (const RelationColumn& column : relation.columns) names.push_back(column.name);
  return names;
}

// `relation`'s columns become `names` of `dataset`, by position; without names they keep their own.
void Reader::BindColumns(uint32_t dataset, const Relation& relation, std::span<const NameId> names,
                         sql::SourceSpan span) {
  const NameId every = session_.names().Intern("*");
  const size_t count = relation.columns.size();
  bool lost = false;  // behind columns of unknown number, positions mean nothing
  for (size_t index = 0; index < count; ++index) {
    const RelationColumn& column = relation.columns[index];
    if (column.star) {
      Warn(WarningCode::kUnknownStar, column.where.size() > 0 ? column.where : span,
           "which columns '*' stands for cannot be told without a schema");
      lost = true;
      Value value = column.value;
      if (column.open != kNoIndex) value = UnknownColumn(column.open, every)->value;
      const size_t mark = Mark();
      where_ = column.where;
      Push(value, {EdgeKind::kIdentity});
      WriteColumn(dataset, every, kNoName, {.origins = Take(mark)}, column.where);
      continue;
    }
    if (!names.empty() && (lost || index >= names.size())) continue;
    WriteColumn(dataset, names.empty() ? column.name : names[index],
                column.named ? column.name : kNoName, column.value, column.where);
  }
  if (!names.empty() && !lost && count != names.size()) {
    Warn(WarningCode::kColumnCount, span,
         "the query gives " + std::to_string(count) + " columns, the target takes " +
             std::to_string(names.size()));
  }
}

void Reader::BindPartitions(uint32_t dataset, List<const sql::tree::PartitionItem*> partitions) {
  for (const auto* item : partitions) {
    if (item->column.empty()) continue;
    const NameId name = session_.Part(item->column.parts[item->column.parts.size() - 1]);
    std::optional<std::string> value;
    if (item->value != nullptr) value = std::string(sql::tree::TextOf(text_, item->value->span));
    out_.partitions.push_back({DatasetId(dataset), std::string(Text(name)), std::move(value)});
  }
}

void Reader::BindInsert(const sql::tree::Insert& insert, uint32_t dataset, const TableInfo& table,
                        const Relation& relation) {
  BindPartitions(dataset, insert.partitions);
  std::vector<NameId> fixed;    // PARTITION (a = 1): takes no column of the query
  std::vector<NameId> dynamic;  // PARTITION (b): takes the last ones
  for (const auto* item : insert.partitions) {
    if (item->column.empty()) continue;
    const NameId name = session_.Part(item->column.parts[item->column.parts.size() - 1]);
    (item->value != nullptr ? fixed : dynamic).push_back(name);
  }
  const auto is_in = [](const std::vector<NameId>& list, NameId name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  std::vector<NameId> names;
  if (insert.by_name) {
    names = {};
  } else if (insert.columns_said) {
    names.reserve(insert.columns.size() + dynamic.size());
    for (const auto& name : insert.columns) names.push_back(session_.Part(name.parts[0]));
    for (const NameId name : dynamic) {
      if (!is_in(names, name)) names.push_back(name);
    }
  } else if (table.known) {
    names.reserve(table.columns.size());
    for (const NameId name : table.columns) {
      if (!is_in(fixed, name) && !is_in(dynamic, name)) names.push_back(name);
    }
    // Dynamic ones in the table's order, wherever the schema lists them.
    for (const NameId name : table.columns) {
      if (is_in(dynamic, name)) names.push_back(name);
    }
    for (const NameId name : dynamic) {
      if (!is_in(names, name)) names.push_back(name);
    }
  } else if (!dynamic.empty() && relation.columns.size() >= dynamic.size()) {
    names = NamesOf(relation);
    std::copy(dynamic.begin(), dynamic.end(), names.end() - static_cast<int64_t>(dynamic.size()));
  }
  BindColumns(dataset, relation, names, insert.span);
  for (const NameId name : fixed) WriteColumn(dataset, name, kNoName, {}, {});
}

// What was assigned, put together by column: in the table's order, or in that of the text.
void Reader::BindAssigned(uint32_t dataset, const TableInfo& table,
                          const std::vector<Assigned>& assigned) {
  std::vector<NameId> order;
  for (const NameId name : table.columns) {
    const bool given = std::any_of(assigned.begin(), assigned.end(),
                                   [&](const Assigned& other) { return other.column == name; });
    if (given) order.push_back(name);
  }
  for (const Assigned& one : assigned) {
    if (std::find(order.begin(), order.end(), one.column) == order.end()) {
      order.push_back(one.column);
    }
  }
  for (const NameId name : order) {
    const size_t mark = Mark();
    sql::SourceSpan where;
    for (const Assigned& one : assigned) {
      if (one.column != name) continue;
      PushEffects(one.origins);
      if (where.size() == 0) where = one.where;
    }
    WriteColumn(dataset, name, kNoName, {.origins = Take(mark)}, where);
  }
}

// `where` is said of origins that come from no expression of their own: those of a star.
void Reader::AddEdges(uint32_t target, ColumnId output, std::span<const Origin> origins,
                      sql::SourceSpan where) {
  for (const Origin& origin : origins) {
    out_.edges.push_back({.target = DatasetId(target),
                          .output = output,
                          .input = ColumnOf(origin.leaf),
                          .where = origin.where.size() > 0 ? origin.where : where,
                          .kind = origin.kind,
                          .masking = origin.masking});
  }
}

// Ids for everything written, then the edges, in their order.
void Reader::Finish() {
  out_.output_columns.reserve(written_.size());
  size_t edges = 0;
  for (const Written& column : written_) {
    edges += column.value.origins.size();
    out_.output_columns.push_back(
        {ColumnOf(column.leaf), std::string(Text(column.projection)), column.where});
  }
  for (const WrittenEffects& effects : written_effects_) edges += effects.effects.size();
  out_.edges.reserve(edges);
  for (size_t index = 0; index < written_.size(); ++index) {
    AddEdges(written_[index].dataset, out_.output_columns[index].column,
             written_[index].value.origins, written_[index].where);
  }
  for (const WrittenEffects& effects : written_effects_) {
    AddEdges(effects.dataset, kEveryColumn, effects.effects, {});
  }
  const auto key = [](const Edge& edge) {
    return std::tuple(edge.target, edge.output, edge.where.begin, IsDirect(edge.kind) ? 0 : 1);
  };
  std::stable_sort(out_.edges.begin(), out_.edges.end(),
                   [&](const Edge& a, const Edge& b) { return key(a) < key(b); });
  // A multi-insert may say the same of one target twice.
  if (written_effects_.size() > 1) {
    const auto same = [](const Edge& a, const Edge& b) {
      return a.target == b.target && a.output == b.output && a.input == b.input && a.kind == b.kind;
    };
    std::vector<Edge> unique;
    unique.reserve(out_.edges.size());
    for (const Edge& edge : out_.edges) {
      const bool again = edge.output == kEveryColumn &&
                         std::any_of(unique.rbegin(), unique.rend(),
                                     [&](const Edge& other) { return same(other, edge); });
      if (!again) unique.push_back(edge);
    }
    out_.edges = std::move(unique);
  }
}

}  // namespace tarn::lineage
