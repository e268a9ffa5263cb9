#include "tarn/model/types.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(TypeTextTest, TextRoundTrips) {
  for (const char* text : {"boolean",
                           "int8",
                           "int16",
                           "int32",
                           "int64",
                           "float",
                           "double",
                           "decimal(38,10)",
                           "date",
                           "time",
                           "timestamp_ntz",
                           "timestamp",
                           "timestamp_ns",
                           "timestamptz_ns",
                           "string",
                           "binary",
                           "fixed(16)",
                           "uuid",
                           "variant",
                           "void",
                           "list<int32>",
                           "list<string not null>",
                           "map<string, list<int64>>",
                           "struct<a: int32 not null, `b c`: struct<d: date>>",
                           "struct<>"}) {
    Result<Type> type = ParseType(text);
    ASSERT_TRUE(type.ok()) << type.error().message;
    const std::string printed = TypeToText(*type);
    Result<Type> again = ParseType(printed);
    ASSERT_TRUE(again.ok()) << printed;
    EXPECT_TRUE(*type == *again) << text << " printed as " << printed;
  }
}

TEST(TypeTextTest, SpellingsOfOtherEngines) {
  EXPECT_EQ(TypeToText(*ParseType("BIGINT")), "int64");
  EXPECT_EQ(TypeToText(*ParseType("ARRAY<STRUCT<a:INT,b:STRING>>")),
            "list<struct<a: int32, b: string>>");
  EXPECT_EQ(TypeToText(*ParseType("VARCHAR(20)")), "string");
  EXPECT_EQ(TypeToText(*ParseType("INTEGER[]")), "list<int32>");
  EXPECT_EQ(TypeToText(*ParseType("DOUBLE PRECISION")), "double");
  EXPECT_EQ(TypeToText(*ParseType("TIMESTAMP WITH TIME ZONE")), "timestamp");
  EXPECT_EQ(TypeToText(*ParseType("timestamp without time zone")), "timestamp_ntz");
  EXPECT_EQ(TypeToText(*ParseType("NUMERIC(5)")), "decimal(5,0)");
}

TEST(TypeTextTest, MistakesAreNamed) {
  const auto message = [](const char* text) { return ParseType(text).error().message; };
  EXPECT_NE(message("intt").find("did you mean 'int"), std::string::npos) << message("intt");
  EXPECT_NE(message("decimal(39,0)").find("1 to 38"), std::string::npos);
  EXPECT_NE(message("list<int").find("'>'"), std::string::npos);
  EXPECT_FALSE(ParseType("int int").ok());
  EXPECT_FALSE(ParseType("").ok());
  EXPECT_FALSE(ParseType("struct<a: int").ok());
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "list<";
  EXPECT_FALSE(ParseType(deep).ok());
}

}  // namespace
}  // namespace tarn
