#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tarn/sql/token.h"

// What every part of a tree is made of; the overview stands in tree.h.
namespace tarn::sql::tree {

// Memory for the nodes of one text: given out piece by piece, freed all at once. Not thread-safe.
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  // A T that lives as long as the arena; its destructor is never run.
  template <class T>
  T* New() {
    static_assert(std::is_trivially_destructible_v<T>);
    return new (Take(sizeof(T), alignof(T))) T();
  }
  template <class T>
  T* NewArray(size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && std::is_trivially_copyable_v<T>);
    // NOLINTNEXTLINE(bugprone-sizeof-expression): T may be a pointer; arrays of them are meant
    return static_cast<T*>(Take(sizeof(T) * count, alignof(T)));
  }
  // A copy of `text` that lives as long as the arena.
  std::string_view Copy(std::string_view text) {
    char* const copy = NewArray<char>(text.size());
    text.copy(copy, text.size());
    return {copy, text.size()};
  }
  size_t size_bytes() const { return size_bytes_; }

 private:
  void* Take(size_t size, size_t alignment) {
    size_t at = (used_ + alignment - 1) & ~(alignment - 1);
    if (blocks_.empty() || at + size > capacity_) {
      // Blocks double, so that small texts stay small and large ones need few.
      capacity_ = blocks_.empty() ? kFirstBlock : std::min(capacity_ * 2, kLargestBlock);
      if (capacity_ < size) capacity_ = size;
      blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(capacity_));
      size_bytes_ += capacity_;
      at = 0;
    }
    used_ = at + size;
    return blocks_.back().get() + at;
  }

  static constexpr size_t kFirstBlock = 4096;
  static constexpr size_t kLargestBlock = size_t{1} << 20;
  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  size_t capacity_ = 0;
  size_t used_ = 0;
  size_t size_bytes_ = 0;
};

// A fixed run of values in the arena.
template <class T>
class List {
 public:
  List() = default;
  List(const T* data, size_t size) : data_(data), size_(static_cast<uint32_t>(size)) {}
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](size_t index) const { return data_[index]; }
  const T& front() const { return data_[0]; }
  const T& back() const { return data_[size_ - 1]; }

 private:
  const T* data_ = nullptr;
  uint32_t size_ = 0;
};

enum class NodeKind : uint8_t {
  // Expressions (tree_expressions.h).
  kLiteral,
  kInterval,
  kParameter,
  kColumn,
  kStar,
  kField,
  kSubscript,
  kUnary,
  kBinary,
  kBetween,
  kIn,
  kLike,
  kIs,
  kQuantified,
  kCase,
  kWhen,
  kCast,
  kCall,
  kArgument,
  kTableArgument,
  kLambda,
  kRow,
  kArray,
  kStructLiteral,
  kStructEntry,
  kComprehension,
  kSubquery,
  kExists,
  kParenthesized,
  kAlias,
  kSortItem,
  kWindow,
  kGroupingSet,
  kType,
  kTypeField,
  // Queries.
  kQuery,
  kWith,
  kCte,
  kSelect,
  kTransform,
  kSetOperation,
  kValues,
  kTableQuery,
  kNamedWindow,
  kPipe,
  // Relations.
  kTable,
  kDerived,
  kFunction,
  kJoin,
  kNested,
  kLateralView,
  kPivot,
  kUnpivot,
  kUnpivotItem,
  kMatchRecognize,
  kSample,
  kTimeTravel,
  // Statements (tree_statements.h) and their parts.
  kInsert,
  kPartitionItem,
  kPartitionSpec,
  kMultiInsert,
  kAssignment,
  kMerge,
  kMergeClause,
  kUpdate,
  kDelete,
  kTruncate,
  kLoad,
  kCopy,
  kExport,
  kImport,
  kColumnDefinition,
  kClause,
  kCreateTable,
  kCreateView,
  kCreateFunction,
  kCreateOther,
  kDrop,
  kAlter,
  kAlterAction,
  kCache,
  kUse,
  kSet,
  kMaintain,
  kCallStatement,
  kExplain,
  kCommand,
  // Scripting.
  kBlock,
  kIf,
  kBranch,
  kLoop,
  kDeclare,
};

// What every node begins with.
struct Node {
  NodeKind kind;
  uint16_t height = 1;   // of the tree below: bounded by the parser, so walkers may recurse
  SourceSpan span = {};  // all of it, in the whole text
};

template <NodeKind kind_>
struct NodeOf : Node {
  static constexpr NodeKind kKind = kind_;
  NodeOf() : Node{kind_} {}
};

// `node` as a T if it is one, else null; null for null.
template <class T>
const T* As(const Node* node) {
  return node != nullptr && node->kind == T::kKind ? static_cast<const T*>(node) : nullptr;
}

// What a Node* may point to, for the reader of a declaration.
using Expression = Node;  // the expressions of tree_expressions.h
using Relation = Node;    // Table, Derived, Function, Join, Nested, LateralView, Pivot, Unpivot,
                          // MatchRecognize
using QueryBody = Node;   // Select, SetOperation, Values, TableQuery, Query (in parentheses)

// A name of one part, as written: with its quotes. Empty: none was said.
struct Identifier {
  std::string_view text = {};
  SourceSpan span = {};
  bool empty() const { return text.empty(); }
  bool quoted() const { return !text.empty() && (text[0] == '"' || text[0] == '`'); }
  // Without its quotes, doubled quotes undoubled; case kept. A part of the text where it can be.
  std::string Value() const;
};

// a.b.c
struct Name {
  List<Identifier> parts = {};
  SourceSpan span = {};
  bool empty() const { return parts.empty(); }
};

// Tokens that the grammar takes but does not take apart (ROW FORMAT …, a MATCH_RECOGNIZE pattern).
using Tokens = List<std::string_view>;

}  // namespace tarn::sql::tree
