// Avro files to Arrow IPC and back, for tests/python/test_avro.py and bench/avro.py:
//
//   avro_tool read FILE OUT [READER-SCHEMA [id]]   rows as the file's schema, or a reader's, says
//   avro_tool write IN SCHEMA CODEC BLOCK-BYTES OUT
//   avro_tool rewrite FILE CODEC OUT               what was read, with the file's own schema
//   avro_tool time FILE [COLUMN…]                  seconds to decode all of the file's rows, and
//   rows
//
// OUT and IN are Arrow IPC streams where they are not Avro; schemas are files.

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/ipc/writer.h>

#include "tarn/base/runtime.h"
#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/avro_reader.h"
#include "tarn/datafile/avro_writer.h"

namespace {

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

tarn::Result<tarn::Bytes> Load(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  if (!in) return tarn::NotFound("no file '" + name + "'");
  return tarn::Bytes(std::istreambuf_iterator<char>(in), {});
}

tarn::Status Save(const std::string& name, tarn::BytesView bytes) {
  std::ofstream out(name, std::ios::binary);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return out ? tarn::OkStatus() : tarn::Status(tarn::Unavailable("cannot write '" + name + "'"));
}

class FileInMemory final : public tarn::ObjectReader {
 public:
  explicit FileInMemory(tarn::Bytes bytes) : bytes_(std::move(bytes)) {}
  int64_t size_bytes() const override { return static_cast<int64_t>(bytes_.size()); }
  tarn::Status ReadAt(int64_t offset, int64_t length, char* out) const override {
    if (offset < 0 || length < 0 || offset + length > size_bytes()) {
      return tarn::Invalid("a range beyond the end");
    }
    bytes_.copy(out, static_cast<size_t>(length), static_cast<size_t>(offset));
    return tarn::OkStatus();
  }

 private:
  const tarn::Bytes bytes_;
};

tarn::Result<tarn::AvroFile> OpenFile(const std::string& name) {
  TARN_ASSIGN_OR_RETURN(tarn::Bytes bytes, Load(name));
  return tarn::AvroFile::Open(std::make_shared<FileInMemory>(std::move(bytes)), name);
}

tarn::Status SaveArrow(const std::string& name, const std::shared_ptr<arrow::Schema>& schema,
                       const Batches& batches) {
  const auto write = [&]() -> arrow::Status {
    ARROW_ASSIGN_OR_RAISE(auto sink, arrow::io::FileOutputStream::Open(name));
    ARROW_ASSIGN_OR_RAISE(auto writer, arrow::ipc::MakeStreamWriter(sink, schema));
    for (const auto& batch : batches) {
      ARROW_RETURN_NOT_OK(batch->ValidateFull());
      ARROW_RETURN_NOT_OK(writer->WriteRecordBatch(*batch));
    }
    ARROW_RETURN_NOT_OK(writer->Close());
    return sink->Close();
  };
  return tarn::Lift(write(), "arrow");
}

tarn::Result<Batches> LoadArrow(const std::string& name) {
  const auto read = [&]() -> arrow::Result<Batches> {
    ARROW_ASSIGN_OR_RAISE(auto source, arrow::io::ReadableFile::Open(name));
    ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchStreamReader::Open(source));
    return reader->ToRecordBatches();
  };
  return tarn::Lift(read(), "arrow");
}

tarn::Result<Batches> ReadAll(tarn::BatchStream& stream) {
  Batches batches;
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, stream.Next());
    if (batch == nullptr) return batches;
    batches.push_back(std::move(batch));
  }
}

tarn::Status Read(tarn::Runtime& runtime, const std::vector<std::string>& words) {
  TARN_ASSIGN_OR_RETURN(const tarn::AvroFile file, OpenFile(words[1]));
  tarn::AvroReadOptions options;
  if (words.size() > 3) {
    TARN_ASSIGN_OR_RETURN(const std::string schema, Load(words[3]));
    TARN_ASSIGN_OR_RETURN(options.reader, tarn::ParseAvroSchema(schema));
  }
  if (words.size() > 4) options.match = tarn::ColumnMatch::kById;
  TARN_ASSIGN_OR_RETURN(auto stream, file.Read(runtime, options));
  TARN_ASSIGN_OR_RETURN(const Batches batches, ReadAll(*stream));
  return SaveArrow(words[2], stream->schema(), batches);
}

tarn::Status Write(tarn::Runtime& runtime, const std::vector<std::string>& words) {
  TARN_ASSIGN_OR_RETURN(const Batches batches, LoadArrow(words[1]));
  TARN_ASSIGN_OR_RETURN(std::string schema, Load(words[2]));
  TARN_ASSIGN_OR_RETURN(const tarn::Bytes bytes,
                        tarn::WriteAvro(batches, runtime.random,
                                        {.schema_json = std::move(schema),
                                         .codec = words[3],
                                         .metadata = {{"written-by", "tarn"}},
                                         .block_bytes = std::stoll(words[4])}));
  return Save(words[5], bytes);
}

tarn::Status Rewrite(tarn::Runtime& runtime, const std::vector<std::string>& words) {
  TARN_ASSIGN_OR_RETURN(const tarn::AvroFile file, OpenFile(words[1]));
  TARN_ASSIGN_OR_RETURN(auto stream, file.Read(runtime, {}));
  TARN_ASSIGN_OR_RETURN(const Batches batches, ReadAll(*stream));
  TARN_ASSIGN_OR_RETURN(
      const tarn::Bytes bytes,
      tarn::WriteAvro(batches, runtime.random,
                      {.schema_json = tarn::AvroSchemaToJson(*file.header().schema),
                       .codec = words[2],
                       .metadata = {}}));
  return Save(words[3], bytes);
}

tarn::Status Time(tarn::Runtime& runtime, const std::vector<std::string>& words) {
  TARN_ASSIGN_OR_RETURN(const tarn::AvroFile file, OpenFile(words[1]));
  const auto begin = std::chrono::steady_clock::now();
  tarn::AvroReadOptions options;
  if (words.size() > 2) {
    auto reader = std::make_shared<tarn::AvroType>(*file.header().schema);
    std::erase_if(reader->fields, [&](const tarn::AvroField& field) {
      return std::find(words.begin() + 2, words.end(), field.name) == words.end();
    });
    options.reader = reader;
  }
  TARN_ASSIGN_OR_RETURN(auto stream, file.Read(runtime, options));
  int64_t rows = 0;
  while (true) {
    TARN_ASSIGN_OR_RETURN(auto batch, stream->Next());
    if (batch == nullptr) break;
    rows += batch->num_rows();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%.6f %lld\n", seconds.count(), static_cast<long long>(rows));
  return tarn::OkStatus();
}

tarn::Status Run(tarn::Runtime& runtime, const std::vector<std::string>& words) {
  const std::string word = words.empty() ? "" : words[0];
  if (word == "read" && words.size() >= 3) return Read(runtime, words);
  if (word == "write" && words.size() == 6) return Write(runtime, words);
  if (word == "rewrite" && words.size() == 4) return Rewrite(runtime, words);
  if (word == "time" && words.size() >= 2) return Time(runtime, words);
  return tarn::Invalid("avro_tool: read, write, rewrite or time: see its source");
}

}  // namespace

int main(int argc, char** argv) {
  tarn::RuntimeOptions options;
  if (const char* threads = std::getenv("AVRO_TOOL_THREADS")) options.threads = std::atoi(threads);
  tarn::SystemRuntime system(options);
  const tarn::Status status =
      Run(system.runtime(), std::vector<std::string>(argv + 1, argv + argc));
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s: %s\n", std::string(tarn::ErrorCodeName(status.error().code)).c_str(),
               status.error().ToString().c_str());
  return 1;
}
