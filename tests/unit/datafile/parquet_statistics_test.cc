#include <gtest/gtest.h>

#include "tarn/datafile/parquet_statistics_internal.h"
#include "tests/support/arrow_rows.h"

namespace tarn {
namespace {

using testing::Col;
using testing::SchemaOf;

TEST(ParquetStatisticsTest, LeavesAreParquetsColumnsInOrder) {
  Schema schema =
      SchemaOf({Col(1, "a", "int"), Col(2, "s", "struct<x: int, l: array<struct<y: int>>>"),
                Col(3, "m", "map<string, double>")});
  schema.fields.insert(schema.fields.begin() + 1, Field{20, "void", Type::Of(TypeKind::kVoid)});
  const std::vector<Leaf> leaves = LeavesOf(schema);
  std::string text;
  for (const Leaf& leaf : leaves) {
    text += leaf.field->name + (leaf.repeated ? "*" : "") + ":";
    for (const int step : leaf.steps) text += std::to_string(step);
    text += " ";
  }
  EXPECT_EQ(text, "a:0 x:10 y*:1100 key*:20 value*:21 ");
}

}  // namespace
}  // namespace tarn
