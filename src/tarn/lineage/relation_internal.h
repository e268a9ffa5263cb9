#pragma once

#include <cstdint>
#include <span>

#include "tarn/lineage/lineage.h"
#include "tarn/lineage/name_pool_internal.h"
#include "tarn/sql/token.h"

namespace tarn::lineage {

inline constexpr uint32_t kNoIndex = UINT32_MAX;

// One column of a dataset (an index into Reader::leaves_) and how it came here.
struct Origin {
  uint32_t leaf = kNoIndex;
  EdgeKind kind = EdgeKind::kIdentity;
  bool masking = false;
  sql::SourceSpan where = {};
};

struct StructField;

// What a value is made of: its origins, and of a struct that the query builds, each field's own.
struct Value {
  std::span<const Origin> origins = {};
  std::span<const StructField> fields = {};
};

struct StructField {
  NameId name = kNoName;
  Value value = {};
};

// One column of a relation; or, where `star` is set, a place in which columns stand that nobody
// told us: those of dataset `open`, or (of a function) any, each made of `value`.
struct RelationColumn {
  NameId name = kNoName;
  bool star = false;
  bool named = true;  // the text gave the name: an alias or a column's own
  uint32_t open = kNoIndex;
  Value value = {};
  sql::SourceSpan where = {};  // the select item
};

// Rows at some place of a statement: the columns, and what decided which rows there are.
struct Relation {
  std::span<const RelationColumn> columns = {};
  std::span<const Origin> effects = {};  // INDIRECT only
};

// How what is being traced reaches the output.
struct Flow {
  EdgeKind kind = EdgeKind::kIdentity;
  bool masking = false;
};

constexpr Flow Deeper(Flow outer, EdgeKind inner) {
  return {Deeper(outer.kind, inner), outer.masking};
}

}  // namespace tarn::lineage
