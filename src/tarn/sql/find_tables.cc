#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "tarn/base/text.h"
#include "tarn/sql/rewrite.h"
#include "tarn/sql/token_cursor.h"
#include "tarn/sql/tokenizer.h"

namespace tarn::sql {
namespace {

constexpr int kDeepest = 1000;

template <size_t N>
bool IsAny(const Token& token, const std::array<std::string_view, N>& words) {
  return token.kind == TokenKind::kWord &&
         std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return token.Is(word); });
}

constexpr std::array<std::string_view, 20> kAfterFrom = {
    "where", "group",     "order",  "having",     "limit",  "window", "qualify",
    "union", "intersect", "except", "minus",      "select", "values", "offset",
    "fetch", "returning", "set",    "distribute", "sort",   "cluster"};
constexpr std::array<std::string_view, 24> kNoAlias = {
    "join",        "inner", "left", "right", "full",       "cross",   "natural", "on",
    "using",       "semi",  "anti", "asof",  "positional", "lateral", "pivot",   "unpivot",
    "tablesample", "with",  "from", "when",  "at",         "for",     "as",      "outer"};
constexpr std::array<std::string_view, 10> kQueryStart = {
    "select", "with",    "from",      "values",   "table",
    "pivot",  "unpivot", "summarize", "describe", "show"};
constexpr std::array<std::string_view, 5> kNamesTableFirst = {"table", "pivot", "unpivot",
                                                              "summarize", "describe"};

using Scope = std::set<std::string>;  // names of common tables, lower case

class TableFinder {
 public:
  TableFinder(std::string_view sql, const std::vector<Token>& tokens)
      : sql_(sql),
        tokens_(tokens),
        closing_(tokens.size(), tokens.size() - 1),
        first_within_(tokens.size(), tokens.size() - 1) {
    std::vector<size_t> open;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (TokenCursor::IsOpening(tokens[i])) open.push_back(i);
      if (IsClosing(tokens[i]) && !open.empty()) {
        closing_[open.back()] = i;
        open.pop_back();
      }
    }
    for (size_t i = tokens.size() - 1; i-- > 0;) {
      first_within_[i] = tokens[i + 1].IsOperator("(") ? first_within_[i + 1] : i + 1;
    }
  }

  Result<std::vector<TableUse>> Run(TextKind kind) {
    const size_t end = tokens_.size() - 1;
    TARN_RETURN_IF_ERROR(kind == TextKind::kQuery ? ScanQuery(0, end, {}, 0)
                                                  : ScanExpression(0, end, {}, 0));
    std::sort(uses_.begin(), uses_.end(),
              [](const TableUse& a, const TableUse& b) { return a.span.begin < b.span.begin; });
    return std::move(uses_);
  }

 private:
  static bool IsClosing(const Token& token) {
    return token.IsOperator(")") || token.IsOperator("]") || token.IsOperator("}");
  }

  Status CheckDepth(int depth, size_t at) const {
    if (depth < kDeepest) return OkStatus();
    return Invalid("sql: " + PlaceToText(PlaceOf(sql_, tokens_[at].span.begin)) +
                   ": brackets are nested deeper than 1,000");
  }

  bool FollowsDot(size_t at) const { return at > 0 && tokens_[at - 1].IsOperator("."); }

  // Whether the group opened at `open` holds a query. TRIM(FROM x) only looks like one.
  bool HoldsQuery(size_t open) const {
    const size_t first = first_within_[open];
    if (!tokens_[open].IsOperator("(") || !IsAny(tokens_[first], kQueryStart)) return false;
    return !(tokens_[first].Is("from") && open > 0 && tokens_[open - 1].Is("trim"));
  }

  Status ScanGroup(size_t open, size_t end, const Scope& scope, int depth) {
    TARN_RETURN_IF_ERROR(CheckDepth(depth, open));
    const size_t close = std::min(closing_[open], end);
    return HoldsQuery(open) ? ScanQuery(open + 1, close, scope, depth + 1)
                            : ScanExpression(open + 1, close, scope, depth + 1);
  }

  Status ScanExpression(size_t begin, size_t end, const Scope& scope, int depth) {
    for (size_t i = begin; i < end; ++i) {
      if (!TokenCursor::IsOpening(tokens_[i])) continue;
      TARN_RETURN_IF_ERROR(ScanGroup(i, end, scope, depth));
      i = closing_[i];
    }
    return OkStatus();
  }

  // WITH at `at`: adds the names to `scope`, scans the bodies, and returns where the query goes on.
  Result<size_t> ScanCommonTables(size_t at, size_t end, Scope& scope, int depth) {
    ++at;
    const bool recursive = tokens_[at].Is("recursive");
    if (recursive) ++at;
    while (at < end && tokens_[at].IsIdentifier()) {
      const std::string name = AsciiLower(tokens_[at].Value());
      ++at;
      if (at < end && tokens_[at].IsOperator("(")) at = closing_[at] + 1;
      while (at < end && !tokens_[at].Is("as")) {  // USING KEY (…)
        at = TokenCursor::IsOpening(tokens_[at]) ? closing_[at] + 1 : at + 1;
      }
      ++at;
      while (at < end && (tokens_[at].Is("not") || tokens_[at].Is("materialized"))) ++at;
      if (at >= end || !tokens_[at].IsOperator("(")) break;
      Scope inner = scope;
      if (recursive) inner.insert(name);
      TARN_RETURN_IF_ERROR(CheckDepth(depth, at));
      TARN_RETURN_IF_ERROR(ScanQuery(at + 1, std::min(closing_[at], end), inner, depth + 1));
      at = closing_[at] + 1;
      scope.insert(name);
      if (at >= end || !tokens_[at].IsOperator(",")) break;
      ++at;
    }
    return std::min(at, end);
  }

  enum class Expect : uint8_t { kNothing, kTable };

  Status ScanQuery(size_t begin, size_t end, Scope scope, int depth) {
    size_t at = begin;
    if (at < end && tokens_[at].Is("with")) {
      TARN_ASSIGN_OR_RETURN(at, ScanCommonTables(at, end, scope, depth));
    }
    Expect expect = Expect::kNothing;
    if (at < end && IsAny(tokens_[at], kNamesTableFirst)) {
      ++at;
      expect = Expect::kTable;
    }
    return ScanClauses(at, end, scope, depth, expect, false);
  }

  // Tokens of a query, or (in_from) of a list of relations in parentheses.
  Status ScanClauses(size_t at, size_t end, const Scope& scope, int depth, Expect expect,
                     bool in_from) {
    while (at < end) {
      const Token& token = tokens_[at];
      if (expect == Expect::kTable) {
        expect = Expect::kNothing;
        TARN_ASSIGN_OR_RETURN(const size_t next, ScanRelation(at, end, scope, depth));
        if (next > at) {
          at = next;
          continue;
        }
      }
      if (TokenCursor::IsOpening(token)) {
        TARN_RETURN_IF_ERROR(ScanGroup(at, end, scope, depth));
        at = closing_[at] + 1;
        continue;
      }
      if (token.kind == TokenKind::kWord && !FollowsDot(at)) {
        if (token.Is("from") && !IsDistinctFrom(at)) {
          expect = Expect::kTable;
          in_from = true;
        } else if (token.Is("join")) {
          expect = Expect::kTable;
          in_from = true;
        } else if (IsAny(token, kAfterFrom)) {
          in_from = false;
        }
      } else if (in_from && token.IsOperator(",")) {
        expect = Expect::kTable;
      }
      ++at;
    }
    return OkStatus();
  }

  // IS [NOT] DISTINCT FROM.
  bool IsDistinctFrom(size_t at) const {
    return at >= 2 && tokens_[at - 1].Is("distinct") &&
           (tokens_[at - 2].Is("is") || tokens_[at - 2].Is("not"));
  }

  // A relation at `at`; returns where the text goes on, `at` if none stands there.
  Result<size_t> ScanRelation(size_t at, size_t end, const Scope& scope, int depth) {
    while (at < end && (tokens_[at].Is("lateral") || tokens_[at].Is("only"))) ++at;
    TableUse use;
    if (at + 1 < end && tokens_[at].IsIdentifier() && tokens_[at + 1].IsOperator(":")) {
      use.alias = tokens_[at].Value();  // DuckDB's alias in front
      at += 2;
    }
    if (at >= end) return at;
    if (tokens_[at].IsOperator("(")) {
      if (HoldsQuery(at)) {
        TARN_RETURN_IF_ERROR(ScanGroup(at, end, scope, depth));
      } else {
        TARN_RETURN_IF_ERROR(CheckDepth(depth, at));
        TARN_RETURN_IF_ERROR(ScanClauses(at + 1, std::min(closing_[at], end), scope, depth + 1,
                                         Expect::kTable, true));
      }
      TokenCursor cursor(sql_, tokens_, std::min(closing_[at] + 1, end), end);
      SkipAlias(cursor);
      return cursor.position();
    }
    if (IsAny(tokens_[at], kAfterFrom) || tokens_[at].Is("with")) return at;
    return ScanNamed(at, end, scope, depth, std::move(use));
  }

  Result<size_t> ScanNamed(size_t at, size_t end, const Scope& scope, int depth, TableUse use) {
    TokenCursor cursor(sql_, tokens_, at, end);
    Result<TableName> name = ParseTableName(cursor);
    if (!name.ok()) return at;
    use.name = std::move(name).value();
    if (cursor.Peek().IsOperator("(")) {
      const size_t open = cursor.position();
      const size_t close = std::min(closing_[open], end);
      use.arguments = Arguments(open, close);
      TARN_RETURN_IF_ERROR(CheckDepth(depth, open));
      TARN_RETURN_IF_ERROR(ScanExpression(open + 1, close, scope, depth + 1));
      cursor.MoveTo(close);
      cursor.Skip();
    }
    TokenCursor travelled = cursor;
    Result<std::optional<TimeTravel>> travel = ParseTimeTravel(travelled);
    if (travel.ok() && travel->has_value()) {
      use.as_of = std::move(travel).value();
      cursor = travelled;
    }
    use.span = cursor.TextOf(at, cursor.position()).span;
    if (use.arguments) cursor.Accept({"with", "ordinality"});
    std::string alias = SkipAlias(cursor);
    if (use.alias.empty()) use.alias = std::move(alias);
    const bool common = use.name.parts.size() == 1 && !use.arguments && !use.as_of &&
                        scope.contains(AsciiLower(use.name.parts[0]));
    if (!common) uses_.push_back(std::move(use));
    return cursor.position();
  }

  std::vector<std::string> Arguments(size_t open, size_t close) const {
    std::vector<std::string> arguments;
    size_t begin = open + 1;
    const TokenCursor whole(sql_, tokens_, open, close);
    for (size_t i = begin; i <= close && begin < close; ++i) {
      if (i < close && TokenCursor::IsOpening(tokens_[i])) {
        i = std::min(closing_[i], close - 1);
        continue;
      }
      if (i == close || tokens_[i].IsOperator(",")) {
        arguments.push_back(whole.TextOf(begin, i).text);
        begin = i + 1;
      }
    }
    return arguments;
  }

  // Takes `[AS] alias [(columns)]`.
  std::string SkipAlias(TokenCursor& cursor) const {
    std::string alias;
    if (cursor.Peek().Is("as") && cursor.Peek(1).IsIdentifier()) {
      cursor.Skip();
      alias = cursor.Next().Value();
    } else if (cursor.Peek().IsIdentifier() && !IsAny(cursor.Peek(), kAfterFrom) &&
               !IsAny(cursor.Peek(), kNoAlias)) {
      alias = cursor.Next().Value();
    }
    if (!alias.empty() && cursor.Peek().IsOperator("(")) {
      cursor.MoveTo(closing_[cursor.position()]);
      cursor.Skip();
    }
    return alias;
  }

  const std::string_view sql_;
  const std::vector<Token>& tokens_;
  std::vector<size_t> closing_;       // of an opening bracket: its closing one, or the last token
  std::vector<size_t> first_within_;  // of any token: the first one behind it that is no '('
  std::vector<TableUse> uses_;
};

}  // namespace

Result<std::vector<TableUse>> FindTables(std::string_view sql, TextKind kind) {
  TARN_ASSIGN_OR_RETURN(const std::vector<Token> tokens, Tokenize(sql));
  return TableFinder(sql, tokens).Run(kind);
}

}  // namespace tarn::sql
