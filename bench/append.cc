// append and partitioned append (targets.md): rows of a Parquet file, read into Arrow memory first,
// into a new table.
//
//   bench_append <rows.parquet> <table folder> [partition column [rounds]]
//
// "month" as partition column is made from l_shipdate ("1995-03") before the clock starts. One JSON
// line per round: seconds, rows, files, bytes, peak memory above the input.
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <arrow/api.h>
#include <arrow/util/byte_size.h>

#include "tarn/base/runtime.h"
#include "tarn/datafile/arrow_schema.h"
#include "tarn/datafile/file_format.h"
#include "tarn/storage/local.h"
#include "tarn/write/table_writer.h"

namespace tarn {
namespace {

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

int64_t StatusKilobytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(key)) return std::atoll(line.c_str() + key.size() + 1);
  }
  return 0;
}

void ResetPeak() { std::ofstream("/proc/self/clear_refs") << "5"; }

Result<Batches> ReadAll(const FileFormat& format, const Storage& storage, const Path& path,
                        Schema& schema) {
  TARN_ASSIGN_OR_RETURN(auto object, storage.OpenReader(path));
  TARN_ASSIGN_OR_RETURN(schema, format.ReadSchema(*object));
  TARN_ASSIGN_OR_RETURN(auto stream, format.Read(std::move(object), {.schema = schema}));
  Batches batches;
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, stream->Next());
    if (batch == nullptr) return batches;
    batches.push_back(std::move(batch));
  }
}

// l_shipdate's month as text, in a column after the others.
Status AddMonths(Batches& batches, Schema& schema) {
  const size_t source = *schema.IndexOf("l_shipdate");
  schema.fields.push_back({0, "month", Type::Of(TypeKind::kString)});
  std::vector<std::string> months;
  for (int32_t day = 0; day < 20000; ++day) {
    months.push_back(ValueToText(Type::Of(TypeKind::kDate), Value(int64_t{day})).substr(0, 7));
  }
  for (auto& batch : batches) {
    arrow::StringBuilder builder;
    const auto& days = static_cast<const arrow::Date32Array&>(*batch->column(source));
    for (int64_t row = 0; row < days.length(); ++row) {
      if (!builder.Append(months[days.Value(row)]).ok()) return Internal("builder");
    }
    batch = *batch->AddColumn(batch->num_columns(), arrow::field("month", arrow::utf8()),
                              *builder.Finish());
  }
  return OkStatus();
}

Status Run(int argc, char** argv) {
  SystemRuntime system({});
  Runtime& runtime = system.runtime();
  TARN_ASSIGN_OR_RETURN(auto storage, MakeLocalStorage("/", CreateRoot::kNo));
  const auto format = MakeParquetFormat(runtime);
  TARN_ASSIGN_OR_RETURN(const Path input, Path::Make(std::string(argv[1]).substr(1)));
  TARN_ASSIGN_OR_RETURN(const Path root, Path::Make(std::string(argv[2]).substr(1)));
  const std::string partition = argc > 3 ? argv[3] : "";
  const int rounds = argc > 4 ? std::atoi(argv[4]) : 3;

  Schema schema;
  TARN_ASSIGN_OR_RETURN(Batches batches, ReadAll(*format, *storage, input, schema));
  if (partition == "month") TARN_RETURN_IF_ERROR(AddMonths(batches, schema));
  int64_t input_bytes = 0;
  for (const auto& batch : batches) input_bytes += *arrow::util::ReferencedBufferSize(*batch);

  TableMetadata metadata;
  for (Field& field : schema.fields) field.required = false;
  metadata.schema = AssignFreshIds(schema);
  TableWriterOptions options;
  options.traits.tells_empty_from_null = false;
  if (!partition.empty()) {
    TARN_ASSIGN_OR_RETURN(metadata.specs[0], IdentitySpec(metadata.schema, {partition}));
  }
  for (const Field& field : metadata.schema.fields) {
    if (field.name != partition) options.ticket.statistics_ids.push_back(field.id);
  }
  const TableHome home{root, *storage, {}, {}};
  for (int round = 0; round < rounds; ++round) {
    std::filesystem::remove_all(argv[2]);
    ResetPeak();
    const int64_t before = StatusKilobytes("VmRSS");
    const auto begin = std::chrono::steady_clock::now();
    rusage used_before{}, used_after{};
    getrusage(RUSAGE_SELF, &used_before);
    TARN_ASSIGN_OR_RETURN(auto writer,
                          MakeTableWriter(runtime, *storage, home, *format, metadata, options));
    for (const auto& batch : batches) TARN_RETURN_IF_ERROR(writer->Write(batch));
    TARN_ASSIGN_OR_RETURN(const std::vector<DataFile> files, writer->Finish());
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    getrusage(RUSAGE_SELF, &used_after);
    const auto cpu = [](const timeval& a, const timeval& b) {
      return static_cast<double>(b.tv_sec - a.tv_sec) +
             1e-6 * static_cast<double>(b.tv_usec - a.tv_usec);
    };
    int64_t bytes = 0, rows = 0;
    for (const DataFile& file : files) {
      bytes += file.size_bytes;
      rows += file.record_count;
    }
    std::printf(
        "{\"path\": \"append%s%s\", \"seconds\": %.3f, \"cpu_seconds\": %.3f, "
        "\"system_seconds\": %.3f, \"page_faults\": %ld, \"rows\": %ld, "
        "\"files\": %zu, \"bytes\": %ld, \"input_mb\": %ld, \"above_input_mb\": %ld}\n",
        partition.empty() ? "" : " by ", partition.c_str(), seconds,
        cpu(used_before.ru_utime, used_after.ru_utime) +
            cpu(used_before.ru_stime, used_after.ru_stime),
        cpu(used_before.ru_stime, used_after.ru_stime),
        used_after.ru_minflt - used_before.ru_minflt, rows, files.size(), bytes, input_bytes >> 20,
        (StatusKilobytes("VmHWM") - before) >> 10);
    std::fflush(stdout);
  }
  return OkStatus();
}

}  // namespace
}  // namespace tarn

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: bench_append <rows.parquet> <table folder> [column [rounds]]\n");
    return 2;
  }
  const tarn::Status status = tarn::Run(argc, argv);
  if (!status.ok()) std::fprintf(stderr, "%s\n", status.error().ToString().c_str());
  return status.ok() ? 0 : 1;
}
