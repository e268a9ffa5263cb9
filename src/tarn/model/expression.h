#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tarn/model/schema.h"
#include "tarn/model/value.h"

namespace tarn {

// SQL's three values.
enum class Truth : uint8_t { kFalse, kTrue, kUnknown };

// A predicate over one row, bound to field ids, so that renames do not change it. A plain value.
struct Expression {
  enum class Op : uint8_t {
    kTrue,
    kFalse,
    kAnd,  // any number of args
    kOr,   // any number of args
    kNot,  // one arg
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,  // the six compare field_id's value with literals[0]
    kIsNull,
    kIsNotNull,
    kIsNan,
    kIn,          // literals; a null among them makes a non-match unknown
    kStartsWith,  // literals[0]
    kOpaque,      // something only an engine can evaluate; `sql` says what. May be anything.
  };
  Op op = Op::kTrue;
  int32_t field_id = 0;
  std::vector<Value> literals = {};
  std::vector<Expression> args = {};
  std::string sql = {};

  static Expression True() { return {}; }
  static Expression False() { return {Op::kFalse}; }
  static Expression And(std::vector<Expression> args);  // flattened; True when empty
  static Expression Or(std::vector<Expression> args);
  static Expression Not(Expression arg);
  static Expression Compare(Op op, int32_t field_id, Value literal);
  static Expression IsNullOf(int32_t field_id) { return {Op::kIsNull, field_id}; }
  static Expression Opaque(std::string sql);

  bool IsTrue() const { return op == Op::kTrue; }
  friend bool operator==(const Expression&, const Expression&) = default;
};

// The value of a field in the row at hand.
using RowValues = std::function<const Value&(int32_t field_id)>;

// Three-valued: comparisons with NULL are unknown, NOT unknown is unknown, opaque is unknown.
// NaN as in CompareValues. Fields must exist in `schema`.
Truth Evaluate(const Expression& expression, const Schema& schema, const RowValues& row);

// The ids of the fields it mentions, sorted, each once.
std::vector<int32_t> FieldIds(const Expression& expression);

// With column names, for messages: "day = '2026-01-01' AND n > 3".
std::string ExpressionToText(const Expression& expression, const Schema& schema);

}  // namespace tarn
