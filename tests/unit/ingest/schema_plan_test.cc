#include "tarn/ingest/schema_plan.h"

#include <gtest/gtest.h>

#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

class SchemaPlanTest : public ::testing::Test {
 protected:
  Result<SchemaPlan> Plan(const std::string& seen) {
    source.schema = *ParseColumns(seen);
    return PlanSchema(fake.runtime, makers, pipeline, source, snapshot, "delta");
  }
  void TableIs(const std::string& ddl) {
    snapshot.version.text = "3";
    snapshot.metadata.schema = AssignFreshIds(*ParseColumns(ddl));
  }
  static std::string Flags(const std::vector<bool>& flags) {
    std::string text;
    for (const bool flag : flags) text += flag ? 'i' : '-';
    return text;
  }

  testing::FakeRuntime fake;
  Registry<TransformMaker> makers = BuiltinTransforms();
  Pipeline pipeline;
  SourceSchema source;
  Snapshot snapshot;
};

TEST_F(SchemaPlanTest, ANewTableIsAsTheSource) {
  pipeline.partition_by = {"day"};
  pipeline.column_mapping = "name";
  ASSERT_OK_AND_ASSIGN(const SchemaPlan plan, Plan("id bigint, day date"));
  EXPECT_EQ(Flags(plan.decode.inferred), "ii");
  ASSERT_TRUE(plan.metadata);
  EXPECT_EQ(plan.metadata->default_spec().fields[0].name, "day");
  EXPECT_EQ(plan.metadata->properties.at("delta.columnMapping.mode"), "name");
  pipeline.partition_by = {"dya"};
  EXPECT_ERROR(Plan("id bigint, day date"), ErrorCode::kNotFound);
}

TEST_F(SchemaPlanTest, KnownTypesRuleOverInferredOnes) {
  TableIs("id int, price decimal(10,2) not null, o struct<x: bigint>");
  ASSERT_OK_AND_ASSIGN(const SchemaPlan plan,
                       Plan("ID bigint, price double, o struct<X: double, y: string>, n string"));
  EXPECT_EQ(SchemaToDdl(plan.decode.schema),
            "id: int32, price: decimal(10,2) not null, o: struct<x: int64, y: string>, n: string");
  EXPECT_EQ(Flags(plan.decode.inferred), "---i");
  EXPECT_EQ(plan.columns_added, (std::vector<std::string>{"o.y", "n"}));
}

TEST_F(SchemaPlanTest, FreezeTakesOnlyTheTablesColumns) {
  TableIs("id bigint");
  pipeline.contract = SchemaContract::kFreeze;
  ASSERT_OK_AND_ASSIGN(const SchemaPlan plan, Plan("id bigint, n string"));
  EXPECT_EQ(SchemaToDdl(plan.decode.schema), "id: int64");
  EXPECT_TRUE(plan.decode.final);
  EXPECT_FALSE(plan.metadata);
}

TEST_F(SchemaPlanTest, ColumnsWithoutValuesWait) {
  source.without_values = {"none", "o.deep"};
  ASSERT_OK_AND_ASSIGN(const SchemaPlan plan, Plan("id bigint"));
  EXPECT_EQ(plan.decode.void_columns, std::vector<std::string>{"none"});
  EXPECT_TRUE(plan.decode.ignored.contains("o.deep"));
  EXPECT_EQ(SchemaToDdl(plan.chain.output()), "id: int64");
  EXPECT_EQ(plan.warnings.size(), 2u);
}

}  // namespace
}  // namespace tarn
