#include <gtest/gtest.h>

#include <string>

#include "tarn/lineage/column_pattern_internal.h"

namespace tarn::lineage {
namespace {

bool Matches(std::string_view pattern, std::string_view name) {
  const auto parsed = ColumnPattern::Parse(pattern);
  EXPECT_TRUE(parsed.has_value()) << pattern;
  return parsed.has_value() && parsed->Matches(name);
}

TEST(ColumnPattern, MatchesSomewhereInAName) {
  EXPECT_TRUE(Matches("id", "user_id"));
  EXPECT_TRUE(Matches("", "anything"));
  EXPECT_FALSE(Matches("^id", "user_id"));
  EXPECT_TRUE(Matches("_id$", "user_id"));
  EXPECT_FALSE(Matches("^id$", "ids"));
  EXPECT_FALSE(Matches("ID", "id"));
  EXPECT_TRUE(Matches("(?i)ID", "id"));
  EXPECT_TRUE(Matches("(?i)[A-C]x", "bX"));
}

TEST(ColumnPattern, KnowsClassesGroupsAndQuantifiers) {
  EXPECT_TRUE(Matches("^(id|numbers?)$", "number"));
  EXPECT_FALSE(Matches("^(id|numbers?)$", "numberss"));
  EXPECT_TRUE(Matches("^q[1-4]_\\d{2,4}$", "q3_2024"));
  EXPECT_FALSE(Matches("^q[1-4]_\\d{2,4}$", "q5_2024"));
  EXPECT_FALSE(Matches("^q[1-4]_\\d{2,4}$", "q3_20245"));
  EXPECT_TRUE(Matches("^a{2}$", "aa"));
  EXPECT_FALSE(Matches("^a{2}$", "aaa"));
  EXPECT_TRUE(Matches("^a{2,}$", "aaaaa"));
  EXPECT_TRUE(Matches("^(?:ab)+?$", "ababab"));
  EXPECT_FALSE(Matches("^(?:ab)+?$", "aba"));
  EXPECT_TRUE(Matches("^[^_]+$", "plain"));
  EXPECT_FALSE(Matches("^[^_]+$", "not_plain"));
  EXPECT_TRUE(Matches("a\\.b", "a.b"));
  EXPECT_FALSE(Matches("a\\.b", "a_b"));
  EXPECT_TRUE(Matches("^.*_(amount|total)$", "net_total"));
  EXPECT_TRUE(Matches("^\\w\\W\\S\\D$", "a-bc"));
  EXPECT_TRUE(Matches("x{y", "x{y"));
  EXPECT_TRUE(Matches("[]a]", "]"));
}

TEST(ColumnPattern, WhatItDoesNotKnowIsNoPattern) {
  for (const char* pattern : {"(", ")", "[a", "*", "a**b(", "(?=a)", "(?P<n>a)", "\\b", "\\1", "\\",
                              "a{3,2}", "a{5000}", "[[:alpha:]]", "[z-a]"}) {
    EXPECT_FALSE(ColumnPattern::Parse(pattern).has_value()) << pattern;
  }
  EXPECT_FALSE(ColumnPattern::Parse("((a{1000}){1000}){1000}").has_value());
  EXPECT_FALSE(ColumnPattern::Parse(std::string(100000, '(')).has_value());
}

// Patterns that take engines which go back exponential time.
TEST(ColumnPattern, NeverGoesBack) {
  EXPECT_FALSE(Matches("^(a*)*(a*)*(a|aa)*$", std::string(5000, 'a') + "b"));
}

}  // namespace
}  // namespace tarn::lineage
