#include "tarn/format/delta/stats_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tarn/format/delta/stats_reader.h"
#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

Schema MakeSchema(std::string_view ddl) {
  Result<Schema> schema = ParseColumns(ddl);
  EXPECT_OK(schema);
  return AssignFreshIds(*std::move(schema));
}

DataFile FileOf(std::vector<ColumnStatistics> statistics, int64_t rows = 3) {
  DataFile file;
  file.record_count = rows;
  file.statistics = std::move(statistics);
  return file;
}

ColumnStatistics Stats(int32_t id, Value lower, Value upper, int64_t nulls = 0) {
  ColumnStatistics statistics;
  statistics.field_id = id;
  statistics.null_count = nulls;
  statistics.lower = std::move(lower);
  statistics.upper = std::move(upper);
  return statistics;
}

std::string ToJson(const Schema& schema, const DataFile& file) {
  return StatsWriter(schema).ToJson(file).value_or("nothing");
}

TEST(StatsWriter, WritesCountsAndBounds) {
  const Schema schema = MakeSchema("a bigint, s string");
  EXPECT_EQ(ToJson(schema, FileOf({Stats(2, std::string("a\"b"), std::string("z"), 1),
                                   Stats(1, int64_t{-5}, int64_t{9007199254740993})})),
            R"({"numRecords":3,"minValues":{"a":-5,"s":"a\"b"},)"
            R"("maxValues":{"a":9007199254740993,"s":"z"},"nullCount":{"a":0,"s":1}})");
}

TEST(StatsWriter, NestsByNamesInDataFiles) {
  Schema schema = MakeSchema("a int, s struct<x: int, t: struct<y: int, z: int>, w: int>, b int");
  schema.fields[0].source_name = "col-1";
  std::vector<ColumnStatistics> statistics;
  ForEachField(schema, [&](const Field& field, const std::string&) {
    if (field.type.kind == TypeKind::kInt32) {
      statistics.push_back(Stats(field.id, int64_t{field.id}, int64_t{field.id}));
    }
  });
  const std::string json = ToJson(schema, FileOf(statistics));
  const std::string tree = R"({"col-1":1,"s":{"x":)" +
                           std::to_string(schema.FindByPath("s.x")->id) + R"(,"t":{"y":)" +
                           std::to_string(schema.FindByPath("s.t.y")->id) + R"(,"z":)" +
                           std::to_string(schema.FindByPath("s.t.z")->id) + R"(},"w":)" +
                           std::to_string(schema.FindByPath("s.w")->id) + R"(},"b":)" +
                           std::to_string(schema.FindByPath("b")->id) + "}";
  EXPECT_NE(json.find("\"minValues\":" + tree + ",\"maxValues\":" + tree), std::string::npos)
      << json;
}

TEST(StatsWriter, KeepsMicrosecondsAndDecimalsExactly) {
  const Schema schema = MakeSchema("t timestamp, n timestamp_ntz, d date, c decimal(38,2)");
  const Int128 big = static_cast<Int128>(1'100'000'000'000'000'000) * 1000 + 19;
  const std::string json =
      ToJson(schema, FileOf({Stats(1, int64_t{1786392293080758}, int64_t{1786392293080758}),
                             Stats(2, int64_t{-1}, int64_t{0}), Stats(3, int64_t{0}, int64_t{1}),
                             Stats(4, big, big)}));
  EXPECT_EQ(json,
            R"({"numRecords":3,"minValues":{"t":"2026-08-10T20:04:53.080758Z",)"
            R"("n":"1969-12-31T23:59:59.999999","d":"1970-01-01","c":11000000000000000000.19},)"
            R"("maxValues":{"t":"2026-08-10T20:04:53.080758Z","n":"1970-01-01T00:00:00",)"
            R"("d":"1970-01-02","c":11000000000000000000.19},)"
            R"("nullCount":{"t":0,"n":0,"d":0,"c":0}})");
}

TEST(StatsWriter, SpellsSmallDecimalsAsJsonWantsThem) {
  const Schema schema = MakeSchema("c decimal(20,3), i decimal(5,0)");
  EXPECT_EQ(
      ToJson(schema, FileOf({Stats(1, Int128{-5}, Int128{601}), Stats(2, Int128{0}, Int128{0})})),
      R"({"numRecords":3,"minValues":{"c":-0.005,"i":0},"maxValues":{"c":0.601,"i":0},)"
      R"("nullCount":{"c":0,"i":0}})");
}

TEST(StatsWriter, NeverTrustsAnUpperBoundThatNanMayPass) {
  const Schema schema = MakeSchema("x double");
  ColumnStatistics statistics = Stats(1, 1.0, 2.0);
  EXPECT_EQ(ToJson(schema, FileOf({statistics})),
            R"({"numRecords":3,"minValues":{"x":1.0},"nullCount":{"x":0}})");
  statistics.nan_count = 1;
  EXPECT_EQ(ToJson(schema, FileOf({statistics})),
            R"({"numRecords":3,"minValues":{"x":1.0},"nullCount":{"x":0},"nanCount":{"x":1}})");
  statistics.nan_count = 0;
  EXPECT_EQ(ToJson(schema, FileOf({statistics})),
            R"({"numRecords":3,"minValues":{"x":1.0},"maxValues":{"x":2.0},)"
            R"("nullCount":{"x":0},"nanCount":{"x":0}})");
}

TEST(StatsWriter, LeavesOutWhatJsonOrReadersCannotHold) {
  const Schema schema =
      MakeSchema("x double, f float, b boolean, r binary, s string, d date, l array<int>");
  const double infinity = std::numeric_limits<double>::infinity();
  ColumnStatistics x = Stats(1, -infinity, infinity);
  x.nan_count = 0;
  ColumnStatistics f = Stats(2, std::nan(""), std::nan(""));
  f.nan_count = 0;
  EXPECT_EQ(
      ToJson(schema,
             FileOf({x, f, Stats(3, true, true), Stats(4, std::string("\x01"), std::string("\x02")),
                     Stats(5, std::string("\xFF"), std::string("\xFE")),
                     Stats(6, int64_t{-800000}, int64_t{3000000}), Stats(7, Value(), Value(), 2)})),
      R"({"numRecords":3,"nullCount":{"x":0,"f":0,"b":0,"r":0,"s":0,"d":0,"l":2},)"
      R"("nanCount":{"x":0,"f":0}})");
}

TEST(StatsWriter, SpellsFloatsAsTheDoublesTheyAre) {
  const Schema schema = MakeSchema("f float");
  ColumnStatistics statistics = Stats(1, -0.0, static_cast<double>(0.1F));
  statistics.nan_count = 0;
  const std::string json = ToJson(schema, FileOf({statistics}));
  EXPECT_NE(json.find(R"("minValues":{"f":-0.0})"), std::string::npos) << json;
  EXPECT_NE(json.find(R"("maxValues":{"f":0.10000000149011612})"), std::string::npos) << json;
}

TEST(StatsWriter, SaysWhenBoundsAreWideAndWhenNothingIsKnown) {
  const Schema schema = MakeSchema("a int");
  DataFile file = FileOf({Stats(1, int64_t{1}, int64_t{2})});
  file.tight_bounds = false;
  EXPECT_TRUE(ToJson(schema, file).starts_with(R"({"numRecords":3,"tightBounds":false,)"));
  EXPECT_EQ(ToJson(schema, FileOf({}, -1)), "nothing");
  EXPECT_EQ(ToJson(schema, FileOf({}, 0)), R"({"numRecords":0})");
}

TEST(WithWideBounds, ChangesNothingElse) {
  EXPECT_EQ(WithWideBounds(R"({"numRecords":3,"minValues":{"c":1.10}})"),
            R"({"tightBounds":false,"numRecords":3,"minValues":{"c":1.10}})");
  EXPECT_EQ(WithWideBounds(R"({"numRecords":3, "tightBounds" : true ,"nullCount":{}})"),
            R"({"numRecords":3, "tightBounds" : false ,"nullCount":{}})");
  EXPECT_EQ(WithWideBounds(R"({"tightBounds":false})"), R"({"tightBounds":false})");
  EXPECT_EQ(WithWideBounds("{}"), R"({"tightBounds":false})");
  // Columns and values of that name are not meant.
  EXPECT_EQ(WithWideBounds(R"({"maxValues":{"tightBounds":true,"s":"\"tightBounds\":true"}})"),
            R"({"tightBounds":false,"maxValues":{"tightBounds":true,"s":"\"tightBounds\":true"}})");
  EXPECT_EQ(WithWideBounds("null"), "null");
  EXPECT_EQ(WithWideBounds("{\"a"), "{\"a");
  EXPECT_EQ(WithWideBounds(""), "");
}

TEST(StatsWriter, IsReadBackAsItWas) {
  const Schema schema = MakeSchema(
      "a bigint, x double, s string, t timestamp_ntz, c decimal(20,3), n struct<d: date>");
  ColumnStatistics x = Stats(2, -1.5, 1e300);
  x.nan_count = 0;
  const int32_t date = schema.FindByPath("n.d")->id;
  const DataFile file =
      FileOf({Stats(1, std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()), x,
              Stats(3, std::string("\n\x01"), std::string("é😀")), Stats(4, int64_t{1}, int64_t{7}),
              Stats(5, static_cast<Int128>(-1), static_cast<Int128>(12345)),
              Stats(date, int64_t{-1}, int64_t{20000}, 2)});
  const StatsFields fields = StatsFields::All(schema);
  FileStats stats;
  StatsReader(fields).Read(ToJson(schema, file), stats);
  EXPECT_EQ(stats.record_count, 3);
  const std::vector<ColumnStatistics> read = ToColumnStatistics(fields, stats);
  ASSERT_EQ(read.size(), file.statistics.size());
  for (size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].field_id, file.statistics[i].field_id);
    EXPECT_EQ(read[i].lower, file.statistics[i].lower) << read[i].field_id;
    EXPECT_EQ(read[i].upper, file.statistics[i].upper) << read[i].field_id;
    EXPECT_EQ(read[i].null_count, file.statistics[i].null_count);
    EXPECT_EQ(read[i].nan_count, file.statistics[i].nan_count);
  }
}

}  // namespace
}  // namespace tarn::delta
