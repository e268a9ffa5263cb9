#include "tarn/format/delta/begin.h"

#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace tarn::delta {
namespace {

Snapshot SnapshotOf(std::string_view ddl, std::map<std::string, std::string> properties = {}) {
  Snapshot snapshot;
  Result<Schema> schema = ParseColumns(ddl);
  EXPECT_OK(schema);
  snapshot.metadata.schema = AssignFreshIds(*std::move(schema));
  snapshot.metadata.properties = std::move(properties);
  return snapshot;
}

TEST(MakeWriteTicket, HasDefaults) {
  ASSERT_OK_AND_ASSIGN(const WriteTicket ticket,
                       MakeWriteTicket(SnapshotOf("a int, b string"), {}));
  EXPECT_EQ(ticket.target_file_size_bytes, 128 << 20);
  EXPECT_EQ(ticket.compression, "zstd");
  EXPECT_TRUE(ticket.hive_folders);
  EXPECT_EQ(ticket.statistics_ids, (std::vector<int32_t>{1, 2}));
  EXPECT_TRUE(ticket.shown_first.empty());
}

TEST(MakeWriteTicket, ObeysProperties) {
  ASSERT_OK_AND_ASSIGN(
      const WriteTicket ticket,
      MakeWriteTicket(SnapshotOf("a int, b string", {{"delta.targetFileSize", "1mb"},
                                                     {"delta.parquet.compression.codec", "snappy"},
                                                     {"delta.randomizeFilePrefixes", "true"},
                                                     {"delta.dataSkippingNumIndexedCols", "1"}}),
                      {}));
  EXPECT_EQ(ticket.target_file_size_bytes, 1 << 20);
  EXPECT_EQ(ticket.compression, "snappy");
  EXPECT_FALSE(ticket.hive_folders);
  EXPECT_EQ(ticket.statistics_ids, std::vector<int32_t>{1});
}

TEST(MakeWriteTicket, APropertyCountsOnlyWithItsFeature) {
  Snapshot snapshot = SnapshotOf(
      "a int", {{"delta.enableDeletionVectors", "true"}, {"delta.enableChangeDataFeed", "true"}});
  snapshot.metadata.reader_version = 1;
  snapshot.metadata.writer_version = 2;
  ASSERT_OK_AND_ASSIGN(const WriteTicket without, MakeWriteTicket(snapshot, {}));
  EXPECT_FALSE(without.row_deletes);
  EXPECT_FALSE(without.change_data);
  snapshot.metadata.reader_version = 3;
  snapshot.metadata.writer_version = 7;
  snapshot.metadata.reader_features = {"deletionVectors"};
  snapshot.metadata.writer_features = {"changeDataFeed", "deletionVectors"};
  ASSERT_OK_AND_ASSIGN(const WriteTicket with, MakeWriteTicket(snapshot, {}));
  EXPECT_TRUE(with.row_deletes);
  EXPECT_TRUE(with.change_data);
}

TEST(MakeWriteTicket, RefusesBeforeAByteIsWritten) {
  Snapshot tracked = SnapshotOf("a int");
  tracked.metadata.writer_version = 7;
  tracked.metadata.writer_features = {"rowTracking", "domainMetadata"};
  EXPECT_ERROR(MakeWriteTicket(tracked, {}), ErrorCode::kUnsupported);
  EXPECT_ERROR(MakeWriteTicket(SnapshotOf("a int", {{"delta.targetFileSize", "x"}}), {}),
               ErrorCode::kInvalid);
}

TEST(MakeWriteTicket, RefusesColumnsWithoutATypeWhereAFileNeedsOne) {
  const auto with_void = [](std::string_view ddl, std::string_view path) {
    Snapshot snapshot = SnapshotOf(ddl);
    const_cast<Field*>(snapshot.metadata.schema.FindByPath(path))->type = Type::Of(TypeKind::kVoid);
    return MakeWriteTicket(snapshot, {});
  };
  EXPECT_OK(with_void("a int, v int", "v"));
  EXPECT_OK(with_void("s struct<x: int, v: int>", "s.v"));
  EXPECT_ERROR(with_void("v int", "v"), ErrorCode::kUnsupported);
  EXPECT_ERROR(with_void("a int, s struct<v: int>", "s.v"), ErrorCode::kUnsupported);
  EXPECT_ERROR(with_void("a int, l array<int>", "l.element"), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace tarn::delta
