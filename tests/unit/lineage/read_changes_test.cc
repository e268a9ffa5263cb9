#include <gtest/gtest.h>

#include "tests/unit/lineage/reading.h"

namespace tarn::lineage {
namespace {

using testing::Edges;
using testing::Statement;
using testing::Texts;
using testing::Warnings;

constexpr const char* kSchema = R"({"d.a": ["id", "v"], "d.b": ["id", "w"]})";

TEST(ReadChanges, WhatADeleteReturnsIsRead) {
  const auto read =
      Statement("with m as (delete from d.a returning *) insert into d.b select * from m", kSchema,
                "postgres");
  EXPECT_EQ(read.operation, Operation::kInsert);
  EXPECT_EQ(read.outputs.size(), 2U);
  EXPECT_EQ(Edges(read), (Texts{"id <- d.a.id IDENTITY", "w <- d.a.v IDENTITY"}));
  EXPECT_TRUE(read.warnings.empty());
}

TEST(ReadChanges, WhatNothingReadsIsDoneAllTheSame) {
  const auto read = Statement("with m as (update d.a set v = 1 where id = 2) select w from d.b",
                              kSchema, "postgres");
  EXPECT_EQ(read.operation, Operation::kQuery);
  ASSERT_EQ(read.outputs.size(), 1U);
  EXPECT_EQ(read.dataset(read.outputs[0]).name, "d.a");
  EXPECT_TRUE(read.warnings.empty());
}

TEST(ReadChanges, OtherStatementsInWithAreNotFollowed) {
  EXPECT_EQ(Warnings("with m as (show tables) select * from m", kSchema, "duckdb"),
            Texts{"unsupported"});
}

TEST(ReadChanges, OneThatReadsItselfEnds) {
  (void)Statement(
      "with recursive m as (delete from d.a where id in (select id from m) returning id) "
      "select * from m",
      kSchema, "postgres");
}

}  // namespace
}  // namespace tarn::lineage
