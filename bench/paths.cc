// The paths a user feels, timed inside one process over the public Engine: bench/compare.py runs
// them beside their peers. One JSON line: seconds, peak memory, and what proves the work was done.
//
//   bench_paths append <rows.parquet> <table folder> [partition column]
//   bench_paths commits <table folder> <count>
//   bench_paths open <table folder> <partition column> <value>
//   bench_paths sql <table folder> <query with {t}> <rounds>
//   bench_paths ingest <pipeline.yaml>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <arrow/api.h>
#include <fmt/format.h>

#include "tarn/base/runtime.h"
#include "tarn/engine/engine.h"
#include "tarn/engine/process_memory.h"
#include "tarn/scan/plan.h"
#include "tarn/storage/local.h"

namespace tarn {
namespace {

using Clock = std::chrono::steady_clock;

double SecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The high-water mark of this program: ru_maxrss would begin with that of whoever started it.
int64_t PeakBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("VmHWM:")) return std::atoll(line.c_str() + 6) * int64_t{1024};
  }
  return 0;
}

class InMemory final : public BatchStream {
 public:
  InMemory(std::shared_ptr<arrow::Schema> schema, arrow::RecordBatchVector batches)
      : schema_(std::move(schema)), batches_(std::move(batches)) {}
  std::shared_ptr<arrow::Schema> schema() const override { return schema_; }
  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    if (at_ == batches_.size()) return std::shared_ptr<arrow::RecordBatch>();
    return batches_[at_++];
  }

 private:
  std::shared_ptr<arrow::Schema> schema_;
  arrow::RecordBatchVector batches_;
  size_t at_ = 0;
};

Result<std::unique_ptr<InMemory>> ReadRows(Engine& engine, const std::string& file) {
  TARN_ASSIGN_OR_RETURN(auto storage, MakeLocalStorage("/", CreateRoot::kNo));
  TARN_ASSIGN_OR_RETURN(const FileFormat* parquet, engine.file_formats().Find("parquet"));
  TARN_ASSIGN_OR_RETURN(Path path, Path::Make(std::string_view(file).substr(1)));
  TARN_ASSIGN_OR_RETURN(auto object, storage->OpenReader(path));
  FileReadOptions options;
  TARN_ASSIGN_OR_RETURN(options.schema, parquet->ReadSchema(*object));
  TARN_ASSIGN_OR_RETURN(auto stream, parquet->Read(std::move(object), options));
  arrow::RecordBatchVector batches;
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, stream->Next());
    if (batch == nullptr) break;
    batches.push_back(std::move(batch));
  }
  return std::make_unique<InMemory>(stream->schema(), std::move(batches));
}

Result<std::string> Append(Engine& engine, const std::vector<std::string>& args) {
  TARN_ASSIGN_OR_RETURN(auto rows, ReadRows(engine, args.at(0)));
  const int64_t before = PeakBytes();
  Engine::WriteOptions options;
  if (args.size() > 2) options.partition_by = {args[2]};
  const auto begin = Clock::now();
  TARN_RETURN_IF_ERROR(engine.Write(args.at(1), *rows, options));
  return fmt::format(R"("seconds": {:.4f}, "bytes_above_input": {})", SecondsSince(begin),
                     PeakBytes() - before);
}

Result<std::string> Commits(Engine& engine, const std::vector<std::string>& args) {
  const int count = std::atoi(args.at(1).c_str());
  const auto schema =
      arrow::schema({arrow::field("id", arrow::int64()), arrow::field("s", arrow::utf8())});
  std::vector<double> each;
  const auto begin = Clock::now();
  for (int i = 0; i < count; ++i) {
    arrow::Int64Builder ids;
    arrow::StringBuilder texts;
    if (!ids.Append(i).ok() || !texts.Append("row").ok()) return Internal("bench: out of memory");
    InMemory row(schema, {arrow::RecordBatch::Make(schema, 1, {*ids.Finish(), *texts.Finish()})});
    const auto one = Clock::now();
    TARN_RETURN_IF_ERROR(engine.Write(args.at(0), row, {}));
    each.push_back(SecondsSince(one) * 1000);
  }
  std::string list;
  for (double millis : each) list += fmt::format("{}{:.3f}", list.empty() ? "" : ", ", millis);
  return fmt::format(R"("seconds": {:.4f}, "commit_ms": [{}])", SecondsSince(begin), list);
}

Result<std::string> Open(Engine& engine, const std::vector<std::string>& args) {
  const auto begin = Clock::now();
  TARN_ASSIGN_OR_RETURN(auto table, engine.OpenTable(args.at(0)));
  TARN_ASSIGN_OR_RETURN(Snapshot snapshot, table->Load());
  const Field* column = snapshot.metadata.schema.FindByPath(args.at(1));
  if (column == nullptr) return NotFound("bench: no column " + args[1]);
  FileRequest request;
  Value value(args.at(2));
  if (column->type.IsInteger()) value = Value(int64_t{std::atoll(args[2].c_str())});
  request.filter = Expression::Compare(Expression::Op::kEqual, column->id, std::move(value));
  TARN_ASSIGN_OR_RETURN(ScanPlan plan, PlanScan(*table->format, table->home, snapshot, request));
  return fmt::format(R"("seconds": {:.4f}, "files_kept": {}, "files_seen": {})",
                     SecondsSince(begin), plan.files_kept, plan.files_seen);
}

Result<std::string> Sql(Engine& engine, const std::vector<std::string>& args) {
  std::string query = args.at(1);
  for (size_t at = query.find("{t}"); at != std::string::npos; at = query.find("{t}")) {
    query.replace(at, 3, "'" + args[0] + "'");
  }
  TARN_ASSIGN_OR_RETURN(auto session, engine.OpenSession());
  std::string seconds, result;
  for (int round = 0; round < std::atoi(args.at(2).c_str()); ++round) {
    const auto begin = Clock::now();
    result.clear();
    TARN_RETURN_IF_ERROR(session->Run(query, [&](StatementResult one) -> Status {
      while (one.rows != nullptr) {
        TARN_ASSIGN_OR_RETURN(auto batch, one.rows->Next());
        if (batch == nullptr) break;
        for (int64_t row = 0; row < batch->num_rows(); ++row) {
          for (const auto& column : batch->columns()) {
            result += (*column->GetScalar(row))->ToString() + "|";
          }
          result += ";";
        }
      }
      return {};
    }));
    seconds += fmt::format("{}{:.4f}", seconds.empty() ? "" : ", ", SecondsSince(begin));
  }
  return fmt::format(R"("rounds": [{}], "result": "{}")", seconds, result);
}

Result<std::string> Ingest(Engine& engine, const std::vector<std::string>& args) {
  std::ifstream file(args.at(0));
  const std::string yaml{std::istreambuf_iterator<char>(file), {}};
  TARN_ASSIGN_OR_RETURN(Pipeline pipeline, ParsePipeline(yaml, args[0]));
  const auto begin = Clock::now();
  TARN_ASSIGN_OR_RETURN(IngestSummary summary, engine.Ingest(pipeline, nullptr));
  return fmt::format(R"("seconds": {:.4f}, "rows": {})", SecondsSince(begin), summary.rows);
}

int Main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 2, argv + argc);
  PrepareProcessMemory();
  const std::string path = argv[1];
  SystemRuntime system({});
  auto engine = Engine::Open(system.runtime(), {});
  if (!engine.ok()) {
    std::fprintf(stderr, "bench: %s\n", engine.error().ToString().c_str());
    return 1;
  }
  const std::map<std::string, Result<std::string> (*)(Engine&, const std::vector<std::string>&)>
      paths = {{"append", Append},
               {"commits", Commits},
               {"open", Open},
               {"sql", Sql},
               {"ingest", Ingest}};
  const auto found = paths.find(path);
  if (found == paths.end()) return 2;
  const Result<std::string> facts = found->second(**engine, args);
  if (!facts.ok()) {
    std::fprintf(stderr, "bench: %s\n", facts.error().ToString().c_str());
    return 1;
  }
  std::printf("{%s, \"peak_bytes\": %lld}\n", facts->c_str(), static_cast<long long>(PeakBytes()));
  return 0;
}

}  // namespace
}  // namespace tarn

int main(int argc, char** argv) { return argc < 3 ? 2 : tarn::Main(argc, argv); }
