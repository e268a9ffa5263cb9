#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::HasSubstr;
using testing::QueryWorld;

TEST(CallArgumentsTest, WhatDoesNotFitIsNamed) {
  QueryWorld world;
  world.Message("CREATE TABLE ns.t (a INT)");
  const auto said = [&](const std::string& arguments) {
    return world.Message("CALL system.rewrite_data_files(" + arguments + ")");
  };
  EXPECT_THAT(said(""), HasSubstr("'table' is missing"));
  EXPECT_THAT(said("'ns.t', tabel => 'x'"), HasSubstr("no parameter 'tabel'"));
  EXPECT_THAT(said("'ns.t', table => 'ns.t'"), HasSubstr("given twice"));
  EXPECT_THAT(said("'ns.t', 1, 2, 'sort', 'a', true, 7"), HasSubstr("at most 6"));
  EXPECT_THAT(said("'ns.none'"), HasSubstr("no table"));
  EXPECT_THAT(said("'ns.t t'"), HasSubstr("the name of a table"));
  EXPECT_THAT(said("'ns.t', min_input_files => 'many'"), HasSubstr("min_input_files"));
}

}  // namespace
}  // namespace tarn
