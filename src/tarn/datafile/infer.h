#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tarn/base/result.h"
#include "tarn/model/schema.h"

namespace tarn {

// What a value looked like. A set of these per column decides its type.
enum class ValueKind : uint8_t {
  kBoolean,
  kInteger,         // fits int64 and, exactly, a double
  kWideInteger,     // fits int64, beyond ±2^53
  kBigInteger,      // up to 20 digits: decimal(20,0)
  kHugeInteger,     // up to 38 digits: decimal(38,0)
  kEndlessInteger,  // more
  kFraction,        // with a point or an exponent
  kDate,
  kTimestamp,  // with or without an offset, at most microseconds
  kText,
  kObject,
  kList,
};
inline constexpr size_t kValueKinds = 12;

// "int64", "a number with fraction", "string", …: for messages.
std::string_view ValueKindName(ValueKind kind);
// Of a JSON number or an integer-like text.
ValueKind IntegerKind(std::string_view digits);
// Of a JSON string: date, timestamp or text.
ValueKind StringKind(std::string_view text);

// Where something was first seen.
struct Place {
  int32_t source = 0;  // number of the file
  int64_t line = 0;    // 1-based
  std::string got = {};
};

// What was seen of one column in some part of a source, to any depth. A value: parts are observed
// on many threads and merged in order, so the result does not depend on the threads.
class ColumnEvidence {
 public:
  explicit ColumnEvidence(std::string name = {}) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  bool Has(ValueKind kind) const { return (kinds_ & Bit(kind)) != 0; }
  // One value of `kind`; `got` is called only when it is the first of that kind.
  template <class Got>
  void See(ValueKind kind, int64_t line, const Got& got) {
    if (Has(kind)) return;
    kinds_ |= Bit(kind);
    first_[kind] = {0, line, got()};
  }

  // An object begins; its members follow.
  void BeginObject() { ++objects_; }
  // The member `name` (exact spelling), in order of first appearance.
  ColumnEvidence& Member(std::string_view name);
  // The `i`-th member if it is spelled `name`, else null: the quick way for members in order.
  ColumnEvidence* MemberAt(size_t i, std::string_view name) {
    if (i >= members_.size() || members_[i]->name_ != name) return nullptr;
    if (members_[i]->has_variants_) return nullptr;
    members_[i]->seen_in_ = objects_;
    return members_[i].get();
  }
  ColumnEvidence& Element();

  // Adds what `later` saw; its lines are moved by `lines_before` and named by `source`.
  void Merge(const ColumnEvidence& later, int32_t source, int64_t lines_before);

 private:
  friend class SchemaMaker;
  static uint16_t Bit(ValueKind kind) {
    return static_cast<uint16_t>(1U << static_cast<unsigned>(kind));
  }
  ColumnEvidence& Find(std::string_view name, std::vector<size_t>** variants);

  std::string name_;
  uint16_t kinds_ = 0;
  std::map<ValueKind, Place> first_;
  std::vector<std::unique_ptr<ColumnEvidence>> members_;
  std::unordered_map<std::string, size_t> by_name_;
  std::unordered_map<std::string, std::vector<size_t>> by_folded_name_;
  std::unique_ptr<ColumnEvidence> element_;
  uint64_t objects_ = 0;
  uint64_t seen_in_ = 0;
  bool has_variants_ = false;  // a sibling's name differs by case only
  bool together_ = false;      // some object had this member and one that differs by case only
};

// What to do when members' names differ only by case (ASCII).
enum class NameVariants : uint8_t {
  kMerge,      // one column, spelled as first seen
  kKeepApart,  // columns of their own when some object has both (a later step will rename them)
};
// What a column with values of several kinds becomes.
enum class MixedKinds : uint8_t {
  kRefuse,  // JSON: kInvalid naming the first line of each kind
  kText,    // CSV: all of it is text anyway
};

struct InferOptions {
  bool times = true;  // false: dates and timestamps stay strings
  NameVariants variants = NameVariants::kMerge;
  MixedKinds mixed = MixedKinds::kRefuse;
  // Top-level columns (in lower case) whose type is known from elsewhere: what they hold is not
  // judged.
  std::set<std::string> known = {};
  std::vector<std::string> sources = {};  // names of the files, by number: for messages
};

struct InferredSchema {
  Schema schema;  // ids 0
  // Columns (paths) without any value: they are left out until one comes.
  std::vector<std::string> without_values = {};
};

// The types that hold every value seen, columns in order of first appearance:
//   integers int64, beyond it decimal(20,0) or decimal(38,0); with fractions among them double
//   (refused when an integer lies beyond ±2^53, which a double would blur: declare the column)
//   text date when all are YYYY-MM-DD, timestamptz when all are dates or ISO 8601 timestamps
//   (without an offset: UTC), else string objects struct; objects that never have a member with a
//   value map<string, string>, which keeps {} apart from NULL (a struct without members cannot be
//   stored); arrays list, list<string> when they are always empty
// kInvalid: kinds that do not go together, naming the first line of both; integers over 38 digits.
Result<InferredSchema> MakeSchema(const ColumnEvidence& root, const InferOptions& options);

}  // namespace tarn
