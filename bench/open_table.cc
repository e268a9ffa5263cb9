// Opens a Delta table and prunes its files by one partition value, through the codec alone: what
// bench_paths measures through the Engine, for profiles.
//
//   bench_open_table <table folder> [<partition column> <value>]
//
// One JSON line: seconds to load and to list, files kept and seen, peak memory.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "tarn/base/runtime.h"
#include "tarn/format/delta/delta_format.h"
#include "tarn/storage/local.h"

namespace tarn {
namespace {

using SteadyClock = std::chrono::steady_clock;

double SecondsSince(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

Status Run(int argc, char** argv) {
  SystemRuntime runtime(RuntimeOptions{});
  TARN_ASSIGN_OR_RETURN(const auto storage, MakeLocalStorage(argv[1], CreateRoot::kNo));
  const TableHome home{Path(), *storage};
  const std::unique_ptr<TableFormat> format = MakeDeltaFormat(runtime.runtime());
  const auto begin = SteadyClock::now();
  TARN_ASSIGN_OR_RETURN(const Snapshot snapshot, format->Load(home, Newest{}));
  const double load_seconds = SecondsSince(begin);
  FileRequest request;
  if (argc > 3) {
    const Field* column = snapshot.metadata.schema.FindByPath(argv[2]);
    if (column == nullptr) return NotFound(std::string("no column ") + argv[2]);
    Value value{std::string(argv[3])};
    if (column->type.IsInteger()) value = Value{int64_t{std::atoll(argv[3])}};
    request.filter = Expression::Compare(Expression::Op::kEqual, column->id, std::move(value));
  }
  TARN_ASSIGN_OR_RETURN(const auto stream, format->Files(home, snapshot, request));
  int64_t kept = 0;
  while (true) {
    TARN_ASSIGN_OR_RETURN(const auto batch, stream->Next());
    if (!batch) break;
    kept += batch->size;
  }
  const double seconds = SecondsSince(begin);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf(
      "{\"seconds\": %.4f, \"load_seconds\": %.4f, \"files_kept\": %lld, \"files_seen\": %lld, "
      "\"peak_bytes\": %lld}\n",
      seconds, load_seconds, static_cast<long long>(kept),
      static_cast<long long>(stream->files_seen()), static_cast<long long>(usage.ru_maxrss) * 1024);
  return {};
}

}  // namespace
}  // namespace tarn

int main(int argc, char** argv) {
  if (argc != 2 && argc != 4) {
    std::fprintf(stderr, "usage: bench_open_table <table folder> [<column> <value>]\n");
    return 2;
  }
  const tarn::Status status = tarn::Run(argc, argv);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
  return 1;
}
