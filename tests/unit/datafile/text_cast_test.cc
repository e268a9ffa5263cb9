#include "tarn/datafile/text_cast.h"

#include <gtest/gtest.h>

#include <arrow/array.h>
#include <arrow/builder.h>

#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

TEST(ParseTextsTest, KeepsNullsAndNamesFailures) {
  arrow::StringBuilder builder;
  for (const char* text : {"1.50", "2", "0.005", "x"}) ASSERT_TRUE(builder.Append(text).ok());
  ASSERT_TRUE(builder.AppendNull().ok());
  std::shared_ptr<arrow::StringArray> texts;
  ASSERT_TRUE(builder.Finish(&texts).ok());
  ASSERT_OK_AND_ASSIGN(const ParsedColumn parsed, ParseTexts(*texts, Type::Decimal(5, 2)));
  EXPECT_EQ(parsed.array->length(), 5);
  EXPECT_EQ(testing::CellText(*parsed.array, 0), "1.50");
  EXPECT_EQ(testing::CellText(*parsed.array, 1), "2.00");
  EXPECT_EQ(testing::CellText(*parsed.array, 4), "NULL");
  ASSERT_EQ(parsed.failures.size(), 2u);
  EXPECT_EQ(parsed.failures[0].row, 2);
  EXPECT_EQ(parsed.failures[0].reason,
            "expected decimal(5,2), got 0.005: too many fraction digits");
  EXPECT_EQ(parsed.failures[1].reason, "expected decimal(5,2), got string \"x\"");
}

}  // namespace
}  // namespace tarn
