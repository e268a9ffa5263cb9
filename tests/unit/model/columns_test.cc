#include "tarn/model/columns.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(ColumnsTest, EveryRepresentationKeepsItsValues) {
  const std::pair<const char*, Value> cases[] = {
      {"boolean", Value(true)},
      {"int8", Value(int64_t{-3})},
      {"double", Value(1.5)},
      {"float", Value(0.25)},
      {"decimal(38,2)", Value(Int128{1} << 100)},
      {"date", Value(int64_t{-1})},
      {"string", Value("é")},
      {"binary", Value(std::string("\0a", 2))},
      {"uuid", Value(std::string(16, 'u'))},
  };
  for (const auto& [type, value] : cases) {
    ValueColumn column = ValueColumn::Of(*ParseType(type));
    column.Append(value);
    column.Append({});
    column.Append(value);
    ASSERT_EQ(column.size(), 3u);
    EXPECT_EQ(column.Get(0), value) << type;
    EXPECT_TRUE(IsNull(column.Get(1))) << type;
    EXPECT_EQ(column.Get(2), value) << type;
  }
}

TEST(ColumnsTest, StringsEndToEnd) {
  StringColumn column;
  EXPECT_TRUE(column.empty());
  for (const char* text : {"", "a", "", "bcd"}) column.Append(text);
  EXPECT_EQ(column.size(), 4u);
  EXPECT_EQ(column[0], "");
  EXPECT_EQ(column[3], "bcd");
}

}  // namespace
}  // namespace tarn
