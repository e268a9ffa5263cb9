#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(FormatCommand, WritesCanonicalText) {
  EXPECT_EQ(Line("set a.b=c d"), "SET a.b = c d");
  EXPECT_EQ(Line("use catalog c"), "USE CATALOG c");
  EXPECT_EQ(Line("cache lazy table t as select 1"), "CACHE LAZY TABLE t AS SELECT 1");
  EXPECT_EQ(Line("call p(a=>1)"), "CALL p(a => 1)");
  EXPECT_EQ(Line("explain select 1"), "EXPLAIN SELECT 1");
}

TEST(FormatCommand, LaysBlocksOut) {
  const ParsedScript script = Read("BEGIN IF a THEN SELECT 1; END IF; END");
  EXPECT_EQ(Format(script, {.width = 20}),
            "BEGIN\n"
            "  IF a THEN\n"
            "    SELECT 1;\n"
            "  END IF;\n"
            "END;\n");
}

}  // namespace
}  // namespace tarn::sql
