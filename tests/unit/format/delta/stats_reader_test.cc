#include "tarn/format/delta/stats_reader.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

Schema TestSchema() {
  Result<Schema> schema = ParseColumns(
      "a bigint, f float, d double, n decimal(10,2), day date, at timestamp, local timestamp_ntz, "
      "s string, st struct<x: int, y: string>, l array<int>, b binary");
  EXPECT_OK(schema);
  return AssignFreshIds(*std::move(schema));
}

class StatsReaderTest : public ::testing::Test {
 protected:
  FileStats Read(std::string_view json) {
    FileStats stats;
    StatsReader reader(wanted_);
    reader.Read(json, stats);
    return stats;
  }
  const FieldStats& Of(const FileStats& stats, const std::string& path) {
    const int32_t id = schema_.FindByPath(path)->id;
    for (size_t i = 0; i < wanted_.fields().size(); ++i) {
      if (wanted_.fields()[i].id == id) return stats.fields[i];
    }
    ADD_FAILURE() << path;
    return stats.fields[0];
  }

  const Schema schema_ = TestSchema();
  const StatsFields wanted_ = StatsFields::All(schema_);
};

TEST_F(StatsReaderTest, EveryType) {
  const FileStats stats =
      Read(R"({"numRecords":10,"minValues":{"a":-5,"f":1.1,"d":0.5,"n":1.10,"day":"2026-01-01",)"
           R"("at":"2026-01-01T00:00:00.123Z","s":"aa","st":{"x":1,"y":"b"}},)"
           R"("maxValues":{"a":5,"n":"12.3","at":"2026-01-01T00:00:00.123456Z","st":{"x":9}},)"
           R"("nullCount":{"a":0,"st":{"x":2},"l":1},"nanCount":{"d":0}})");
  EXPECT_EQ(stats.record_count, 10);
  EXPECT_TRUE(Of(stats, "a").lower == Value(int64_t{-5}));
  EXPECT_TRUE(Of(stats, "a").upper == Value(int64_t{5}));
  EXPECT_EQ(Of(stats, "a").null_count, 0);
  EXPECT_TRUE(Of(stats, "f").lower == Value(double{1.1F})) << "the float that was printed";
  EXPECT_TRUE(Of(stats, "n").lower == Value(Int128{110}));
  EXPECT_TRUE(Of(stats, "n").upper == Value(Int128{1230}));
  EXPECT_TRUE(Of(stats, "day").lower == Value(int64_t{20'454}));
  EXPECT_EQ(Of(stats, "st.x").null_count, 2);
  EXPECT_TRUE(Of(stats, "st.x").upper == Value(int64_t{9}));
  EXPECT_TRUE(Of(stats, "st.y").lower == Value(std::string("b")));
  EXPECT_EQ(Of(stats, "d").nan_count, 0);
  EXPECT_TRUE(IsNull(Of(stats, "s").upper));
}

TEST_F(StatsReaderTest, MillisecondsAreWidened) {
  const FileStats stats = Read(
      R"({"minValues":{"at":"1969-12-31T23:59:59.500Z"},"maxValues":{"at":"2026-01-01T00:00:00.123Z",)"
      R"("local":"2026-01-01T00:00:00.123456"}})");
  const auto lower = std::get<int64_t>(Of(stats, "at").lower);
  EXPECT_EQ(lower, -500'000 - 999) << "cutting before 1970 may round up";
  EXPECT_EQ(std::get<int64_t>(Of(stats, "at").upper) % 1000, 999);
  EXPECT_EQ(std::get<int64_t>(Of(stats, "local").upper) % 1000, 456) << "microseconds are exact";
}

TEST_F(StatsReaderTest, WrongTypesAndNaNAreUnknown) {
  const FileStats stats =
      Read(R"({"numRecords":"ten","minValues":{"a":"1","f":"NaN","d":true,"day":5,"s":5,"n":1.234,)"
           R"("st":7,"b":"AA=="},"maxValues":[],"nullCount":{"a":-1,"s":"0","st":{"x":null}}})");
  EXPECT_EQ(stats.record_count, -1);
  for (const FieldStats& field : stats.fields) {
    EXPECT_TRUE(IsNull(field.lower));
    EXPECT_TRUE(IsNull(field.upper));
    EXPECT_EQ(field.null_count, -1);
  }
}

TEST_F(StatsReaderTest, NoJsonIsUnknown) {
  for (const char* text : {"", "{", "null", "[1]", R"({"numRecords":)", "\xff"}) {
    const FileStats stats = Read(text);
    EXPECT_EQ(stats.record_count, -1) << text;
  }
}

TEST_F(StatsReaderTest, WideBoundsSayLessAboutNulls) {
  const FileStats stats = Read(
      R"({"numRecords":10,"tightBounds":false,"nullCount":{"a":0,"s":3,"day":10},"minValues":{"a":1}})");
  EXPECT_FALSE(stats.tight);
  EXPECT_EQ(Of(stats, "a").null_count, 0);
  EXPECT_EQ(Of(stats, "s").null_count, -1);
  EXPECT_EQ(Of(stats, "day").null_count, 10);
}

TEST_F(StatsReaderTest, LeavesOutsideListsOnly) {
  for (const StatsFields::Field& field : wanted_.fields()) EXPECT_NE(field.path[0], "l");
  const StatsFields some(schema_, {schema_.FindByPath("st.x")->id, schema_.FindByPath("l")->id, 999,
                                   schema_.FindByPath("st.x")->id});
  ASSERT_EQ(some.fields().size(), 1U);
  EXPECT_EQ(some.fields()[0].path, (std::vector<std::string>{"st", "x"}));
}

TEST(StatsReader, FollowsPhysicalNames) {
  Schema schema;
  schema.fields = {{.id = 1, .name = "shown", .type = Type::Of(TypeKind::kInt32)}};
  schema.fields[0].source_name = "col-1";
  const StatsFields wanted = StatsFields::All(schema);
  StatsReader reader(wanted);
  FileStats stats;
  reader.Read(R"({"minValues":{"shown":1,"col-1":2}})", stats);
  EXPECT_TRUE(stats.fields[0].lower == Value(int64_t{2}));
}

TEST(ColumnStatistics, SayWhatMayBeCut) {
  const Type text = Type::Of(TypeKind::kString);
  EXPECT_FALSE(MayBeTruncated(text, Value(std::string(31, 'a'))));
  EXPECT_TRUE(MayBeTruncated(text, Value(std::string(32, 'a'))));
  std::string wide;
  for (int i = 0; i < 31; ++i) wide += "ü";
  EXPECT_FALSE(MayBeTruncated(text, Value(wide))) << "code points, not bytes";
}

}  // namespace
}  // namespace tarn::delta
