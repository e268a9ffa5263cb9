#include "tarn/format/delta/prepare.h"

#include <gtest/gtest.h>

#include <string>

#include "tarn/format/delta/dropped_columns.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/metadata_action.h"
#include "tarn/format/delta/schema_json.h"
#include "tarn/model/evolution.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

using Strings = std::vector<std::string>;

class PrepareTest : public ::testing::Test {
 protected:
  static TableMetadata Wanted(std::string_view ddl,
                              std::map<std::string, std::string> properties = {}) {
    TableMetadata wanted;
    Result<Schema> schema = ParseColumns(ddl);
    EXPECT_OK(schema);
    wanted.schema = *std::move(schema);
    wanted.properties = std::move(properties);
    return wanted;
  }
  Result<TableMetadata> Create(std::string_view ddl,
                               std::map<std::string, std::string> properties = {}) {
    return PrepareMetadata(fake_.runtime, nullptr, Wanted(ddl, std::move(properties)));
  }
  // `before` with schema changes.
  Result<TableMetadata> Alter(const TableMetadata& before,
                              const std::vector<SchemaChange>& changes) {
    TableMetadata wanted = before;
    TARN_ASSIGN_OR_RETURN(wanted.schema, Evolve(before.schema, changes));
    return PrepareMetadata(fake_.runtime, &before, wanted);
  }
  static Protocol ProtocolOf(const Result<TableMetadata>& metadata) {
    EXPECT_OK(metadata);
    return metadata.ok() ? ToProtocol(*metadata) : Protocol{};
  }
  // What the log says of it and a reader makes of that.
  static void ExpectRoundTrip(const TableMetadata& metadata) {
    ASSERT_OK_AND_ASSIGN(const MetadataAction action, ToMetadataAction(metadata));
    ASSERT_OK_AND_ASSIGN(const TableMetadata read, ToTableMetadata(ToProtocol(metadata), action));
    EXPECT_EQ(read.schema, metadata.schema) << action.schema_string;
    EXPECT_EQ(read.properties, metadata.properties);
    EXPECT_EQ(read, metadata);
  }

  testing::FakeRuntime fake_;
};

TEST_F(PrepareTest, ANewTableCarriesNoFeature) {
  const Result<TableMetadata> table =
      Create("id bigint not null, t timestamp, s struct<x: int, l array<string>>");
  EXPECT_EQ(ProtocolOf(table), (Protocol{1, 2, {}, {}}));
  EXPECT_EQ(table->table_id.size(), 36u);
  EXPECT_NE(table->created_ms, 0);
  EXPECT_EQ(table->schema.fields[0].id, 1);
  EXPECT_EQ(table->schema.last_column_id, 6);
  EXPECT_EQ(table->properties.size(), 1u);
  EXPECT_EQ(table->properties.at("tarn.schemaIds"), SchemaIdsToProperty(table->schema));
  ExpectRoundTrip(*table);
}

TEST_F(PrepareTest, ContentBringsTheFeatureItNeeds) {
  EXPECT_EQ(ProtocolOf(Create("t timestamp_ntz")),
            (Protocol{3, 7, {"timestampNtz"}, {"timestampNtz"}}));
  EXPECT_EQ(ProtocolOf(Create("s struct<l: array<timestamp_ntz>>")),
            (Protocol{3, 7, {"timestampNtz"}, {"timestampNtz"}}));
  EXPECT_EQ(ProtocolOf(Create("a int", {{"delta.enableInCommitTimestamps", "true"}})),
            (Protocol{1, 7, {}, {"inCommitTimestamp"}}));
  EXPECT_EQ(ProtocolOf(Create("a int", {{"delta.enableDeletionVectors", "true"}})),
            (Protocol{3, 7, {"deletionVectors"}, {"deletionVectors"}}));
  EXPECT_EQ(ProtocolOf(Create("a int", {{"delta.appendOnly", "true"}})), (Protocol{1, 2, {}, {}}));
  EXPECT_EQ(ProtocolOf(Create("a int", {{"delta.enableChangeDataFeed", "true"}})),
            (Protocol{1, 4, {}, {}}));
  EXPECT_EQ(ProtocolOf(Create("a int", {{"delta.columnMapping.mode", "name"}})),
            (Protocol{2, 5, {}, {}}));
  EXPECT_EQ(ProtocolOf(Create("a timestamp_ntz",
                              {{"delta.columnMapping.mode", "id"}, {"delta.appendOnly", "true"}})),
            (Protocol{3,
                      7,
                      {"columnMapping", "timestampNtz"},
                      {"appendOnly", "columnMapping", "timestampNtz"}}));
  TableMetadata checked = Wanted("a int");
  checked.constraints = {{"positive", "a > 0"}};
  const Result<TableMetadata> prepared = PrepareMetadata(fake_.runtime, nullptr, checked);
  EXPECT_EQ(ProtocolOf(prepared), (Protocol{1, 3, {}, {}}));
  ExpectRoundTrip(*prepared);
}

TEST_F(PrepareTest, FeaturesCanBeAskedForByName) {
  const Result<TableMetadata> table = Create(
      "a int",
      {{"delta.feature.domainMetadata", "supported"}, {"delta.feature.v2Checkpoint", "supported"}});
  EXPECT_EQ(ProtocolOf(table),
            (Protocol{3, 7, {"v2Checkpoint"}, {"domainMetadata", "v2Checkpoint"}}));
  EXPECT_EQ(table->properties.size(), 1u) << "requests are no properties";
  EXPECT_EQ(ProtocolOf(Create("a int", {{"delta.minWriterVersion", "3"}})),
            (Protocol{1, 3, {}, {}}));
  EXPECT_ERROR(Create("a int", {{"delta.feature.rowTracking", "supported"}}),
               ErrorCode::kUnsupported);
  EXPECT_ERROR(Create("a int", {{"delta.feature.typo", "supported"}}), ErrorCode::kUnsupported);
  EXPECT_ERROR(Create("a int", {{"delta.feature.appendOnly", "on"}}), ErrorCode::kInvalid);
  EXPECT_ERROR(Create("a int", {{"delta.minReaderVersion", "9"}}), ErrorCode::kInvalid);
  EXPECT_ERROR(Create("a int", {{"delta.enableRowTracking", "true"}}), ErrorCode::kUnsupported);
}

TEST_F(PrepareTest, ConstraintsAreNoProperties) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata table,
                       Create("a int", {{"delta.constraints.positive", "a > 0"}}));
  ASSERT_EQ(table.constraints.size(), 1u);
  EXPECT_EQ(table.constraints[0], (CheckConstraint{"positive", "a > 0"}));
  EXPECT_EQ(ToProtocol(table), (Protocol{1, 3, {}, {}}));
  ExpectRoundTrip(table);
  TableMetadata wanted = table;
  wanted.properties["delta.constraints.small"] = "a < 9";
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, &table, wanted), ErrorCode::kInvalid);
}

TEST_F(PrepareTest, WarnsOfNewPropertiesThatDoNothing) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata table, Create("a int", {{"delta.appendonly", "true"}}));
  ASSERT_EQ(fake_.log.lines().size(), 1u);
  EXPECT_OK(PrepareMetadata(fake_.runtime, &table, table));
  EXPECT_EQ(fake_.log.lines().size(), 1u);
}

TEST_F(PrepareTest, NamesTypesThatDeltaLacks) {
  for (const TypeKind kind : {TypeKind::kTime, TypeKind::kUuid, TypeKind::kFixed,
                              TypeKind::kTimestampNs, TypeKind::kTimestampTzNs}) {
    TableMetadata wanted = Wanted("a int, s struct<x: int>");
    wanted.schema.fields[1].type.fields[0].type = Type::Of(kind);
    const auto prepared = PrepareMetadata(fake_.runtime, nullptr, wanted);
    EXPECT_ERROR(prepared, ErrorCode::kUnsupported);
    EXPECT_NE(prepared.error().message.find("'s.x'"), std::string::npos)
        << prepared.error().message;
    EXPECT_NE(prepared.error().message.find("use "), std::string::npos);
  }
}

TEST_F(PrepareTest, RefusesDefaultsForOldRows) {
  TableMetadata wanted = Wanted("a int");
  wanted.schema.fields[0].initial_default = int64_t{1};
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, nullptr, wanted), ErrorCode::kUnsupported);
}

TEST_F(PrepareTest, PartitionsByColumnsOnly) {
  TableMetadata wanted = Wanted("day date, id bigint");
  wanted.schema = AssignFreshIds(wanted.schema);
  wanted.specs[0].fields = {{1, 0, "whatever", TransformKind::kIdentity, 0}};
  ASSERT_OK_AND_ASSIGN(const TableMetadata table, PrepareMetadata(fake_.runtime, nullptr, wanted));
  EXPECT_EQ(table.default_spec().fields[0].name, "day");
  EXPECT_EQ(table.default_spec().fields[0].field_id, 1000);
  ExpectRoundTrip(table);

  wanted.specs[0].fields[0].transform = TransformKind::kMonth;
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, nullptr, wanted), ErrorCode::kUnsupported);
  wanted.specs[0].fields = {{1, 0, "", TransformKind::kIdentity, 0},
                            {2, 0, "", TransformKind::kIdentity, 0}};
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, nullptr, wanted), ErrorCode::kInvalid);
}

TEST_F(PrepareTest, AddingAColumnNeedsNoMapping) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata before, Create("id bigint"));
  ASSERT_OK_AND_ASSIGN(const TableMetadata after,
                       Alter(before, {AddColumn{"", {0, "x", Type::Of(TypeKind::kString)}, {}}}));
  EXPECT_EQ(ToProtocol(after), (Protocol{1, 2, {}, {}}));
  EXPECT_EQ(after.schema.fields[1].id, 2);
  EXPECT_EQ(after.table_id, before.table_id);
  EXPECT_EQ(after.created_ms, before.created_ms);
  ExpectRoundTrip(after);
}

TEST_F(PrepareTest, TheFirstRenameTurnsMappingOn) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata before, Create("id bigint, s struct<x: int>"));
  ASSERT_OK_AND_ASSIGN(const TableMetadata after, Alter(before, {RenameColumn{"s.x", "y"}}));
  EXPECT_EQ(ToProtocol(after), (Protocol{2, 5, {}, {}}));
  EXPECT_EQ(after.properties.at("delta.columnMapping.mode"), "name");
  EXPECT_EQ(after.properties.at("delta.columnMapping.maxColumnId"), "3");
  EXPECT_EQ(after.schema.FindByPath("s.y")->source_name, "x");
  EXPECT_EQ(after.schema.FindByPath("id")->source_name, "");
  EXPECT_EQ(after.column_match, ColumnMatch::kByName);
  ExpectRoundTrip(after);

  ASSERT_OK_AND_ASSIGN(const TableMetadata again, Alter(after, {RenameColumn{"s.y", "x2"}}));
  EXPECT_EQ(again.schema.FindByPath("s.x2")->source_name, "x");
  ExpectRoundTrip(again);
}

TEST_F(PrepareTest, ADroppedColumnIsNeverRevivedByItsName) {
  // S21: drop tag, add tag, rename tag to label, rename id to tag, bring the first tag back.
  ASSERT_OK_AND_ASSIGN(TableMetadata table, Create("id bigint, tag string"));
  ASSERT_OK_AND_ASSIGN(table, Alter(table, {DropColumn{"tag"}}));
  EXPECT_EQ(table.properties.at("delta.columnMapping.mode"), "name");
  ExpectRoundTrip(table);
  ASSERT_OK_AND_ASSIGN(table,
                       Alter(table, {AddColumn{"", {0, "tag", Type::Of(TypeKind::kString)}, {}}}));
  EXPECT_EQ(table.schema.fields[1].id, 3);
  EXPECT_TRUE(table.schema.fields[1].source_name.starts_with("col-"));
  ASSERT_OK_AND_ASSIGN(table,
                       Alter(table, {RenameColumn{"tag", "label"}, RenameColumn{"id", "tag"}}));
  EXPECT_EQ(table.schema.fields[0].source_name, "id");
  ExpectRoundTrip(table);

  EXPECT_ERROR(UndropColumn(table, "tag", std::nullopt, ""), ErrorCode::kAlreadyExists);
  ASSERT_OK_AND_ASSIGN(const TableMetadata wanted,
                       UndropColumn(table, "tag", std::nullopt, "first_tag"));
  ASSERT_OK_AND_ASSIGN(table, PrepareMetadata(fake_.runtime, &table, wanted));
  const Field* back = table.schema.FindByPath("first_tag");
  ASSERT_NE(back, nullptr);
  EXPECT_EQ(back->id, 2);
  EXPECT_EQ(back->source_name, "tag");
  EXPECT_FALSE(table.properties.contains("tarn.droppedColumns"));
  ExpectRoundTrip(table);
}

TEST_F(PrepareTest, MappingAtCreationKeepsNamesThatEnginesCanRead) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata table,
                       Create("`a b` int, c int", {{"delta.columnMapping.mode", "id"}}));
  EXPECT_TRUE(table.schema.fields[0].source_name.starts_with("col-"));
  EXPECT_EQ(table.schema.fields[1].source_name, "");
  EXPECT_EQ(table.column_match, ColumnMatch::kById);
  ExpectRoundTrip(table);
}

TEST_F(PrepareTest, MappingStaysAsItWas) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata by_name,
                       Create("a int", {{"delta.columnMapping.mode", "name"}}));
  TableMetadata wanted = by_name;
  wanted.properties.erase("delta.columnMapping.mode");
  ASSERT_OK_AND_ASSIGN(const TableMetadata kept, PrepareMetadata(fake_.runtime, &by_name, wanted));
  EXPECT_EQ(kept.properties.at("delta.columnMapping.mode"), "name");
  wanted.properties["delta.columnMapping.mode"] = "id";
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, &by_name, wanted), ErrorCode::kUnsupported);
  wanted.properties["delta.columnMapping.mode"] = "none";
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, &by_name, wanted), ErrorCode::kUnsupported);
  ASSERT_OK_AND_ASSIGN(const TableMetadata plain, Create("a int"));
  wanted = plain;
  wanted.properties["delta.columnMapping.mode"] = "id";
  EXPECT_ERROR(PrepareMetadata(fake_.runtime, &plain, wanted), ErrorCode::kUnsupported);
}

TEST_F(PrepareTest, AnExistingTableKeepsWhatItSupports) {
  ASSERT_OK_AND_ASSIGN(TableMetadata table, Create("a int"));
  table.reader_version = 1;
  table.writer_version = 4;
  TableMetadata wanted = table;
  wanted.schema.fields.push_back({0, "t", Type::Of(TypeKind::kTimestamp)});
  ASSERT_OK_AND_ASSIGN(const TableMetadata after, PrepareMetadata(fake_.runtime, &table, wanted));
  EXPECT_EQ(ToProtocol(after), (Protocol{3,
                                         7,
                                         {"timestampNtz"},
                                         {"appendOnly", "changeDataFeed", "checkConstraints",
                                          "generatedColumns", "invariants", "timestampNtz"}}));
}

TEST_F(PrepareTest, IdsAreNeverUsedTwiceWhenATableIsReplaced) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata before, Create("a int, b int"));
  ASSERT_OK_AND_ASSIGN(const TableMetadata after,
                       PrepareMetadata(fake_.runtime, &before, Wanted("a string, c int")));
  EXPECT_EQ(after.schema.fields[0].id, 3);
  EXPECT_EQ(after.schema.fields[1].id, 4);
  EXPECT_FALSE(after.properties.contains("delta.columnMapping.mode"));
  EXPECT_EQ(after.table_id, before.table_id);
}

TEST_F(PrepareTest, WidensWhereTheTableSaysSo) {
  ASSERT_OK_AND_ASSIGN(TableMetadata table, Create("a int"));
  EXPECT_ERROR(Alter(table, {WidenColumn{"a", Type::Of(TypeKind::kInt64)}}),
               ErrorCode::kUnsupported);
  ASSERT_OK_AND_ASSIGN(table, Create("a int", {{"delta.enableTypeWidening", "true"}}));
  ASSERT_OK_AND_ASSIGN(const TableMetadata after,
                       Alter(table, {WidenColumn{"a", Type::Of(TypeKind::kInt64)}}));
  EXPECT_EQ(after.schema.fields[0].annotations.at("delta.typeChanges"),
            R"([{"fromType":"integer","toType":"long"}])");
  ExpectRoundTrip(after);
}

TEST_F(PrepareTest, TrustsACallerWhoLookedForNulls) {
  ASSERT_OK_AND_ASSIGN(const TableMetadata table, Create("a int"));
  TableMetadata wanted = table;
  wanted.schema.fields[0].required = true;
  ASSERT_OK_AND_ASSIGN(const TableMetadata after, PrepareMetadata(fake_.runtime, &table, wanted));
  EXPECT_TRUE(after.schema.fields[0].required);
  ExpectRoundTrip(after);
}

TEST_F(PrepareTest, RefusesABadProperty) {
  EXPECT_ERROR(Create("a int", {{"delta.checkpointInterval", "often"}}), ErrorCode::kInvalid);
}

TEST_F(PrepareTest, IsIdempotent) {
  ASSERT_OK_AND_ASSIGN(TableMetadata table, Create("id bigint, s struct<x: int>",
                                                   {{"delta.columnMapping.mode", "name"}}));
  ASSERT_OK_AND_ASSIGN(table, Alter(table, {DropColumn{"id"}}));
  ASSERT_OK_AND_ASSIGN(const TableMetadata again, PrepareMetadata(fake_.runtime, &table, table));
  EXPECT_EQ(again, table);
}

}  // namespace
}  // namespace tarn::delta
