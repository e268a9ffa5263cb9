#include "tarn/ingest/source/row_source.h"

#include <gtest/gtest.h>

#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

class RowSourceTest : public testing::IngestFixture {
 protected:
  std::vector<std::string> Rows(const std::string& ddl) {
    pipeline.paths = {folder.path() + "/*"};
    files = *FindSourceFiles(*local, pipeline);
    plan.schema = *ParseColumns(ddl);
    plan.inferred.assign(plan.schema.fields.size(), true);
    chain = *TransformChain::Make(stand.runtime, makers, plan.schema, pipeline.transforms);
    source = *RowSource::Make({stand.runtime,
                               *local,
                               stand.file_formats,
                               files,
                               pipeline,
                               plan,
                               chain,
                               nullptr,
                               [this] {
                                 ++ends;
                                 return Status();
                               },
                               {},
                               0,
                               never_empty});
    return testing::RowsText(*source);
  }
  std::unique_ptr<Storage> local = *MakeLocalStorage("/", CreateRoot::kNo);
  Registry<TransformMaker> makers = BuiltinTransforms();
  std::vector<SourceFile> files;
  DecodePlan plan;
  TransformChain chain;
  std::unique_ptr<RowSource> source;
  int ends = 0;
  std::vector<std::string> never_empty;
};

using Texts = std::vector<std::string>;

TEST_F(RowSourceTest, GivesRowsInOrderAndEndsOnce) {
  Put("1.jsonl", "{\"a\":1}\n{\"a\":2}\n");
  Put("2.csv", "a\n3\n");
  EXPECT_EQ(Rows("a bigint"), (Texts{"1", "2", "3"}));
  ASSERT_OK(source->Next());
  EXPECT_EQ(ends, 1);
  EXPECT_EQ(source->rows(), 3);
}

TEST_F(RowSourceTest, TellsAMisfitOfInferenceFromAnError) {
  Put("1.jsonl", "{\"a\":1}\n{\"a\":1.5}\n");
  plan.final = false;
  EXPECT_EQ(Rows("a bigint")[0].substr(0, 6), "error:");
  EXPECT_TRUE(source->needs_a_closer_look());
  plan.final = true;
  EXPECT_NE(Rows("a bigint")[0].find("1.jsonl:2: column a: expected int64"), std::string::npos);
  EXPECT_FALSE(source->needs_a_closer_look());
  EXPECT_EQ(ends, 0);
}

TEST_F(RowSourceTest, BadRowsOfTransformsHaveTheirLine) {
  Put("1.jsonl", "\n{\"a\":\"1\"}\n\n{\"a\":\"x\"}\n");
  pipeline.transforms = {{.kind = "filter", .options = {{"sql", "a <> '1'"}}},
                         {.kind = "cast", .pairs = {{"a", "int"}}}};
  EXPECT_NE(Rows("a string")[0].find("1.jsonl:4: column a: expected int32, got string \"x\""),
            std::string::npos);
}

TEST_F(RowSourceTest, EmptyTextsInPartitionsHaveTheirLine) {
  Put("1.jsonl", "{\"p\":null}\n\n{\"p\":\"\"}\n");
  EXPECT_EQ(Rows("p string"), (Texts{"NULL", ""}));
  never_empty = {"p"};
  EXPECT_NE(Rows("p string")[0].find("1.jsonl:3: column p: the empty string"), std::string::npos);
}

TEST_F(RowSourceTest, UnknownColumnsAskForALook) {
  Put("1.jsonl", "{\"a\":1,\"n\":null}\n");
  plan.final = false;
  EXPECT_NE(Rows("a bigint")[0].find("column n is new"), std::string::npos);
  EXPECT_TRUE(source->needs_a_closer_look());
  plan.ignored = {"n"};
  EXPECT_EQ(Rows("a bigint"), Texts{"1"});
}

}  // namespace
}  // namespace tarn
