#include "tarn/datafile/avro_plan_internal.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <arrow/type.h>
#include <arrow/util/key_value_metadata.h>

#include "tarn/datafile/avro_packer_internal.h"
#include "tarn/datafile/conform_internal.h"

namespace tarn {
namespace {

constexpr size_t kOpsMax = 1'000'000;

// A reader's type as a column sees it.
struct Shape {
  AvroTypePtr type;                  // null: members
  bool nullable = false;             // a union has null among its branches
  std::vector<AvroTypePtr> members;  // branches that become a struct's "member0", …
};

// A schema that is no record, as a record of one field: both are the same bytes.
AvroTypePtr AsRecord(const AvroTypePtr& type) {
  if (type->kind == AvroKind::kRecord) return type;
  return std::make_shared<const AvroType>(
      AvroType{.kind = AvroKind::kRecord, .fields = {{.name = "value", .type = type}}});
}

AvroTypePtr Plain(AvroKind kind) {
  return std::make_shared<const AvroType>(AvroType{.kind = kind});
}

Shape ShapeOf(const AvroTypePtr& type) {
  if (type->kind != AvroKind::kUnion) return {type, type->kind == AvroKind::kNull, {}};
  Shape shape;
  for (const AvroTypePtr& branch : type->children) {
    if (branch->kind == AvroKind::kNull) {
      shape.nullable = true;
    } else {
      shape.members.push_back(branch);
    }
  }
  const auto all = [&](AvroKind a, AvroKind b) {
    return std::all_of(shape.members.begin(), shape.members.end(), [&](const AvroTypePtr& member) {
      return (member->kind == a || member->kind == b) && member->logical == AvroLogical::kNone;
    });
  };
  if (shape.members.empty()) {
    shape.type = Plain(AvroKind::kNull);
  } else if (shape.members.size() == 1) {
    shape.type = shape.members[0];
  } else if (all(AvroKind::kInt, AvroKind::kLong)) {
    shape.type = Plain(AvroKind::kLong);
  } else if (all(AvroKind::kFloat, AvroKind::kDouble)) {
    shape.type = Plain(AvroKind::kDouble);
  }
  if (shape.type != nullptr) shape.members.clear();
  return shape;
}

bool IsMap(const AvroType& type) {
  return type.kind == AvroKind::kMap ||
         (type.kind == AvroKind::kArray && type.logical == AvroLogical::kMap);
}

std::string_view LastName(std::string_view name) { return name.substr(name.rfind('.') + 1); }

bool SameName(const AvroType& writer, const AvroType& reader) {
  if (LastName(writer.name) == LastName(reader.name)) return true;
  return std::any_of(reader.aliases.begin(), reader.aliases.end(), [&](const std::string& alias) {
    return LastName(alias) == LastName(writer.name);
  });
}

// Timestamps and times: units in a second, and what they count from.
struct Counted {
  int64_t per_second = 0;  // 0: neither
  enum class Of : uint8_t { kNothing, kDay, kTimeOfDay, kTimestamp } of = Of::kNothing;
};

Counted CountedOf(AvroLogical logical) {
  using Of = Counted::Of;
  switch (logical) {
    case AvroLogical::kDate:
      return {0, Of::kDay};
    case AvroLogical::kTimeMillis:
      return {1'000, Of::kTimeOfDay};
    case AvroLogical::kTimeMicros:
      return {1'000'000, Of::kTimeOfDay};
    case AvroLogical::kTimestampMillis:
    case AvroLogical::kLocalTimestampMillis:
      return {1'000, Of::kTimestamp};
    case AvroLogical::kTimestampMicros:
    case AvroLogical::kLocalTimestampMicros:
      return {1'000'000, Of::kTimestamp};
    case AvroLogical::kTimestampNanos:
    case AvroLogical::kLocalTimestampNanos:
      return {1'000'000'000, Of::kTimestamp};
    default:
      return {};
  }
}

// Bytes that a value takes at least.
int64_t BytesMin(const AvroType& type) {
  switch (type.kind) {
    case AvroKind::kNull:
      return 0;
    case AvroKind::kFloat:
      return 4;
    case AvroKind::kDouble:
      return 8;
    case AvroKind::kFixed:
      return type.size;
    case AvroKind::kRecord: {
      int64_t bytes = 0;
      for (const AvroField& field : type.fields) bytes += BytesMin(*field.type);
      return bytes;
    }
    case AvroKind::kUnion: {
      int64_t bytes = INT64_MAX - 1;
      for (const AvroTypePtr& branch : type.children) bytes = std::min(bytes, BytesMin(*branch));
      return bytes + 1;
    }
    default:
      return 1;
  }
}

// Bytes that each value takes, or -1 where they differ.
int64_t BytesAlways(const AvroType& type) {
  switch (type.kind) {
    case AvroKind::kNull:
    case AvroKind::kBoolean:
    case AvroKind::kFloat:
    case AvroKind::kDouble:
    case AvroKind::kFixed:
      return type.kind == AvroKind::kBoolean ? 1 : BytesMin(type);
    case AvroKind::kRecord: {
      int64_t bytes = 0;
      for (const AvroField& field : type.fields) {
        const int64_t member = BytesAlways(*field.type);
        if (member < 0) return -1;
        bytes += member;
      }
      return bytes;
    }
    default:
      return -1;
  }
}

int32_t Clamped(int64_t bytes) { return static_cast<int32_t>(std::min<int64_t>(bytes, INT32_MAX)); }

std::shared_ptr<const arrow::KeyValueMetadata> Metadata(int32_t id, const AvroType& type) {
  std::vector<std::string> keys, values;
  if (id != 0) {
    keys.emplace_back(kFieldIdKey);
    values.push_back(std::to_string(id));
  }
  if (type.kind == AvroKind::kFixed && type.logical == AvroLogical::kUuid) {
    keys.insert(keys.end(), {"ARROW:extension:name", "ARROW:extension:metadata"});
    values.insert(values.end(), {"arrow.uuid", ""});
  }
  return keys.empty() ? nullptr : arrow::key_value_metadata(std::move(keys), std::move(values));
}

class PlanMaker {
 public:
  explicit PlanMaker(ColumnMatch match) : match_(match) {}

  Result<std::shared_ptr<const AvroPlan>> Make(const AvroTypePtr& writer,
                                               const AvroTypePtr& reader) {
    plan_.levels.emplace_back();
    const AvroTypePtr from = AsRecord(writer), to = AsRecord(reader);
    for (const AvroField& field : to->fields) {
      plan_.roots.push_back(
          MakeColumn(field.type, ColumnNameOf(field), field.field_id, field.name, 0));
    }
    TARN_RETURN_IF_ERROR(EmitRecord(*from, *to, plan_.roots, "", ""));
    std::vector<std::shared_ptr<arrow::Field>> fields;
    fields.reserve(plan_.roots.size());
    for (const int32_t root : plan_.roots) fields.push_back(plan_.columns[root].field);
    plan_.schema = arrow::schema(std::move(fields));
    plan_.row_bytes_min = BytesMin(*writer);
    if (plan_.ops.size() > kOpsMax) return Unsupported("a schema of more than 1,000,000 steps");
    return std::make_shared<const AvroPlan>(std::move(plan_));
  }

 private:
  int32_t MakeColumn(const AvroTypePtr& declared, const std::string& name, int32_t id,
                     const std::string& path, int32_t level, bool always_nullable = false) {
    const Shape shape = ShapeOf(declared);
    AvroColumn column;
    column.nullable = shape.nullable || always_nullable;
    column.path = path;
    column.level = level;
    std::shared_ptr<arrow::DataType> type;
    if (shape.type == nullptr) {
      column.store = AvroStore::kStruct;
      for (size_t i = 0; i < shape.members.size(); ++i) {
        const std::string member = "member" + std::to_string(i);
        column.children.push_back(
            MakeColumn(shape.members[i], member, 0, path + "." + member, level, true));
      }
      type = arrow::struct_(FieldsOf(column.children));
    } else {
      type = Lay(*shape.type, path, level, column);
    }
    column.field = arrow::field(name, std::move(type), column.nullable,
                                Metadata(id, shape.type == nullptr ? *declared : *shape.type));
    const auto index = static_cast<int32_t>(plan_.columns.size());
    if (column.store != AvroStore::kNull) plan_.levels[level].push_back(index);
    plan_.columns.push_back(std::move(column));
    return index;
  }

  std::vector<std::shared_ptr<arrow::Field>> FieldsOf(const std::vector<int32_t>& columns) const {
    std::vector<std::shared_ptr<arrow::Field>> fields;
    fields.reserve(columns.size());
    for (const int32_t column : columns) fields.push_back(plan_.columns[column].field);
    return fields;
  }

  // How values of a type that is no union are kept; its Arrow type.
  std::shared_ptr<arrow::DataType> Lay(const AvroType& type, const std::string& path, int32_t level,
                                       AvroColumn& column) {
    const auto fixed = [&](int32_t width) {
      column.store = AvroStore::kFixed;
      column.width = width;
    };
    const auto below = [&] {
      plan_.levels.emplace_back();
      return static_cast<int32_t>(plan_.levels.size() - 1);
    };
    switch (type.kind) {
      case AvroKind::kNull:
        column.nullable = true;
        return arrow::null();
      case AvroKind::kBoolean:
        column.store = AvroStore::kBool;
        return arrow::boolean();
      case AvroKind::kInt:
        fixed(4);
        if (type.logical == AvroLogical::kDate) return arrow::date32();
        if (type.logical == AvroLogical::kTimeMillis) return arrow::time32(arrow::TimeUnit::MILLI);
        return arrow::int32();
      case AvroKind::kLong:
        fixed(8);
        return LongType(type.logical);
      case AvroKind::kFloat:
        fixed(4);
        return arrow::float32();
      case AvroKind::kDouble:
        fixed(8);
        return arrow::float64();
      case AvroKind::kBytes:
      case AvroKind::kFixed:
        if (type.logical == AvroLogical::kDecimal) {
          fixed(16);
          return arrow::decimal128(type.precision, type.scale);
        }
        if (type.kind == AvroKind::kFixed) {
          fixed(type.size);
          return arrow::fixed_size_binary(type.size);
        }
        column.store = AvroStore::kText;
        return arrow::binary();
      case AvroKind::kString:
      case AvroKind::kEnum:
        column.store = AvroStore::kText;
        column.utf8 = true;
        return arrow::utf8();
      case AvroKind::kRecord:
        column.store = AvroStore::kStruct;
        for (const AvroField& field : type.fields) {
          column.children.push_back(MakeColumn(field.type, ColumnNameOf(field), field.field_id,
                                               path + "." + field.name, level));
        }
        return arrow::struct_(FieldsOf(column.children));
      case AvroKind::kMap: {
        column.store = AvroStore::kList;
        const int32_t items = below();
        column.children = {
            MakeColumn(Plain(AvroKind::kString), "key", type.key_id, path + ".key", items),
            MakeColumn(type.children[0], "value", type.value_id, path + ".value", items)};
        return MapOf(column.children);
      }
      case AvroKind::kArray: {
        column.store = AvroStore::kList;
        const int32_t items = below();
        if (IsMap(type)) {
          const AvroField& key = EntryOf(type)->fields[0];
          const AvroField& value = EntryOf(type)->fields[1];
          column.children = {
              MakeColumn(key.type, "key", key.field_id, path + ".key", items),
              MakeColumn(value.type, "value", value.field_id, path + ".value", items)};
          return MapOf(column.children);
        }
        column.children = {
            MakeColumn(type.children[0], "element", type.element_id, path + ".element", items)};
        return arrow::list(plan_.columns[column.children[0]].field);
      }
      case AvroKind::kUnion:
        break;
    }
    return arrow::null();
  }

  std::shared_ptr<arrow::DataType> MapOf(const std::vector<int32_t>& children) const {
    return std::make_shared<arrow::MapType>(plan_.columns[children[0]].field->WithNullable(false),
                                            plan_.columns[children[1]].field);
  }

  static std::shared_ptr<arrow::DataType> LongType(AvroLogical logical) {
    switch (logical) {
      case AvroLogical::kTimeMicros:
        return arrow::time64(arrow::TimeUnit::MICRO);
      case AvroLogical::kTimestampMillis:
        return arrow::timestamp(arrow::TimeUnit::MILLI, "UTC");
      case AvroLogical::kTimestampMicros:
        return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
      case AvroLogical::kTimestampNanos:
        return arrow::timestamp(arrow::TimeUnit::NANO, "UTC");
      case AvroLogical::kLocalTimestampMillis:
        return arrow::timestamp(arrow::TimeUnit::MILLI);
      case AvroLogical::kLocalTimestampMicros:
        return arrow::timestamp(arrow::TimeUnit::MICRO);
      case AvroLogical::kLocalTimestampNanos:
        return arrow::timestamp(arrow::TimeUnit::NANO);
      default:
        return arrow::int64();
    }
  }

  int32_t Here() {
    target_ = plan_.ops.size();
    return static_cast<int32_t>(plan_.ops.size());
  }

  AvroOp& Add(AvroOp op, const std::string& path) {
    if (plan_.ops.size() <= kOpsMax) {
      op.jump = static_cast<int32_t>(plan_.ops.size()) + 1;
      plan_.ops.push_back(op);
      plan_.paths.push_back(path);
    }
    return plan_.ops.back();
  }

  void Fail(std::string why, int32_t column, const std::string& path) {
    plan_.failures.push_back(std::move(why));
    Add({.code = AvroCode::kFail,
         .column = column,
         .table = static_cast<int32_t>(plan_.failures.size() - 1)},
        path);
  }

  static Error CannotMeet(const AvroType& writer, const AvroType& reader, const std::string& path,
                          const std::string& why = "") {
    return Invalid("field '" + path + "': expected " + AvroTypeToText(reader) + ", got " +
                   AvroTypeToText(writer) + (why.empty() ? "" : ": " + why));
  }

  // Code that reads one value of `writer` into `column`, made for `reader`.
  Status Emit(const AvroType& writer, const AvroTypePtr& reader, int32_t column,
              const std::string& path) {
    if (plan_.ops.size() > kOpsMax) return OkStatus();  // refused at the end
    const Shape shape = ShapeOf(reader);
    if (writer.kind == AvroKind::kUnion) return EmitUnion(writer, reader, shape, column, path);
    if (shape.type != nullptr) return EmitPlain(writer, *shape.type, column, path);
    if (writer.kind == AvroKind::kNull) {
      if (!plan_.columns[column].nullable) return CannotMeet(writer, *reader, path);
      Add({.code = AvroCode::kNull, .column = column}, path);
      return OkStatus();
    }
    return EmitMember(writer, *reader, shape, column, path);
  }

  // One branch of several, as the struct of which one member is set.
  Status EmitMember(const AvroType& writer, const AvroType& reader, const Shape& shape,
                    int32_t column, const std::string& path) {
    // The reader's branch of the same type; else the first that the value can be promoted to.
    std::optional<size_t> chosen;
    for (size_t i = 0; i < shape.members.size() && !chosen; ++i) {
      const AvroType& member = *shape.members[i];
      if (&member == &writer || (member.kind == writer.kind && member.logical == writer.logical &&
                                 (member.name.empty() || SameName(writer, member)))) {
        chosen = i;
      }
    }
    for (size_t i = 0; i < shape.members.size() && !chosen; ++i) {
      if (Meets(writer, shape.members[i])) chosen = i;
    }
    if (!chosen) return CannotMeet(writer, reader, path);
    const std::vector<int32_t> children = plan_.columns[column].children;
    Add({.code = AvroCode::kStruct, .column = column}, path);
    for (size_t i = 0; i < children.size(); ++i) {
      if (i != *chosen) Add({.code = AvroCode::kNull, .column = children[i]}, path);
    }
    return Emit(writer, shape.members[*chosen], children[*chosen], path);
  }

  // Whether any value could be read so.
  bool Meets(const AvroType& writer, const AvroTypePtr& reader) const {
    PlanMaker trial(match_);
    trial.plan_.levels.emplace_back();
    const int32_t column = trial.MakeColumn(reader, "", 0, "", 0);
    return trial.Emit(writer, reader, column, "").ok();
  }

  Status EmitUnion(const AvroType& writer, const AvroTypePtr& reader, const Shape& shape,
                   int32_t column, const std::string& path) {
    const AvroOptional optional = OptionalOf(writer);
    if (optional.value != nullptr && plan_.columns[column].nullable && shape.type != nullptr &&
        shape.type->kind != AvroKind::kNull) {
      // The common case: the union's branch is read by the value's own op.
      const size_t first = plan_.ops.size();
      Here();
      TARN_RETURN_IF_ERROR(EmitPlain(**optional.value, *shape.type, column, path));
      if (first >= plan_.ops.size()) return OkStatus();
      AvroOp& op = plan_.ops[first];
      op.null_byte = static_cast<uint8_t>(2 * optional.null_branch);
      op.value_byte = static_cast<uint8_t>(2 - op.null_byte);
      op.jump = Here();
      return OkStatus();
    }
    const auto table = static_cast<int32_t>(plan_.branches.size());
    plan_.branches.emplace_back();
    Add({.code = AvroCode::kBranch, .column = column, .table = table}, path);
    std::vector<int32_t> starts;
    std::vector<size_t> ends;
    std::optional<Error> failed;
    bool any = false;
    for (const AvroTypePtr& branch : writer.children) {
      starts.push_back(Here());
      const bool null = branch->kind == AvroKind::kNull;
      Status emitted =
          null ? EmitNull(*branch, *reader, column, path) : Emit(*branch, reader, column, path);
      if (emitted.ok()) {
        any = any || !null || writer.children.size() == 1;
      } else {
        // Only rows that have this branch are at fault.
        Fail(emitted.error().message, column, path);
        if (!failed || !null) failed = emitted.error();
      }
      ends.push_back(plan_.ops.size());
      Add({.code = AvroCode::kJump}, path);
    }
    if (!any && failed) return *failed;
    EndJumps(ends);
    plan_.branches[table] = std::move(starts);
    return OkStatus();
  }

  Status EmitNull(const AvroType& writer, const AvroType& reader, int32_t column,
                  const std::string& path) {
    if (!plan_.columns[column].nullable) return CannotMeet(writer, reader, path);
    Add({.code = AvroCode::kNull, .column = column}, path);
    return OkStatus();
  }

  Status EmitPlain(const AvroType& writer, const AvroType& reader, int32_t column,
                   const std::string& path) {
    if (writer.kind == AvroKind::kNull || reader.kind == AvroKind::kNull) {
      if (writer.kind == AvroKind::kNull) return EmitNull(writer, reader, column, path);
      return CannotMeet(writer, reader, path);
    }
    if (writer.kind == AvroKind::kUnion) {
      return Internal("avro: a union where its branch was meant");
    }
    switch (reader.kind) {
      case AvroKind::kRecord: {
        if (writer.kind != AvroKind::kRecord) break;
        const std::vector<int32_t> children = plan_.columns[column].children;
        Add({.code = AvroCode::kStruct, .column = column}, path);
        return EmitRecord(writer, reader, children, path, path + ".");
      }
      case AvroKind::kArray:
      case AvroKind::kMap:
        return EmitList(writer, reader, column, path);
      case AvroKind::kEnum:
        return EmitEnum(writer, reader, column, path);
      case AvroKind::kBoolean:
        if (writer.kind != AvroKind::kBoolean) break;
        Add({.code = AvroCode::kBool, .column = column}, path);
        return OkStatus();
      case AvroKind::kInt:
      case AvroKind::kLong:
      case AvroKind::kFloat:
      case AvroKind::kDouble:
        return EmitNumber(writer, reader, column, path);
      case AvroKind::kBytes:
      case AvroKind::kString:
      case AvroKind::kFixed:
        return EmitBytes(writer, reader, column, path);
      default:
        break;
    }
    return CannotMeet(writer, reader, path);
  }

  Status EmitNumber(const AvroType& writer, const AvroType& reader, int32_t column,
                    const std::string& path) {
    AvroOp op{.column = column};
    const AvroKind to = reader.kind;
    switch (writer.kind) {
      case AvroKind::kInt:
        op.code = to == AvroKind::kInt ? AvroCode::kInt : AvroCode::kLong;
        if (to == AvroKind::kFloat) op.code = AvroCode::kLongFloat;
        if (to == AvroKind::kDouble) op.code = AvroCode::kLongDouble;
        break;
      case AvroKind::kLong:
        if (to == AvroKind::kInt) return CannotMeet(writer, reader, path);
        op.code = AvroCode::kLong;
        if (to == AvroKind::kFloat) op.code = AvroCode::kLongFloat;
        if (to == AvroKind::kDouble) op.code = AvroCode::kLongDouble;
        break;
      case AvroKind::kFloat:
        if (to != AvroKind::kFloat && to != AvroKind::kDouble) {
          return CannotMeet(writer, reader, path);
        }
        op.code = to == AvroKind::kFloat ? AvroCode::kFloat : AvroCode::kFloatDouble;
        break;
      case AvroKind::kDouble:
        if (to != AvroKind::kDouble) return CannotMeet(writer, reader, path);
        op.code = AvroCode::kDouble;
        break;
      default:
        return CannotMeet(writer, reader, path);
    }
    const Counted from = CountedOf(writer.logical), as = CountedOf(reader.logical);
    if (from.of != Counted::Of::kNothing && as.of != Counted::Of::kNothing) {
      if (from.of != as.of || from.per_second > as.per_second) {
        return CannotMeet(writer, reader, path);
      }
      if (from.per_second < as.per_second) {
        op.code = AvroCode::kLongTimes;
        op.factor = as.per_second / from.per_second;
      }
    }
    if (as.of == Counted::Of::kTimeOfDay) {
      op.code = to == AvroKind::kInt ? AvroCode::kTime32 : AvroCode::kTime64;
      op.size = static_cast<int32_t>(as.per_second);
    }
    Add(op, path);
    return OkStatus();
  }

  Status EmitBytes(const AvroType& writer, const AvroType& reader, int32_t column,
                   const std::string& path) {
    const bool text = writer.kind == AvroKind::kBytes || writer.kind == AvroKind::kString;
    if (reader.logical == AvroLogical::kDecimal) {
      if (writer.logical != AvroLogical::kDecimal || writer.scale != reader.scale ||
          writer.precision > reader.precision) {
        return CannotMeet(writer, reader, path);
      }
      AvroOp op{.code = AvroCode::kDecimalText, .column = column, .size = reader.precision};
      if (!text) {
        op.code = AvroCode::kDecimalFixed;
        op.size = writer.size;
        op.table = reader.precision;
      }
      Add(op, path);
      return OkStatus();
    }
    if (text && reader.kind != AvroKind::kFixed) {
      Add({.code = AvroCode::kText, .column = column}, path);
      return OkStatus();
    }
    if (writer.kind == AvroKind::kFixed && reader.kind == AvroKind::kFixed &&
        writer.size == reader.size) {
      Add({.code = AvroCode::kFixed, .column = column, .size = writer.size}, path);
      return OkStatus();
    }
    return CannotMeet(writer, reader, path);
  }

  Status EmitEnum(const AvroType& writer, const AvroType& reader, int32_t column,
                  const std::string& path) {
    if (writer.kind != AvroKind::kEnum) return CannotMeet(writer, reader, path);
    std::vector<std::string> symbols;
    symbols.reserve(writer.symbols.size());
    for (const std::string& symbol : writer.symbols) {
      const bool known =
          std::find(reader.symbols.begin(), reader.symbols.end(), symbol) != reader.symbols.end();
      symbols.push_back(known ? symbol : reader.symbol_default.value_or(""));
    }
    plan_.symbols.push_back(std::move(symbols));
    Add({.code = AvroCode::kEnum,
         .column = column,
         .table = static_cast<int32_t>(plan_.symbols.size() - 1)},
        path);
    return OkStatus();
  }

  Status EmitList(const AvroType& writer, const AvroType& reader, int32_t column,
                  const std::string& path) {
    const std::vector<int32_t> children = plan_.columns[column].children;
    const size_t list = plan_.ops.size();
    AvroOp op{.code = AvroCode::kList, .column = column};
    op.level = plan_.columns[children[0]].level;
    if (writer.kind == AvroKind::kMap && reader.kind == AvroKind::kMap) {
      op.size = Clamped(1 + BytesMin(*writer.children[0]));
      Add(op, path);
      Add({.code = AvroCode::kText, .column = children[0]}, path + ".key");
      TARN_RETURN_IF_ERROR(
          Emit(*writer.children[0], reader.children[0], children[1], path + ".value"));
    } else if (writer.kind == AvroKind::kArray && reader.kind == AvroKind::kArray) {
      const AvroType& items = *writer.children[0];
      op.size = Clamped(BytesMin(items));
      Add(op, path);
      if (!IsMap(reader)) {
        TARN_RETURN_IF_ERROR(Emit(items, reader.children[0], children[0], path + ".element"));
      } else if (EntryOf(writer) != nullptr) {
        TARN_RETURN_IF_ERROR(EmitEntry(writer, reader, children, path));
      } else {
        return CannotMeet(writer, reader, path);
      }
    } else {
      return CannotMeet(writer, reader, path);
    }
    if (list < plan_.ops.size()) plan_.ops[list].jump = Here();
    return OkStatus();
  }

  // Key and value, into a column each. An entry that may be null must not be.
  Status EmitEntry(const AvroType& writer, const AvroType& reader,
                   const std::vector<int32_t>& columns, const std::string& path) {
    const AvroOptional optional = OptionalOf(*writer.children[0]);
    if (optional.value != nullptr) {
      const auto table = static_cast<int32_t>(plan_.branches.size());
      plan_.branches.emplace_back();
      Add({.code = AvroCode::kBranch, .table = table}, path);
      const int32_t null = Here();
      Fail("expected an entry of a map, got null", columns[0], path);
      const int32_t entry = Here();
      plan_.branches[table] = optional.null_branch == 0 ? std::vector<int32_t>{null, entry}
                                                        : std::vector<int32_t>{entry, null};
    }
    return EmitRecord(*EntryOf(writer), *EntryOf(reader), columns, path, path + ".");
  }

  // The reader's fields by what the writer's may call them.
  struct Wanted {
    std::map<int32_t, int32_t> ids;
    std::map<std::string_view, int32_t> names;
    std::map<std::string_view, int32_t> aliases;

    // Position of the reader's field, -1 for none.
    int32_t Find(const AvroField& field) const {
      if (const auto found = ids.find(field.field_id); found != ids.end()) return found->second;
      if (const auto found = names.find(field.name); found != names.end()) return found->second;
      if (const auto found = aliases.find(field.name); found != aliases.end()) {
        return found->second;
      }
      return -1;
    }
  };

  Wanted WantedOf(const AvroType& reader) const {
    Wanted wanted;
    for (size_t i = 0; i < reader.fields.size(); ++i) {
      const AvroField& field = reader.fields[i];
      const auto at = static_cast<int32_t>(i);
      if (match_ == ColumnMatch::kById && field.field_id != 0) {
        wanted.ids.emplace(field.field_id, at);
        continue;
      }
      wanted.names.emplace(field.name, at);
      for (const std::string& alias : field.aliases) wanted.aliases.emplace(alias, at);
    }
    return wanted;
  }

  // The members of a record into `columns`, one for each of the reader's fields.
  Status EmitRecord(const AvroType& writer, const AvroType& reader,
                    const std::vector<int32_t>& columns, const std::string& path,
                    const std::string& prefix) {
    std::vector<bool> found(reader.fields.size(), false);
    const Wanted wanted = WantedOf(reader);
    for (const AvroField& field : writer.fields) {
      const int32_t at = wanted.Find(field);
      if (at < 0 || found[at]) {
        EmitSkip(*field.type, prefix + field.name);
        continue;
      }
      found[at] = true;
      TARN_RETURN_IF_ERROR(
          Emit(*field.type, reader.fields[at].type, columns[at], prefix + field.name));
    }
    for (size_t i = 0; i < reader.fields.size(); ++i) {
      if (found[i]) continue;
      TARN_RETURN_IF_ERROR(EmitDefault(reader.fields[i], columns[i], path, prefix));
    }
    return OkStatus();
  }

  Status EmitDefault(const AvroField& field, int32_t column, const std::string& path,
                     const std::string& prefix) {
    const std::string name = prefix + field.name;
    if (!field.default_json) {
      return Invalid("field '" + name + "': the file's record" +
                     (path.empty() ? "" : " '" + path + "'") + " lacks it, and it has no default");
    }
    auto bytes = EncodeAvroDefault(*field.type, *field.default_json);
    if (!bytes.ok()) return bytes.error().WithContext("field '" + name + "'");
    const size_t op = plan_.ops.size();
    Add({.code = AvroCode::kDefault,
         .column = column,
         .size = static_cast<int32_t>(bytes->size()),
         .table = static_cast<int32_t>(plan_.defaults.size())},
        name);
    bytes->append(AvroBuffer::kPadding, '\0');
    plan_.defaults.push_back(std::move(bytes).value());
    TARN_RETURN_IF_ERROR(Emit(*field.type, field.type, column, name));
    if (op < plan_.ops.size()) plan_.ops[op].jump = Here();
    return OkStatus();
  }

  void EmitSkip(const AvroType& type, const std::string& path) {
    if (plan_.ops.size() > kOpsMax) return;
    const int64_t always = BytesAlways(type);
    if (always == 0) return;
    if (always > 0) return AddSkip(AvroCode::kSkipBytes, Clamped(always), path);
    switch (type.kind) {
      case AvroKind::kInt:
      case AvroKind::kLong:
      case AvroKind::kEnum:
        return AddSkip(AvroCode::kSkipLongs, 1, path);
      case AvroKind::kRecord:
        for (const AvroField& field : type.fields) EmitSkip(*field.type, path + "." + field.name);
        return;
      case AvroKind::kArray:
      case AvroKind::kMap: {
        const AvroType& items = *type.children[0];
        const int64_t size = type.kind == AvroKind::kArray ? BytesAlways(items) : -1;
        if (size >= 0) {
          Add({.code = AvroCode::kSkipFixedItems, .size = Clamped(size)}, path);
          return;
        }
        const bool map = type.kind == AvroKind::kMap;
        const size_t op = plan_.ops.size();
        Add({.code = AvroCode::kSkipItems, .size = Clamped(BytesMin(items) + (map ? 1 : 0))}, path);
        Here();
        if (map) Add({.code = AvroCode::kSkipText}, path + ".key");
        EmitSkip(items, path + (map ? ".value" : ".element"));
        if (op < plan_.ops.size()) plan_.ops[op].jump = Here();
        return;
      }
      case AvroKind::kUnion:
        return EmitSkipUnion(type, path);
      default:
        Add({.code = AvroCode::kSkipText}, path);
    }
  }

  void EmitSkipUnion(const AvroType& type, const std::string& path) {
    const AvroOptional optional = OptionalOf(type);
    if (optional.value != nullptr) {
      const AvroType& value = **optional.value;
      const auto first = plan_.ops.size();
      Here();
      // Where several ops skip a record, one that does nothing stands for it.
      if (value.kind == AvroKind::kRecord) Add({.code = AvroCode::kStruct}, path);
      EmitSkip(value, path);
      if (first >= plan_.ops.size()) return;
      AvroOp& op = plan_.ops[first];
      op.null_byte = static_cast<uint8_t>(2 * optional.null_branch);
      op.value_byte = static_cast<uint8_t>(2 - op.null_byte);
      op.jump = Here();
      return;
    }
    const auto table = static_cast<int32_t>(plan_.branches.size());
    plan_.branches.emplace_back();
    Add({.code = AvroCode::kBranch, .table = table}, path);
    std::vector<int32_t> starts;
    std::vector<size_t> ends;
    for (const AvroTypePtr& branch : type.children) {
      starts.push_back(Here());
      EmitSkip(*branch, path);
      ends.push_back(plan_.ops.size());
      Add({.code = AvroCode::kJump}, path);
    }
    EndJumps(ends);
    plan_.branches[table] = std::move(starts);
  }

  void EndJumps(const std::vector<size_t>& jumps) {
    for (const size_t jump : jumps) {
      if (jump < plan_.ops.size()) plan_.ops[jump].jump = Here();
    }
  }

  // One op for neighbours, unless something jumps in between.
  void AddSkip(AvroCode code, int32_t size, const std::string& path) {
    if (plan_.ops.size() > target_ && plan_.ops.back().code == code &&
        plan_.ops.back().null_byte == AvroOp::kNever && plan_.ops.back().size < (1 << 30) - size) {
      plan_.ops.back().size += size;
      return;
    }
    Add({.code = code, .size = size}, path);
  }

  const ColumnMatch match_;
  AvroPlan plan_;
  size_t target_ = 0;  // something may jump to the op of this number
};

}  // namespace

Result<std::shared_ptr<const AvroPlan>> MakeAvroPlan(const AvroTypePtr& writer,
                                                     const AvroTypePtr& reader, ColumnMatch match) {
  return PlanMaker(match).Make(writer, reader);
}

}  // namespace tarn
