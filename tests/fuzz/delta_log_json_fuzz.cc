// Any bytes as a commit of a Delta log: loaded, listed, told as history and replayed, it is read or
// refused, and what is read twice is read alike.

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

namespace {

constexpr std::string_view kFirstCommit =
    R"({"protocol":{"minReaderVersion":1,"minWriterVersion":2}}
{"metaData":{"id":"m","format":{"provider":"parquet"},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"p\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{}},{\"name\":\"a\",\"type\":\"timestamp\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":["p"],"configuration":{}}}
{"add":{"path":"f0","partitionValues":{"p":"1"},"size":1,"modificationTime":1,"dataChange":true}}
)";

// The number of files, or -1 when they cannot be told.
int64_t CountFiles(const tarn::TableFormat& format, const tarn::TableHome& home,
                   const tarn::Snapshot& snapshot) {
  auto stream = format.Files(home, snapshot, {.all_bounds = true});
  if (!stream.ok()) return -1;
  int64_t count = 0;
  while (true) {
    auto batch = (*stream)->Next();
    if (!batch.ok()) return -1;
    if (!batch->has_value()) return count;
    for (int64_t i = 0; i < (*batch)->size; ++i) (void)(*batch)->At(i);
    count += (*batch)->size;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tarn::testing::FakeRuntime fake;
  const auto storage = tarn::MakeMemoryStorage(fake.clock, *fake.random);
  const tarn::TableHome home{*tarn::Path::Make("t"), *storage};
  const auto format = tarn::MakeDeltaFormat(fake.runtime);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!storage->Put(tarn::delta::CommitPath(home.root, 0), kFirstCommit).ok()) std::abort();
  if (!storage->Put(tarn::delta::CommitPath(home.root, 1), bytes).ok()) std::abort();
  (void)format->Commits(home, {}, std::nullopt, tarn::HistoryDetail::kPeople);
  (void)format->Commits(home, {}, std::nullopt, tarn::HistoryDetail::kConflicts);
  const auto snapshot = format->Load(home, tarn::Newest{});
  if (!snapshot.ok()) return 0;
  const int64_t listed = CountFiles(*format, home, *snapshot);
  int64_t replayed = 0;
  tarn::delta::FileVisitor visitor;
  visitor.add = [&](tarn::delta::AddFile&&) -> tarn::Status {
    ++replayed;
    return {};
  };
  const auto state = tarn::delta::StateOf(*snapshot);
  const bool replay = tarn::delta::ReplayFiles(fake.runtime, home, **state, visitor).ok();
  if (replay && listed >= 0 && listed != replayed) std::abort();
  return 0;
}
