// Any bytes as a Parquet checkpoint of a Delta log: it is read, or passed over for the commits,
// which are there too.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tarn/base/runtime.h"
#include "tarn/format/delta/delta_format.h"
#include "tarn/format/delta/log_paths.h"
#include "tarn/format/delta/replay.h"
#include "tarn/storage/memory.h"
#include "tests/support/fake_runtime.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tarn::testing::FakeRuntime fake;
  const auto storage = tarn::MakeMemoryStorage(fake.clock, *fake.random);
  const tarn::TableHome home{*tarn::Path::Make("t"), *storage};
  const auto format = tarn::MakeDeltaFormat(fake.runtime);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto put = [&](const tarn::Path& path, std::string_view text) {
    if (!storage->Put(path, text).ok()) std::abort();
  };
  put(tarn::delta::CommitPath(home.root, 0),
      R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}}
{"metaData":{"id":"m","format":{"provider":"parquet"},"schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":{}}}
)");
  put(tarn::delta::CommitPath(home.root, 1), "{\"txn\":{\"appId\":\"a\",\"version\":1}}\n");
  put(tarn::delta::ClassicCheckpointPath(home.root, 1), bytes);
  const auto snapshot = format->Load(home, tarn::Newest{});
  if (!snapshot.ok()) return 0;
  auto stream = format->Files(home, *snapshot, {.all_bounds = true});
  if (stream.ok()) {
    while (true) {
      const auto batch = (*stream)->Next();
      if (!batch.ok() || !batch->has_value()) break;
    }
  }
  tarn::delta::FileVisitor visitor;
  visitor.add = [](tarn::delta::AddFile&&) -> tarn::Status { return {}; };
  visitor.remove = [](tarn::delta::RemoveFile&&) -> tarn::Status { return {}; };
  (void)tarn::delta::ReplayFiles(fake.runtime, home, **tarn::delta::StateOf(*snapshot), visitor);
  return 0;
}
