#include "tarn/model/evolution.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tarn/base/text.h"

namespace tarn {
namespace {

using Fields = std::vector<Field>;

// The siblings among which a path's last part stands, and that part's index.
struct Place {
  Fields* siblings = nullptr;
  size_t index = 0;
  const Type* parent = nullptr;  // null at the top level
};

bool Locate(Fields& fields, const Type* parent, int32_t id, Place& place) {
  for (size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].id == id) {
      place = {&fields, i, parent};
      return true;
    }
    if (Locate(fields[i].type.fields, &fields[i].type, id, place)) return true;
  }
  return false;
}

Result<Place> Find(Schema& schema, const std::string& path) {
  const Field* field = schema.FindByPath(path);
  if (field == nullptr) {
    std::vector<std::string> paths;
    ForEachField(schema, [&](const Field&, const std::string& p) { paths.push_back(p); });
    return NotFound(fmt::format("no column '{}'{}", path, DidYouMean(path, paths)));
  }
  Place place;
  if (!Locate(schema.fields, nullptr, field->id, place)) {
    return Internal(fmt::format("column '{}' has no id", path));
  }
  return place;
}

const Field* Sibling(const Fields& fields, std::string_view name) {
  for (const Field& field : fields) {
    if (AsciiEqualsIgnoreCase(field.name, name)) return &field;
  }
  return nullptr;
}

// Where `place` points among `siblings` (the field itself not among them).
Result<size_t> IndexFor(const Fields& siblings, const ColumnPlace& place) {
  if (place.first) return size_t{0};
  if (place.after.empty()) return siblings.size();
  for (size_t i = 0; i < siblings.size(); ++i) {
    if (AsciiEqualsIgnoreCase(siblings[i].name, place.after)) return i + 1;
  }
  return NotFound(fmt::format("no column '{}' to place it after", place.after));
}

void GiveFreshIds(Field& field, int32_t& last) {
  if (field.id == 0) field.id = ++last;
  for (Field& child : field.type.fields) GiveFreshIds(child, last);
}

Status Apply(Schema& schema, const AddColumn& change) {
  Fields* siblings = &schema.fields;
  if (!change.parent.empty()) {
    TARN_ASSIGN_OR_RETURN(Place parent, Find(schema, change.parent));
    Type* type = &(*parent.siblings)[parent.index].type;
    // A list or map of structs is spelled by its element or value.
    if (type->kind == TypeKind::kList) type = &type->fields[0].type;
    if (type->kind == TypeKind::kMap) type = &type->fields[1].type;
    if (type->kind != TypeKind::kStruct) {
      return Invalid(fmt::format("column '{}' is {}, not a struct: nothing can be added below it",
                                 change.parent, TypeToText(*type)));
    }
    siblings = &type->fields;
  }
  if (Sibling(*siblings, change.field.name) != nullptr) {
    return AlreadyExists(fmt::format("a column '{}' exists already", change.field.name));
  }
  if (change.field.required && !change.field.initial_default) {
    return Invalid(
        fmt::format("column '{}' cannot be added as NOT NULL without a default: rows that exist "
                    "have no value for it",
                    change.field.name));
  }
  TARN_ASSIGN_OR_RETURN(size_t index, IndexFor(*siblings, change.place));
  Field field = change.field;
  GiveFreshIds(field, schema.last_column_id);
  siblings->insert(siblings->begin() + static_cast<std::ptrdiff_t>(index), std::move(field));
  return {};
}

Status Apply(Schema& schema, const DropColumn& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  if (place.parent != nullptr && place.parent->kind != TypeKind::kStruct) {
    return Invalid(
        fmt::format("'{}' is a part of a list or map and cannot be dropped", change.path));
  }
  if (place.siblings->size() == 1) {
    return Invalid(fmt::format("'{}' is the last column {}; it cannot be dropped", change.path,
                               place.parent == nullptr ? "of the table" : "of its struct"));
  }
  place.siblings->erase(place.siblings->begin() + static_cast<std::ptrdiff_t>(place.index));
  return {};
}

Status Apply(Schema& schema, const RenameColumn& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  Field& field = (*place.siblings)[place.index];
  if (place.parent != nullptr && place.parent->kind != TypeKind::kStruct) {
    return Invalid(
        fmt::format("'{}' is a part of a list or map and has no name of its own", change.path));
  }
  if (change.new_name.empty()) return Invalid("a column's name cannot be empty");
  const Field* taken = Sibling(*place.siblings, change.new_name);
  if (taken != nullptr && taken != &field) {
    return AlreadyExists(fmt::format("a column '{}' exists already", change.new_name));
  }
  // The name in files stays what it was.
  if (field.source_name.empty()) field.source_name = field.name;
  field.name = change.new_name;
  return {};
}

Status Apply(Schema& schema, const MoveColumn& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  if (place.parent != nullptr && place.parent->kind != TypeKind::kStruct) {
    return Invalid(fmt::format("'{}' is a part of a list or map and cannot move", change.path));
  }
  Field field = std::move((*place.siblings)[place.index]);
  place.siblings->erase(place.siblings->begin() + static_cast<std::ptrdiff_t>(place.index));
  TARN_ASSIGN_OR_RETURN(size_t index, IndexFor(*place.siblings, change.place));
  place.siblings->insert(place.siblings->begin() + static_cast<std::ptrdiff_t>(index),
                         std::move(field));
  return {};
}

// `to` with the ids, names and docs of `from` where both have a part.
void KeepIdentity(const Type& from, Type& to) {
  for (size_t i = 0; i < to.fields.size() && i < from.fields.size(); ++i) {
    Field kept = from.fields[i];
    KeepIdentity(kept.type, to.fields[i].type);
    kept.type = to.fields[i].type;
    to.fields[i] = std::move(kept);
  }
}

Status Apply(Schema& schema, const WidenColumn& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  Field& field = (*place.siblings)[place.index];
  if (!CanWiden(field.type, change.type)) {
    return Invalid(fmt::format(
        "column '{}' cannot change from {} to {}: not every value would stay what it is",
        change.path, TypeToText(field.type), TypeToText(change.type)));
  }
  Type wider = change.type;
  KeepIdentity(field.type, wider);
  field.type = std::move(wider);
  return {};
}

Status Apply(Schema& schema, const MakeOptional& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  if (place.parent != nullptr && place.parent->kind == TypeKind::kMap && place.index == 0) {
    return Invalid(fmt::format("'{}' is a map's key and must have a value", change.path));
  }
  (*place.siblings)[place.index].required = false;
  return {};
}

Status Apply(Schema& schema, const SetColumnDoc& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  (*place.siblings)[place.index].doc = change.doc;
  return {};
}

Status Apply(Schema& schema, const SetColumnDefault& change) {
  TARN_ASSIGN_OR_RETURN(Place place, Find(schema, change.path));
  (*place.siblings)[place.index].write_default_sql = change.sql;
  return {};
}

int IntegerDigits(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInt8:
      return 3;
    case TypeKind::kInt16:
      return 5;
    case TypeKind::kInt32:
      return 10;
    default:
      return 19;  // int64; Delta and Spark count 20
  }
}

void Compare(const Fields& current, const Fields& incoming, const std::string& parent,
             std::vector<SchemaChange>& changes, Status& status);

void CompareTypes(const Field& mine, const Field& theirs, const std::string& path,
                  std::vector<SchemaChange>& changes, Status& status) {
  const Type& from = mine.type;
  const Type& to = theirs.type;
  if (to.kind == TypeKind::kVoid || from == to) return;
  if (from.kind == TypeKind::kVoid) {
    changes.push_back(WidenColumn{path, to});
    return;
  }
  if (from.kind == to.kind && from.kind == TypeKind::kStruct) {
    Compare(from.fields, to.fields, path, changes, status);
    return;
  }
  if (from.kind == to.kind && (from.kind == TypeKind::kList || from.kind == TypeKind::kMap)) {
    for (size_t i = 0; i < from.fields.size(); ++i) {
      CompareTypes(from.fields[i], to.fields[i], path + "." + from.fields[i].name, changes, status);
    }
    return;
  }
  if (CanWiden(to, from)) return;  // the incoming values fit as they are
  if (CanWiden(from, to)) {
    changes.push_back(WidenColumn{path, to});
    return;
  }
  if (status.ok()) {
    status = Invalid(
        fmt::format("column '{}': expected {}, got {}", path, TypeToText(from), TypeToText(to)));
  }
}

void Compare(const Fields& current, const Fields& incoming, const std::string& parent,
             std::vector<SchemaChange>& changes, Status& status) {
  for (const Field& theirs : incoming) {
    const Field* mine = nullptr;
    for (const Field& candidate : current) {
      if (candidate.name == theirs.name) mine = &candidate;
    }
    if (mine == nullptr) mine = Sibling(current, theirs.name);
    if (mine != nullptr) {
      const std::string part =
          mine->name.find_first_of(".`") == std::string::npos ? mine->name : "`" + mine->name + "`";
      CompareTypes(*mine, theirs, parent.empty() ? part : parent + "." + part, changes, status);
      continue;
    }
    Field added = theirs;
    added.id = 0;
    added.required = false;
    changes.push_back(AddColumn{parent, std::move(added), {}});
  }
}

}  // namespace

Result<Schema> Evolve(Schema schema, const std::vector<SchemaChange>& changes) {
  for (const SchemaChange& change : changes) {
    TARN_RETURN_IF_ERROR(std::visit([&](const auto& one) { return Apply(schema, one); }, change));
  }
  TARN_RETURN_IF_ERROR(ValidateSchema(schema));
  return schema;
}

bool CanWiden(const Type& from, const Type& to) {
  if (from.kind == TypeKind::kVoid) return true;
  if (from.IsNested()) {
    if (from.kind != to.kind || from.fields.size() != to.fields.size()) return false;
    for (size_t i = 0; i < from.fields.size(); ++i) {
      if (from.kind == TypeKind::kStruct && from.fields[i].name != to.fields[i].name) return false;
      if (to.fields[i].required && !from.fields[i].required) return false;
      if (!CanWiden(from.fields[i].type, to.fields[i].type)) return false;
    }
    return true;
  }
  if (from == to) return true;
  if (from.IsInteger()) {
    if (to.IsInteger()) return to.kind > from.kind;
    if (to.kind == TypeKind::kDouble) return from.kind != TypeKind::kInt64;
    if (to.kind == TypeKind::kFloat)
      return from.kind == TypeKind::kInt8 || from.kind == TypeKind::kInt16;
    return to.kind == TypeKind::kDecimal && to.precision - to.scale >= IntegerDigits(from.kind);
  }
  if (from.kind == TypeKind::kFloat) return to.kind == TypeKind::kDouble;
  if (from.kind == TypeKind::kDecimal && to.kind == TypeKind::kDecimal) {
    return to.scale >= from.scale && to.precision - to.scale >= from.precision - from.scale;
  }
  if (from.kind == TypeKind::kDate) {
    return to.kind == TypeKind::kTimestamp;
  }
  return false;
}

Result<std::vector<SchemaChange>> ChangesToAccept(const Schema& current, const Schema& incoming) {
  std::vector<SchemaChange> changes;
  Status status;
  Compare(current.fields, incoming.fields, "", changes, status);
  if (!status.ok()) return std::move(status).error();
  return changes;
}

}  // namespace tarn
