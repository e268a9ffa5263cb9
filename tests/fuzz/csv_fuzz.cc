// Any bytes as CSV: header, inference and decoding neither crash nor hang, batches are valid, and
// cutting into blocks loses no byte.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/record_batch.h>

#include "tarn/base/result.h"
#include "tarn/datafile/csv_decoder.h"
#include "tarn/datafile/infer.h"
#include "tarn/datafile/text_source_blocks.h"
#include "tarn/model/schema.h"

namespace {

void Check(bool holds) {
  if (!holds) std::abort();
}

class Bytes final : public tarn::ByteStream {
 public:
  explicit Bytes(std::string_view text) : text_(text) {}
  tarn::Result<size_t> Read(char* out, size_t capacity) override {
    const size_t size = std::min(capacity, text_.size() - at_);
    text_.substr(at_).copy(out, size);
    at_ += size;
    return size;
  }
  int64_t consumed_bytes() const override { return static_cast<int64_t>(at_); }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

void Decode(const tarn::Schema& schema, const std::vector<std::string>& names, bool inferred,
            std::string_view text) {
  auto decoder = tarn::CsvDecoder::Make(
      schema, {',', std::vector<bool>(schema.fields.size(), inferred), /*bad_rows_max=*/1 << 20});
  Check(decoder.ok());
  if (!decoder.value()->SetHeader(names).ok()) return;
  auto rows = decoder.value()->Decode(text);
  Check(rows.ok());
  Check(rows->batch->ValidateFull().ok());
  Check(rows->batch->num_rows() == static_cast<int64_t>(rows->row_lines.size()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static const tarn::Schema kDeclared = *tarn::ParseColumns(
      "a bigint, b smallint, c decimal(10,2), d double, e string, f timestamp, g date, h boolean");
  const auto header = tarn::ReadCsvHeader(text, ',');
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h"};
  Decode(kDeclared, names, false, text);
  if (header.ok()) {
    const std::string_view rest = text.substr(header->bytes);
    Decode(kDeclared, header->names, false, rest);
    const tarn::ObservedText observed = tarn::ObserveCsv(rest, header->names, ',');
    tarn::InferOptions options;
    options.mixed = tarn::MixedKinds::kText;
    const auto inferred = tarn::MakeSchema(observed.root, options);
    Check(inferred.ok());
    if (!inferred->schema.fields.empty()) Decode(inferred->schema, header->names, true, rest);
  }
  tarn::TextBlockReader reader(std::make_unique<Bytes>(text),
                               {tarn::RecordEnd::kLineOutsideQuotes, 16, 1 << 20});
  std::string all;
  for (;;) {
    auto block = reader.Next();
    if (!block.ok() || !block.value()) {
      if (block.ok()) Check(text.ends_with(all) && text.size() - all.size() <= 3);
      return 0;
    }
    Check(!block.value()->empty());
    all += block.value()->text();
  }
}
