#include <gtest/gtest.h>

#include "tarn/datafile/avro_plan_internal.h"
#include "tests/support/avro_bytes.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::AvroLong;
using testing::AvroText;

std::string Encoded(std::string_view schema, const std::string& json) {
  const auto bytes = EncodeAvroDefault(**ParseAvroSchema(schema), json);
  return bytes.ok() ? *bytes : "error: " + bytes.error().message;
}

TEST(AvroDefaultTest, EncodesByTheSchema) {
  EXPECT_EQ(Encoded("\"null\"", "null"), "");
  EXPECT_EQ(Encoded("\"boolean\"", "true"), "\x01");
  EXPECT_EQ(Encoded("\"int\"", "-5"), AvroLong(-5));
  EXPECT_EQ(Encoded("\"float\"", "1.5"), std::string("\x00\x00\xC0\x3F", 4));
  EXPECT_EQ(Encoded("\"double\"", "1"), std::string("\x00\x00\x00\x00\x00\x00\xF0\x3F", 8));
  EXPECT_EQ(Encoded("\"string\"", "\"\u00e9\""), AvroText("\u00e9"));
  // Bytes are code points: U+00FF is one byte.
  EXPECT_EQ(Encoded("\"bytes\"", "\"\\u00FF\\u0001\""), AvroText("\xFF\x01"));
  EXPECT_EQ(Encoded(R"({"type":"fixed","name":"f","size":2})", "\"ab\""), "ab");
  EXPECT_EQ(Encoded(R"({"type":"enum","name":"e","symbols":["A","B"]})", "\"B\""), AvroLong(1));
  EXPECT_EQ(Encoded(R"({"type":"array","items":"int"})", "[1,2]"),
            AvroLong(2) + AvroLong(1) + AvroLong(2) + AvroLong(0));
  EXPECT_EQ(Encoded(R"({"type":"array","items":"int"})", "[]"), AvroLong(0));
  EXPECT_EQ(Encoded(R"({"type":"map","values":"int"})", R"({"k":3})"),
            AvroLong(1) + AvroText("k") + AvroLong(3) + AvroLong(0));
  EXPECT_EQ(Encoded(R"({"type":"record","name":"r","fields":[{"name":"a","type":"int"},
                        {"name":"b","type":"int","default":7}]})",
                    R"({"a":1})"),
            AvroLong(1) + AvroLong(7));
  EXPECT_EQ(Encoded(R"(["null","int"])", "null"), AvroLong(0));
  EXPECT_EQ(Encoded(R"(["null","int"])", "4"), AvroLong(1) + AvroLong(4));
}

TEST(AvroDefaultTest, RefusesOtherValues) {
  EXPECT_EQ(Encoded("\"int\"", "3000000000"), "error: the default 3000000000 is no int");
  EXPECT_EQ(Encoded("\"int\"", "\"1\""), "error: the default \"1\" is no int");
  EXPECT_EQ(Encoded("\"bytes\"", "\"\u0100\""), "error: the default \"\u0100\" is no bytes");
  EXPECT_EQ(Encoded(R"({"type":"fixed","name":"f","size":2})", "\"a\""),
            "error: the default \"a\" is no fixed(2)");
  EXPECT_EQ(Encoded(R"(["null","int"])", "\"x\""),
            "error: the default \"x\" is no union[null, int]");
  EXPECT_EQ(Encoded("\"int\"", "{"), "error: the default '{' is no JSON");
}

}  // namespace
}  // namespace tarn
