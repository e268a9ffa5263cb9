#include "tarn/sql/rewrite.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "tarn/base/text.h"
#include "tarn/sql/token_cursor.h"
#include "tarn/sql/tokenizer.h"
#include "tarn/sql/type_parser.h"

namespace tarn::sql {
namespace {

// RE2's `~` matches whole strings; in between, `.` must match line ends without changing what it
// means inside the user's pattern.
constexpr std::string_view kAnywhereBefore = "(?s:.*)(?:";
constexpr std::string_view kAnywhereAfter = ")(?s:.*)";

class Speller {
 public:
  Speller(std::string_view sql, const std::vector<Token>& tokens) : sql_(sql), tokens_(tokens) {}

  std::vector<Edit> Run() {
    for (at_ = 0; at_ + 1 < tokens_.size(); ++at_) {
      const Token& token = tokens_[at_];
      switch (token.kind) {
        case TokenKind::kQuotedIdentifier:
          if (token.text.front() == '`') Replace(token.span, QuoteName(token.Value()));
          break;
        case TokenKind::kOperator:
          Operator(token);
          break;
        case TokenKind::kNumber:
          Number(token);
          break;
        case TokenKind::kWord:
          Word(token);
          break;
        default:
          break;
      }
    }
    return std::move(edits_);
  }

 private:
  const Token& Ahead(size_t count) const {
    return tokens_[std::min(at_ + count, tokens_.size() - 1)];
  }
  bool FollowsDot() const { return at_ > 0 && tokens_[at_ - 1].IsOperator("."); }
  void Replace(SourceSpan span, std::string text) { edits_.push_back({span, std::move(text)}); }

  void Operator(const Token& token) {
    if (token.text == "==") Replace(token.span, "=");
    if (token.text == "<=>") Replace(token.span, "IS NOT DISTINCT FROM");
    if (token.text == "::") Cast(at_ + 1, tokens_.size() - 1);
  }

  void Number(const Token& token) {
    const Token& suffix = Ahead(1);
    if (suffix.kind != TokenKind::kWord || suffix.span.begin != token.span.end) return;
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kSuffixes = {
        {{"l", "BIGINT"}, {"s", "SMALLINT"}, {"y", "TINYINT"}, {"d", "DOUBLE"}, {"f", "FLOAT"}}};
    std::string type;
    for (const auto& [letter, name] : kSuffixes) {
      if (suffix.Is(letter)) type = name;
    }
    if (suffix.Is("bd")) {
      const size_t point = token.text.find('.');
      const size_t digits = static_cast<size_t>(std::count_if(
          token.text.begin(), token.text.end(), [](char c) { return c >= '0' && c <= '9'; }));
      const size_t scale = point == std::string_view::npos ? 0 : token.text.size() - point - 1;
      if (token.text.find_first_of("eExX_") != std::string_view::npos || digits > 38) return;
      type = fmt::format("DECIMAL({}, {})", digits, scale);
    }
    if (type.empty()) return;
    Replace({token.span.begin, suffix.span.end}, fmt::format("CAST({} AS {})", token.text, type));
    ++at_;
  }

  void Word(const Token& token) {
    if (FollowsDot()) return;
    if (token.Is("default") && Ahead(1).IsOperator(".")) {
      Replace(token.span, "\"default\"");
    } else if (token.Is("rlike") || token.Is("regexp")) {
      RegularMatch(token);
    } else if ((token.Is("cast") || token.Is("try_cast")) && Ahead(1).IsOperator("(")) {
      CastCall();
    } else if (Ahead(1).IsOperator("(")) {
      Call(token);
    }
  }

  // The token after the operand that begins at `begin`: literal, name with or without a call, or a
  // group; `begin` if there is none.
  size_t OperandEnd(size_t begin) const {
    TokenCursor cursor(sql_, tokens_, begin, tokens_.size() - 1);
    const TokenKind kind = cursor.Peek().kind;
    if (kind == TokenKind::kString || kind == TokenKind::kParameter) return begin + 1;
    if (cursor.Peek().IsIdentifier()) {
      cursor.Skip();
      while (cursor.Peek().IsOperator(".") && cursor.Peek(1).IsIdentifier()) cursor.Skip(2);
    } else if (!cursor.Peek().IsOperator("(")) {
      return begin;
    }
    if (cursor.Peek().IsOperator("(")) {
      cursor.MoveTo(cursor.MatchingBracket());
      cursor.Skip();
    }
    return cursor.position();
  }

  void RegularMatch(const Token& token) {
    const size_t begin = at_ + 1;
    const size_t end = OperandEnd(begin);
    const bool infix =
        at_ > 0 && !tokens_[at_ - 1].IsOperator(",") && !tokens_[at_ - 1].IsOperator("(");
    if (end == begin || !infix) return;
    // regexp('a', 'b') as a function keeps its meaning; only `a REGEXP 'b'` is an operator.
    const bool negated = tokens_[at_ - 1].Is("not");
    const uint32_t from = negated ? tokens_[at_ - 1].span.begin : token.span.begin;
    Replace({from, token.span.end}, negated ? "!~" : "~");
    const Token& first = tokens_[begin];
    if (first.kind == TokenKind::kString && end == begin + 1) {
      Replace(first.span, QuoteString(std::string(kAnywhereBefore) + first.Value() +
                                      std::string(kAnywhereAfter)));
      at_ = begin;
      return;
    }
    const uint32_t last = tokens_[end - 1].span.end;
    Replace({first.span.begin, first.span.begin}, fmt::format("('{}' || ", kAnywhereBefore));
    Replace({last, last}, fmt::format(" || '{}')", kAnywhereAfter));
  }

  void CastCall() {
    TokenCursor cursor(sql_, tokens_, at_ + 1, tokens_.size() - 1);
    const size_t close = cursor.MatchingBracket();
    cursor.Skip();
    TokenCursor inner(sql_, tokens_, at_ + 2, close);
    const size_t as = inner.FindOutsideBrackets([](const Token& token) { return token.Is("as"); });
    if (as < close) Cast(as + 1, close);
  }

  // A type at token `begin`, if it is spelled in a way DuckDB does not know.
  void Cast(size_t begin, size_t end) {
    const Token& first = tokens_[begin];
    const bool generic = (first.Is("array") || first.Is("map") || first.Is("struct")) &&
                         begin + 1 < end && tokens_[begin + 1].IsOperator("<");
    const bool foreign = first.Is("byte") || first.Is("timestamp_ntz") || first.Is("timestamp_ltz");
    if (!generic && !foreign) return;
    TokenCursor cursor(sql_, tokens_, begin, end);
    const Result<Type> type = ParseType(cursor, PlainTimestamp::kWithoutZone);
    if (!type.ok()) return;
    Replace(cursor.TextOf(begin, cursor.position()).span, TypeToDuckDb(type.value()));
  }

  void Call(const Token& token) {
    const Token& inside = Ahead(2);
    if (token.Is("array") && !inside.Is("select") && !inside.Is("with") && !inside.Is("from") &&
        !inside.Is("values")) {
      Replace(token.span, "list_value");
    } else if (token.Is("explode")) {
      Replace(token.span, "unnest");
    } else if (token.Is("nvl")) {
      Replace(token.span, "coalesce");
    } else if ((token.Is("current_date") || token.Is("current_timestamp")) &&
               inside.IsOperator(")")) {
      Replace({token.span.end, inside.span.end}, "");
    } else if (token.Is("to_date")) {
      TokenCursor cursor(sql_, tokens_, at_ + 1, tokens_.size() - 1);
      const size_t close = cursor.MatchingBracket();
      TokenCursor inner(sql_, tokens_, at_ + 2, close);
      const bool single = inner.FindOutsideBrackets(
                              [](const Token& comma) { return comma.IsOperator(","); }) == close;
      if (!single || close == at_ + 2 || close + 1 >= tokens_.size()) return;
      Replace(token.span, "CAST");
      const uint32_t before = tokens_[close].span.begin;
      Replace({before, before}, " AS DATE");
    }
  }

  const std::string_view sql_;
  const std::vector<Token>& tokens_;
  size_t at_ = 0;
  std::vector<Edit> edits_;
};

}  // namespace

Result<std::vector<Edit>> SpellingEdits(std::string_view sql) {
  TARN_ASSIGN_OR_RETURN(const std::vector<Token> tokens, Tokenize(sql));
  return Speller(sql, tokens).Run();
}

Result<std::vector<Edit>> QualifierEdits(std::string_view sql, const std::vector<TableUse>& uses) {
  TARN_ASSIGN_OR_RETURN(const std::vector<Token> tokens, Tokenize(sql));
  std::vector<Edit> edits;
  const auto inside_a_use = [&](const Token& token) {
    return std::any_of(uses.begin(), uses.end(),
                       [&](const TableUse& use) { return use.span.Contains(token.span); });
  };
  for (const TableUse& use : uses) {
    const std::vector<std::string>& parts = use.name.parts;
    if (parts.size() < 2 || !use.alias.empty() || use.arguments) continue;
    const size_t length = 2 * parts.size();  // each part and the '.' behind it
    for (size_t i = 0; i + length < tokens.size(); ++i) {
      if (i > 0 && tokens[i - 1].IsOperator(".")) continue;
      bool matches = true;
      for (size_t part = 0; part < parts.size() && matches; ++part) {
        const Token& name = tokens[i + 2 * part];
        matches = name.IsIdentifier() && AsciiEqualsIgnoreCase(name.Value(), parts[part]) &&
                  tokens[i + 2 * part + 1].IsOperator(".");
      }
      if (!matches || inside_a_use(tokens[i])) continue;
      edits.push_back(
          {{tokens[i].span.begin, tokens[i + length - 2].span.end}, QuoteName(parts.back())});
    }
  }
  return edits;
}

uint32_t Rewritten::OriginalOffset(uint32_t at) const {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), at,
                       [](uint32_t offset, const Piece& piece) { return offset < piece.at; });
  if (after == pieces.begin()) return at;
  const Piece& piece = *(after - 1);
  return piece.edited ? piece.original : piece.original + (at - piece.at);
}

Rewritten ApplyEdits(std::string_view sql, std::vector<Edit> edits) {
  // Wider edits first at one place, so that those within them are met later and dropped.
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    if (a.span.begin != b.span.begin) return a.span.begin < b.span.begin;
    if (a.span.size() == 0 || b.span.size() == 0) return a.span.size() == 0 && b.span.size() != 0;
    return a.span.end > b.span.end;
  });
  Rewritten result;
  uint32_t done = 0;
  const auto copy_until = [&](uint32_t end) {
    if (end <= done) return;
    result.pieces.push_back({static_cast<uint32_t>(result.text.size()), done, false});
    result.text += sql.substr(done, end - done);
    done = end;
  };
  for (const Edit& edit : edits) {
    if (edit.span.begin < done || edit.span.end > sql.size()) continue;
    copy_until(edit.span.begin);
    if (!edit.replacement.empty()) {
      result.pieces.push_back({static_cast<uint32_t>(result.text.size()), edit.span.begin, true});
      result.text += edit.replacement;
    }
    done = edit.span.end;
  }
  copy_until(static_cast<uint32_t>(sql.size()));
  return result;
}

}  // namespace tarn::sql
