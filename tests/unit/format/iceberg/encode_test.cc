#include "tarn/format/iceberg/encode.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

using tarn::testing::FileOf;

class EncodeTest : public testing::IcebergWorld {
 protected:
  nlohmann::json Metadata(int version) {
    return nlohmann::json::parse(Text("metadata/v" + std::to_string(version) + ".metadata.json"));
  }
};

TEST_F(EncodeTest, ANewTableHasEveryRequiredField) {
  for (const char* version : {"1", "2", "3"}) {
    home.root = *Path::Make(std::string("lake/t") + version);
    ASSERT_OK(Create({{"format-version", version}}));
    const nlohmann::json json = Metadata(1);
    EXPECT_EQ(json["format-version"].dump(), version);
    for (const char* name :
         {"table-uuid", "location", "last-updated-ms", "last-column-id", "schemas",
          "current-schema-id", "partition-specs", "default-spec-id", "last-partition-id",
          "sort-orders", "default-sort-order-id", "properties"}) {
      EXPECT_TRUE(json.contains(name)) << version << " " << name;
    }
    EXPECT_EQ(json.contains("last-sequence-number"), *version != '1');
    EXPECT_EQ(json.contains("next-row-id"), *version == '3');
    EXPECT_EQ(json.contains("schema"), *version == '1');
    EXPECT_EQ(json["last-partition-id"], 1000);
    EXPECT_EQ(json["location"], "memory:/" + home.root.str());
    EXPECT_EQ(Text("metadata/version-hint.text"), "1");
  }
}

TEST_F(EncodeTest, SequenceNumbersLogsAndRefs) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
  ASSERT_OK(Append("c2", {FileOf("2", "b", 4)}));
  const nlohmann::json json = Metadata(3);
  EXPECT_EQ(json["last-sequence-number"], 2);
  ASSERT_EQ(json["snapshots"].size(), 2U);
  const nlohmann::json& last = json["snapshots"][1];
  EXPECT_EQ(last["sequence-number"], 2);
  EXPECT_EQ(last["parent-snapshot-id"], json["snapshots"][0]["snapshot-id"]);
  EXPECT_GT(last["snapshot-id"].get<int64_t>(), 0) << "63 bits";
  EXPECT_EQ(json["refs"]["main"]["snapshot-id"], last["snapshot-id"]);
  EXPECT_EQ(json["current-snapshot-id"], last["snapshot-id"]);
  EXPECT_EQ(json["snapshot-log"].size(), 2U);
  EXPECT_EQ(json["metadata-log"].size(), 2U);
  EXPECT_EQ(json["metadata-log"][1]["metadata-file"], "memory:/lake/t/metadata/v2.metadata.json");
  EXPECT_EQ(last["summary"]["total-records"], "7");
  EXPECT_GT(json["last-updated-ms"], Metadata(2)["last-updated-ms"]);
}

TEST_F(EncodeTest, WhatTarnDoesNotKnowStays) {
  ASSERT_OK(Create());
  nlohmann::json json = Metadata(1);
  json["statistics"] =
      nlohmann::json::array({{{"snapshot-id", 1}, {"blob-metadata", nlohmann::json::array()}}});
  json["schemas"][0]["identifier-field-ids"] = {1};
  json["encryption-keys"] = nlohmann::json::array();
  ASSERT_OK(storage->Put(home.root / "metadata" / "v1.metadata.json", json.dump()));
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  Commit alter;
  alter.id = "alter";
  alter.operation.kind = OperationKind::kAlter;
  TableMetadata wanted = Load().metadata;
  wanted.properties["x"] = "y";
  alter.metadata = wanted;
  ASSERT_OK(Publish(alter));
  const nlohmann::json after = Metadata(3);
  EXPECT_EQ(after["statistics"], json["statistics"]);
  EXPECT_EQ(after["schemas"], json["schemas"]);
  EXPECT_TRUE(after.contains("encryption-keys"));
  EXPECT_EQ(after["properties"]["x"], "y");
}

TEST_F(EncodeTest, OldMetadataLeavesTheLog) {
  ASSERT_OK(Create({{"write.metadata.previous-versions-max", "2"},
                    {"write.metadata.delete-after-commit.enabled", "true"}}));
  for (int i = 0; i < 4; ++i) {
    ASSERT_OK(Append("c" + std::to_string(i), {FileOf("1", "f" + std::to_string(i))}));
  }
  EXPECT_EQ(Metadata(5)["metadata-log"].size(), 2U);
  EXPECT_EQ(MetadataFiles(".metadata.json").size(), 3U);
}

TEST_F(EncodeTest, RowDeletesInVersionOneAreRefused) {
  ASSERT_OK(Create({{"format-version", "1"}}));
  ASSERT_OK(Append("c1", {FileOf("1", "a")}));
  Commit commit;
  commit.id = "d";
  commit.row_deletes.push_back({Files(Load())[0], RowSet()});
  EXPECT_ERROR(format->Encode(home, Load(), commit), ErrorCode::kUnsupported);
}

TEST_F(EncodeTest, ABranchHasALineOfItsOwn) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
  Commit refer;
  refer.operation.kind = OperationKind::kAlter;
  refer.references.push_back({.name = "b", .version = Load().version.text});
  ASSERT_OK(Publish(refer));
  home.branch = "b";
  ASSERT_OK(Append("c2", {FileOf("2", "b", 4)}));
  EXPECT_EQ(Files(Load()).size(), 2U);
  home.branch = "";
  EXPECT_EQ(Files(Load()).size(), 1U);
  EXPECT_EQ(Load(AtVersion{"b"}).record_count, 7);
  const nlohmann::json json = Metadata(4);
  EXPECT_EQ(json["current-snapshot-id"], json["snapshots"][0]["snapshot-id"]);
  EXPECT_EQ(json["refs"]["b"]["snapshot-id"], json["snapshots"][1]["snapshot-id"]);
  EXPECT_EQ(json["snapshot-log"].size(), 1U);
  home.branch = "none";
  EXPECT_ERROR(format->Load(home, Newest{}), ErrorCode::kNotFound);
}

TEST_F(EncodeTest, ReferencesComeAndGoAsAsked) {
  ASSERT_OK(Create());
  ASSERT_OK(Append("c1", {FileOf("1", "a", 3)}));
  const auto change = [&](ReferenceChange one) {
    Commit commit;
    commit.operation.kind = OperationKind::kAlter;
    commit.references.push_back(std::move(one));
    return Publish(std::move(commit)).status();
  };
  using Kind = ReferenceChange::Kind;
  using When = ReferenceChange::When;
  const std::string now = Load().version.text;
  ASSERT_OK(change({.kind = Kind::kTag, .name = "t", .version = now, .keep_name_ms = 5}));
  EXPECT_EQ(Metadata(3)["refs"]["t"]["max-ref-age-ms"], 5);
  EXPECT_EQ(Metadata(3)["refs"]["t"]["type"], "tag");
  EXPECT_ERROR(change({.kind = Kind::kTag, .name = "t", .when = When::kIfNew, .version = now}),
               ErrorCode::kAlreadyExists);
  EXPECT_ERROR(change({.kind = Kind::kTag, .name = "u", .when = When::kIfThere, .version = now}),
               ErrorCode::kNotFound);
  EXPECT_ERROR(change({.name = "t"}), ErrorCode::kInvalid);
  EXPECT_ERROR(change({.name = "main"}), ErrorCode::kInvalid);
  EXPECT_ERROR(change({.kind = Kind::kTag, .name = "t", .version = "77"}), ErrorCode::kNotFound);
  EXPECT_ERROR(change({.kind = Kind::kTag, .name = "t", .version = now, .keep_name_ms = 0}),
               ErrorCode::kInvalid);
  ASSERT_OK(change({.kind = Kind::kTag, .name = "t"}));
  EXPECT_FALSE(Metadata(4)["refs"].contains("t"));
}

TEST_F(EncodeTest, ATableOfACatalogIsNotWrittenByItsPath) {
  ASSERT_OK(Create());
  ASSERT_OK(storage->Put(home.root / "metadata" / "00002-aa.metadata.json",
                         Text("metadata/v1.metadata.json")));
  ASSERT_OK(storage->Remove(home.root / "metadata" / "version-hint.text"));
  EXPECT_ERROR(Append("c1", {FileOf("1", "a")}), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn::iceberg
