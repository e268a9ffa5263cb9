#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tarn/datafile/file_format.h"
#include "tarn/format/iceberg/iceberg_format.h"
#include "tarn/format/iceberg/metadata_files.h"
#include "tarn/storage/memory.h"
#include "tarn/table/committer.h"
#include "tarn/table/transaction.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/matchers.h"
#include "tests/support/toy_tables.h"

namespace tarn::iceberg::testing {

// A table of toy_tables.h (id, day; by day) in memory, written through the codec itself.
class IcebergWorld : public ::testing::Test {
 protected:
  MetadataReader metadata_files;

  Snapshot Load(const AsOf& as_of = Newest{}) {
    Result<Snapshot> snapshot = format->Load(home, as_of);
    EXPECT_OK(snapshot);
    return snapshot.ok() ? *std::move(snapshot) : Snapshot::Empty();
  }

  Result<Version> Publish(Commit commit) {
    fakes.clock.AdvanceMillis(1000);
    Snapshot base = Snapshot::Empty();
    if (Result<Snapshot> newest = format->Load(home, Newest{}); newest.ok()) base = *newest;
    Transaction transaction(fakes.runtime, home, *format, *committer, std::move(base),
                            std::move(commit), Isolation::kSerializable);
    TARN_ASSIGN_OR_RETURN(Version version, transaction.Publish());
    RunUpkeepAfter(fakes.runtime, home, *format, *committer, version);
    return version;
  }

  Result<Version> Create(std::map<std::string, std::string> properties = {}) {
    Commit commit = tarn::testing::CreateEvents("create");
    TableMetadata wanted = tarn::testing::EventsMetadata();
    wanted.properties = std::move(properties);
    TARN_ASSIGN_OR_RETURN(commit.metadata, format->Prepare(nullptr, std::move(wanted)));
    return Publish(std::move(commit));
  }

  Result<Version> Append(const std::string& id, std::vector<DataFile> files) {
    return Publish(tarn::testing::Append(id, std::move(files)));
  }

  std::vector<DataFile> Files(const Snapshot& snapshot, const FileRequest& request = {}) {
    std::vector<DataFile> files;
    Result<std::unique_ptr<FileStream>> stream = format->Files(home, snapshot, request);
    EXPECT_OK(stream);
    while (stream.ok()) {
      Result<std::optional<FileBatch>> batch = (*stream)->Next();
      EXPECT_OK(batch);
      if (!batch.ok() || !*batch) break;
      for (int64_t i = 0; i < (*batch)->size; ++i) files.push_back((*batch)->At(i));
    }
    return files;
  }

  std::string Text(const std::string& path) {
    Result<Bytes> bytes = storage->Read(*home.root.Join(path));
    EXPECT_OK(bytes);
    return bytes.ok() ? *bytes : "";
  }

  // The objects of the metadata folder whose names end so.
  std::vector<std::string> MetadataFiles(const std::string& ending) {
    std::vector<std::string> names;
    const auto objects =
        storage->List(home.root / "metadata", Path(), 1000, Storage::Depth::kShallow);
    EXPECT_OK(objects);
    for (const ObjectInfo& object : *objects) {
      if (object.path.name().ends_with(ending)) names.emplace_back(object.path.name());
    }
    return names;
  }

  tarn::testing::FakeRuntime fakes;
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fakes.clock, *fakes.random);
  std::unique_ptr<FileFormat> parquet = MakeParquetFormat(fakes.runtime);
  std::unique_ptr<TableFormat> format =
      MakeIcebergFormat(fakes.runtime, FileFormats{{"parquet", parquet.get()}});
  std::unique_ptr<Committer> committer = MakePathCommitter(*storage);
  TableHome home{*Path::Make("lake/t"), *storage};
};

}  // namespace tarn::iceberg::testing
