#include "tarn/model/prune.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tarn {
namespace {

using Mask = std::vector<uint8_t>;

// Per file, which of the three truth values some row of it may give.
struct Possible {
  Mask yes, no, unknown;

  static Possible All(size_t size) { return {Mask(size, 1), Mask(size, 1), Mask(size, 1)}; }
};

void AndInto(Mask& a, const Mask& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] & b[i];
}
void OrInto(Mask& a, const Mask& b) {
  for (size_t i = 0; i < a.size(); ++i) a[i] = a[i] | b[i];
}

constexpr int8_t kNotKnown = 2;

template <class T>
int8_t Sign(const T& a, const T& b) {
  return a < b ? int8_t{-1} : (b < a ? int8_t{1} : int8_t{0});
}

int8_t SignOfDoubles(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return Sign(std::isnan(a), std::isnan(b));
  return Sign(a, b);
}

// Order of each value of `column` against `literal`: -1, 0, 1, or kNotKnown for nulls and for a
// literal of another representation.
std::vector<int8_t> CompareAll(const ValueColumn& column, const Value& literal) {
  std::vector<int8_t> order(column.size(), kNotKnown);
  const auto fill = [&](const auto& values, auto compare) {
    for (size_t i = 0; i < order.size(); ++i) {
      if (column.valid[i] != 0) order[i] = compare(values[i]);
    }
  };
  if (const auto* integers = std::get_if<std::vector<int64_t>>(&column.values)) {
    if (const auto* flag = std::get_if<bool>(&literal)) {
      fill(*integers, [&](int64_t value) { return Sign<int64_t>(value, *flag ? 1 : 0); });
    } else if (const auto* integer = std::get_if<int64_t>(&literal)) {
      fill(*integers, [&](int64_t value) { return Sign(value, *integer); });
    }
  } else if (const auto* doubles = std::get_if<std::vector<double>>(&column.values)) {
    if (const auto* number = std::get_if<double>(&literal)) {
      fill(*doubles, [&](double value) { return SignOfDoubles(value, *number); });
    }
  } else if (const auto* decimals = std::get_if<std::vector<Int128>>(&column.values)) {
    if (const auto* number = std::get_if<Int128>(&literal)) {
      fill(*decimals, [&](const Int128& value) { return Sign(value, *number); });
    }
  } else if (const auto* text = std::get_if<std::string>(&literal)) {
    fill(std::get<StringColumn>(column.values),
         [&](std::string_view value) { return Sign(value.compare(*text), 0); });
  }
  return order;
}

// What is known of one field in each file: an interval (lower and upper may be the same column) and
// how many nulls.
struct Known {
  const ValueColumn* lower = nullptr;
  const ValueColumn* upper = nullptr;
  Mask maybe_null, maybe_value;  // some row may be NULL; some row may be not NULL
  Mask maybe_nan;                // a NaN may hide above `upper`; empty: nowhere
};

class Pruner {
 public:
  Pruner(const Schema& schema, const PartitionSpec& spec, const FileBatch& batch)
      : schema_(schema), spec_(spec), batch_(batch), size_(static_cast<size_t>(batch.size)) {}

  Possible Run(const Expression& expression) const {
    switch (expression.op) {
      case Expression::Op::kTrue:
        return {Mask(size_, 1), Mask(size_, 0), Mask(size_, 0)};
      case Expression::Op::kFalse:
        return {Mask(size_, 0), Mask(size_, 1), Mask(size_, 0)};
      case Expression::Op::kOpaque:
        return Possible::All(size_);
      case Expression::Op::kNot: {
        Possible inner = Run(expression.args[0]);
        std::swap(inner.yes, inner.no);
        return inner;
      }
      case Expression::Op::kAnd: {
        Possible all{Mask(size_, 1), Mask(size_, 0), Mask(size_, 0)};
        for (const Expression& arg : expression.args) {
          const Possible one = Run(arg);
          AndInto(all.yes, one.yes);
          OrInto(all.no, one.no);
          OrInto(all.unknown, one.unknown);
        }
        return all;
      }
      case Expression::Op::kOr: {
        Possible any{Mask(size_, 0), Mask(size_, 1), Mask(size_, 0)};
        for (const Expression& arg : expression.args) {
          const Possible one = Run(arg);
          OrInto(any.yes, one.yes);
          AndInto(any.no, one.no);
          OrInto(any.unknown, one.unknown);
        }
        return any;
      }
      default:
        return Leaf(expression);
    }
  }

 private:
  Possible Leaf(const Expression& leaf) const {
    Possible possible = Possible::All(size_);
    for (size_t i = 0; i < spec_.fields.size() && i < batch_.partition.size(); ++i) {
      const PartitionField& field = spec_.fields[i];
      if (field.source_id != leaf.field_id) continue;
      if (field.transform == TransformKind::kIdentity)
        return Decide(leaf, Exact(batch_.partition[i]));
      NarrowByTransform(leaf, field, batch_.partition[i], possible.yes);
    }
    if (const BoundsColumns* bounds = batch_.BoundsOf(leaf.field_id)) {
      const Possible by_bounds = Decide(leaf, FromBounds(*bounds));
      AndInto(possible.yes, by_bounds.yes);
      AndInto(possible.no, by_bounds.no);
      AndInto(possible.unknown, by_bounds.unknown);
    }
    return possible;
  }

  Known Exact(const ValueColumn& partition) const {
    Known known{&partition, &partition, Mask(size_), Mask(size_), {}};
    for (size_t i = 0; i < size_; ++i) {
      known.maybe_null[i] = partition.valid[i] == 0;
      known.maybe_value[i] = partition.valid[i] != 0;
    }
    return known;
  }

  Known FromBounds(const BoundsColumns& bounds) const {
    Known known{&bounds.lower, &bounds.upper, Mask(size_, 1), Mask(size_, 1), {}};
    for (size_t i = 0; i < size_; ++i) {
      if (bounds.null_count[i] == 0) known.maybe_null[i] = 0;
      const int64_t rows = batch_.record_count[i];
      if (rows >= 0 && bounds.null_count[i] >= rows && rows > 0) known.maybe_value[i] = 0;
    }
    const Field* field = schema_.FindById(bounds.field_id);
    if (field != nullptr && field->type.IsFloating()) {
      known.maybe_nan.resize(size_);
      for (size_t i = 0; i < size_; ++i) known.maybe_nan[i] = bounds.nan_count[i] != 0;
    }
    return known;
  }

  Possible Decide(const Expression& leaf, const Known& known) const {
    Possible possible{Mask(size_, 0), Mask(size_, 0), Mask(size_, 0)};
    switch (leaf.op) {
      case Expression::Op::kIsNull:
        return {known.maybe_null, known.maybe_value, Mask(size_, 0)};
      case Expression::Op::kIsNotNull:
        return {known.maybe_value, known.maybe_null, Mask(size_, 0)};
      case Expression::Op::kIsNan:
        possible = {known.maybe_value, known.maybe_value, known.maybe_null};
        if (!known.maybe_nan.empty()) AndInto(possible.yes, known.maybe_nan);
        return possible;
      case Expression::Op::kIn: {
        Possible any{Mask(size_, 0), known.maybe_value, known.maybe_null};
        for (const Value& literal : leaf.literals) {
          if (tarn::IsNull(literal)) {
            any.unknown = Mask(size_, 1);
            continue;
          }
          const Possible one =
              Decide(Expression::Compare(Expression::Op::kEqual, leaf.field_id, literal), known);
          OrInto(any.yes, one.yes);
          AndInto(any.no, one.no);
        }
        return any;
      }
      default:
        break;
    }
    if (tarn::IsNull(leaf.literals[0])) return {Mask(size_, 0), Mask(size_, 0), Mask(size_, 1)};
    if (leaf.op == Expression::Op::kStartsWith) return DecidePrefix(leaf, known);
    const std::vector<int8_t> lower = CompareAll(*known.lower, leaf.literals[0]);
    std::vector<int8_t> upper =
        known.upper == known.lower ? lower : CompareAll(*known.upper, leaf.literals[0]);
    for (size_t i = 0; i < known.maybe_nan.size(); ++i) {
      if (known.maybe_nan[i] != 0) upper[i] = kNotKnown;
    }
    for (size_t i = 0; i < size_; ++i) {
      possible.unknown[i] = known.maybe_null[i];
      if (known.maybe_value[i] == 0) continue;
      Compare(leaf.op, lower[i], upper[i], possible.yes[i], possible.no[i]);
    }
    return possible;
  }

  // From where the interval's ends lie relative to the literal.
  static void Compare(Expression::Op op, int8_t lower, int8_t upper, uint8_t& yes, uint8_t& no) {
    const bool all_above = lower == 1;
    const bool all_at_or_above = lower == 1 || lower == 0;
    const bool all_below = upper == -1;
    const bool all_at_or_below = upper == -1 || upper == 0;
    switch (op) {
      case Expression::Op::kEqual:
      case Expression::Op::kNotEqual:
        yes = !all_above && !all_below;
        no = !(lower == 0 && upper == 0);
        if (op == Expression::Op::kNotEqual) std::swap(yes, no);
        return;
      case Expression::Op::kLess:
        yes = !all_at_or_above;
        no = !all_below;
        return;
      case Expression::Op::kLessEqual:
        yes = !all_above;
        no = !all_at_or_below;
        return;
      case Expression::Op::kGreater:
        yes = !all_at_or_below;
        no = !all_above;
        return;
      default:
        yes = !all_below;
        no = !all_at_or_above;
        return;
    }
  }

  Possible DecidePrefix(const Expression& leaf, const Known& known) const {
    Possible possible{known.maybe_value, known.maybe_value, known.maybe_null};
    const auto* prefix = std::get_if<std::string>(&leaf.literals[0]);
    const auto* lower = std::get_if<StringColumn>(&known.lower->values);
    const auto* upper = std::get_if<StringColumn>(&known.upper->values);
    if (prefix == nullptr || lower == nullptr || upper == nullptr) return possible;
    for (size_t i = 0; i < size_; ++i) {
      const bool has_lower = known.lower->valid[i] != 0;
      const bool has_upper = known.upper->valid[i] != 0;
      const bool lower_in = has_lower && (*lower)[i].starts_with(*prefix);
      const bool upper_in = has_upper && (*upper)[i].starts_with(*prefix);
      if (has_lower && !lower_in && (*lower)[i] > *prefix) possible.yes[i] = 0;
      if (has_upper && !upper_in && (*upper)[i] < *prefix) possible.yes[i] = 0;
      if (lower_in && upper_in) possible.no[i] = 0;
    }
    return possible;
  }

  // Clears `yes` where a transformed partition value rules the leaf out. Transforms other than
  // bucket keep the order, so ranges compare transformed values, ends included.
  void NarrowByTransform(const Expression& leaf, const PartitionField& field,
                         const ValueColumn& partition, Mask& yes) const {
    const Field* source = schema_.FindById(leaf.field_id);
    if (source == nullptr || field.transform == TransformKind::kVoid) return;
    const auto transformed = [&](const Value& literal) {
      return ApplyTransform(field, source->type, literal);
    };
    const auto keep_equal = [&](const std::vector<Value>& literals) {
      Mask any(size_, 0);
      for (const Value& literal : literals) {
        if (tarn::IsNull(literal)) continue;
        const std::vector<int8_t> order = CompareAll(partition, transformed(literal));
        for (size_t i = 0; i < size_; ++i) any[i] |= order[i] == 0;
      }
      AndInto(yes, any);
    };
    switch (leaf.op) {
      case Expression::Op::kEqual:
      case Expression::Op::kIn:
        keep_equal(leaf.literals);
        return;
      case Expression::Op::kIsNull:
        for (size_t i = 0; i < size_; ++i) yes[i] &= partition.valid[i] == 0;
        return;
      case Expression::Op::kIsNotNull:
        for (size_t i = 0; i < size_; ++i) yes[i] &= partition.valid[i] != 0;
        return;
      default:
        break;
    }
    if (field.transform == TransformKind::kBucket || leaf.literals.empty() ||
        tarn::IsNull(leaf.literals[0])) {
      return;
    }
    const bool less = leaf.op == Expression::Op::kLess || leaf.op == Expression::Op::kLessEqual;
    const bool greater =
        leaf.op == Expression::Op::kGreater || leaf.op == Expression::Op::kGreaterEqual;
    if (!less && !greater) return;
    const std::vector<int8_t> order = CompareAll(partition, transformed(leaf.literals[0]));
    for (size_t i = 0; i < size_; ++i) {
      if (order[i] == kNotKnown) {
        if (partition.valid[i] == 0) yes[i] = 0;  // all NULL: no comparison is true
      } else if ((less && order[i] > 0) || (greater && order[i] < 0)) {
        yes[i] = 0;
      }
    }
  }

  const Schema& schema_;
  const PartitionSpec& spec_;
  const FileBatch& batch_;
  const size_t size_;
};

// One file as a batch, with bounds for the fields that `filter` mentions.
FileBatch AsBatch(const Expression& filter, const Schema& schema, const PartitionSpec& spec,
                  const DataFile& file) {
  FileBatch batch;
  batch.spec_id = spec.id;
  for (const PartitionField& field : spec.fields) {
    const Field* source = schema.FindById(field.source_id);
    Type type = source != nullptr ? source->type : Type::Of(TypeKind::kString);
    if (Result<Type> made = TransformedType(field, type); made.ok()) type = *made;
    batch.partition.push_back(ValueColumn::Of(std::move(type)));
  }
  for (int32_t id : BoundsNeeded(filter, spec)) {
    const Field* field = schema.FindById(id);
    if (field == nullptr || field->type.IsNested()) continue;
    batch.bounds.push_back(
        {id, ValueColumn::Of(field->type), ValueColumn::Of(field->type), {}, {}});
  }
  AppendFile(batch, file);
  return batch;
}

}  // namespace

std::vector<uint8_t> MayMatch(const Expression& filter, const Schema& schema,
                              const PartitionSpec& spec, const FileBatch& batch) {
  return Pruner(schema, spec, batch).Run(filter).yes;
}

bool MayMatch(const Expression& filter, const Schema& schema, const PartitionSpec& spec,
              const DataFile& file) {
  return MayMatch(filter, schema, spec, AsBatch(filter, schema, spec, file))[0] != 0;
}

std::vector<uint8_t> MustMatch(const Expression& filter, const Schema& schema,
                               const PartitionSpec& spec, const FileBatch& batch) {
  const Possible possible = Pruner(schema, spec, batch).Run(filter);
  Mask must(possible.yes.size());
  for (size_t i = 0; i < must.size(); ++i)
    must[i] = possible.no[i] == 0 && possible.unknown[i] == 0;
  return must;
}

bool MustMatch(const Expression& filter, const Schema& schema, const PartitionSpec& spec,
               const DataFile& file) {
  return MustMatch(filter, schema, spec, AsBatch(filter, schema, spec, file))[0] != 0;
}

std::vector<int32_t> BoundsNeeded(const Expression& filter, const PartitionSpec& spec) {
  std::vector<int32_t> ids = FieldIds(filter);
  std::erase_if(ids, [&](int32_t id) {
    return std::any_of(spec.fields.begin(), spec.fields.end(), [&](const PartitionField& field) {
      return field.source_id == id && field.transform == TransformKind::kIdentity;
    });
  });
  return ids;
}

}  // namespace tarn
