#include "tarn/engine/catalog_schema.h"

#include "tests/unit/engine/engine_fixture.h"

namespace tarn {
namespace {

using testing::Days;
using testing::ListStream;

class CatalogSchemaTest : public testing::EngineTest {};

TEST_F(CatalogSchemaTest, TablesOfTheLake) {
  ListStream rows({Days({{1, "2026-01-01"}})});
  ASSERT_OK(engine_->Write("events", rows, {}).status());
  const CatalogSchema schema(*engine_);
  const lineage::TableSchema* const events = schema.Find("default.events");
  ASSERT_NE(events, nullptr);
  ASSERT_EQ(events->columns.size(), 2U);
  EXPECT_EQ(events->columns[0].name, "id");
  EXPECT_EQ(events->columns[1].name, "day");
  EXPECT_EQ(schema.Find("default.events"), events);
  EXPECT_EQ(schema.Find("default.nothing"), nullptr);
}

}  // namespace
}  // namespace tarn
