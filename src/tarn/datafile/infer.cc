#include "tarn/datafile/infer.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/datafile/text_values.h"

namespace tarn {

std::string_view ValueKindName(ValueKind kind) {
  switch (kind) {
    case ValueKind::kBoolean:
      return "boolean";
    case ValueKind::kInteger:
    case ValueKind::kWideInteger:
      return "int64";
    case ValueKind::kBigInteger:
    case ValueKind::kHugeInteger:
    case ValueKind::kEndlessInteger:
      return "an integer beyond int64";
    case ValueKind::kFraction:
      return "a number with fraction";
    case ValueKind::kDate:
    case ValueKind::kTimestamp:
    case ValueKind::kText:
      return "string";
    case ValueKind::kObject:
      return "object";
    case ValueKind::kList:
      return "list";
  }
  return "value";
}

ValueKind IntegerKind(std::string_view digits) {
  int64_t value = 0;
  if (ParseInt64(digits, &value) == NumberOutcome::kOk) {
    return value <= kExactDoubleMax && value >= -kExactDoubleMax ? ValueKind::kInteger
                                                                 : ValueKind::kWideInteger;
  }
  Int128 wide = 0;
  if (ParseDecimal(digits, 20, 0, &wide) == NumberOutcome::kOk) return ValueKind::kBigInteger;
  if (ParseDecimal(digits, 38, 0, &wide) == NumberOutcome::kOk) return ValueKind::kHugeInteger;
  return ValueKind::kEndlessInteger;
}

ValueKind StringKind(std::string_view text) {
  if (text.size() < 10 || text[4] != '-' || text[7] != '-') return ValueKind::kText;
  ParsedTimestamp value;
  if (ParseTimestamp(text, TimestampUnit::kMicros, &value) != nullptr) return ValueKind::kText;
  return value.date_only ? ValueKind::kDate : ValueKind::kTimestamp;
}

// ---- ColumnEvidence

ColumnEvidence& ColumnEvidence::Find(std::string_view name, std::vector<size_t>** variants) {
  const auto [found, fresh] = by_name_.try_emplace(std::string(name), members_.size());
  *variants = nullptr;
  if (fresh) {
    members_.push_back(std::make_unique<ColumnEvidence>(std::string(name)));
    std::vector<size_t>& group = by_folded_name_[AsciiLower(name)];
    group.push_back(found->second);
    if (group.size() > 1) {
      for (const size_t variant : group) members_[variant]->has_variants_ = true;
    }
  }
  ColumnEvidence& member = *members_[found->second];
  if (member.has_variants_) *variants = &by_folded_name_[AsciiLower(name)];
  return member;
}

ColumnEvidence& ColumnEvidence::Member(std::string_view name) {
  std::vector<size_t>* variants = nullptr;
  ColumnEvidence& member = Find(name, &variants);
  if (variants != nullptr) {
    for (const size_t i : *variants) {
      ColumnEvidence& variant = *members_[i];
      if (&variant != &member && variant.seen_in_ == objects_) {
        variant.together_ = member.together_ = true;
      }
    }
  }
  member.seen_in_ = objects_;
  return member;
}

ColumnEvidence& ColumnEvidence::Element() {
  if (element_ == nullptr) element_ = std::make_unique<ColumnEvidence>("element");
  return *element_;
}

void ColumnEvidence::Merge(const ColumnEvidence& later, int32_t source, int64_t lines_before) {
  together_ |= later.together_;
  kinds_ |= later.kinds_;
  for (const auto& [kind, place] : later.first_) {
    first_.try_emplace(kind, Place{source, place.line + lines_before, place.got});
  }
  for (const auto& member : later.members_) {
    // Members of different parts are never of one object: variants are not compared.
    std::vector<size_t>* unused = nullptr;
    Find(member->name_, &unused).Merge(*member, source, lines_before);
  }
  if (later.element_ != nullptr) Element().Merge(*later.element_, source, lines_before);
}

// ---- MakeSchema

// Turns evidence into types.
class SchemaMaker {
 public:
  explicit SchemaMaker(const InferOptions& options) : options_(options) {}

  Result<std::vector<Field>> Members(std::vector<const ColumnEvidence*> objects,
                                     const std::string& path);
  std::vector<std::string> without_values() && { return std::move(without_values_); }

 private:
  using Group = std::vector<const ColumnEvidence*>;  // spellings of one column

  std::vector<Group> GroupMembers(const Group& objects) const;
  // Nothing when no value was seen.
  Result<std::optional<Type>> TypeOf(const Group& spellings, const std::string& path);
  Result<Type> ScalarType(uint16_t kinds, const Group& spellings, const std::string& path) const;
  Error Mixed(const Group& spellings, const std::string& path, ValueKind a, ValueKind b) const;
  const Place& FirstPlace(const Group& spellings, ValueKind kind) const;
  std::string PlaceText(const Place& place) const;

  const InferOptions& options_;
  std::vector<std::string> without_values_;
};

namespace {

constexpr uint16_t BitOf(ValueKind kind) {
  return static_cast<uint16_t>(1U << static_cast<unsigned>(kind));
}
constexpr uint16_t kIntegers = BitOf(ValueKind::kInteger) | BitOf(ValueKind::kWideInteger) |
                               BitOf(ValueKind::kBigInteger) | BitOf(ValueKind::kHugeInteger) |
                               BitOf(ValueKind::kEndlessInteger);
constexpr uint16_t kNumbers = kIntegers | BitOf(ValueKind::kFraction);
constexpr uint16_t kTexts =
    BitOf(ValueKind::kDate) | BitOf(ValueKind::kTimestamp) | BitOf(ValueKind::kText);

bool Earlier(const Place& a, const Place& b) {
  return a.source != b.source ? a.source < b.source : a.line < b.line;
}

// Kinds that live in one column.
int Family(ValueKind kind) {
  const uint16_t bit = BitOf(kind);
  if ((bit & kNumbers) != 0) return 0;
  if ((bit & kTexts) != 0) return 1;
  return 2 + static_cast<int>(kind);
}

}  // namespace

const Place& SchemaMaker::FirstPlace(const Group& spellings, ValueKind kind) const {
  const Place* first = nullptr;
  for (const ColumnEvidence* evidence : spellings) {
    const auto found = evidence->first_.find(kind);
    if (found == evidence->first_.end()) continue;
    if (first == nullptr || Earlier(found->second, *first)) first = &found->second;
  }
  return *first;
}

std::string SchemaMaker::PlaceText(const Place& place) const {
  const auto source = static_cast<size_t>(place.source);
  const std::string name = source < options_.sources.size() ? options_.sources[source] : "line";
  return name + ":" + std::to_string(place.line);
}

Error SchemaMaker::Mixed(const Group& spellings, const std::string& path, ValueKind a,
                         ValueKind b) const {
  const Place& first = FirstPlace(spellings, a);
  const Place& second = FirstPlace(spellings, b);
  return Invalid(PlaceText(second) + ": column " + path + ": expected " +
                 std::string(ValueKindName(a)) + " as at " + PlaceText(first) + " (" + first.got +
                 "), got " + second.got);
}

std::vector<SchemaMaker::Group> SchemaMaker::GroupMembers(const Group& objects) const {
  std::vector<Group> groups;
  std::unordered_map<std::string, size_t> group_of;
  for (const ColumnEvidence* object : objects) {
    for (const auto& member : object->members_) {
      const bool apart = options_.variants == NameVariants::kKeepApart && member->together_;
      // A folded name never begins with a NUL, so the two kinds of key cannot meet by accident.
      const std::string key =
          apart ? std::string(1, '\0') + member->name() : AsciiLower(member->name());
      const auto [found, fresh] = group_of.try_emplace(key, groups.size());
      if (fresh) groups.emplace_back();
      groups[found->second].push_back(member.get());
    }
  }
  return groups;
}

Result<std::vector<Field>> SchemaMaker::Members(std::vector<const ColumnEvidence*> objects,
                                                const std::string& path) {
  std::vector<Field> fields;
  for (const Group& spellings : GroupMembers(objects)) {
    const std::string& name = spellings[0]->name();
    const std::string member_path = path.empty() ? name : path + "." + name;
    Result<std::optional<Type>> judged = TypeOf(spellings, member_path);
    if (!judged.ok() && path.empty() && options_.known.contains(AsciiLower(name))) {
      judged = std::optional(Type::Of(TypeKind::kString));  // whatever: the caller knows better
    }
    TARN_ASSIGN_OR_RETURN(std::optional<Type> type, std::move(judged));
    if (!type) {
      without_values_.push_back(member_path);
      continue;
    }
    Field field;
    field.name = name;
    field.type = std::move(*type);
    fields.push_back(std::move(field));
  }
  return fields;
}

Result<std::optional<Type>> SchemaMaker::TypeOf(const Group& spellings, const std::string& path) {
  uint16_t kinds = 0;
  for (const ColumnEvidence* evidence : spellings) kinds |= evidence->kinds_;
  if (kinds == 0) return std::optional<Type>();
  // The first value fixes the kind; of those that differ from it the first is told.
  const auto earliest = [&](const std::function<bool(ValueKind)>& wanted) {
    std::optional<ValueKind> found;
    for (size_t i = 0; i < kValueKinds; ++i) {
      const auto kind = static_cast<ValueKind>(i);
      if ((kinds & BitOf(kind)) == 0 || !wanted(kind)) continue;
      if (!found || Earlier(FirstPlace(spellings, kind), FirstPlace(spellings, *found)))
        found = kind;
    }
    return found;
  };
  const std::optional<ValueKind> first = earliest([](ValueKind) { return true; });
  const std::optional<ValueKind> other =
      earliest([&](ValueKind kind) { return Family(kind) != Family(*first); });
  if (other) {
    if (options_.mixed == MixedKinds::kText) return std::optional(Type::Of(TypeKind::kString));
    return Mixed(spellings, path, *first, *other);
  }
  if (*first == ValueKind::kObject) {
    const size_t unknown_before = without_values_.size();
    TARN_ASSIGN_OR_RETURN(std::vector<Field> members, Members(spellings, path));
    if (!members.empty()) return std::optional(Type::Struct(std::move(members)));
    without_values_.resize(unknown_before);  // they live on as keys of the map
    Field key, value;
    key.name = "key";
    key.required = true;
    key.type = value.type = Type::Of(TypeKind::kString);
    value.name = "value";
    return std::optional(Type::Map(std::move(key), std::move(value)));
  }
  if (*first == ValueKind::kList) {
    Group elements;
    for (const ColumnEvidence* evidence : spellings) {
      if (evidence->element_ != nullptr) elements.push_back(evidence->element_.get());
    }
    TARN_ASSIGN_OR_RETURN(std::optional<Type> type, TypeOf(elements, path + ".element"));
    Field element;
    element.name = "element";
    element.type = type ? std::move(*type) : Type::Of(TypeKind::kString);
    return std::optional(Type::List(std::move(element)));
  }
  TARN_ASSIGN_OR_RETURN(Type scalar, ScalarType(kinds, spellings, path));
  return std::optional(std::move(scalar));
}

Result<Type> SchemaMaker::ScalarType(uint16_t kinds, const Group& spellings,
                                     const std::string& path) const {
  if ((kinds & BitOf(ValueKind::kBoolean)) != 0) return Type::Of(TypeKind::kBoolean);
  if ((kinds & kTexts) != 0) {
    if (!options_.times || (kinds & BitOf(ValueKind::kText)) != 0) {
      return Type::Of(TypeKind::kString);
    }
    return Type::Of((kinds & BitOf(ValueKind::kTimestamp)) != 0 ? TypeKind::kTimestampTz
                                                                : TypeKind::kDate);
  }
  const bool text_allowed = options_.mixed == MixedKinds::kText;
  if ((kinds & BitOf(ValueKind::kFraction)) != 0) {
    for (const ValueKind wide : {ValueKind::kWideInteger, ValueKind::kBigInteger,
                                 ValueKind::kHugeInteger, ValueKind::kEndlessInteger}) {
      if ((kinds & BitOf(wide)) == 0) continue;
      if (text_allowed) return Type::Of(TypeKind::kString);
      const Place& place = FirstPlace(spellings, wide);
      return Invalid(PlaceText(place) + ": column " + path + ": " + place.got +
                     " is no exact double, and others have fractions; declare the column as "
                     "decimal, or as double to let it round");
    }
    return Type::Of(TypeKind::kDouble);
  }
  if ((kinds & BitOf(ValueKind::kEndlessInteger)) != 0) {
    if (text_allowed) return Type::Of(TypeKind::kString);
    const Place& place = FirstPlace(spellings, ValueKind::kEndlessInteger);
    return Invalid(PlaceText(place) + ": column " + path + ": " + place.got +
                   " has more than 38 digits; declare the column as double to let it round");
  }
  if ((kinds & BitOf(ValueKind::kHugeInteger)) != 0) return Type::Decimal(38, 0);
  if ((kinds & BitOf(ValueKind::kBigInteger)) != 0) return Type::Decimal(20, 0);
  return Type::Of(TypeKind::kInt64);
}

Result<InferredSchema> MakeSchema(const ColumnEvidence& root, const InferOptions& options) {
  SchemaMaker maker(options);
  InferredSchema inferred;
  TARN_ASSIGN_OR_RETURN(inferred.schema.fields, maker.Members({&root}, ""));
  inferred.without_values = std::move(maker).without_values();
  return inferred;
}

}  // namespace tarn
