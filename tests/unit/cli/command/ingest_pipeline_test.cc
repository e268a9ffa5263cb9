#include "tarn/cli/command/ingest_pipeline.h"

#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/matchers.h"
#include "tests/support/temp_folder.h"

namespace tarn::cli {
namespace {

IngestArguments Basic() { return {.files = {"a.jsonl", "b/*.csv"}, .into = "t"}; }

TEST(MakePipeline, OfOptions) {
  IngestArguments arguments = Basic();
  arguments.partition_by = {"day"};
  arguments.mode = "overwrite";
  arguments.contract = "freeze";
  arguments.column_mapping = "id";
  arguments.schema = "id bigint not null";
  arguments.properties = {"a=b=c"};
  arguments.input_format = "csv";
  ASSERT_OK_AND_ASSIGN(const Pipeline pipeline, MakePipeline(arguments));
  EXPECT_EQ(pipeline.paths, arguments.files);
  EXPECT_EQ(pipeline.into, "t");
  EXPECT_EQ(pipeline.mode, IngestMode::kOverwritePartitions);
  EXPECT_EQ(pipeline.contract, SchemaContract::kFreeze);
  EXPECT_EQ(pipeline.column_mapping, "id");
  EXPECT_EQ(pipeline.format, SourceFormat::kCsv);
  EXPECT_EQ(pipeline.properties.at("a"), "b=c");
  EXPECT_EQ(pipeline.schema_from, "id bigint not null");
}

TEST(MakePipeline, OfAFileWithOptionsOnTop) {
  const tarn::testing::TempFolder folder;
  const std::string file = folder.path() + "/p.yaml";
  std::ofstream(file) << "source: 'events/*.jsonl'\ninto: events\n";
  ASSERT_OK_AND_ASSIGN(Pipeline pipeline, MakePipeline({.files = {file}}));
  EXPECT_EQ(pipeline.into, "events");
  ASSERT_OK_AND_ASSIGN(pipeline, MakePipeline({.files = {file}, .into = "other"}));
  EXPECT_EQ(pipeline.into, "other");
  EXPECT_ERROR(MakePipeline({.files = {file, "a.csv"}}), ErrorCode::kInvalid);
  EXPECT_ERROR(MakePipeline({.files = {folder.path() + "/none.yaml"}}), ErrorCode::kNotFound);
}

TEST(MakePipeline, RefusesWhatIsNotThereYetByName) {
  const auto why = [](IngestArguments arguments) {
    const auto pipeline = MakePipeline(arguments);
    EXPECT_FALSE(pipeline.ok());
    if (pipeline.ok()) return std::string();
    EXPECT_EQ(pipeline.error().code, ErrorCode::kUnsupported);
    return pipeline.error().message;
  };
  IngestArguments arguments = Basic();
  arguments.mode = "upsert";
  EXPECT_NE(why(arguments).find("--mode append or overwrite"), std::string::npos);
  arguments = Basic();
  arguments.key = {"id"};
  EXPECT_NE(why(arguments).find("--key"), std::string::npos);
  arguments = Basic();
  arguments.order_by = "ts";
  EXPECT_NE(why(arguments).find("--order-by"), std::string::npos);
  arguments = Basic();
  arguments.contract = "quarantine";
  EXPECT_NE(why(arguments).find("freeze"), std::string::npos);
  arguments = Basic();
  arguments.max_bad = "5";
  EXPECT_NE(why(arguments).find("--max-bad 0"), std::string::npos);
}

TEST(MakePipeline, NamesTheNearestValue) {
  IngestArguments arguments = Basic();
  arguments.mode = "overwirte";
  const auto pipeline = MakePipeline(arguments);
  EXPECT_ERROR(pipeline, ErrorCode::kInvalid);
  EXPECT_NE(pipeline.error().message.find("did you mean 'overwrite'"), std::string::npos);
  arguments = Basic();
  arguments.properties = {"novalue"};
  EXPECT_ERROR(MakePipeline(arguments), ErrorCode::kInvalid);
  arguments = Basic();
  arguments.into = "";
  EXPECT_ERROR(MakePipeline(arguments), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn::cli
