#include "tarn/format/delta/writer_features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

const WriterFeature& Feature(std::string_view name) { return *FindWriterFeature(name); }

TEST(WriterFeatures, AreSorted) {
  EXPECT_TRUE(std::is_sorted(WriterFeatures().begin(), WriterFeatures().end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  EXPECT_EQ(FindWriterFeature("nothingOfTheKind"), nullptr);
}

// docs/format/delta.md points here: the table is printed, so that it cannot differ from the code.
TEST(WriterFeatures, ArePrinted) {
  std::printf("Delta table features and what Tarn's writer does about them:\n");
  for (const WriterFeature& feature : WriterFeatures()) {
    const char* says = feature.support == WriteSupport::kHonoured ? "written"
                       : feature.support == WriteSupport::kHonouredUnused
                           ? "written while no column uses it"
                           : "refused";
    std::printf("  %-29s%s\n", std::string(feature.name).c_str(), says);
  }
  EXPECT_FALSE(WriterFeatures().empty());
}

TEST(Supports, KnowsWhatOldVersionsImply) {
  EXPECT_TRUE(Supports({1, 2, {}, {}}, "appendOnly"));
  EXPECT_FALSE(Supports({1, 2, {}, {}}, "checkConstraints"));
  EXPECT_TRUE(Supports({2, 5, {}, {}}, "columnMapping"));
  EXPECT_FALSE(Supports({1, 7, {}, {}}, "appendOnly"));
  EXPECT_TRUE(Supports({1, 7, {}, {"appendOnly"}}, "appendOnly"));
}

TEST(WithFeature, RaisesOldVersionsWhileThatSuffices) {
  EXPECT_EQ(WithFeature({1, 2, {}, {}}, Feature("appendOnly")), (Protocol{1, 2, {}, {}}));
  EXPECT_EQ(WithFeature({1, 2, {}, {}}, Feature("checkConstraints")), (Protocol{1, 3, {}, {}}));
  EXPECT_EQ(WithFeature({1, 2, {}, {}}, Feature("columnMapping")), (Protocol{2, 5, {}, {}}));
}

TEST(WithFeature, ListsWhatTheOldVersionsImplied) {
  EXPECT_EQ(
      WithFeature({1, 3, {}, {}}, Feature("inCommitTimestamp")),
      (Protocol{1, 7, {}, {"appendOnly", "checkConstraints", "invariants", "inCommitTimestamp"}}));
}

TEST(WithFeature, ListsReaderFeaturesForBoth) {
  const Protocol protocol = WithFeature({2, 5, {}, {}}, Feature("timestampNtz"));
  EXPECT_EQ(protocol.min_reader_version, 3);
  EXPECT_EQ(protocol.min_writer_version, 7);
  EXPECT_EQ(protocol.reader_features, (std::vector<std::string>{"columnMapping", "timestampNtz"}));
  EXPECT_TRUE(Supports(protocol, "columnMapping"));
  EXPECT_TRUE(Supports(protocol, "generatedColumns"));
  EXPECT_EQ(WithFeature(protocol, Feature("timestampNtz")), protocol);
}

TableMetadata TableOf(int32_t reader, int32_t writer, std::vector<std::string> features) {
  TableMetadata metadata;
  metadata.reader_version = reader;
  metadata.writer_version = writer;
  metadata.writer_features = std::move(features);
  Field field;
  field.id = 1;
  field.name = "a";
  field.type = Type::Of(TypeKind::kInt32);
  metadata.schema.fields = {field};
  return metadata;
}

TEST(CheckWritable, RefusesByName) {
  EXPECT_OK(CheckWritable(TableOf(1, 2, {})));
  EXPECT_OK(CheckWritable(TableOf(1, 6, {})));
  EXPECT_OK(CheckWritable(TableOf(3, 7, {"deletionVectors", "generatedColumns", "invariants"})));
  for (const char* name : {"rowTracking", "icebergCompatV2", "clustering", "collations",
                           "variantType", "catalogManaged", "somethingNew"}) {
    const Status status = CheckWritable(TableOf(3, 7, {"appendOnly", name}));
    EXPECT_ERROR(status, ErrorCode::kUnsupported);
    EXPECT_NE(status.error().message.find(name), std::string::npos) << status.error().message;
  }
  EXPECT_ERROR(CheckWritable(TableOf(4, 8, {})), ErrorCode::kUnsupported);
}

TEST(CheckWritable, RefusesColumnsThatUseWhatTarnLacks) {
  for (const char* key : {"delta.generationExpression", "delta.identity.start"}) {
    TableMetadata metadata = TableOf(1, 6, {});
    metadata.schema.fields[0].annotations[key] = "1";
    const Status status = CheckWritable(metadata);
    EXPECT_ERROR(status, ErrorCode::kUnsupported);
    EXPECT_NE(status.error().message.find("'a'"), std::string::npos) << status.error().message;
  }
}

}  // namespace
}  // namespace tarn::delta
