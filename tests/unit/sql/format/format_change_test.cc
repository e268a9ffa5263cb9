#include <gtest/gtest.h>

#include "tests/unit/sql/parse_fixture.h"

namespace tarn::sql {
namespace {

TEST(FormatChange, WritesCanonicalText) {
  EXPECT_EQ(Line("insert overwrite table t partition(ds='1',hr)select 1"),
            "INSERT OVERWRITE TABLE t PARTITION (ds = '1', hr) SELECT 1");
  EXPECT_EQ(
      Line("merge into t using s on a=b when matched then update set c=d when not matched then "
           "insert(e)values(f)"),
      "MERGE INTO t USING s ON a = b WHEN MATCHED THEN UPDATE SET c = d WHEN NOT MATCHED THEN "
      "INSERT (e) VALUES (f)");
  EXPECT_EQ(Line("delete from t where a=1"), "DELETE FROM t WHERE a = 1");
}

}  // namespace
}  // namespace tarn::sql
