#include "tarn/cli/print/text_table.h"

#include <gtest/gtest.h>

#include "tarn/base/text.h"
#include "tarn/cli/print/display_width.h"

namespace tarn::cli {
namespace {

TEST(BoxedTable, DrawsLines) {
  EXPECT_EQ(BoxedTable({{"id", Align::kRight}, {"name"}}, {{"1", "a"}, {"10", "é\n"}}, 0),
            "┌────┬──────┐\n"
            "│ id │ name │\n"
            "├────┼──────┤\n"
            "│  1 │ a    │\n"
            "│ 10 │ é\\n  │\n"
            "└────┴──────┘\n");
}

TEST(BoxedTable, FitsTheTerminal) {
  const std::string long_text(100, 'x');
  std::string text = BoxedTable({{"a"}, {"b"}}, {{long_text, long_text}}, 40);
  for (const std::string& line : Split(text, '\n')) EXPECT_LE(DisplayWidth(line), 40u) << line;
  EXPECT_NE(text.find("…"), std::string::npos);
  std::vector<TextColumn> many(20, TextColumn{"column_name"});
  text = BoxedTable(many, {std::vector<std::string>(20, "value")}, 60);
  for (const std::string& line : Split(text, '\n')) EXPECT_LE(DisplayWidth(line), 60u) << line;
  EXPECT_NE(text.find("more columns"), std::string::npos);
}

TEST(PlainTable, AlignsAndTrims) {
  EXPECT_EQ(PlainTable({{"n", Align::kRight}, {"text"}}, {{"10", "a"}, {"2", ""}}),
            " n  text\n10  a\n 2\n");
}

}  // namespace
}  // namespace tarn::cli
