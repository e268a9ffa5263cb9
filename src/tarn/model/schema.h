#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tarn/model/types.h"

namespace tarn {

// A table's columns, in order. Ids are unique over all depths; names are unique among siblings,
// ignoring case (S22). `last_column_id` is the highest id ever used, dropped columns included.
struct Schema {
  int32_t id = 0;
  std::vector<Field> fields;
  int32_t last_column_id = 0;

  // Position of a top-level column: exact name first, then ignoring case.
  std::optional<size_t> IndexOf(std::string_view name) const;
  // The field at any depth, or null.
  const Field* FindById(int32_t id) const;
  // "a.b.element": parts joined by '.'; a part that contains a dot stands in backticks. Exact names
  // first, then ignoring case. Null when there is none.
  const Field* FindByPath(std::string_view path) const;
  // The path of a field by id, spelled as FindByPath reads it; empty when there is none.
  std::string PathOf(int32_t id) const;

  friend bool operator==(const Schema&, const Schema&) = default;
};

// Calls visit(field, path) for every field at every depth, parents first.
void ForEachField(const Schema& schema,
                  const std::function<void(const Field&, const std::string& path)>& visit);

// The positions that lead to the field of this id, its column first, through structs alone; nothing
// where it is not there or lies in a list or map.
std::optional<std::vector<int>> StepsThroughStructs(const Schema& schema, int32_t id);

// `schema` with an id for every field that has none (id 0), counting up from last_column_id,
// parents before children, siblings in order; last_column_id moves along.
Schema AssignFreshIds(Schema schema);

// kInvalid naming the column: siblings whose names are equal ignoring case, an empty name, ids used
// twice, a bad decimal.
Status ValidateSchema(const Schema& schema);

// "id bigint not null, tags array<string>": the columns of a CREATE TABLE. Ids are 0.
Result<Schema> ParseColumns(std::string_view ddl);
// The inverse.
std::string SchemaToDdl(const Schema& schema);

}  // namespace tarn
