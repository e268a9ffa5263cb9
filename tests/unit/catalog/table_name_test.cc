#include <gtest/gtest.h>

#include "tarn/catalog/catalog.h"
#include "tests/support/matchers.h"

namespace tarn {
namespace {

TEST(TableName, ReadsAndWritesParts) {
  ASSERT_OK_AND_ASSIGN(const TableName name, TableName::Parse("a.\"b.c\".\"d\"\"e\""));
  EXPECT_EQ(name.namespaces, (std::vector<std::string>{"a", "b.c"}));
  EXPECT_EQ(name.table, "d\"e");
  EXPECT_EQ(name.ToText(), "a.\"b.c\".\"d\"\"e\"");
  ASSERT_OK_AND_ASSIGN(const TableName bare, TableName::Parse("t"));
  EXPECT_TRUE(bare.namespaces.empty());
  EXPECT_EQ(bare.ToText(), "t");
}

TEST(TableName, RefusesEmptyPartsAndOpenQuotes) {
  for (const char* text : {"", ".", "a.", ".a", "a..b", "\"a", "\"a\"b", "\"\""}) {
    EXPECT_ERROR(TableName::Parse(text), ErrorCode::kInvalid);
  }
}

TEST(Namespace, IsSpelledLikeAName) {
  EXPECT_EQ(NamespaceToText({"a", "b.c"}), "a.\"b.c\"");
  ASSERT_OK_AND_ASSIGN(const auto names, ParseNamespace("a.\"b.c\""));
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b.c"}));
}

}  // namespace
}  // namespace tarn
