#include "tests/unit/query/query_world.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tarn {
namespace {

using ::testing::HasSubstr;
using testing::QueryWorld;

// What it does over a catalog: tests/python/test_iceberg_sql_catalog.py.
TEST(CallCatalogTest, ArgumentsReachTheResolver) {
  QueryWorld world;
  EXPECT_THAT(world.Message("CALL system.register_table('ns.t')"),
              HasSubstr("'metadata_file' is missing"));
  EXPECT_THAT(world.Message("CALL system.register_table('ns.t', metadata_file => '/m/' || 'x')"),
              HasSubstr("ns.t at /m/x"));
}

}  // namespace
}  // namespace tarn
