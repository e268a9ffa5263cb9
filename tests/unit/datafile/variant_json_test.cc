#include <gtest/gtest.h>

#include <cstdlib>

#include <arrow/api.h>

#include "tarn/datafile/file_format.h"
#include "tarn/datafile/variant_json.h"
#include "tarn/storage/local.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/rows_text.h"

namespace tarn {
namespace {

using testing::RowsText;

// Metadata with the keys "a", "b" (one-byte offsets).
const std::string kKeys(
    "\x01\x02\x00\x01\x02"
    "ab",
    7);

std::string Json(const std::string& value, const std::string& metadata = kKeys) {
  arrow::BinaryBuilder metadata_builder, value_builder;
  EXPECT_TRUE(metadata_builder.Append(metadata).ok());
  EXPECT_TRUE(value_builder.Append(value).ok());
  const auto variant =
      *arrow::StructArray::Make({*metadata_builder.Finish(), *value_builder.Finish()},
                                std::vector<std::string>{"metadata", "value"});
  const auto json = VariantToJson(*variant, "v");
  if (!json.ok()) return "error: " + json.error().message;
  return std::string(static_cast<const arrow::StringArray&>(**json).GetView(0));
}

std::string Raw(std::initializer_list<int> bytes) {
  std::string text;
  for (const int byte : bytes) text += static_cast<char>(byte);
  return text;
}

TEST(VariantJsonTest, Primitives) {
  EXPECT_EQ(Json(Raw({0 << 2})), "null");
  EXPECT_EQ(Json(Raw({1 << 2})), "true");
  EXPECT_EQ(Json(Raw({3 << 2, 0xFF})), "-1");
  EXPECT_EQ(Json(Raw({6 << 2, 0, 0, 0, 0, 0, 0, 0, 0x80})), "-9223372036854775808");
  EXPECT_EQ(Json(Raw({7 << 2, 0, 0, 0, 0, 0, 0, 0xF8, 0x3F})), "1.5");
  EXPECT_EQ(Json(Raw({8 << 2, 2, 0x39, 0x30, 0, 0})), "123.45");
  EXPECT_EQ(Json(Raw({11 << 2, 1, 0, 0, 0})), "\"1970-01-02\"");
  EXPECT_EQ(Json(Raw({(3 << 2) | 1, 'h', '"', '\n'})), "\"h\\\"\\n\"");
  EXPECT_EQ(Json(Raw({16 << 2, 2, 0, 0, 0, 'h', 'i'})), "\"hi\"");
}

TEST(VariantJsonTest, ObjectsAndArrays) {
  // {"a": 1, "b": [true, null]}
  EXPECT_EQ(Json(Raw({2, 2, 0, 1, 0, 2, 9, 3 << 2, 1, 3, 2, 0, 1, 2, 1 << 2, 0})),
            R"({"a":1,"b":[true,null]})");
  EXPECT_EQ(Json(Raw({2, 0, 0})), "{}");
  EXPECT_EQ(Json(Raw({3, 0, 0})), "[]");
}

TEST(VariantJsonTest, DamageNamesTheRow) {
  for (const std::string& value :
       {std::string(), Raw({6 << 2, 1}), Raw({2, 9, 9, 9}), Raw({63 << 2}), Raw({2, 1, 7, 0, 1, 0}),
        Raw({16 << 2, 255, 255, 255, 127})}) {
    EXPECT_EQ(Json(value), "error: column 'v': row 0 holds a damaged variant value");
  }
  EXPECT_EQ(Json(Raw({0}), ""), "error: column 'v': row 0 holds a damaged variant value");
}

TEST(VariantJsonTest, ShreddedAndPlainTablesOfSpark) {
  const char* shared = std::getenv("TARN_SHARED");
  if (shared == nullptr) GTEST_SKIP() << "TARN_SHARED is not set";
  testing::FakeRuntime fake;
  const auto format = MakeParquetFormat(fake.runtime);
  for (const char* name :
       {"drs-spark-variant-checkpoint", "kjava-spark-shredded-variant-preview-delta"}) {
    ASSERT_OK_AND_ASSIGN(
        const auto local,
        MakeLocalStorage(std::string(shared) + "/fixtures/delta/" + name + "/table",
                         CreateRoot::kNo));
    ASSERT_OK_AND_ASSIGN(const auto files,
                         local->List(Path(), Path(), 100, Storage::Depth::kShallow));
    Schema schema = testing::SchemaOf({testing::Col(1, "id", "bigint")});
    schema.fields.push_back({2, "v", Type::Of(TypeKind::kVariant)});
    schema.fields.push_back(
        {3, "array_of_variants", Type::List({4, "element", Type::Of(TypeKind::kVariant)})});
    int rows = 0, with_key = 0;
    for (const ObjectInfo& info : files) {
      if (!info.path.str().ends_with(".parquet")) continue;
      const auto text = RowsText(testing::ReadFile(*format, *local, info.path, {.schema = schema}));
      for (const std::string& row : text) {
        ASSERT_FALSE(row.starts_with("error:")) << row;
        // Spark wrote {"key": id} in every row but the last two.
        const std::string id = row.substr(0, row.find('|'));
        if (row.find("{\"key\":" + id + "}") != std::string::npos) ++with_key;
        ++rows;
      }
    }
    EXPECT_EQ(rows, 102);
    EXPECT_GE(with_key, 100);
  }
}

}  // namespace
}  // namespace tarn
