#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tarn/base/registry.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/memory.h"
#include "tarn/table/table.h"
#include "tests/support/arrow_rows.h"
#include "tests/support/fake_runtime.h"
#include "tests/support/toy_format.h"

namespace tarn::testing {

// A table of a toy format on a memory store, with Parquet data files: what write and scan need.
class TableStand {
 public:
  explicit TableStand(int threads = 1) : pool(MakeThreadPool(threads)) {
    file_formats.Add("parquet", MakeParquetFormat(runtime));
    table.home.root = *Path::Make("t");
    table.format = &format;
    table.storage = storage.get();
    table.committer = MakePathCommitter(*storage);
  }

  Result<std::vector<std::string>> Files() const {
    TARN_ASSIGN_OR_RETURN(const auto objects,
                          storage->List(table.home.root, Path(), 100'000, Storage::Depth::kAll));
    std::vector<std::string> names;
    for (const ObjectInfo& object : objects) {
      if (object.path.str().ends_with(".parquet")) {
        names.emplace_back(object.path.RelativeTo(table.home.root));
      }
    }
    return names;
  }

  FakeRuntime fake;
  std::unique_ptr<Executor> pool;
  Runtime runtime{fake.clock,  *fake.random,     *pool, fake.log, fake.metrics,
                  fake.memory, fake.cancellation};
  std::unique_ptr<MemoryStorage> storage = MakeMemoryStorage(fake.clock, *fake.random);
  Registry<FileFormat> file_formats;
  CommitVault vault;
  LogFormat format{vault};
  Table table{.name = "t", .home = {Path(), *storage, {}, {}}};
};

}  // namespace tarn::testing
