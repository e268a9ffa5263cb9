#include "tarn/datafile/conform_stream_internal.h"

#include <gtest/gtest.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::RowsText;
using testing::SchemaOf;
using Rows = std::vector<std::string>;

std::unique_ptr<BatchStream> Source() {
  const Schema schema = SchemaOf({Col(1, "a", "int"), Col(2, "b", "string")});
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches = {
      BatchOf(schema, R"([[1,"x"],[2,"y"]])"), BatchOf(schema, R"([[3,null]])")};
  return std::make_unique<testing::VectorStream>(std::move(batches));
}

TEST(ConformStreamTest, FindsWidensAndFills) {
  Field fresh = Col(9, "fresh", "int");
  fresh.initial_default = Value(int64_t{5});
  const FileReadOptions options{
      .schema = {.fields = {fresh, Col(1, "renamed", "bigint"), Col(8, "gone", "string")}},
      .match = ColumnMatch::kById};
  ASSERT_OK_AND_ASSIGN(auto stream, MakeConformStream(Source(), options));
  EXPECT_EQ(RowsText(*stream), (Rows{"5|1|NULL", "5|2|NULL", "5|3|NULL"}));
}

TEST(ConformStreamTest, RowsAreCountedOverBatches) {
  RowSet skipped;
  skipped.Add(0);
  skipped.Add(2);
  FileReadOptions options{
      .schema = {.fields = {Col(0, "B", "string")}}, .skip_rows = &skipped, .row_positions = true};
  ASSERT_OK_AND_ASSIGN(auto stream, MakeConformStream(Source(), options));
  EXPECT_EQ(stream->schema()->ToString(), "B: string\n_pos: int64 not null");
  EXPECT_EQ(RowsText(*stream), Rows{"y|1"});
}

TEST(ConformStreamTest, NamesTheColumnThatDoesNotFit) {
  ASSERT_OK_AND_ASSIGN(auto stream,
                       MakeConformStream(Source(), {.schema = {.fields = {Col(0, "b", "int")}}}));
  EXPECT_EQ(RowsText(*stream), Rows{"error: column 'b': expected int32, got string"});
}

}  // namespace
}  // namespace tarn
