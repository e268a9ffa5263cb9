#include "tarn/ingest/transform/cast.h"

#include "tests/unit/ingest/transform/transform_fixture.h"

namespace tarn {
namespace {

using testing::Lines;

class CastTest : public testing::TransformFixture {
 protected:
  Lines To(const std::string& from, const std::string& rows, const std::string& to) {
    Lines lines = Run("a " + from, rows, {{.kind = "cast", .pairs = {{"a", to}}}});
    lines.erase(lines.begin());
    return lines;
  }
};

TEST_F(CastTest, IsExactOrBad) {
  EXPECT_EQ(To("string", R"([["1.5"],["2"],[null],["1.005"],["x"]])", "decimal(5,2)"),
            (Lines{"1.50", "2.00", "NULL",
                   "bad 3 a: expected decimal(5,2), got 1.005: too many fraction digits",
                   "bad 4 a: expected decimal(5,2), got string \"x\""}));
  EXPECT_EQ(To("double", "[[1.0],[1.5],[1e300]]", "bigint"),
            (Lines{"1", "bad 1 a: expected int64, got 1.5: not an integer",
                   "bad 2 a: expected int64, got 1e+300: out of range"}));
  EXPECT_EQ(To("bigint", "[[127],[128]]", "tinyint"),
            (Lines{"127", "bad 1 a: expected int8, got 128: out of range"}));
  EXPECT_EQ(To("bigint", "[[9007199254740993]]", "string"), Lines{"9007199254740993"});
  EXPECT_EQ(To("string", R"([["2026-01-01T10:00:00+01:00"]])", "timestamp").size(), 1u);
}

TEST_F(CastTest, ATimestampIsADayAtMidnightOnly) {
  EXPECT_EQ(
      To("timestamp", R"([["2026-01-02 00:00:00Z"],["2026-01-02 00:00:01Z"]])", "date"),
      (Lines{
          "2026-01-02",
          "bad 1 a: expected date, got string \"2026-01-02T00:00:01Z\": not a date YYYY-MM-DD"}));
}

TEST_F(CastTest, NestedTypesStay) {
  EXPECT_EQ(Run("a array<bigint>", "[]", {{.kind = "cast", .pairs = {{"a", "string"}}}}),
            Lines{"error: cast: column 'a': list<int64> cannot be cast to string"});
}

}  // namespace
}  // namespace tarn
