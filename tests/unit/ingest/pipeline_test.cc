#include "tarn/ingest/pipeline.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn {
namespace {

std::string Refusal(const std::string& yaml) {
  const Result<Pipeline> pipeline = ParsePipeline(yaml, "p.yaml");
  return pipeline.ok() ? "ok" : pipeline.error().message;
}

TEST(ParsePipelineTest, ReadsAWholePipeline) {
  ASSERT_OK_AND_ASSIGN(const Pipeline pipeline, ParsePipeline(R"yaml(
source: {paths: [a/*.csv, b.csv], format: csv, delimiter: ;, header: false}
into: lake/events
partition_by: [date, city]
mode: overwrite_partitions
contract: freeze
schema: "id bigint, at timestamp"
infer: strings
column_mapping: name
commit_bytes: 16GB
properties: {delta.appendOnly: "true"}
transforms:
  - snake_case
  - flatten: {collisions: suffix}
  - select: [id, at]
  - rename: {ts: at}
  - cast: {price: "decimal(12,2)"}
  - filter: price > 0
  - compute: {total: price * 2, name: upper(name)}
  - partition_from: {column: at, into: date}
)yaml",
                                                              "p.yaml"));
  EXPECT_EQ(pipeline.paths, (std::vector<std::string>{"a/*.csv", "b.csv"}));
  EXPECT_EQ(pipeline.format, SourceFormat::kCsv);
  EXPECT_EQ(pipeline.csv_delimiter, ';');
  EXPECT_FALSE(pipeline.csv_header);
  EXPECT_EQ(pipeline.into, "lake/events");
  EXPECT_EQ(pipeline.partition_by, (std::vector<std::string>{"date", "city"}));
  EXPECT_EQ(pipeline.mode, IngestMode::kOverwritePartitions);
  EXPECT_EQ(pipeline.contract, SchemaContract::kFreeze);
  EXPECT_EQ(pipeline.schema_from, "id bigint, at timestamp");
  EXPECT_FALSE(pipeline.infer_times);
  EXPECT_EQ(pipeline.column_mapping, "name");
  EXPECT_EQ(pipeline.commit_bytes, int64_t{16} << 30);
  EXPECT_EQ(pipeline.properties.at("delta.appendOnly"), "true");
  ASSERT_EQ(pipeline.transforms.size(), 8u);
  EXPECT_EQ(pipeline.transforms[1].options.at("collisions"), "suffix");
  EXPECT_EQ(pipeline.transforms[2].names, (std::vector<std::string>{"id", "at"}));
  EXPECT_EQ(pipeline.transforms[4].pairs[0].second, "decimal(12,2)");
  EXPECT_EQ(pipeline.transforms[5].options.at("sql"), "price > 0");
  EXPECT_EQ(pipeline.transforms[6].pairs[1].first, "name");
  EXPECT_EQ(pipeline.transforms[7].place, "p.yaml:20");
}

TEST(ParsePipelineTest, AUsefulOneIsShort) {
  EXPECT_EQ(Refusal("source: events/*.jsonl\ninto: lake/events\n"), "ok");
}

TEST(ParsePipelineTest, EveryRefusalNamesItsLine) {
  EXPECT_EQ(Refusal("source: a\ninto: t\npartion_by: [x]\n"),
            "p.yaml:3: no key 'partion_by'; did you mean 'partition_by'?");
  EXPECT_EQ(Refusal("source: a\n"), "p.yaml:1: key 'into' is missing: which table to load into");
  EXPECT_EQ(Refusal("into: t\n"), "p.yaml:1: key 'source' is missing: which files to load");
  EXPECT_EQ(Refusal("source: a\ninto: t\ntransforms:\n  - select: [a]\n  - snakecase\n"),
            "p.yaml:5: no step 'snakecase'; did you mean 'snake_case'?");
  EXPECT_EQ(Refusal("source: a\ninto: t\nmode: apend\n"),
            "p.yaml:3: 'mode' cannot be 'apend'; did you mean 'append'?");
  EXPECT_EQ(Refusal("source: a\ninto: t\ninto: u\n"), "p.yaml:3: key 'into' stands twice");
  EXPECT_EQ(Refusal("source: a\ninto: t\ntransforms:\n  - cast: {p: decimal(12,2)}\n"),
            "p.yaml:4: 'cast': '2)' needs a text behind it; put one that has a comma in quotes, "
            "\"decimal(12,2)\"");
  EXPECT_EQ(Refusal("source: a\ninto: t\ncommit_bytes: many\n").substr(0, 9), "p.yaml:3:");
  EXPECT_EQ(Refusal("source: [a\n").substr(0, 7), "p.yaml:");
  EXPECT_EQ(Refusal("- a\n").substr(0, 9), "p.yaml:1:");
  EXPECT_EQ(Refusal("").substr(0, 7), "p.yaml:");
  EXPECT_EQ(Refusal("source: {path: a, delimiter: ab}\ninto: t\n").substr(0, 9), "p.yaml:1:");
}

}  // namespace
}  // namespace tarn
