#include "tarn/ingest/transform/partition_from.h"

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

class PartitionFromTest : public testing::TransformFixture {
 protected:
  std::string DayOf(const std::string& time, std::map<std::string, std::string> options = {}) {
    options["column"] = "t";
    const Lines lines = Run("t timestamp", "[[\"" + time + "\"]]",
                            {{.kind = "partition_from", .options = options}});
    return lines.size() < 2 ? lines[0] : lines[1].substr(lines[1].rfind('|') + 1);
  }
};

TEST_F(PartitionFromTest, CountsDaysInUtcOrAZone) {
  EXPECT_EQ(DayOf("2026-01-01 23:59:59.999999Z"), "2026-01-01");
  EXPECT_EQ(DayOf("1969-12-31 23:59:59.999999Z"), "1969-12-31");
  EXPECT_EQ(DayOf("2026-01-01 18:30:00Z", {{"zone", "Asia/Kolkata"}}), "2026-01-02");
  EXPECT_EQ(DayOf("2026-01-01 18:29:59Z", {{"zone", "Asia/Kolkata"}}), "2026-01-01");
  EXPECT_EQ(DayOf("2026-07-01 03:59:59Z", {{"zone", "America/New_York"}}), "2026-06-30");
}

TEST_F(PartitionFromTest, SaysWhatIsWrong) {
  EXPECT_EQ(DayOf("2026-01-01 00:00:00Z", {{"zone", "Mars/Olympus"}}),
            "error: partition_from: no time zone 'Mars/Olympus'");
  EXPECT_EQ(Run("t string", "[]", {{.kind = "partition_from", .options = {{"column", "t"}}}}),
            Lines{"error: partition_from: column 't' is string, not a timestamp; cast it first"});
  EXPECT_EQ(Run("t timestamp, date date", "[]",
                {{.kind = "partition_from", .options = {{"column", "t"}}}}),
            Lines{"error: partition_from: column 'date' exists"});
  EXPECT_EQ(Run("t timestamp", "[]", {{.kind = "partition_from"}}),
            Lines{"error: partition_from: needs 'column', the timestamp to take days from"});
}

}  // namespace
}  // namespace tarn
