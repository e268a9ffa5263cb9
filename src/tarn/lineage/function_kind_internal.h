#pragma once

#include <cstdint>
#include <string_view>

namespace tarn::lineage {

// What a function makes of its arguments. One that is not listed is a transformation of them all.
enum class FunctionKind : uint8_t {
  kTransformation,
  kAggregate,    // also over a window
  kValue,        // first, last, lag …: a value of another row; an aggregate without a window
  kRanking,      // row_number, rank …: nothing of its arguments
  kMasking,      // the arguments cannot be read back
  kIf,           // if(c, a, b): the first decides
  kDecode,       // decode(x, s, r, …, d): x and each s decide; of two arguments a transformation
  kGrouping,     // grouping(a): which keys there are, no value
  kOrderedSet,   // percentile_cont(0.5) WITHIN GROUP (ORDER BY x): the order is the argument
  kStruct,       // row(a, b), struct(a AS x, b): its fields are its arguments
  kNamedStruct,  // named_struct('x', a, 'y', b)
  kUnit,         // dateadd(day, 1, x): the first argument may be a word
};

// The kind of the function called `name` (folded). O(log functions).
FunctionKind FunctionKindOf(std::string_view name);

// Whether `word` (folded) is a unit of time: day, hour, …
bool IsTimeUnit(std::string_view word);

}  // namespace tarn::lineage
