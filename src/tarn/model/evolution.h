#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "tarn/model/schema.h"

namespace tarn {

// Where a new or moved column goes among its siblings: last when empty.
struct ColumnPlace {
  bool first = false;
  std::string after = {};
};

// Changes to a schema. Paths are spelled as Schema::FindByPath reads them; `parent` is empty for
// the top level.
struct AddColumn {
  std::string parent;
  Field field;  // id 0: a fresh one is given; ids of its children likewise
  ColumnPlace place = {};
};
struct DropColumn {
  std::string path;
};
struct RenameColumn {
  std::string path;
  std::string new_name;
};
struct MoveColumn {
  std::string path;
  ColumnPlace place;
};
struct WidenColumn {
  std::string path;
  Type type;
};
struct MakeOptional {
  std::string path;
};
struct SetColumnDoc {
  std::string path;
  std::string doc;
};
struct SetColumnDefault {
  std::string path;
  std::optional<std::string> sql;
};
using SchemaChange = std::variant<AddColumn, DropColumn, RenameColumn, MoveColumn, WidenColumn,
                                  MakeOptional, SetColumnDoc, SetColumnDefault>;

// `schema` after `changes`, in order: a pure function. Fresh ids count up from last_column_id, so
// an id is never used twice, not even after a drop. kNotFound: no such column; kAlreadyExists: the
// name is taken among its siblings (ignoring case); kInvalid: a narrowing, an added column that is
// required without a default, the key of a map, the last column of a struct dropped.
Result<Schema> Evolve(Schema schema, const std::vector<SchemaChange>& changes);

// Whether every value of `from` is exactly a value of `to`: int8→16→32→64, float→double,
// decimal(p,s)→decimal(p',s) with p' ≥ p (and more integer digits with more scale), int→decimal
// wide enough, int8…int32→double, date→timestamp. Nested types: children pairwise.
bool CanWiden(const Type& from, const Type& to);

// The changes that let rows of `incoming` be stored in a table of `current`: columns of `incoming`
// that are new (matched by name, ignoring case, at every depth), types that widen. Columns that
// `incoming` lacks need no change. kInvalid naming column, expected and got where values cannot be
// stored.
Result<std::vector<SchemaChange>> ChangesToAccept(const Schema& current, const Schema& incoming);

}  // namespace tarn
