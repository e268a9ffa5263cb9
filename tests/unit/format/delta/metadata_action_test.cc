#include "tarn/format/delta/metadata_action.h"

#include <gtest/gtest.h>

#include "tarn/format/delta/load.h"
#include "tarn/format/delta/schema_json.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

TableMetadata MakeTable() {
  TableMetadata metadata;
  metadata.table_id = "id-1";
  metadata.name = "events";
  metadata.description = "what happened";
  metadata.created_ms = 5;
  Result<Schema> schema = ParseColumns("day date, id bigint not null");
  EXPECT_OK(schema);
  metadata.schema = AssignFreshIds(*std::move(schema));
  metadata.specs = {*IdentitySpec(metadata.schema, {"day"})};
  metadata.properties = {{"delta.appendOnly", "true"},
                         {"tarn.schemaIds", SchemaIdsToProperty(metadata.schema)}};
  metadata.constraints = {{"positive", "id > 0"}};
  metadata.reader_version = 1;
  metadata.writer_version = 3;
  return metadata;
}

TEST(ToMetadataAction, IsReadBackAsItWas) {
  const TableMetadata metadata = MakeTable();
  ASSERT_OK_AND_ASSIGN(const MetadataAction action, ToMetadataAction(metadata));
  EXPECT_EQ(action.partition_columns, std::vector<std::string>{"day"});
  EXPECT_EQ(action.configuration.at("delta.constraints.positive"), "id > 0");
  ASSERT_OK_AND_ASSIGN(const TableMetadata read, ToTableMetadata(ToProtocol(metadata), action));
  EXPECT_EQ(read, metadata);
}

TEST(ToMetadataAction, WritesIdsAfresh) {
  TableMetadata metadata = MakeTable();
  metadata.properties["tarn.schemaIds"] = "stale";
  ASSERT_OK_AND_ASSIGN(const MetadataAction action, ToMetadataAction(metadata));
  EXPECT_EQ(action.configuration.at("tarn.schemaIds"), SchemaIdsToProperty(metadata.schema));
  EXPECT_EQ(action.schema_string.find("parquet.field.id"), std::string::npos);
}

TEST(ToProtocol, LeavesListsOutBelowTheirVersions) {
  TableMetadata metadata = MakeTable();
  metadata.reader_features = {"x"};
  metadata.writer_features = {"x"};
  EXPECT_EQ(ToProtocol(metadata), (Protocol{1, 3, {}, {}}));
}

}  // namespace
}  // namespace tarn::delta
