// Any bytes as a deletion vector, and as the Z85 text of one: a set of rows that is written and
// read again as the same set, or refused.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tarn/datafile/deletion_vector.h"
#include "tarn/format/delta/dv_read.h"
#include "tarn/format/delta/dv_write.h"

namespace {

// More rows than this would be a bomb of a few bytes; the log says how many there are.
constexpr int64_t kRowsMax = 1 << 22;

void Check(std::string_view bytes) {
  const auto rows = tarn::DecodeDeletionVector(bytes, kRowsMax);
  if (!rows.ok()) return;
  if (rows->Count() > kRowsMax) std::abort();
  const auto again = tarn::DecodeDeletionVector(tarn::EncodeDeletionVector(*rows));
  if (!again.ok() || !(*again == *rows)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  Check(bytes);
  const auto decoded = tarn::delta::DecodeZ85(bytes);
  if (!decoded.ok()) return 0;
  if (decoded->size() % 4 == 0 && tarn::delta::EncodeZ85(*decoded) != bytes) std::abort();
  Check(*decoded);
  return 0;
}
