#include "tarn/write/required_columns.h"

#include <gtest/gtest.h>

#include <arrow/api.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::BatchOf;
using testing::Col;
using testing::SchemaOf;

std::string Broken(const Schema& schema, const std::string& rows, int64_t first_row = 0) {
  const Status status = CheckRequired(*BatchOf(schema, rows), schema, first_row);
  return status.ok() ? "ok" : status.error().message;
}

TEST(RequiredColumnsTest, NamesColumnAndRow) {
  const Schema schema = SchemaOf({Col(1, "id", "int", true), Col(2, "s", "string")});
  EXPECT_EQ(Broken(schema, R"([[1, null], [2, "x"]])"), "ok");
  EXPECT_EQ(Broken(schema, R"([[1, null], [null, "x"]])", 1000),
            "column 'id' is NOT NULL, but row 1002 has no value for it");
}

TEST(RequiredColumnsTest, MembersOnlyWhereTheirParentIs) {
  const Schema schema = SchemaOf({Col(1, "s", "struct<x: int not null, y: string>")});
  EXPECT_EQ(Broken(schema, R"([[[1, null]], [null]])"), "ok");
  EXPECT_EQ(Broken(schema, R"([[null], [[null, "y"]]])"),
            "column 's.x' is NOT NULL, but row 2 has no value for it");
}

TEST(RequiredColumnsTest, ItemsOfLists) {
  Schema schema = SchemaOf({Col(1, "l", "array<struct<x: int not null>>")});
  EXPECT_EQ(Broken(schema, R"([[null], [[]], [[[1], null]]])"), "ok");
  EXPECT_EQ(Broken(schema, R"([[null], [[[1], [null]]]])"),
            "column 'l.element.x' is NOT NULL, but row 2 has no value for it");
  schema.fields[0].type.fields[0].required = true;
  const auto batch = BatchOf(SchemaOf({Col(1, "l", "array<struct<x: int>>")}), R"([[[null]]])");
  EXPECT_ERROR(CheckRequired(*batch, schema, 0), ErrorCode::kInvalid);
}

}  // namespace
}  // namespace tarn
