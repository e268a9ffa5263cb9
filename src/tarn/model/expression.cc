#include "tarn/model/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tarn {
namespace {

Truth FromBool(bool value) { return value ? Truth::kTrue : Truth::kFalse; }

Truth Negate(Truth truth) {
  if (truth == Truth::kUnknown) return truth;
  return FromBool(truth == Truth::kFalse);
}

Truth EvaluateIn(const Type& type, const Value& value, const std::vector<Value>& literals) {
  bool null_among = false;
  for (const Value& literal : literals) {
    if (tarn::IsNull(literal)) {
      null_among = true;
    } else if (CompareValues(type, value, literal) == 0) {
      return Truth::kTrue;
    }
  }
  return null_among ? Truth::kUnknown : Truth::kFalse;
}

bool Holds(Expression::Op op, int order) {
  switch (op) {
    case Expression::Op::kEqual:
      return order == 0;
    case Expression::Op::kNotEqual:
      return order != 0;
    case Expression::Op::kLess:
      return order < 0;
    case Expression::Op::kLessEqual:
      return order <= 0;
    case Expression::Op::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

void CollectIds(const Expression& expression, std::vector<int32_t>& ids) {
  if (expression.field_id != 0) ids.push_back(expression.field_id);
  for (const Expression& arg : expression.args) CollectIds(arg, ids);
}

std::string LiteralText(const Type& type, const Value& value) {
  const std::string text = ValueToText(type, value);
  if (IsNull(value) || type.IsInteger() || type.IsFloating() || type.kind == TypeKind::kBoolean ||
      type.kind == TypeKind::kDecimal) {
    return text;
  }
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += c;
  }
  return quoted + "'";
}

std::string_view Symbol(Expression::Op op) {
  switch (op) {
    case Expression::Op::kEqual:
      return "=";
    case Expression::Op::kNotEqual:
      return "<>";
    case Expression::Op::kLess:
      return "<";
    case Expression::Op::kLessEqual:
      return "<=";
    case Expression::Op::kGreater:
      return ">";
    default:
      return ">=";
  }
}

Expression Combine(Expression::Op op, Expression::Op neutral, std::vector<Expression> args) {
  Expression all{op};
  for (Expression& arg : args) {
    if (arg.op == neutral) continue;
    if (arg.op == op) {
      for (Expression& inner : arg.args) all.args.push_back(std::move(inner));
    } else {
      all.args.push_back(std::move(arg));
    }
  }
  if (all.args.empty()) return Expression{neutral};
  if (all.args.size() == 1) return std::move(all.args[0]);
  return all;
}

}  // namespace

Expression Expression::And(std::vector<Expression> args) {
  return Combine(Op::kAnd, Op::kTrue, std::move(args));
}
Expression Expression::Or(std::vector<Expression> args) {
  return Combine(Op::kOr, Op::kFalse, std::move(args));
}
Expression Expression::Not(Expression arg) {
  Expression negated{Op::kNot};
  negated.args.push_back(std::move(arg));
  return negated;
}
Expression Expression::Compare(Op op, int32_t field_id, Value literal) {
  Expression comparison{op, field_id};
  comparison.literals.push_back(std::move(literal));
  return comparison;
}
Expression Expression::Opaque(std::string sql) {
  Expression opaque{Op::kOpaque};
  opaque.sql = std::move(sql);
  return opaque;
}

Truth Evaluate(const Expression& expression, const Schema& schema, const RowValues& row) {
  switch (expression.op) {
    case Expression::Op::kTrue:
      return Truth::kTrue;
    case Expression::Op::kFalse:
      return Truth::kFalse;
    case Expression::Op::kOpaque:
      return Truth::kUnknown;
    case Expression::Op::kAnd: {
      Truth all = Truth::kTrue;
      for (const Expression& arg : expression.args) {
        const Truth one = Evaluate(arg, schema, row);
        if (one == Truth::kFalse) return one;
        if (one == Truth::kUnknown) all = one;
      }
      return all;
    }
    case Expression::Op::kOr: {
      Truth any = Truth::kFalse;
      for (const Expression& arg : expression.args) {
        const Truth one = Evaluate(arg, schema, row);
        if (one == Truth::kTrue) return one;
        if (one == Truth::kUnknown) any = one;
      }
      return any;
    }
    case Expression::Op::kNot:
      return Negate(Evaluate(expression.args[0], schema, row));
    default:
      break;
  }
  const Value& value = row(expression.field_id);
  if (expression.op == Expression::Op::kIsNull) return FromBool(tarn::IsNull(value));
  if (expression.op == Expression::Op::kIsNotNull) return FromBool(!tarn::IsNull(value));
  if (tarn::IsNull(value)) return Truth::kUnknown;
  const Type& type = schema.FindById(expression.field_id)->type;
  switch (expression.op) {
    case Expression::Op::kIsNan: {
      const auto* number = std::get_if<double>(&value);
      return FromBool(number != nullptr && std::isnan(*number));
    }
    case Expression::Op::kIn:
      return EvaluateIn(type, value, expression.literals);
    case Expression::Op::kStartsWith: {
      if (tarn::IsNull(expression.literals[0])) return Truth::kUnknown;
      return FromBool(
          std::get<std::string>(value).starts_with(std::get<std::string>(expression.literals[0])));
    }
    default:
      if (tarn::IsNull(expression.literals[0])) return Truth::kUnknown;
      return FromBool(Holds(expression.op, CompareValues(type, value, expression.literals[0])));
  }
}

std::vector<int32_t> FieldIds(const Expression& expression) {
  std::vector<int32_t> ids;
  CollectIds(expression, ids);
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

std::string ExpressionToText(const Expression& expression, const Schema& schema) {
  const auto list = [&](std::string_view separator) {
    std::string text;
    for (const Expression& arg : expression.args) {
      if (!text.empty()) text += separator;
      const bool nested = arg.op == Expression::Op::kAnd || arg.op == Expression::Op::kOr;
      const std::string inner = ExpressionToText(arg, schema);
      text += nested ? "(" + inner + ")" : inner;
    }
    return text;
  };
  switch (expression.op) {
    case Expression::Op::kTrue:
      return "TRUE";
    case Expression::Op::kFalse:
      return "FALSE";
    case Expression::Op::kAnd:
      return list(" AND ");
    case Expression::Op::kOr:
      return list(" OR ");
    case Expression::Op::kNot:
      return "NOT (" + ExpressionToText(expression.args[0], schema) + ")";
    case Expression::Op::kOpaque:
      return expression.sql;
    default:
      break;
  }
  const Field* field = schema.FindById(expression.field_id);
  const std::string name = field != nullptr ? schema.PathOf(expression.field_id)
                                            : fmt::format("#{}", expression.field_id);
  const Type type = field != nullptr ? field->type : Type::Of(TypeKind::kString);
  switch (expression.op) {
    case Expression::Op::kIsNull:
      return name + " IS NULL";
    case Expression::Op::kIsNotNull:
      return name + " IS NOT NULL";
    case Expression::Op::kIsNan:
      return "isnan(" + name + ")";
    case Expression::Op::kIn: {
      std::string text = name + " IN (";
      for (size_t i = 0; i < expression.literals.size(); ++i) {
        if (i > 0) text += ", ";
        text += LiteralText(type, expression.literals[i]);
      }
      return text + ")";
    }
    case Expression::Op::kStartsWith:
      return "starts_with(" + name + ", " + LiteralText(type, expression.literals[0]) + ")";
    default:
      return fmt::format("{} {} {}", name, Symbol(expression.op),
                         LiteralText(type, expression.literals[0]));
  }
}

}  // namespace tarn
