#include "tarn/ingest/source/observe_files.h"

#include <gtest/gtest.h>

#include "tests/unit/ingest/ingest_fixture.h"

namespace tarn {
namespace {

class ObserveFilesTest : public testing::IngestFixture {
 protected:
  Result<SourceSchema> Observe(Look look) {
    pipeline.paths = {folder.path() + "/*"};
    TARN_ASSIGN_OR_RETURN(const auto files, FindSourceFiles(*local, pipeline));
    ObserveOptions options;
    options.look = look;
    return ObserveFiles(stand.runtime, *local, stand.file_formats, files, pipeline, options);
  }
  std::unique_ptr<Storage> local = *MakeLocalStorage("/", CreateRoot::kNo);
};

TEST_F(ObserveFilesTest, TheBeginningIsOnlyTheBeginning) {
  std::string text;
  for (int i = 0; i < 1'000'000; ++i) text += "{\"a\":1}\n";
  Put("1.jsonl", text);
  Put("2.jsonl", "{\"b\":\"x\",\"n\":null}\n");
  ASSERT_OK_AND_ASSIGN(const SourceSchema beginning, Observe(Look::kAtBeginning));
  EXPECT_FALSE(beginning.complete);
  EXPECT_EQ(SchemaToDdl(beginning.schema), "a: int64");
  ASSERT_OK_AND_ASSIGN(const SourceSchema all, Observe(Look::kAtAll));
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(SchemaToDdl(all.schema), "a: int64, b: string");
  EXPECT_EQ(all.without_values, std::vector<std::string>{"n"});
}

TEST_F(ObserveFilesTest, LinesAreThoseOfTheFile) {
  Put("1.csv", "a\n1\n");
  Put("2.jsonl", "{\"v\":1}\n");
  Put("3.jsonl", "\n\n{\"v\":[]}\n");
  const auto source = Observe(Look::kAtAll);
  ASSERT_FALSE(source.ok());
  const std::string& text = source.error().message;
  EXPECT_NE(text.find("3.jsonl:3: column v: expected int64 as at"), std::string::npos) << text;
  EXPECT_NE(text.find("2.jsonl:1 (number 1), got list"), std::string::npos) << text;
}

}  // namespace
}  // namespace tarn
