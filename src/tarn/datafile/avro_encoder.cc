#include "tarn/datafile/avro_encoder_internal.h"

#include <algorithm>
#include <cstring>

#include <arrow/api.h>
#include <arrow/compute/cast.h>
#include <arrow/extension_type.h>
#include <arrow/util/bit_util.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/avro_varint_internal.h"
#include "tarn/model/value.h"

namespace tarn {
namespace {

using ArrayPtr = std::shared_ptr<arrow::Array>;

constexpr size_t kNumberBytes = 16;  // room for any number

Error Mismatch(const std::string& path, const AvroType& expected, const arrow::DataType& got) {
  return Invalid("avro: field '" + path + "': expected " + AvroTypeToText(expected) + ", got " +
                 got.ToString());
}

bool IsText(arrow::Type::type id) {
  switch (id) {
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::BINARY_VIEW:
      return true;
    default:
      return false;
  }
}

// Whether a cast from one to the other changes no value, or fails on the first that it would.
bool SameValues(const arrow::DataType& from, const arrow::DataType& to) {
  switch (to.id()) {
    case arrow::Type::INT32:
    case arrow::Type::INT64:
      return arrow::is_integer(from.id());
    case arrow::Type::FLOAT:
      return from.id() == arrow::Type::HALF_FLOAT;
    case arrow::Type::DOUBLE:
      return from.id() == arrow::Type::FLOAT || from.id() == arrow::Type::HALF_FLOAT;
    case arrow::Type::DATE32:
      return from.id() == arrow::Type::DATE64;
    case arrow::Type::TIME32:
    case arrow::Type::TIME64:
      return from.id() == arrow::Type::TIME32 || from.id() == arrow::Type::TIME64;
    case arrow::Type::TIMESTAMP:
      return from.id() == arrow::Type::TIMESTAMP;
    case arrow::Type::DECIMAL128:
      return arrow::is_decimal(from.id()) && static_cast<const arrow::DecimalType&>(from).scale() ==
                                                 static_cast<const arrow::DecimalType&>(to).scale();
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      return IsText(from.id());
    default:
      return false;
  }
}

}  // namespace

struct AvroEncoder::Bound {
  ArrayPtr array;  // kept alive
  const uint8_t* validity = nullptr;
  int64_t offset = 0;  // of bits: validity, booleans
  const uint8_t* values = nullptr;
  const int32_t* ends = nullptr;
  const uint8_t* text = nullptr;

  bool IsNull(int64_t row) const {
    return validity != nullptr && !arrow::bit_util::GetBit(validity, offset + row);
  }
};

AvroEncoder::AvroEncoder(AvroTypePtr schema) : schema_(std::move(schema)) {}
AvroEncoder::~AvroEncoder() = default;

Result<std::unique_ptr<AvroEncoder>> AvroEncoder::Make(const AvroTypePtr& schema) {
  if (schema->kind != AvroKind::kRecord) {
    return Invalid("avro: expected a record as schema, got " + AvroTypeToText(*schema));
  }
  std::unique_ptr<AvroEncoder> encoder(new AvroEncoder(schema));
  TARN_ASSIGN_OR_RETURN(encoder->plan_, MakeAvroPlan(schema, schema, ColumnMatch::kByName));
  encoder->bound_.resize(encoder->plan_->columns.size());
  encoder->constants_.resize(encoder->plan_->columns.size());
  for (size_t i = 0; i < schema->fields.size(); ++i) {
    encoder->Compile(*schema->fields[i].type, encoder->plan_->roots[i], kNone, kNone);
  }
  return encoder;
}

void AvroEncoder::Compile(const AvroType& type, int32_t column, int32_t null_branch,
                          int32_t branch) {
  if (type.kind == AvroKind::kUnion) return CompileUnion(type, column);
  CompilePlain(type, column, {.column = column, .null_branch = null_branch, .branch = branch});
}

void AvroEncoder::CompileUnion(const AvroType& type, int32_t column) {
  int32_t null_branch = kNone;
  std::vector<int32_t> others;
  for (size_t i = 0; i < type.children.size(); ++i) {
    if (type.children[i]->kind == AvroKind::kNull) {
      null_branch = static_cast<int32_t>(i);
    } else {
      others.push_back(static_cast<int32_t>(i));
    }
  }
  if (others.empty()) {
    CompilePlain(*type.children[0], column, {.column = column, .branch = null_branch});
    return;
  }
  const std::vector<int32_t>& children = plan_->columns[column].children;
  const bool members = others.size() > 1 && plan_->columns[column].store == AvroStore::kStruct;
  if (!members) {
    // Of int and long, or float and double, the wider.
    const int32_t widest = *std::max_element(
        others.begin(), others.end(),
        [&](int32_t a, int32_t b) { return type.children[a]->kind < type.children[b]->kind; });
    CompilePlain(*type.children[widest], column,
                 {.column = column, .null_branch = null_branch, .branch = widest});
    return;
  }
  const auto table = static_cast<int32_t>(members_.size());
  members_.emplace_back();
  const size_t op = ops_.size();
  Add({.code = Code::kUnion, .column = column, .null_branch = null_branch, .table = table});
  std::vector<Member> made;
  made.reserve(others.size());
  for (size_t i = 0; i < others.size(); ++i) {
    Member member{.branch = others[i], .column = children[i]};
    member.begin = static_cast<int32_t>(ops_.size());
    CompilePlain(*type.children[others[i]], children[i], {.column = children[i]});
    member.end = static_cast<int32_t>(ops_.size());
    made.push_back(member);
  }
  members_[table] = std::move(made);
  ops_[op].jump = static_cast<int32_t>(ops_.size());
}

void AvroEncoder::CompilePlain(const AvroType& type, int32_t column, Op op) {
  const std::vector<int32_t>& children = plan_->columns[column].children;
  const size_t at = ops_.size();
  const bool decimal = type.logical == AvroLogical::kDecimal;
  op.precision = type.precision;
  switch (type.kind) {
    case AvroKind::kNull:
    case AvroKind::kUnion:
      break;
    case AvroKind::kBoolean:
      op.code = Code::kBool;
      break;
    case AvroKind::kInt:
      op.code = Code::kInt;
      break;
    case AvroKind::kLong:
      op.code = Code::kLong;
      break;
    case AvroKind::kFloat:
    case AvroKind::kDouble:
      op.code = Code::kRaw;
      op.size = type.kind == AvroKind::kFloat ? 4 : 8;
      break;
    case AvroKind::kBytes:
      op.code = decimal ? Code::kDecimalText : Code::kText;
      break;
    case AvroKind::kString:
      op.code = Code::kText;
      break;
    case AvroKind::kFixed:
      op.code = decimal ? Code::kDecimalFixed : Code::kRaw;
      op.size = type.size;
      break;
    case AvroKind::kEnum: {
      op.code = Code::kEnum;
      op.table = static_cast<int32_t>(symbols_.size());
      auto& symbols = symbols_.emplace_back();
      for (size_t i = 0; i < type.symbols.size(); ++i) {
        symbols.emplace(type.symbols[i], static_cast<int64_t>(i));
      }
      break;
    }
    case AvroKind::kRecord:
      Add(op);
      for (size_t i = 0; i < type.fields.size(); ++i) {
        Compile(*type.fields[i].type, children[i], kNone, kNone);
      }
      ops_[at].jump = static_cast<int32_t>(ops_.size());
      return;
    case AvroKind::kArray:
    case AvroKind::kMap: {
      op.code = Code::kList;
      Add(op);
      const AvroType& items = *type.children[0];
      if (type.kind == AvroKind::kMap) {
        Add({.code = Code::kText, .column = children[0]});
        Compile(items, children[1], kNone, kNone);
      } else if (type.logical == AvroLogical::kMap) {
        if (items.kind == AvroKind::kUnion) {
          Add({.column = children[0], .branch = 1 - OptionalOf(items).null_branch});
        }
        for (size_t i = 0; i < 2; ++i) {
          Compile(*EntryOf(type)->fields[i].type, children[i], kNone, kNone);
        }
      } else {
        Compile(items, children[0], kNone, kNone);
      }
      ops_[at].jump = static_cast<int32_t>(ops_.size());
      return;
    }
  }
  Add(op);
}

Status AvroEncoder::Bind(const arrow::RecordBatch& batch) {
  row_count_ = batch.num_rows();
  std::vector<std::pair<std::string, ArrayPtr>> have;
  have.reserve(static_cast<size_t>(batch.num_columns()));
  for (int i = 0; i < batch.num_columns(); ++i) {
    have.emplace_back(batch.column_name(i), batch.column(i));
  }
  return BindRecord(*schema_, plan_->roots, have, "");
}

Status AvroEncoder::BindRecord(const AvroType& type, const std::vector<int32_t>& columns,
                               const std::vector<std::pair<std::string, ArrayPtr>>& have,
                               const std::string& path) {
  std::map<std::string_view, const ArrayPtr*> by_name;
  for (const auto& [name, array] : have) {
    if (!by_name.emplace(name, &array).second) {
      return Invalid("avro: column '" + path + name + "' stands twice in the batch");
    }
  }
  size_t used = 0;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const AvroField& field = type.fields[i];
    const auto found = by_name.find(ColumnNameOf(field));
    const ArrayPtr array = found == by_name.end() ? nullptr : *found->second;
    if (array != nullptr) ++used;
    TARN_RETURN_IF_ERROR(BindMember(field, columns[i], array));
  }
  if (used == have.size()) return OkStatus();
  for (const auto& [name, array] : have) {
    const std::string& wanted = name;
    if (std::none_of(type.fields.begin(), type.fields.end(),
                     [&](const AvroField& field) { return ColumnNameOf(field) == wanted; })) {
      return Invalid("avro: the schema has no field '" + path + name + "', which the batch has");
    }
  }
  return OkStatus();
}

Status AvroEncoder::BindMember(const AvroField& field, int32_t column, const ArrayPtr& array) {
  std::string& constant = constants_[column];
  constant.clear();
  if (array != nullptr) return BindColumn(*field.type, column, array);
  const std::string& path = plan_->columns[column].path;
  if (!field.default_json) {
    return Invalid("avro: field '" + path + "': the batch lacks it, and it has no default");
  }
  auto bytes = EncodeAvroDefault(*field.type, *field.default_json);
  if (!bytes.ok()) return bytes.error().WithContext("avro: field '" + path + "'");
  constant = std::move(bytes).value();
  bound_[column] = {};  // without an array: the constant is written
  return OkStatus();
}

// The array in the column's own layout.
Result<ArrayPtr> AvroEncoder::AsStored(const AvroType& type, int32_t column,
                                       const ArrayPtr& array) const {
  const AvroColumn& plan = plan_->columns[column];
  const auto& target = plan.field->type();
  if (array->type()->Equals(*target, /*check_metadata=*/false)) return array;
  const auto cast = [&](const std::shared_ptr<arrow::DataType>& to) {
    return Lift(arrow::compute::Cast(*array, to, arrow::compute::CastOptions::Safe()),
                "avro: field '" + plan.path + "'", ErrorCode::kInvalid);
  };
  switch (array->type_id()) {
    case arrow::Type::NA:
      return Lift(arrow::MakeArrayOfNull(target, array->length()), "avro");
    case arrow::Type::DICTIONARY: {
      TARN_ASSIGN_OR_RETURN(
          auto values,
          cast(static_cast<const arrow::DictionaryType&>(*array->type()).value_type()));
      return AsStored(type, column, values);
    }
    case arrow::Type::EXTENSION:
      return AsStored(type, column, static_cast<const arrow::ExtensionArray&>(*array).storage());
    case arrow::Type::LARGE_LIST:
    case arrow::Type::FIXED_SIZE_LIST:
    case arrow::Type::LIST_VIEW:
    case arrow::Type::LARGE_LIST_VIEW:
      if (plan.store != AvroStore::kList) break;
      return cast(arrow::list(array->type()->field(0)));
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      if (plan.store == AvroStore::kList) return array;
      break;
    case arrow::Type::STRUCT:
      if (plan.store == AvroStore::kStruct) return array;
      break;
    case arrow::Type::TIMESTAMP:
      if (target->id() == arrow::Type::TIMESTAMP) {
        // Zones are labels on the same count since 1970 UTC: only the unit is cast.
        const auto data = array->data()->Copy();
        data->type =
            arrow::timestamp(static_cast<const arrow::TimestampType&>(*array->type()).unit());
        return Lift(arrow::compute::Cast(
                        *arrow::MakeArray(data),
                        arrow::timestamp(static_cast<const arrow::TimestampType&>(*target).unit()),
                        arrow::compute::CastOptions::Safe()),
                    "avro: field '" + plan.path + "'", ErrorCode::kInvalid);
      }
      break;
    default:
      break;
  }
  if (plan.store == AvroStore::kList || plan.store == AvroStore::kStruct ||
      !SameValues(*array->type(), *target)) {
    return Mismatch(plan.path, type, *array->type());
  }
  return cast(target);
}

Status AvroEncoder::BindColumn(const AvroType& declared, int32_t column, const ArrayPtr& given) {
  TARN_ASSIGN_OR_RETURN(const ArrayPtr array, AsStored(declared, column, given));
  const AvroColumn& plan = plan_->columns[column];
  Bound bound;
  bound.array = array;
  bound.validity = array->null_count() > 0 ? array->null_bitmap_data() : nullptr;
  bound.offset = array->offset();
  const arrow::ArrayData& data = *array->data();
  switch (plan.store) {
    case AvroStore::kNull:
      break;
    case AvroStore::kBool:
      if (data.buffers[1] != nullptr) bound.values = data.buffers[1]->data();
      break;
    case AvroStore::kFixed:
      if (data.buffers[1] != nullptr) {
        bound.values = data.buffers[1]->data() + data.offset * plan.width;
      }
      break;
    case AvroStore::kText:
      bound.ends = data.GetValues<int32_t>(1);
      bound.text = data.buffers[2] != nullptr ? data.buffers[2]->data() : nullptr;
      break;
    case AvroStore::kList:
      bound.ends = data.GetValues<int32_t>(1);
      break;
    case AvroStore::kStruct:
      break;
  }
  bound_[column] = std::move(bound);
  if (plan.store != AvroStore::kList && plan.store != AvroStore::kStruct) return OkStatus();
  return BindNested(declared, column, array);
}

Status AvroEncoder::BindNested(const AvroType& declared, int32_t column, const ArrayPtr& array) {
  const AvroColumn& plan = plan_->columns[column];
  const AvroOptional optional = OptionalOf(declared);
  const AvroType& type = optional.value != nullptr ? **optional.value : declared;
  if (type.kind == AvroKind::kUnion) {
    std::vector<const AvroType*> branches;
    for (const AvroTypePtr& branch : type.children) {
      if (branch->kind != AvroKind::kNull) branches.push_back(branch.get());
    }
    if (branches.size() == 1) return BindNested(*branches[0], column, array);
    const auto& members = static_cast<const arrow::StructArray&>(*array);
    if (static_cast<size_t>(members.num_fields()) != branches.size()) {
      return Mismatch(plan.path, declared, *array->type());
    }
    for (size_t i = 0; i < branches.size(); ++i) {
      TARN_RETURN_IF_ERROR(
          BindColumn(*branches[i], plan.children[i], members.field(static_cast<int>(i))));
    }
    return OkStatus();
  }
  if (type.kind == AvroKind::kRecord) {
    const auto& members = static_cast<const arrow::StructArray&>(*array);
    std::vector<std::pair<std::string, ArrayPtr>> have;
    have.reserve(static_cast<size_t>(members.num_fields()));
    for (int i = 0; i < members.num_fields(); ++i) {
      have.emplace_back(members.type()->field(i)->name(), members.field(i));
    }
    return BindRecord(type, plan.children, have, plan.path + ".");
  }
  if (plan.children.size() == 1) {
    if (array->type_id() != arrow::Type::LIST) return Mismatch(plan.path, type, *array->type());
    return BindColumn(*type.children[0], plan.children[0],
                      static_cast<const arrow::ListArray&>(*array).values());
  }
  // A map; a list of key and value is taken for one.
  const auto& lists = static_cast<const arrow::ListArray&>(*array);
  if (lists.values()->type_id() != arrow::Type::STRUCT ||
      lists.values()->type()->num_fields() != 2) {
    return Mismatch(plan.path, type, *array->type());
  }
  const auto& entries = static_cast<const arrow::StructArray&>(*lists.values());
  const auto text = AvroType{.kind = AvroKind::kString};
  const bool map = type.kind == AvroKind::kMap;
  const AvroType& key = map ? text : *EntryOf(type)->fields[0].type;
  const AvroType& value = map ? *type.children[0] : *EntryOf(type)->fields[1].type;
  TARN_RETURN_IF_ERROR(BindColumn(key, plan.children[0], entries.field(0)));
  return BindColumn(value, plan.children[1], entries.field(1));
}

Result<int64_t> AvroEncoder::Encode(int64_t row, size_t bytes_max, AvroBuffer& out) {
  out_ = &out;
  const size_t before = out.size();
  used_ = before;
  const auto end = static_cast<int32_t>(ops_.size());
  while (row < row_count_ && used_ < bytes_max) {
    if (!Run(0, end, row)) {
      if (out.data() != nullptr) out.SetSize(before);  // what was begun is forgotten
      return Invalid("avro: row " + std::to_string(row) + " of the batch: " + failure_);
    }
    ++row;
  }
  Ensure(0);
  out.SetSize(used_);
  return row;
}

bool AvroEncoder::Fail(int32_t column, std::string why) {
  failure_ = "field '" + plan_->columns[column].path + "': " + std::move(why);
  return false;
}

void AvroEncoder::Ensure(size_t bytes) {
  if (used_ + bytes <= out_->capacity() && out_->data() != nullptr) return;
  if (out_->data() != nullptr) out_->SetSize(used_);
  out_->Reserve(std::max<size_t>({used_ + bytes, out_->capacity() * 2, 4096}));
}

void AvroEncoder::PutLong(int64_t value) {
  uint64_t raw = (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  uint8_t* p = out_->data() + used_;
  uint8_t* const begin = p;
  while (raw >= 0x80) {
    *p++ = static_cast<uint8_t>(raw | 0x80);
    raw >>= 7;
  }
  *p++ = static_cast<uint8_t>(raw);
  used_ += static_cast<size_t>(p - begin);
}

void AvroEncoder::PutBytes(const void* bytes, size_t size) {
  Ensure(size);
  if (size > 0) std::memcpy(out_->data() + used_, bytes, size);
  used_ += size;
}

// One row (or item) through the ops from `begin` to `end`.
bool AvroEncoder::Run(int32_t begin, int32_t end, int64_t row) {
  int32_t at = begin;
  while (at < end) {
    const Op& op = ops_[at];
    const Bound& bound = bound_[op.column];
    if (bound.array == nullptr) {  // a field that the batch lacks
      const std::string& constant = constants_[op.column];
      PutBytes(constant.data(), constant.size());
      at = op.jump;
      continue;
    }
    Ensure(2 * kNumberBytes);
    if (bound.IsNull(row)) {
      if (op.null_branch != kNone) {
        PutLong(op.null_branch);
      } else if (plan_->columns[op.column].store != AvroStore::kNull) {
        return Fail(op.column, "is required, got NULL");
      }
      at = op.jump;
      continue;
    }
    if (op.branch != kNone) PutLong(op.branch);
    int32_t next = at + 1;
    switch (op.code) {
      case Code::kNothing:
        break;
      case Code::kBool:
        out_->data()[used_++] = arrow::bit_util::GetBit(bound.values, bound.offset + row) ? 1 : 0;
        break;
      case Code::kInt:
        PutLong(reinterpret_cast<const int32_t*>(bound.values)[row]);
        break;
      case Code::kLong:
        PutLong(reinterpret_cast<const int64_t*>(bound.values)[row]);
        break;
      case Code::kRaw:
        PutBytes(bound.values + row * op.size, static_cast<size_t>(op.size));
        break;
      case Code::kText: {
        const int32_t from = bound.ends[row];
        const int32_t size = bound.ends[row + 1] - from;
        PutLong(size);
        PutBytes(bound.text + from, static_cast<size_t>(size));
        break;
      }
      case Code::kDecimalText:
      case Code::kDecimalFixed:
        if (!PutDecimal(op, bound, row)) return false;
        break;
      case Code::kEnum:
        if (!PutEnum(op, bound, row)) return false;
        break;
      case Code::kList:
        if (!RunList(op, at, row)) return false;
        next = op.jump;
        break;
      case Code::kUnion:
        if (!RunUnion(op, row)) return false;
        next = op.jump;
        break;
    }
    at = next;
  }
  return true;
}

bool AvroEncoder::RunList(const Op& op, int32_t at, int64_t row) {
  const Bound& bound = bound_[op.column];
  const int32_t begin = bound.ends[row];
  const int32_t end = bound.ends[row + 1];
  if (end > begin) PutLong(end - begin);
  for (int32_t item = begin; item < end; ++item) {
    if (!Run(at + 1, op.jump, item)) return false;
  }
  Ensure(kNumberBytes);
  PutLong(0);
  return true;
}

bool AvroEncoder::RunUnion(const Op& op, int64_t row) {
  const Member* set = nullptr;
  for (const Member& member : members_[op.table]) {
    const Bound& bound = bound_[member.column];
    if (bound.array == nullptr || bound.IsNull(row)) continue;
    if (set != nullptr) return Fail(op.column, "expected one member to be set, got several");
    set = &member;
  }
  if (set == nullptr) return Fail(op.column, "expected one member to be set, got none");
  PutLong(set->branch);
  return Run(set->begin, set->end, row);
}

bool AvroEncoder::PutDecimal(const Op& op, const Bound& bound, int64_t row) {
  Int128 value = 0;
  std::memcpy(&value, bound.values + row * 16, 16);
  Int128 most = 1;
  for (int32_t i = 0; i < op.precision; ++i) most *= 10;
  if (value >= most || value <= -most) {
    return Fail(op.column, "expected a decimal of " + std::to_string(op.precision) +
                               " digits, got a larger number");
  }
  uint8_t bytes[16];
  int32_t needed = 1;
  for (int i = 0; i < 16; ++i) {
    bytes[15 - i] = static_cast<uint8_t>(static_cast<unsigned __int128>(value) >> (8 * i));
  }
  const uint8_t sign = value < 0 ? 0xFF : 0;
  for (int i = 0; i < 15; ++i) {
    if (bytes[i] != sign || (bytes[i + 1] & 0x80) != (sign & 0x80)) {
      needed = 16 - i;
      break;
    }
  }
  if (op.code == Code::kDecimalText) {
    PutLong(needed);
    PutBytes(bytes + 16 - needed, static_cast<size_t>(needed));
    return true;
  }
  if (needed > op.size) {
    return Fail(op.column,
                "expected a decimal of " + std::to_string(op.size) + " bytes, got a larger number");
  }
  for (int32_t i = 16; i < op.size; ++i) PutBytes(&sign, 1);
  const int32_t size = std::min(op.size, 16);
  PutBytes(bytes + 16 - size, static_cast<size_t>(size));
  return true;
}

bool AvroEncoder::PutEnum(const Op& op, const Bound& bound, int64_t row) {
  const int32_t from = bound.ends[row];
  const std::string_view symbol(reinterpret_cast<const char*>(bound.text) + from,
                                static_cast<size_t>(bound.ends[row + 1] - from));
  const auto found = symbols_[op.table].find(symbol);
  if (found == symbols_[op.table].end()) {
    return Fail(op.column, "the enum has no symbol '" + std::string(symbol) + "'");
  }
  PutLong(found->second);
  return true;
}

}  // namespace tarn
