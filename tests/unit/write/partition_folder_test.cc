#include "tarn/write/partition_folder.h"

#include <gtest/gtest.h>

#include "tarn/base/path.h"
#include "tarn/base/text.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

using testing::Col;
using testing::SchemaOf;

TEST(PartitionFolderTest, EscapesAsHiveDoes) {
  EXPECT_EQ(EscapePartitionText("a/b"), "a%2Fb");
  EXPECT_EQ(EscapePartitionText("50%"), "50%25");
  EXPECT_EQ(EscapePartitionText("%2F"), "%252F");
  EXPECT_EQ(EscapePartitionText("a b+c&d"), "a b+c&d");
  EXPECT_EQ(EscapePartitionText("back\\slash"), "back%5Cslash");
  EXPECT_EQ(EscapePartitionText("10:00"), "10%3A00");
  EXPECT_EQ(EscapePartitionText("dot."), "dot%2E");
  EXPECT_EQ(EscapePartitionText(".."), ".%2E");
  EXPECT_EQ(EscapePartitionText("tab\tnul" + std::string(1, '\0')), "tab%09nul%00");
  EXPECT_EQ(EscapePartitionText("\xFF\xFE"), "%FF%FE");
  EXPECT_EQ(EscapePartitionText(""), "");
}

TEST(PartitionFolderTest, KeepsUtf8ByteForByte) {
  const std::string composed = "\xC3\xA9", decomposed = "e\xCC\x81";
  EXPECT_EQ(EscapePartitionText(composed), composed);
  EXPECT_EQ(EscapePartitionText(decomposed), decomposed);
  EXPECT_EQ(EscapePartitionText("😀"), "😀");
}

TEST(PartitionFolderTest, NamesEachField) {
  const Schema schema =
      SchemaOf({Col(1, "day", "date"), Col(2, "k=v", "string"), Col(3, "n", "int")});
  const PartitionSpec spec = *IdentitySpec(schema, {"day", "k=v", "n"});
  EXPECT_EQ(PartitionFolder(schema, spec, {Value(int64_t{0}), Value(std::string("x")), Value()}),
            "day=1970-01-01/k%3Dv=x/n=__HIVE_DEFAULT_PARTITION__");
}

TEST(PartitionFolderTest, LongValuesAreCutAndStayApart) {
  const Schema schema = SchemaOf({Col(1, "p", "string")});
  const PartitionSpec spec = *IdentitySpec(schema, {"p"});
  std::string umlauts, slashes(400, '/');
  for (int i = 0; i < 300; ++i) umlauts += "ü";
  for (const std::string& text : {umlauts, slashes, std::string(1000, 'x')}) {
    const std::string a = PartitionFolder(schema, spec, {Value(text + "1")});
    const std::string b = PartitionFolder(schema, spec, {Value(text + "2")});
    EXPECT_LE(a.size(), 200U);
    EXPECT_NE(a, b);
    EXPECT_TRUE(IsUtf8(a));
    const size_t dash = a.rfind('-');
    EXPECT_NE(a[dash - 1], '%');
    EXPECT_NE(a[dash - 2], '%');
    EXPECT_OK(Path::Make(a));
  }
}

}  // namespace
}  // namespace tarn
