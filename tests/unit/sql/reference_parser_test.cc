#include "tarn/sql/reference_parser.h"

#include <gtest/gtest.h>

#include "tarn/sql/statement_parser.h"
#include "tests/support/matchers.h"

namespace tarn::sql {
namespace {

template <class Body>
Body Parsed(const std::string& text) {
  const auto statements = ParseScript(text);
  EXPECT_OK(statements);
  if (!statements.ok() || statements->size() != 1) return {};
  const auto* body = std::get_if<Body>(&(*statements)[0].body);
  EXPECT_NE(body, nullptr) << text;
  return body == nullptr ? Body{} : *body;
}

ChangeReference Change(const std::string& action) {
  const AlterTable alter = Parsed<AlterTable>("ALTER TABLE a.b " + action);
  EXPECT_EQ(alter.actions.size(), 1U);
  if (alter.actions.empty()) return {};
  const auto* change = std::get_if<ChangeReference>(&alter.actions[0]);
  EXPECT_NE(change, nullptr) << action;
  return change == nullptr ? ChangeReference{} : *change;
}

constexpr int64_t kDay = int64_t{24} * 3600 * 1000;

TEST(ReferenceParserTest, BranchesAndTags) {
  using Do = ChangeReference::Do;
  const ChangeReference all = Change(
      "CREATE OR REPLACE BRANCH `my-branch` AS OF VERSION 12 RETAIN 7 DAYS WITH SNAPSHOT RETENTION "
      "3 SNAPSHOTS 2 HOURS");
  EXPECT_EQ(all.action, Do::kCreateOrReplace);
  EXPECT_TRUE(all.is_branch);
  EXPECT_EQ(all.name, "my-branch");
  EXPECT_EQ(all.version, "12");
  EXPECT_EQ(all.keep_name_ms, 7 * kDay);
  EXPECT_EQ(all.keep_versions_min, 3);
  EXPECT_EQ(all.keep_versions_ms, kDay / 12);
  const ChangeReference tag = Change("create tag if not exists t as of version 'main'");
  EXPECT_EQ(tag.action, Do::kCreate);
  EXPECT_FALSE(tag.is_branch);
  EXPECT_TRUE(tag.lenient);
  EXPECT_EQ(tag.version, "main");
  EXPECT_EQ(Change("REPLACE TAG t RETAIN 1 DAY").action, Do::kReplace);
  EXPECT_EQ(Change("CREATE BRANCH b WITH SNAPSHOT RETENTION 5 DAYS").keep_versions_ms, 5 * kDay);
  const ChangeReference drop = Change("DROP BRANCH IF EXISTS b");
  EXPECT_EQ(drop.action, Do::kDrop);
  EXPECT_TRUE(drop.lenient);
  EXPECT_FALSE(drop.version);
}

TEST(ReferenceParserTest, AColumnMayBeCalledSo) {
  const AlterTable alter = Parsed<AlterTable>("ALTER TABLE t DROP tag");
  ASSERT_EQ(alter.actions.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<DropColumns>(alter.actions[0]));
}

TEST(ReferenceParserTest, WhatIsWrongIsNamed) {
  for (const char* text :
       {"ALTER TABLE t CREATE TAG x RETAIN", "ALTER TABLE t CREATE TAG x RETAIN 0 DAYS",
        "ALTER TABLE t CREATE TAG x RETAIN 3 YEARS", "ALTER TABLE t CREATE TAG x AS OF VERSION",
        "ALTER TABLE t CREATE TAG x WITH SNAPSHOT RETENTION 3 SNAPSHOTS",
        "ALTER TABLE t CREATE BRANCH x WITH SNAPSHOT RETENTION 3 BRANCHES", "CALL system.f(1, )",
        "CALL system.f(a => )", "CALL system.f(1", "CALL system.f"}) {
    EXPECT_ERROR(ParseScript(text), ErrorCode::kInvalid);
  }
}

TEST(ReferenceParserTest, Calls) {
  const Call call = Parsed<Call>("CALL lake.system.Do_It('t', array(1, 2), Older => now())");
  EXPECT_EQ(call.procedure, (std::vector<std::string>{"lake", "system", "Do_It"}));
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(call.arguments[0].value.text, "'t'");
  EXPECT_EQ(call.arguments[1].value.text, "array(1, 2)");
  EXPECT_EQ(call.arguments[2].name, "older");
  EXPECT_EQ(call.arguments[2].value.text, "now()");
  EXPECT_TRUE(Parsed<Call>("CALL system.f()").arguments.empty());
  EXPECT_EQ(Parsed<Other>("CALL pragma_version()").words, "CALL");
}

}  // namespace
}  // namespace tarn::sql
