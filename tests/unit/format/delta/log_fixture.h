#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tarn/format/delta/checkpoint_writer.h"
#include "tarn/format/delta/delta_format.h"
#include "tarn/format/delta/load.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/format/delta/replay.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"

namespace tarn::delta {

// A Delta log spelled by hand in memory: a table at "t", partitioned by "p", with columns p string,
// a bigint, s string.
class LogFixture : public ::testing::Test {
 protected:
  LogFixture()
      : storage_(MakeMemoryStorage(fake_.clock, *fake_.random)),
        home_{*Path::Make("t"), *storage_},
        format_(MakeDeltaFormat(fake_.runtime)) {}

  static std::string ProtocolLine() {
    return R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}})";
  }
  static std::string MetadataLine(const std::string& configuration = "") {
    return R"({"metaData":{"id":"m","format":{"provider":"parquet","options":{}},"schemaString":")"
           R"({\"type\":\"struct\",\"fields\":[)"
           R"({\"name\":\"p\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}},)"
           R"({\"name\":\"a\",\"type\":\"long\",\"nullable\":true,\"metadata\":{}},)"
           R"({\"name\":\"s\",\"type\":\"string\",\"nullable\":true,\"metadata\":{}}]}",)"
           R"("partitionColumns":["p"],"configuration":{)" +
           configuration + "}}}";
  }
  // A file of 10 rows whose a lies in [low, low + 9].
  static std::string AddLine(const std::string& path, const std::string& p = "x", int64_t low = 0,
                             const std::string& more = "") {
    return R"({"add":{"path":")" + path + R"(","partitionValues":{"p":")" + p +
           R"("},"size":100,"modificationTime":5,"dataChange":true,"stats":")" +
           R"({\"numRecords\":10,\"minValues\":{\"a\":)" + std::to_string(low) +
           R"(},\"maxValues\":{\"a\":)" + std::to_string(low + 9) +
           R"(},\"nullCount\":{\"a\":0,\"s\":10}}")" + more + "}}";
  }
  static std::string RemoveLine(const std::string& path, const std::string& more = "") {
    return R"({"remove":{"path":")" + path + R"(","deletionTimestamp":7,"dataChange":true)" + more +
           "}}";
  }

  void Put(const std::string& name, const std::string& bytes) {
    ASSERT_OK(storage_->Put(home_.root / name, bytes));
  }
  void PutCommit(int64_t version, const std::vector<std::string>& lines) {
    ASSERT_OK(storage_->Put(CommitPath(home_.root, version), Joined(lines)));
  }
  static std::string Joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
  }
  void PutFirst() { PutCommit(0, {ProtocolLine(), MetadataLine(), AddLine("f0")}); }

  // A classic checkpoint of the newest state, by our own writer.
  void PutCheckpoint(const Snapshot& snapshot, const TableProperties& properties = {}) {
    ASSERT_OK_AND_ASSIGN(const DeltaState* state, StateOf(snapshot));
    ASSERT_OK_AND_ASSIGN(auto writer, CheckpointWriter::Make(snapshot.metadata, properties));
    ASSERT_OK(writer->Write(state->protocol));
    ASSERT_OK(writer->Write(state->metadata));
    for (const auto& [id, txn] : state->txns) ASSERT_OK(writer->Write(txn));
    for (const auto& [name, domain] : state->domains) ASSERT_OK(writer->Write(domain));
    FileVisitor visitor;
    visitor.add = [&](AddFile&& add) { return writer->Write(add); };
    visitor.remove = [&](RemoveFile&& remove) { return writer->Write(remove); };
    ASSERT_OK(ReplayFiles(fake_.runtime, home_, *state, visitor));
    ASSERT_OK_AND_ASSIGN(const Bytes bytes, writer->Finish());
    ASSERT_OK(storage_->Put(ClassicCheckpointPath(home_.root, state->version), bytes));
  }

  Result<Snapshot> Load(const AsOf& as_of = Newest{}) { return format_->Load(home_, as_of); }

  // The paths of a snapshot's files that `filter` leaves, sorted; what failed otherwise.
  std::vector<std::string> FilesOf(const Snapshot& snapshot, const Expression& filter = {}) {
    FileRequest request;
    request.filter = filter;
    std::vector<std::string> paths;
    auto stream = format_->Files(home_, snapshot, request);
    if (!stream.ok()) return {stream.error().ToString()};
    while (true) {
      auto batch = (*stream)->Next();
      if (!batch.ok()) return {batch.error().ToString()};
      if (!batch->has_value()) break;
      for (size_t i = 0; i < (*batch)->path.size(); ++i) paths.emplace_back((*batch)->path[i]);
    }
    files_seen_ = (*stream)->files_seen();
    std::sort(paths.begin(), paths.end());
    return paths;
  }
  std::vector<std::string> NewestFiles(const Expression& filter = {}) {
    Result<Snapshot> snapshot = Load();
    if (!snapshot.ok()) return {snapshot.error().ToString()};
    return FilesOf(*snapshot, filter);
  }
  static int32_t IdOf(const Snapshot& snapshot, const std::string& column) {
    return snapshot.metadata.schema.FindByPath(column)->id;
  }

  using Names = std::vector<std::string>;

  testing::FakeRuntime fake_;
  std::unique_ptr<MemoryStorage> storage_;
  TableHome home_;
  std::unique_ptr<TableFormat> format_;
  int64_t files_seen_ = 0;
};

}  // namespace tarn::delta
