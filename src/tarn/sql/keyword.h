#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "tarn/sql/keyword_list.h"
#include "tarn/sql/token.h"

namespace tarn::sql {

// The words and operators that the grammar steers by, as numbers: the tokenizer looks each word up
// once, and every question after that compares two integers. A grammar writes Accept("GROUP"); the
// text becomes its number when it is compiled, and a misspelt word does not compile.

namespace internal {

constexpr std::array<char, 256> kUpper = [] {
  std::array<char, 256> upper = {};
  for (int c = 0; c < 256; ++c) {
    upper[static_cast<size_t>(c)] = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  }
  return upper;
}();
constexpr char FoldUpper(char c) { return kUpper[static_cast<unsigned char>(c)]; }

constexpr size_t kKeywordSlots = 2048;  // a power of two, at least twice the number of words

// Length and four letters tell most words apart; the rest is a step to the next slot.
constexpr size_t KeywordSlot(std::string_view word) {
  const auto letter = [&](size_t at) {
    return static_cast<size_t>(static_cast<unsigned char>(FoldUpper(word[at])));
  };
  const size_t size = word.size();
  return (size * 67 + letter(0) * 7 + letter(size / 2) * 151 + letter(size - 1) * 31 +
          letter(size > 2 ? 2 : 0) * 13 + letter(size > 1 ? 1 : 0) * 331) &
         (kKeywordSlots - 1);
}

constexpr std::array<KeywordId, kKeywordSlots> kKeywordTable = [] {
  static_assert(kKeywords.size() * 2 <= kKeywordSlots);
  std::array<KeywordId, kKeywordSlots> table = {};
  for (size_t i = 1; i < kKeywords.size(); ++i) {
    size_t slot = KeywordSlot(kKeywords[i]);
    while (table[slot] != 0) slot = (slot + 1) & (kKeywordSlots - 1);
    table[slot] = static_cast<KeywordId>(i);
  }
  return table;
}();

}  // namespace internal

// The number of `word`, ignoring ASCII case; 0 if the grammar does not know it. Requires a word
// that is not empty.
constexpr KeywordId FindKeyword(std::string_view word) {
  constexpr size_t kLongest = 20;
  if (word.size() > kLongest) return 0;
  size_t slot = internal::KeywordSlot(word);
  while (const KeywordId id = internal::kKeywordTable[slot]) {
    const std::string_view known = kKeywords[id];
    if (known.size() == word.size()) {
      size_t i = 0;
      while (i < word.size() && internal::FoldUpper(word[i]) == known[i]) ++i;
      if (i == word.size()) return id;
    }
    slot = (slot + 1) & (internal::kKeywordSlots - 1);
  }
  return 0;
}

// A word of the grammar, made from its text at compile time.
struct Keyword {
  KeywordId id = 0;
  // Implicit: Accept("FROM"). NOLINTNEXTLINE(google-explicit-constructor)
  consteval Keyword(const char* word) : id(FindKeyword(word)) {
    if (id == 0) UnknownKeyword();  // not a constant expression: keyword_list.h lacks the word
  }
  std::string_view text() const { return kKeywords[id]; }

 private:
  static void UnknownKeyword() {}
};

// For case labels: case K("SELECT").
consteval KeywordId K(const char* word) { return Keyword(word).id; }

// A set of words, made at compile time.
class KeywordSet {
 public:
  constexpr KeywordSet() = default;
  consteval KeywordSet(std::initializer_list<Keyword> words) {
    for (const Keyword& word : words) bits_[word.id / 64] |= uint64_t{1} << (word.id % 64);
  }
  bool Contains(KeywordId id) const { return ((bits_[id / 64] >> (id % 64)) & 1) != 0; }

 private:
  std::array<uint64_t, kKeywords.size() / 64 + 1> bits_ = {};
};

}  // namespace tarn::sql
