#include "tarn/duck/expression_duckdb.h"

#include <optional>
#include <utility>

#include "duckdb/execution/expression_executor.hpp"
#include "duckdb/planner/expression/list.hpp"

#include "tarn/duck/types_duckdb.h"

namespace tarn {

namespace {

using duckdb::ExpressionClass;
using duckdb::ExpressionType;

class Converter {
 public:
  Converter(duckdb::ClientContext& context, const FieldOfBinding& field_of)
      : context_(context), field_of_(field_of) {}

  Expression Convert(const duckdb::Expression& expression) {
    if (std::optional<Expression> exact = TryConvert(expression)) return std::move(*exact);
    return Expression::Opaque(expression.ToString());
  }

 private:
  std::optional<Expression> TryConvert(const duckdb::Expression& expression) {
    switch (expression.GetExpressionClass()) {
      case ExpressionClass::BOUND_CONJUNCTION: {
        const auto& conjunction = expression.Cast<duckdb::BoundConjunctionExpression>();
        std::vector<Expression> args;
        for (const auto& child : conjunction.children) args.push_back(Convert(*child));
        return expression.type == ExpressionType::CONJUNCTION_AND ? Expression::And(std::move(args))
                                                                  : Expression::Or(std::move(args));
      }
      case ExpressionClass::BOUND_COMPARISON:
        return Comparison(expression.Cast<duckdb::BoundComparisonExpression>());
      case ExpressionClass::BOUND_BETWEEN:
        return Between(expression.Cast<duckdb::BoundBetweenExpression>());
      case ExpressionClass::BOUND_OPERATOR:
        return Operator(expression.Cast<duckdb::BoundOperatorExpression>());
      case ExpressionClass::BOUND_FUNCTION:
        return Function(expression.Cast<duckdb::BoundFunctionExpression>());
      case ExpressionClass::BOUND_CONSTANT: {
        const auto& value = expression.Cast<duckdb::BoundConstantExpression>().value;
        if (value.type().id() != duckdb::LogicalTypeId::BOOLEAN || value.IsNull()) {
          return std::nullopt;
        }
        return duckdb::BooleanValue::Get(value) ? Expression::True() : Expression::False();
      }
      default:
        break;
    }
    // A boolean column by itself.
    const Field* field = FieldOf(expression);
    if (field == nullptr || field->type.kind != TypeKind::kBoolean) return std::nullopt;
    return Expression::Compare(Expression::Op::kEqual, field->id, Value(true));
  }

  // The field that `expression` reads and nothing else: a column, or a member of a struct.
  const Field* FieldOf(const duckdb::Expression& expression) {
    if (expression.GetExpressionClass() == ExpressionClass::BOUND_COLUMN_REF) {
      return field_of_(expression.Cast<duckdb::BoundColumnRefExpression>().binding);
    }
    if (expression.GetExpressionClass() != ExpressionClass::BOUND_FUNCTION) return nullptr;
    const auto& call = expression.Cast<duckdb::BoundFunctionExpression>();
    if (call.function.name != "struct_extract" && call.function.name != "struct_extract_at") {
      return nullptr;
    }
    if (call.children.size() != 2) return nullptr;
    const Field* parent = FieldOf(*call.children[0]);
    if (parent == nullptr || parent->type.kind != TypeKind::kStruct) return nullptr;
    const std::optional<duckdb::Value> member = Constant(*call.children[1]);
    if (!member || member->IsNull()) return nullptr;
    if (member->type().id() == duckdb::LogicalTypeId::VARCHAR) {
      const std::string& name = duckdb::StringValue::Get(*member);
      for (const Field& child : parent->type.fields) {
        if (duckdb::StringUtil::CIEquals(child.name, name)) return &child;
      }
      return nullptr;
    }
    return nullptr;
  }

  // The value of an expression without columns, parameters or volatile functions.
  std::optional<duckdb::Value> Constant(const duckdb::Expression& expression) {
    if (expression.GetExpressionClass() == ExpressionClass::BOUND_CONSTANT) {
      return expression.Cast<duckdb::BoundConstantExpression>().value;
    }
    if (!expression.IsFoldable()) return std::nullopt;
    duckdb::Value value;
    if (!duckdb::ExpressionExecutor::TryEvaluateScalar(context_, expression, value)) {
      return std::nullopt;
    }
    return value;
  }

  // `constant` as a literal of the field, if it is exactly one. Unoptimised plans cast the smaller
  // side: the constant may come wider than the field.
  static std::optional<Value> Literal(const Field& field, const duckdb::Value& constant) {
    const duckdb::LogicalType wanted = ToDuckType(field.type);
    if (constant.type() == wanted) return FromDuckValue(field.type, constant);
    if (constant.IsNull()) return Value();
    const bool numbers = constant.type().IsIntegral() && wanted.IsIntegral();
    if (!numbers) return std::nullopt;
    duckdb::Value narrowed = constant;
    if (!narrowed.DefaultTryCastAs(wanted)) return std::nullopt;
    return FromDuckValue(field.type, narrowed);
  }

  // A field, possibly widened by an integer cast, which changes no comparison.
  const Field* ComparedField(const duckdb::Expression& expression) {
    if (expression.GetExpressionClass() == ExpressionClass::BOUND_CAST) {
      const auto& cast = expression.Cast<duckdb::BoundCastExpression>();
      const duckdb::LogicalType& from = cast.child->return_type;
      const bool widens = !cast.try_cast && from.IsIntegral() && cast.return_type.IsIntegral() &&
                          duckdb::GetTypeIdSize(from.InternalType()) <
                              duckdb::GetTypeIdSize(cast.return_type.InternalType());
      return widens ? FieldOf(*cast.child) : nullptr;
    }
    return FieldOf(expression);
  }

  std::optional<Expression> Compare(ExpressionType type, const duckdb::Expression& left,
                                    const duckdb::Expression& right) {
    const Field* field = ComparedField(left);
    if (field == nullptr) {
      field = ComparedField(right);
      if (field == nullptr) return std::nullopt;
      return CompareField(duckdb::FlipComparisonExpression(type), *field, left);
    }
    return CompareField(type, *field, right);
  }

  std::optional<Expression> CompareField(ExpressionType type, const Field& field,
                                         const duckdb::Expression& operand) {
    const std::optional<duckdb::Value> constant = Constant(operand);
    if (!constant) return std::nullopt;
    const std::optional<Value> literal = Literal(field, *constant);
    if (!literal) return std::nullopt;
    using Op = Expression::Op;
    switch (type) {
      case ExpressionType::COMPARE_EQUAL:
        return Expression::Compare(Op::kEqual, field.id, *literal);
      case ExpressionType::COMPARE_NOTEQUAL:
        return Expression::Compare(Op::kNotEqual, field.id, *literal);
      case ExpressionType::COMPARE_LESSTHAN:
        return Expression::Compare(Op::kLess, field.id, *literal);
      case ExpressionType::COMPARE_LESSTHANOREQUALTO:
        return Expression::Compare(Op::kLessEqual, field.id, *literal);
      case ExpressionType::COMPARE_GREATERTHAN:
        return Expression::Compare(Op::kGreater, field.id, *literal);
      case ExpressionType::COMPARE_GREATERTHANOREQUALTO:
        return Expression::Compare(Op::kGreaterEqual, field.id, *literal);
      case ExpressionType::COMPARE_NOT_DISTINCT_FROM:
        if (IsNull(*literal)) return Expression::IsNullOf(field.id);
        // Where the field is NULL this is false, not unknown.
        return Expression::And({Expression{Op::kIsNotNull, field.id},
                                Expression::Compare(Op::kEqual, field.id, *literal)});
      default:
        return std::nullopt;
    }
  }

  std::optional<Expression> Comparison(const duckdb::BoundComparisonExpression& comparison) {
    return Compare(comparison.type, *comparison.left, *comparison.right);
  }

  std::optional<Expression> Between(const duckdb::BoundBetweenExpression& between) {
    auto lower = Compare(between.lower_inclusive ? ExpressionType::COMPARE_GREATERTHANOREQUALTO
                                                 : ExpressionType::COMPARE_GREATERTHAN,
                         *between.input, *between.lower);
    auto upper = Compare(between.upper_inclusive ? ExpressionType::COMPARE_LESSTHANOREQUALTO
                                                 : ExpressionType::COMPARE_LESSTHAN,
                         *between.input, *between.upper);
    const std::string text = between.ToString();
    return Expression::And({lower ? std::move(*lower) : Expression::Opaque(text),
                            upper ? std::move(*upper) : Expression::Opaque(text)});
  }

  std::optional<Expression> Operator(const duckdb::BoundOperatorExpression& call) {
    switch (call.type) {
      case ExpressionType::OPERATOR_NOT:
        return Expression::Not(Convert(*call.children[0]));
      case ExpressionType::OPERATOR_IS_NULL:
      case ExpressionType::OPERATOR_IS_NOT_NULL: {
        const Field* field = FieldOf(*call.children[0]);
        if (field == nullptr) return std::nullopt;
        return Expression{call.type == ExpressionType::OPERATOR_IS_NULL
                              ? Expression::Op::kIsNull
                              : Expression::Op::kIsNotNull,
                          field->id};
      }
      case ExpressionType::COMPARE_IN:
      case ExpressionType::COMPARE_NOT_IN: {
        const Field* field = ComparedField(*call.children[0]);
        if (field == nullptr) return std::nullopt;
        Expression in{Expression::Op::kIn, field->id};
        for (size_t i = 1; i < call.children.size(); ++i) {
          const std::optional<duckdb::Value> constant = Constant(*call.children[i]);
          if (!constant) return std::nullopt;
          const std::optional<Value> literal = Literal(*field, *constant);
          if (!literal) return std::nullopt;
          in.literals.push_back(*literal);
        }
        if (call.type == ExpressionType::COMPARE_NOT_IN) return Expression::Not(std::move(in));
        return in;
      }
      default:
        return std::nullopt;
    }
  }

  std::optional<Expression> Function(const duckdb::BoundFunctionExpression& call) {
    const std::string& name = call.function.name;
    if (name == "isnan" && call.children.size() == 1) {
      const Field* field = FieldOf(*call.children[0]);
      if (field == nullptr || !field->type.IsFloating()) return std::nullopt;
      return Expression{Expression::Op::kIsNan, field->id};
    }
    if (call.children.size() != 2) return std::nullopt;
    const bool prefix = name == "prefix" || name == "starts_with" || name == "^@";
    const bool like = name == "~~";
    if (!prefix && !like) return std::nullopt;
    const Field* field = FieldOf(*call.children[0]);
    const std::optional<duckdb::Value> pattern = Constant(*call.children[1]);
    if (field == nullptr || field->type.kind != TypeKind::kString || !pattern ||
        pattern->IsNull() || pattern->type().id() != duckdb::LogicalTypeId::VARCHAR) {
      return std::nullopt;
    }
    std::string text = duckdb::StringValue::Get(*pattern);
    if (like) {
      // 'abc%' and nothing cleverer; DuckDB's LIKE without ESCAPE knows no escape character.
      if (text.empty() || text.back() != '%') return std::nullopt;
      text.pop_back();
      if (text.find_first_of("%_") != std::string::npos) return std::nullopt;
    }
    return Expression::Compare(Expression::Op::kStartsWith, field->id, Value(std::move(text)));
  }

  duckdb::ClientContext& context_;
  const FieldOfBinding& field_of_;
};

}  // namespace

Expression FromDuckExpression(duckdb::ClientContext& context, const duckdb::Expression& expression,
                              const FieldOfBinding& field_of) {
  try {
    return Converter(context, field_of).Convert(expression);
  } catch (const std::exception&) {
    return Expression::Opaque({});
  }
}

}  // namespace tarn
