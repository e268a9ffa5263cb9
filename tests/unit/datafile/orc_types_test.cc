#include "tarn/datafile/orc_types_internal.h"

#include <gtest/gtest.h>

#include <arrow/api.h>
#include <arrow/json/from_string.h>
#include <arrow/util/key_value_metadata.h>

#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::Col;

std::shared_ptr<arrow::Field> OrcField(const std::string& name,
                                       const std::shared_ptr<arrow::DataType>& type,
                                       std::vector<std::pair<std::string, std::string>> metadata) {
  std::vector<std::string> keys, values;
  for (auto& [key, value] : metadata) {
    keys.push_back(key);
    values.push_back(value);
  }
  return arrow::field(name, type, true, arrow::key_value_metadata(keys, values));
}

TEST(OrcTypesTest, AttributesSayWhatColumnsAre) {
  const auto element = OrcField("item", arrow::int64(), {{"iceberg.id", "8"}});
  const auto list = FromOrcField(
      *OrcField("l", arrow::list(element), {{"iceberg.id", "7"}, {"iceberg.required", "true"}}),
      "iceberg");
  EXPECT_FALSE(list->nullable());
  EXPECT_EQ(*list->metadata()->Get("PARQUET:field_id"), "7");
  EXPECT_EQ(list->type()->field(0)->name(), "element");
  EXPECT_EQ(*list->type()->field(0)->metadata()->Get("PARQUET:field_id"), "8");

  const auto type = [](const std::shared_ptr<arrow::DataType>& from, const char* key,
                       const char* value, const char* length = "") {
    return FromOrcField(*OrcField("f", from, {{key, value}, {"iceberg.length", length}}), "iceberg")
        ->type()
        ->ToString();
  };
  EXPECT_EQ(type(arrow::int64(), "iceberg.long-type", "TIME"), "time64[us]");
  EXPECT_EQ(type(arrow::int64(), "iceberg.long-type", "LONG"), "int64");
  EXPECT_EQ(type(arrow::binary(), "iceberg.binary-type", "UUID"), "fixed_size_binary[16]");
  EXPECT_EQ(type(arrow::binary(), "iceberg.binary-type", "FIXED", "4"), "fixed_size_binary[4]");
  EXPECT_EQ(type(arrow::binary(), "iceberg.binary-type", "FIXED", "x"), "binary");
  EXPECT_EQ(type(arrow::binary(), "iceberg.binary-type", "BINARY"), "binary");
}

TEST(OrcTypesTest, ValuesFollowAtEveryDepth) {
  const auto from = arrow::list(arrow::struct_({arrow::field("u", arrow::binary())}));
  const auto to = arrow::list(arrow::struct_({arrow::field("u", arrow::fixed_size_binary(2))}));
  const auto array = *arrow::json::ArrayFromJSONString(from, R"([[["ab"],[null]],null])");
  ASSERT_OK_AND_ASSIGN(const auto made, FromOrcArray(array, to));
  EXPECT_TRUE(made->Equals(**arrow::json::ArrayFromJSONString(to, R"([[["ab"],[null]],null])")));
  const auto wrong = *arrow::json::ArrayFromJSONString(from, R"([[["abc"]]])");
  EXPECT_ERROR(FromOrcArray(wrong, to), ErrorCode::kCorrupt);
  ASSERT_OK_AND_ASSIGN(const auto back, ToOrcArray(made, from));
  EXPECT_TRUE(back->Equals(*array));
}

TEST(OrcTypesTest, FieldsOfATableGetTheirAttributes) {
  const auto text = [](const std::shared_ptr<arrow::DataType>& arrow_type, const Field& field) {
    const auto made = ToOrcField(*arrow::field("f", arrow_type), field, "iceberg");
    std::string out = made->type()->ToString();
    for (int64_t i = 0; i < made->metadata()->size(); ++i) {
      out += " " + made->metadata()->key(i) + "=" + made->metadata()->value(i);
    }
    return out;
  };
  EXPECT_EQ(text(arrow::int64(), Col(3, "f", "bigint", true)),
            "int64 iceberg.id=3 iceberg.required=true iceberg.long-type=LONG");
  EXPECT_EQ(text(arrow::time64(arrow::TimeUnit::MICRO), Col(3, "f", "time")),
            "int64 iceberg.id=3 iceberg.required=false iceberg.long-type=TIME");
  EXPECT_EQ(text(arrow::fixed_size_binary(16), Col(3, "f", "uuid")),
            "binary iceberg.id=3 iceberg.required=false iceberg.binary-type=UUID");
  EXPECT_EQ(text(arrow::fixed_size_binary(5), Col(3, "f", "fixed(5)")),
            "binary iceberg.id=3 iceberg.required=false iceberg.binary-type=FIXED "
            "iceberg.length=5");
}

}  // namespace
}  // namespace tarn
