#include "tarn/format/delta/operations.h"

#include <gtest/gtest.h>

namespace tarn::delta {
namespace {

TEST(OperationName, EveryKindIsReadBackAsItself) {
  using enum OperationKind;
  for (const OperationKind kind : {kCreate, kReplace, kAppend, kOverwrite, kDelete, kUpdate,
                                   kRewrite, kAlter, kRestore, kOther}) {
    Operation operation;
    operation.kind = kind;
    EXPECT_EQ(OperationKindOf(OperationName(operation), OperationParameters(operation)), kind)
        << OperationName(operation);
  }
}

TEST(OperationName, KeepsANameThatWasGiven) {
  Operation operation;
  operation.kind = OperationKind::kAlter;
  operation.name = "RENAME COLUMN";
  EXPECT_EQ(OperationName(operation), "RENAME COLUMN");
  EXPECT_EQ(OperationKindOf("RENAME COLUMN", {}), OperationKind::kAlter);
}

TEST(OperationKindOf, KnowsWhatPeersCallThings) {
  EXPECT_EQ(OperationKindOf("WRITE", {{"mode", "Overwrite"}}), OperationKind::kOverwrite);
  EXPECT_EQ(OperationKindOf("WRITE", {{"mode", "ErrorIfExists"}}), OperationKind::kAppend);
  EXPECT_EQ(OperationKindOf("STREAMING UPDATE", {{"outputMode", "Append"}}),
            OperationKind::kAppend);
  EXPECT_EQ(OperationKindOf("STREAMING UPDATE", {{"outputMode", "Complete"}}),
            OperationKind::kOverwrite);
  EXPECT_EQ(OperationKindOf("MERGE", {}), OperationKind::kUpdate);
  EXPECT_EQ(OperationKindOf("VACUUM END", {}), OperationKind::kOther);
}

TEST(OperationParameters, KeepsAModeThatWasGiven) {
  Operation operation;
  operation.kind = OperationKind::kAppend;
  operation.parameters = {{"mode", "ErrorIfExists"}, {"predicate", "x"}};
  EXPECT_EQ(OperationParameters(operation).at("mode"), "ErrorIfExists");
  EXPECT_EQ(OperationParameters(operation).at("predicate"), "x");
}

}  // namespace
}  // namespace tarn::delta
