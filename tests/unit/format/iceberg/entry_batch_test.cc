#include "tarn/format/iceberg/entry_batch.h"

#include <gtest/gtest.h>

namespace tarn::iceberg {
namespace {

TEST(EntryBatchTest, FieldsThatMayHaveBounds) {
  Schema schema;
  schema.fields = {
      {.id = 7, .name = "a", .type = Type::Of(TypeKind::kInt32)},
      {.id = 1,
       .name = "s",
       .type = Type::Struct({{.id = 2, .name = "x", .type = Type::Of(TypeKind::kString)}})},
      {.id = 3,
       .name = "l",
       .type = Type::List({.id = 4, .name = "element", .type = Type::Of(TypeKind::kInt32)})},
      {.id = 5, .name = "v", .type = Type::Of(TypeKind::kVariant)}};
  EXPECT_EQ(BoundedFields(schema), (std::vector<int32_t>{2, 7}));
}

}  // namespace
}  // namespace tarn::iceberg
