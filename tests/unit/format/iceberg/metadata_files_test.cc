#include "tarn/format/iceberg/metadata_files.h"

#include <gtest/gtest.h>

#include "tests/unit/format/iceberg/iceberg_world.h"

namespace tarn::iceberg {
namespace {

class MetadataFilesTest : public testing::IcebergWorld {
 protected:
  void Put(const std::string& name, const std::string& bytes = "{}") {
    ASSERT_OK(storage->Put(home.root / "metadata" / name, bytes));
  }
  std::string Newest() {
    const auto newest = FindNewest(home);
    return newest.ok() ? std::string(newest->path.name()) : newest.error().ToString();
  }
};

TEST_F(MetadataFilesTest, Names) {
  EXPECT_EQ(ParseMetadataName("v12.metadata.json")->number, 12);
  EXPECT_EQ(ParseMetadataName("v12.gz.metadata.json")->stem, "v12");
  EXPECT_TRUE(ParseMetadataName("v12.metadata.json.gz")->compressed);
  EXPECT_EQ(ParseMetadataName("00003-ab-cd.metadata.json")->number, 3);
  EXPECT_EQ(ParseMetadataName("00003-ab-cd.metadata.json")->stem, "00003-ab-cd");
  for (const char* other : {"vx.metadata.json", "snap-1.avro", "v1.json", "metadata.json", ""}) {
    EXPECT_FALSE(ParseMetadataName(other)) << other;
  }
}

TEST_F(MetadataFilesTest, TheHintIsOnlyAHint) {
  EXPECT_ERROR(FindNewest(home), ErrorCode::kNotFound);
  Put("v1.metadata.json");
  Put("v2.metadata.json");
  Put("v10.metadata.json");
  EXPECT_EQ(Newest(), "v10.metadata.json") << "no hint: the highest number";
  Put("version-hint.text", "1\n");
  EXPECT_EQ(Newest(), "v2.metadata.json") << "behind: followed without a gap";
  Put("version-hint.text", "11");
  EXPECT_EQ(Newest(), "v10.metadata.json") << "ahead";
  Put("version-hint.text", "nonsense");
  EXPECT_EQ(Newest(), "v10.metadata.json");
  Put("version-hint.text", "");
  EXPECT_EQ(Newest(), "v10.metadata.json");
}

TEST_F(MetadataFilesTest, CatalogNamesAndHintsAtThem) {
  Put("00001-aaaa.metadata.json");
  Put("00002-bbbb.metadata.json");
  Put("00002-aaaa.metadata.json");
  Put("version-hint.text", "00002-aaaa");
  EXPECT_EQ(Newest(), "00002-aaaa.metadata.json");
  home.head.name = "/lake/t/metadata/00001-aaaa.metadata.json";
  EXPECT_EQ(Newest(), "00001-aaaa.metadata.json") << "the home says which";
}

TEST_F(MetadataFilesTest, AnAuthoritativeHomeSaysThatThereIsNone) {
  Put("00001-aaaa.metadata.json");
  home.head.authoritative = true;
  EXPECT_ERROR(FindNewest(home), ErrorCode::kNotFound);
  EXPECT_FALSE(DetectTable(home).value());
  home.head.name = "/lake/t/metadata/00001-aaaa.metadata.json";
  EXPECT_TRUE(FindNewest(home)->named_by_home);
  EXPECT_TRUE(DetectTable(home).value());
  EXPECT_TRUE(FindByStem(home, "00001-aaaa")->named_by_home);
}

TEST_F(MetadataFilesTest, PackedFilesAreReadWhateverTheirName) {
  const std::string text = "iceberg";
  ASSERT_OK_AND_ASSIGN(const Bytes back, Gunzip(Gzip(text)));
  EXPECT_EQ(back, text);
  Bytes packed = Gzip(std::string(100'000, 'x'));
  ASSERT_OK_AND_ASSIGN(const Bytes long_back, Gunzip(packed));
  EXPECT_EQ(long_back.size(), 100'000U);
  packed.resize(packed.size() - 9);
  EXPECT_ERROR(Gunzip(packed), ErrorCode::kCorrupt);
  Put("v1.metadata.json", Gzip("{}"));
  const auto metadata = ReadMetadata(home, home.root / "metadata" / "v1.metadata.json");
  ASSERT_FALSE(metadata.ok());
  EXPECT_NE(metadata.error().message.find("format-version"), std::string::npos);
}

TEST_F(MetadataFilesTest, AReaderKeepsWhatDoesNotChange) {
  const std::string text =
      R"({"format-version":1,"location":"memory:/t","last-updated-ms":1,"last-column-id":1,)"
      R"("schema":{"type":"struct","fields":[{"id":1,"name":"a","required":false,"type":"long"}]},)"
      R"("partition-spec":[]})";
  Put("v1.metadata.json", text);
  MetadataReader reader;
  const Path path = home.root / "metadata" / "v1.metadata.json";
  ASSERT_OK_AND_ASSIGN(const auto first, reader.Read(home, path));
  ASSERT_OK_AND_ASSIGN(const auto again, reader.Read(home, path));
  EXPECT_EQ(first, again) << "not parsed twice";
  // Another table took its place.
  Put("v1.metadata.json",
      std::string(text).replace(text.find("updated-ms\":1"), 13, "updated-ms\":2"));
  ASSERT_OK_AND_ASSIGN(const auto other, reader.Read(home, path));
  EXPECT_EQ(other->last_updated_ms, 2);
  EXPECT_EQ(first->last_updated_ms, 1);
  ASSERT_OK(storage->Remove(path));
  EXPECT_ERROR(reader.Read(home, path), ErrorCode::kNotFound);
  // What was expected is taken for what was read only where the file holds just that.
  ASSERT_OK_AND_ASSIGN(Metadata written, MetadataFromJson(text));
  written.table_uuid = "as written";
  reader.Expect(std::move(written));
  Put("v2.metadata.json", text);
  Put("v3.metadata.json", text + " ");
  EXPECT_EQ((*reader.Read(home, home.root / "metadata" / "v2.metadata.json"))->table_uuid,
            "as written");
  EXPECT_EQ((*reader.Read(home, home.root / "metadata" / "v3.metadata.json"))->table_uuid, "");
}

}  // namespace
}  // namespace tarn::iceberg
