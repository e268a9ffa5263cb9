#include "tarn/format/delta/type_change_check.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

Schema WithChanges(const std::string& changes) {
  Schema schema;
  schema.fields = {{.id = 1, .name = "a", .type = Type::Of(TypeKind::kInt64)}};
  schema.fields[0].annotations["delta.typeChanges"] = changes;
  return schema;
}

TEST(CheckTypeChanges, WideningsOnly) {
  EXPECT_OK(CheckTypeChanges(WithChanges(
      R"([{"fromType":"short","toType":"integer"},{"fromType":"integer","toType":"long"}])")));
  EXPECT_OK(CheckTypeChanges(WithChanges(
      R"x([{"fromType":"decimal(6,2)","toType":"decimal(10,4)","fieldPath":"element.value"}])x")));
  EXPECT_OK(CheckTypeChanges(WithChanges(R"([{"fromType":"date","toType":"timestamp_ntz"}])")));
  EXPECT_OK(CheckTypeChanges(WithChanges(R"x([{"fromType":"long","toType":"decimal(20,0)"}])x")));
  EXPECT_ERROR(CheckTypeChanges(WithChanges(R"([{"fromType":"long","toType":"integer"}])")),
               ErrorCode::kUnsupported);
  EXPECT_ERROR(CheckTypeChanges(WithChanges(R"([{"fromType":"integer","toType":"string"}])")),
               ErrorCode::kUnsupported);
}

TEST(CheckTypeChanges, ARecordThatCannotBeRead) {
  for (const char* text : {"{}", "[1]", R"([{"fromType":"long"}])", "garbage"}) {
    EXPECT_ERROR(CheckTypeChanges(WithChanges(text)), ErrorCode::kCorrupt);
  }
}

}  // namespace
}  // namespace tarn::delta
