#include "tarn/ingest/source/source_file.h"

#include <gtest/gtest.h>

#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

class SourceFileTest : public testing::IngestFixture {
 protected:
  std::unique_ptr<Storage> local = *MakeLocalStorage("/", CreateRoot::kNo);
};

TEST_F(SourceFileTest, FormatsGoByTheEnding) {
  for (const char* name :
       {"a.jsonl", "b.NDJSON", "c.json.gz", "d.csv.zst", "e.parquet", "f.arrows", "g.avro"}) {
    Put(name, "x");
  }
  pipeline.paths = {folder.path() + "/*", folder.path() + "/a.jsonl"};
  ASSERT_OK_AND_ASSIGN(const auto files, FindSourceFiles(*local, pipeline));
  std::string text;
  for (const SourceFile& file : files) text += std::string(SourceFormatName(file.format)) + " ";
  EXPECT_EQ(text, "jsonl jsonl jsonl csv parquet arrow avro ");
  EXPECT_EQ(files[2].compression, Compression::kGzip);
  EXPECT_EQ(files[3].compression, Compression::kZstd);
  for (const char* packed : {"g.parquet.gz", "g.avro.gz"}) {
    Put(packed, "x");
    pipeline.paths = {folder.path() + "/" + packed};
    EXPECT_ERROR(FindSourceFiles(*local, pipeline), ErrorCode::kInvalid);
  }
}

TEST_F(SourceFileTest, FingerprintsTellChangesAtBothEnds) {
  const std::string text(20'000, 'x');
  SourceFile file;
  file.path = Put("a", text);
  ASSERT_OK_AND_ASSIGN(const std::string before, FingerprintOf(*local, file));
  EXPECT_EQ(before.size(), 16u);
  for (const size_t at : {size_t{0}, text.size() - 1}) {
    std::string changed = text;
    changed[at] = 'y';
    Put("a", changed);
    ASSERT_OK_AND_ASSIGN(const std::string after, FingerprintOf(*local, file));
    EXPECT_NE(after, before);
  }
  Put("a", text);
  EXPECT_EQ(*FingerprintOf(*local, file), before);
  Put("a", "");
  EXPECT_OK(FingerprintOf(*local, file));
}

}  // namespace
}  // namespace tarn
