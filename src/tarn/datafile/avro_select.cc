#include "tarn/datafile/avro_select_internal.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/text.h"

namespace tarn {
namespace {

AvroTypePtr Share(AvroType type) { return std::make_shared<const AvroType>(std::move(type)); }

// The logical type under which a plain number of the file is what the table wants; kNone for none.
AvroLogical LogicalFor(AvroKind kind, TypeKind wanted) {
  if (kind == AvroKind::kInt) {
    return wanted == TypeKind::kDate ? AvroLogical::kDate : AvroLogical::kNone;
  }
  switch (wanted) {
    case TypeKind::kTime:
      return AvroLogical::kTimeMicros;
    case TypeKind::kTimestamp:
      return AvroLogical::kLocalTimestampMicros;
    case TypeKind::kTimestampTz:
      return AvroLogical::kTimestampMicros;
    case TypeKind::kTimestampNs:
      return AvroLogical::kLocalTimestampNanos;
    case TypeKind::kTimestampTzNs:
      return AvroLogical::kTimestampNanos;
    default:
      return AvroLogical::kNone;
  }
}

class Selector {
 public:
  explicit Selector(ColumnMatch match) : match_(match) {}

  Result<AvroTypePtr> Record(const AvroType& writer, const std::vector<Field>& wanted,
                             const std::string& path) const {
    AvroType selected{.kind = AvroKind::kRecord, .name = writer.name};
    selected.fields.reserve(wanted.size());
    for (const Field& field : wanted) {
      TARN_ASSIGN_OR_RETURN(const AvroField* found, Find(writer, field, path));
      if (found == nullptr) continue;
      AvroField copy = *found;
      copy.aliases.clear();
      TARN_ASSIGN_OR_RETURN(copy.type, Value(found->type, field.type,
                                             path.empty() ? field.name : path + "." + field.name));
      selected.fields.push_back(std::move(copy));
    }
    return Share(std::move(selected));
  }

 private:
  Result<const AvroField*> Find(const AvroType& writer, const Field& wanted,
                                const std::string& path) const {
    if (match_ == ColumnMatch::kById && wanted.id != 0) {
      for (const AvroField& field : writer.fields) {
        if (field.field_id == wanted.id) return &field;
      }
      return nullptr;
    }
    if (match_ == ColumnMatch::kByAlias) {
      for (const std::string& alias : wanted.aliases) {
        for (const AvroField& field : writer.fields) {
          if (AsciiEqualsIgnoreCase(ColumnNameOf(field), alias)) return &field;
        }
      }
      return nullptr;
    }
    const std::string& name = wanted.file_name();
    const AvroField* found = nullptr;
    std::string found_name;
    for (const AvroField& field : writer.fields) {
      std::string own = ColumnNameOf(field);
      if (own == name) return &field;
      if (!AsciiEqualsIgnoreCase(own, name)) continue;
      if (found != nullptr) {
        return Invalid("column '" + name + "'" + (path.empty() ? "" : " of '" + path + "'") +
                       " is ambiguous: '" + found_name + "' or '" + own + "'; rename one");
      }
      found = &field;
      found_name = std::move(own);
    }
    return found;
  }

  Result<AvroTypePtr> Value(const AvroTypePtr& writer, const Type& wanted,
                            const std::string& path) const {
    if (writer->kind == AvroKind::kUnion) {
      const AvroOptional optional = OptionalOf(*writer);
      if (optional.value == nullptr) return writer;
      TARN_ASSIGN_OR_RETURN(auto value, Value(*optional.value, wanted, path));
      if (value == *optional.value) return writer;
      AvroType selected = *writer;
      selected.children[1 - optional.null_branch] = std::move(value);
      return Share(std::move(selected));
    }
    switch (wanted.kind) {
      case TypeKind::kStruct:
        return writer->kind == AvroKind::kRecord ? Record(*writer, wanted.fields, path)
                                                 : Result<AvroTypePtr>(writer);
      case TypeKind::kList:
        if (writer->kind != AvroKind::kArray) return writer;
        return Items(*writer, wanted.fields[0], path + ".element");
      case TypeKind::kMap:
        if (writer->kind == AvroKind::kMap)
          return Items(*writer, wanted.fields[1], path + ".value");
        return Entries(writer, wanted, path);
      default:
        return Number(writer, wanted.kind);
    }
  }

  Result<AvroTypePtr> Items(const AvroType& writer, const Field& wanted,
                            const std::string& path) const {
    AvroType selected = writer;
    if (selected.logical == AvroLogical::kMap && wanted.name == "element") {
      selected.logical = AvroLogical::kNone;
    }
    TARN_ASSIGN_OR_RETURN(selected.children[0], Value(writer.children[0], wanted.type, path));
    return Share(std::move(selected));
  }

  // An array of records of two fields as a map.
  Result<AvroTypePtr> Entries(const AvroTypePtr& writer, const Type& wanted,
                              const std::string& path) const {
    if (EntryOf(*writer) == nullptr) return writer;
    AvroType entry = *EntryOf(*writer);
    if (entry.fields[0].name == "value" && entry.fields[1].name == "key") {
      std::swap(entry.fields[0], entry.fields[1]);
    }
    for (size_t i = 0; i < 2; ++i) {
      TARN_ASSIGN_OR_RETURN(entry.fields[i].type, Value(entry.fields[i].type, wanted.fields[i].type,
                                                        path + (i == 0 ? ".key" : ".value")));
    }
    AvroType selected = *writer;
    selected.logical = AvroLogical::kMap;
    selected.children[0] = Share(std::move(entry));
    return Share(std::move(selected));
  }

  static Result<AvroTypePtr> Number(const AvroTypePtr& writer, TypeKind wanted) {
    if (writer->kind != AvroKind::kInt && writer->kind != AvroKind::kLong) return writer;
    AvroLogical logical = writer->logical;
    if (logical == AvroLogical::kNone) logical = LogicalFor(writer->kind, wanted);
    if (wanted == TypeKind::kInt32 || wanted == TypeKind::kInt64) logical = AvroLogical::kNone;
    if (logical == writer->logical) return writer;
    return Share({.kind = writer->kind, .logical = logical});
  }

  const ColumnMatch match_;
};

}  // namespace

bool HasAvroIds(const AvroType& type) {
  if (type.element_id != 0 || type.key_id != 0 || type.value_id != 0) return true;
  return std::any_of(type.fields.begin(), type.fields.end(),
                     [](const AvroField& field) {
                       return field.field_id != 0 || HasAvroIds(*field.type);
                     }) ||
         std::any_of(type.children.begin(), type.children.end(),
                     [](const AvroTypePtr& child) { return HasAvroIds(*child); });
}

Result<AvroTypePtr> SelectAvro(const AvroTypePtr& writer, const FileReadOptions& options) {
  AvroTypePtr record = writer;
  if (record->kind != AvroKind::kRecord) {
    record = Share({.kind = AvroKind::kRecord, .fields = {{.name = "value", .type = writer}}});
  }
  if (options.match == ColumnMatch::kById && !HasAvroIds(*record)) {
    return Corrupt("the table finds columns by field id, but the file has none");
  }
  return Selector(options.match).Record(*record, options.schema.fields, "");
}

}  // namespace tarn
