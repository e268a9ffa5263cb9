// Any bytes as an Avro container file: header, schema, blocks and rows neither crash nor hang,
// batches are valid, a projection has the rows of the whole, and what is read can be written and
// read again.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/api.h>

#include "tarn/base/runtime.h"
#include "tarn/datafile/avro_reader.h"
#include "tarn/datafile/avro_writer.h"
#include "tests/support/avro_bytes.h"
#include "tests/support/fake_runtime.h"

namespace {

using Batches = std::vector<std::shared_ptr<arrow::RecordBatch>>;

void Check(bool holds) {
  if (!holds) std::abort();
}

// False where the file is refused. Rows beyond some thousands are not looked at.
bool ReadAll(tarn::Runtime& runtime, const tarn::AvroFile& file,
             const tarn::AvroReadOptions& options, Batches* batches, int64_t* rows) {
  auto stream = file.Read(runtime, options);
  if (!stream.ok()) return false;
  *rows = 0;
  while (*rows < 10'000) {
    auto batch = (*stream)->Next();
    if (!batch.ok()) return false;
    if (*batch == nullptr) return true;
    Check((*batch)->ValidateFull().ok());
    *rows += (*batch)->num_rows();
    if (batches != nullptr) batches->push_back(std::move(batch).value());
  }
  return false;
}

std::shared_ptr<tarn::testing::BytesObject> ObjectOf(std::string bytes) {
  return std::make_shared<tarn::testing::BytesObject>(std::move(bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tarn::testing::FakeRuntime fake;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const auto file = tarn::AvroFile::Open(ObjectOf(bytes), "fuzz");
  if (!file.ok()) return 0;
  const tarn::AvroTypePtr& schema = file->header().schema;
  const std::string json = tarn::AvroSchemaToJson(*schema);
  (void)file->ReadSchema();

  Batches batches;
  int64_t rows = 0;
  const bool whole = ReadAll(fake.runtime, *file, {.batch_rows = 1000}, &batches, &rows);

  if (schema->kind == tarn::AvroKind::kRecord && !schema->fields.empty()) {
    auto half = std::make_shared<tarn::AvroType>(*schema);
    for (size_t i = 0; i < half->fields.size(); ++i)
      half->fields.erase(half->fields.begin() + static_cast<std::ptrdiff_t>(i));
    int64_t projected = 0;
    const bool read = ReadAll(fake.runtime, *file, {.reader = half}, nullptr, &projected);
    if (whole) Check(read && projected == rows);
    if (whole) {
      auto again = tarn::WriteAvro(batches, *fake.random, {.schema_json = json, .metadata = {}});
      if (!again.ok()) return 0;  // a schema that no writer would make: names of no meaning
      const auto ours = tarn::AvroFile::Open(ObjectOf(std::move(again).value()), "ours");
      Check(ours.ok());
      Batches back;
      int64_t rows_back = 0;
      Check(ReadAll(fake.runtime, *ours, {.batch_rows = 1000}, &back, &rows_back));
      Check(rows_back == rows);
      if (rows == 0) return 0;
      const auto before = arrow::Table::FromRecordBatches(batches);
      const auto after = arrow::Table::FromRecordBatches(back);
      Check(before.ok() && after.ok());
      Check((*before)->Equals(**after, arrow::EqualOptions::Defaults().nans_equal(true)));
    }
  }
  return 0;
}
