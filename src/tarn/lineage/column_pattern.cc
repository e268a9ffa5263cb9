#include "tarn/lineage/column_pattern_internal.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace tarn::lineage {
namespace {

constexpr size_t kStatesMax = 2000;
constexpr int kGroupsMax = 50;  // within each other
constexpr uint32_t kRepeatMax = 1000;
constexpr uint32_t kNoEnd = UINT32_MAX;

}  // namespace

// Reads a pattern into pieces, and pieces into states: each knows the state that follows it.
class PatternReader {
 public:
  explicit PatternReader(std::string_view text) : text_(text) {
    if (text_.starts_with("(?i)")) {
      text_.remove_prefix(4);
      fold_ = true;
    }
  }

  std::optional<ColumnPattern> Read() {
    const size_t whole = ReadAlternatives();
    if (failed_ || at_ < text_.size()) return std::nullopt;
    ColumnPattern pattern;
    pattern.states_.push_back({});  // kMatch
    pattern.start_ = Compile(whole, 0, pattern);
    if (failed_) return std::nullopt;
    return pattern;
  }

 private:
  using State = ColumnPattern::State;
  using Bytes = ColumnPattern::Bytes;
  struct Piece {
    enum class Kind : uint8_t { kBytes, kBegin, kEnd, kSequence, kAlternatives, kRepeat };
    Kind kind = Kind::kSequence;
    Bytes bytes = {};
    std::vector<size_t> parts = {};
    uint32_t least = 0;
    uint32_t most = 0;
  };

  size_t Add(Piece piece) {
    pieces_.push_back(std::move(piece));
    return pieces_.size() - 1;
  }
  bool AtEnd() const { return failed_ || at_ >= text_.size(); }
  bool Accept(char byte) {
    if (AtEnd() || text_[at_] != byte) return false;
    ++at_;
    return true;
  }
  size_t Fail() {
    failed_ = true;
    return Add({});
  }

  size_t ReadAlternatives() {
    if (++depth_ > kGroupsMax) return Fail();
    Piece piece{.kind = Piece::Kind::kAlternatives};
    do {
      Piece sequence;
      while (!AtEnd() && text_[at_] != '|' && text_[at_] != ')') {
        sequence.parts.push_back(ReadRepeated());
      }
      piece.parts.push_back(Add(std::move(sequence)));
    } while (Accept('|'));
    --depth_;
    return Add(std::move(piece));
  }

  size_t ReadRepeated() {
    size_t inner = ReadOne();
    while (!AtEnd()) {
      uint32_t least = 0;
      uint32_t most = kNoEnd;
      if (Accept('*')) {
      } else if (Accept('+')) {
        least = 1;
      } else if (Accept('?')) {
        most = 1;
      } else if (AtCount()) {
        Accept('{');
        least = ReadNumber();
        most = least;
        if (Accept(',')) most = text_[at_] == '}' ? kNoEnd : ReadNumber();
        if (!Accept('}') || most < least || least > kRepeatMax) return Fail();
        if (most != kNoEnd && most > kRepeatMax) return Fail();
      } else {
        break;
      }
      Accept('?');  // lazy: whether it matches is the same
      inner = Add({.kind = Piece::Kind::kRepeat, .parts = {inner}, .least = least, .most = most});
    }
    return inner;
  }

  // {2} {2,} {2,3}; any other brace is a byte like others.
  bool AtCount() const {
    if (text_[at_] != '{') return false;
    const size_t close = text_.find('}', at_);
    if (close == std::string_view::npos || close == at_ + 1) return false;
    const std::string_view inside = text_.substr(at_ + 1, close - at_ - 1);
    const bool numbers = inside.find_first_not_of("0123456789,") == std::string_view::npos;
    return numbers && inside[0] != ',' && std::count(inside.begin(), inside.end(), ',') <= 1;
  }

  uint32_t ReadNumber() {
    uint32_t number = 0;
    while (!AtEnd() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      number = std::min(number * 10 + static_cast<uint32_t>(text_[at_++] - '0'), kRepeatMax + 1);
    }
    return number;
  }

  size_t ReadOne() {
    if (Accept('(')) {
      if (Accept('?') && !Accept(':')) return Fail();  // look-around, flags, names
      const size_t group = ReadAlternatives();
      return Accept(')') ? group : Fail();
    }
    if (Accept('^')) return Add({.kind = Piece::Kind::kBegin});
    if (Accept('$')) return Add({.kind = Piece::Kind::kEnd});
    Bytes bytes;
    if (Accept('[')) {
      bytes = ReadClass();
    } else if (Accept('.')) {
      bytes.set();
      bytes.reset('\n');
    } else if (Accept('\\')) {
      bytes = ReadEscape();
    } else if (text_[at_] == '*' || text_[at_] == '+' || text_[at_] == '?') {
      return Fail();
    } else {
      bytes.set(static_cast<unsigned char>(text_[at_++]));
    }
    if (failed_) return Add({});
    return Add({.kind = Piece::Kind::kBytes, .bytes = Folded(bytes)});
  }

  Bytes Folded(Bytes bytes) const {
    if (!fold_) return bytes;
    for (size_t lower = 'a'; lower <= 'z'; ++lower) {
      const size_t upper = lower - 'a' + 'A';
      if (bytes[lower] || bytes[upper]) bytes.set(lower).set(upper);
    }
    return bytes;
  }

  Bytes ReadEscape() {
    Bytes bytes;
    if (AtEnd()) {
      failed_ = true;
      return bytes;
    }
    const char letter = text_[at_++];
    const auto range = [&](char from, char to) {
      for (size_t byte = static_cast<unsigned char>(from); byte <= static_cast<unsigned char>(to);
           ++byte) {
        bytes.set(byte);
      }
    };
    switch (letter) {
      case 'd':
      case 'D':
        range('0', '9');
        break;
      case 'w':
      case 'W':
        range('0', '9');
        range('a', 'z');
        range('A', 'Z');
        bytes.set('_');
        break;
      case 's':
      case 'S':
        for (const char space : {' ', '\t', '\n', '\r', '\f'})
          bytes.set(static_cast<size_t>(space));
        break;
      case 't':
        bytes.set('\t');
        break;
      default:
        // \b, \1, \p{…} and others mean more than one byte.
        if (std::isalnum(static_cast<unsigned char>(letter)) != 0) failed_ = true;
        bytes.set(static_cast<unsigned char>(letter));
    }
    return letter == 'D' || letter == 'W' || letter == 'S' ? ~bytes : bytes;
  }

  // Behind the opening bracket.
  Bytes ReadClass() {
    Bytes bytes;
    const bool negated = Accept('^');
    bool first = true;
    while (!AtEnd() && (first || text_[at_] != ']')) {
      first = false;
      if (text_.substr(at_, 2) == "[:") {
        failed_ = true;
        return bytes;
      }
      if (Accept('\\')) {
        bytes |= ReadEscape();
        continue;
      }
      const auto from = static_cast<unsigned char>(text_[at_++]);
      auto to = from;
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        to = static_cast<unsigned char>(text_[at_ + 1]);
        at_ += 2;
        if (to < from || to == '\\') failed_ = true;
      }
      for (size_t byte = from; byte <= to; ++byte) bytes.set(byte);
    }
    if (!Accept(']')) failed_ = true;
    return negated ? ~Folded(bytes) : bytes;
  }

  uint32_t NewState(State state, ColumnPattern& pattern) {
    if (pattern.states_.size() >= kStatesMax) {
      failed_ = true;
      return 0;
    }
    pattern.states_.push_back(state);
    return static_cast<uint32_t>(pattern.states_.size() - 1);
  }

  // The state where `piece` begins, when `next` is what follows it.
  uint32_t Compile(size_t index, uint32_t next, ColumnPattern& pattern) {
    if (failed_) return 0;
    const Piece& piece = pieces_[index];
    switch (piece.kind) {
      case Piece::Kind::kBytes:
        return NewState({State::Kind::kBytes, piece.bytes, next}, pattern);
      case Piece::Kind::kBegin:
        return NewState({State::Kind::kBegin, {}, next}, pattern);
      case Piece::Kind::kEnd:
        return NewState({State::Kind::kEnd, {}, next}, pattern);
      case Piece::Kind::kSequence:
        for (size_t at = piece.parts.size(); at-- > 0;) {
          next = Compile(piece.parts[at], next, pattern);
        }
        return next;
      case Piece::Kind::kAlternatives: {
        uint32_t begin = Compile(piece.parts.back(), next, pattern);
        for (size_t at = piece.parts.size() - 1; at-- > 0;) {
          const uint32_t one = Compile(piece.parts[at], next, pattern);
          begin = NewState({State::Kind::kSplit, {}, one, begin}, pattern);
        }
        return begin;
      }
      case Piece::Kind::kRepeat:
        break;
    }
    const size_t inner = piece.parts[0];
    const uint32_t end = next;
    if (piece.most == kNoEnd) {
      const uint32_t loop = NewState({State::Kind::kSplit, {}, 0, end}, pattern);
      const uint32_t body = Compile(inner, loop, pattern);
      pattern.states_[loop].next = body;
      next = loop;
    } else {
      for (uint32_t count = piece.least; count < piece.most && !failed_; ++count) {
        const uint32_t body = Compile(inner, next, pattern);
        next = NewState({State::Kind::kSplit, {}, body, end}, pattern);
      }
    }
    for (uint32_t count = 0; count < piece.least && !failed_; ++count) {
      next = Compile(inner, next, pattern);
    }
    return next;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool fold_ = false;
  bool failed_ = false;
  int depth_ = 0;
  std::vector<Piece> pieces_;
};

std::optional<ColumnPattern> ColumnPattern::Parse(std::string_view pattern) {
  return PatternReader(pattern).Read();
}

bool ColumnPattern::Matches(std::string_view name) const {
  std::vector<uint32_t> now;
  std::vector<uint32_t> after;
  std::vector<size_t> seen(states_.size(), SIZE_MAX);  // the place a state was last reached at
  std::vector<uint32_t> open;
  bool matched = false;
  const auto reach = [&](uint32_t state, size_t at, std::vector<uint32_t>& into) {
    open.push_back(state);
    while (!open.empty()) {
      const uint32_t index = open.back();
      open.pop_back();
      if (seen[index] == at) continue;
      seen[index] = at;
      const State& found = states_[index];
      switch (found.kind) {
        case State::Kind::kBytes:
          into.push_back(index);
          break;
        case State::Kind::kSplit:
          open.push_back(found.other);
          open.push_back(found.next);
          break;
        case State::Kind::kBegin:
          if (at == 0) open.push_back(found.next);
          break;
        case State::Kind::kEnd:
          if (at == name.size()) open.push_back(found.next);
          break;
        case State::Kind::kMatch:
          matched = true;
      }
    }
  };
  for (size_t at = 0; at <= name.size(); ++at) {
    reach(start_, at, now);  // a match may begin anywhere
    if (matched) return true;
    if (at == name.size()) break;
    const auto byte = static_cast<unsigned char>(name[at]);
    after.clear();
    for (const uint32_t index : now) {
      if (states_[index].bytes[byte]) reach(states_[index].next, at + 1, after);
    }
    std::swap(now, after);
  }
  return matched;
}

}  // namespace tarn::lineage
