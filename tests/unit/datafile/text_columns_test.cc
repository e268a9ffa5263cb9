#include "tarn/datafile/text_columns_internal.h"

#include <gtest/gtest.h>

#include <arrow/array.h>
#include <arrow/type.h>

#include "tarn/datafile/arrow_schema.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

TEST(TextColumnTest, CutsBackNestedValues) {
  const Type type = *ParseType("struct<s: string, l: array<bigint>>");
  ASSERT_OK_AND_ASSIGN(auto arrow_type, ToArrow(type));
  TextColumn column(type, arrow_type);
  for (int64_t row = 0; row < 20; ++row) {
    if (row == 13) {
      column.AppendNull();
      continue;
    }
    column.child(0).AppendBytes("row " + std::to_string(row));
    for (int64_t i = 0; i < row; ++i) column.child(1).child(0).AppendFixed(i);
    column.child(1).AppendList();
    column.AppendStruct();
  }
  // A row that was begun, and some before it.
  column.child(0).AppendBytes("half");
  column.child(1).child(0).AppendFixed(int64_t{7});
  column.Truncate(15);
  EXPECT_EQ(column.length(), 15);
  column.child(0).AppendBytes("new");
  column.child(1).AppendNull();
  column.AppendStruct();
  const auto array = arrow::MakeArray(column.Finish());
  ASSERT_TRUE(array->ValidateFull().ok()) << array->ValidateFull().ToString();
  EXPECT_EQ(array->length(), 16);
  EXPECT_EQ(array->null_count(), 1);
  EXPECT_TRUE(array->IsNull(13));
  EXPECT_EQ(column.length(), 0);
  // Used again.
  column.AppendNull();
  EXPECT_TRUE(arrow::MakeArray(column.Finish())->ValidateFull().ok());
}

TEST(TextColumnTest, EmptyColumnsAreValid) {
  for (const char* name : {"boolean", "int", "string", "array<int>", "map<string,int>", "void",
                           "struct<a: int>", "decimal(38,2)"}) {
    const Type type = *ParseType(name);
    ASSERT_OK_AND_ASSIGN(auto arrow_type, ToArrow(type));
    TextColumn column(type, arrow_type);
    EXPECT_TRUE(arrow::MakeArray(column.Finish())->ValidateFull().ok()) << name;
    for (int i = 0; i < 9; ++i) column.AppendNull();
    const auto array = arrow::MakeArray(column.Finish());
    EXPECT_TRUE(array->ValidateFull().ok()) << name;
    EXPECT_EQ(array->null_count(), 9) << name;
  }
}

}  // namespace
}  // namespace tarn
