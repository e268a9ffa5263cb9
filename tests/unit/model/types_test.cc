#include "tarn/model/types.h"

#include <gtest/gtest.h>

namespace tarn {
namespace {

TEST(TypesTest, ChildrenOfNestedTypesHaveTheirFixedNames) {
  const Type list = Type::List({.name = "whatever", .type = Type::Of(TypeKind::kInt64)});
  ASSERT_EQ(list.fields.size(), 1u);
  EXPECT_EQ(list.fields[0].name, "element");
  EXPECT_FALSE(list.fields[0].required);

  const Type map = Type::Map({.type = Type::Of(TypeKind::kString)},
                             {.type = Type::Of(TypeKind::kDate), .required = true});
  ASSERT_EQ(map.fields.size(), 2u);
  EXPECT_EQ(map.fields[0].name, "key");
  EXPECT_TRUE(map.fields[0].required);
  EXPECT_EQ(map.fields[1].name, "value");
  EXPECT_TRUE(map.fields[1].required);
}

TEST(TypesTest, EqualityLooksAtEveryPart) {
  EXPECT_EQ(Type::Decimal(10, 2), Type::Decimal(10, 2));
  EXPECT_NE(Type::Decimal(10, 2), Type::Decimal(10, 3));
  EXPECT_NE(Type::Decimal(10, 2), Type::Decimal(11, 2));
  EXPECT_NE(Type::Fixed(4), Type::Fixed(5));
  const Field a{.id = 1, .name = "a", .type = Type::Of(TypeKind::kInt32)};
  Field other_id = a;
  other_id.id = 2;
  EXPECT_EQ(Type::Struct({a}), Type::Struct({a}));
  EXPECT_NE(Type::Struct({a}), Type::Struct({other_id}));
}

TEST(TypesTest, KindsFallIntoTheirGroups) {
  EXPECT_TRUE(Type::Of(TypeKind::kMap).IsNested());
  EXPECT_FALSE(Type::Of(TypeKind::kString).IsNested());
  EXPECT_TRUE(Type::Of(TypeKind::kInt8).IsInteger());
  EXPECT_FALSE(Type::Of(TypeKind::kBoolean).IsInteger());
  EXPECT_TRUE(Type::Of(TypeKind::kTimestampTzNs).IsTimestamp());
  EXPECT_FALSE(Type::Of(TypeKind::kDate).IsTimestamp());
  EXPECT_TRUE(Type::Of(TypeKind::kFloat).IsFloating());
}

}  // namespace
}  // namespace tarn
