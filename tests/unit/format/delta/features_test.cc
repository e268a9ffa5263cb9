#include "tarn/format/delta/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

using ::testing::HasSubstr;

TEST(CheckReadable, VersionsAndFeatures) {
  EXPECT_OK(CheckReadable({1, 2, {}, {}}));
  EXPECT_OK(CheckReadable({2, 5, {}, {}}));
  EXPECT_OK(CheckReadable({3, 7, {"deletionVectors", "timestampNtz"}, {}}));
  const Status unknown = CheckReadable({3, 7, {"deletionVectors", "blahabl", "geospatial"}, {}});
  EXPECT_ERROR(unknown, ErrorCode::kUnsupported);
  EXPECT_THAT(unknown.error().message, HasSubstr("'blahabl', 'geospatial'"));
  EXPECT_ERROR(CheckReadable({4, 7, {}, {}}), ErrorCode::kUnsupported);
  EXPECT_ERROR(CheckReadable({0, 2, {}, {}}), ErrorCode::kCorrupt);
}

TEST(ActiveColumnMapping, OnlyWhereTheProtocolLetsIt) {
  const std::map<std::string, std::string> by_name = {{"delta.columnMapping.mode", "name"}};
  EXPECT_EQ(*ActiveColumnMapping({2, 5, {}, {}}, by_name), ColumnMapping::kName);
  EXPECT_EQ(*ActiveColumnMapping({3, 7, {"columnMapping"}, {}}, by_name), ColumnMapping::kName);
  EXPECT_EQ(*ActiveColumnMapping({3, 7, {"deletionVectors"}, {}}, by_name), ColumnMapping::kNone);
  EXPECT_EQ(*ActiveColumnMapping({1, 2, {}, {}}, by_name), ColumnMapping::kNone);
  EXPECT_ERROR(ActiveColumnMapping({2, 5, {}, {}}, {{"delta.columnMapping.mode", "odd"}}),
               ErrorCode::kUnsupported);
}

TEST(InCommitTimestampsFrom, NeedsFeatureAndProperty) {
  const Protocol protocol{1, 7, {}, {"inCommitTimestamp"}};
  EXPECT_EQ(InCommitTimestampsFrom(protocol, {}), std::nullopt);
  EXPECT_EQ(InCommitTimestampsFrom(protocol, {{"delta.enableInCommitTimestamps", "true"}}), 0);
  EXPECT_EQ(InCommitTimestampsFrom(protocol, {{"delta.enableInCommitTimestamps", "true"},
                                              {"delta.inCommitTimestampEnablementVersion", "7"}}),
            7);
  EXPECT_EQ(InCommitTimestampsFrom({1, 2, {}, {}}, {{"delta.enableInCommitTimestamps", "true"}}),
            std::nullopt);
}

// docs/format/delta.md points here: the table is printed by the run, not typed.
TEST(ReaderFeatures, ArePrinted) {
  std::printf("Delta reader features (reader versions 1 to %d):\n", kReaderVersionMax);
  std::string_view previous;
  for (const ReaderFeature& feature : ReaderFeatures()) {
    std::printf("  %-26.*s %-8s %.*s\n", static_cast<int>(feature.name.size()), feature.name.data(),
                feature.read ? "read" : "refused", static_cast<int>(feature.remark.size()),
                feature.remark.data());
    EXPECT_LT(previous, feature.name);
    previous = feature.name;
  }
}

}  // namespace
}  // namespace tarn::delta
