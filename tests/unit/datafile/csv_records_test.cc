#include "tarn/datafile/csv_records_internal.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tarn {
namespace {

std::vector<std::string> Records(std::string_view text, char delimiter = ',') {
  CsvRecords records(text, delimiter);
  std::vector<std::string> all;
  std::string scratch;
  while (records.Next()) {
    std::string line = std::to_string(records.line()) + ":";
    if (records.problem() != nullptr) {
      line += std::string(" ") + records.problem();
    } else {
      for (const CsvField& field : records.fields()) {
        line += "[" + (field.IsNull() ? "NULL" : std::string(CsvText(field, &scratch))) + "]";
      }
    }
    all.push_back(line);
  }
  return all;
}

using Lines = std::vector<std::string>;

TEST(CsvRecordsTest, ReadsQuotesAndLineEnds) {
  EXPECT_EQ(
      Records("a,b\r\n1,\"x, \"\"y\"\"\"\n\n,\"\"\n\"two\nlines\",z\r\nlast,"),
      (Lines{"0:[a][b]", "1:[1][x, \"y\"]", "3:[NULL][]", "4:[two\nlines][z]", "6:[last][NULL]"}));
  EXPECT_EQ(Records("a;b,c\n", ';'), Lines{"0:[a][b,c]"});
  EXPECT_EQ(Records(""), Lines{});
  EXPECT_EQ(Records("\n\r\n"), Lines{});
  EXPECT_EQ(Records("a\r\n"), Lines{"0:[a]"});
  EXPECT_EQ(Records("\"a\"\r"), Lines{"0:[a]"});
}

TEST(CsvRecordsTest, SaysWhatIsWrongAndGoesOn) {
  EXPECT_EQ(Records("a\"b,c\n1,2\n"),
            (Lines{"0: a quote within a field that does not begin with one", "1:[1][2]"}));
  EXPECT_EQ(Records("\"a\"b,c\n1,2\n"), (Lines{"0: text behind a closing quote", "1:[1][2]"}));
  EXPECT_EQ(Records("1,2\n\"open,\n3\n"), (Lines{"0:[1][2]", "1: a quote is not closed"}));
}

}  // namespace
}  // namespace tarn
