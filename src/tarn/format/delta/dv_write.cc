#include "tarn/format/delta/dv_write.h"

#include <limits>

#include "tarn/base/text.h"
#include "tarn/base/uuid.h"
#include "tarn/datafile/deletion_vector.h"

namespace tarn::delta {
namespace {

constexpr char kFileVersion = 1;

}  // namespace

std::string EncodeZ85(BytesView bytes) {
  static constexpr char kDigits[] =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";
  std::string out;
  out.reserve(bytes.size() / 4 * 5);
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    char block[5];
    for (int i = 4; i >= 0; --i) {
      block[i] = kDigits[value % 85];
      value /= 85;
    }
    out.append(block, 5);
  }
  return out;
}

DeletionVectorWriter::DeletionVectorWriter(Runtime& runtime) {
  const std::string uuid = NewUuid(runtime.random);
  file_name_ = "deletion_vector_" + uuid + ".bin";
  std::string digits;
  for (const char c : uuid) {
    if (c != '-') digits += c;
  }
  encoded_uuid_ = EncodeZ85(HexDecode(digits).value_or(""));
}

Result<DeletionVectorDescriptor> DeletionVectorWriter::Add(const RowSet& rows) {
  Bytes vector = EncodeDeletionVector(rows);
  DeletionVectorDescriptor descriptor;
  descriptor.cardinality = rows.Count();
  if (vector.size() <= kInlineBytesMax && vector.size() % 4 == 0) {
    descriptor.storage_type = 'i';
    descriptor.path_or_inline = EncodeZ85(vector);
    descriptor.size_bytes = static_cast<int32_t>(vector.size());
    return descriptor;
  }
  if (file_.size() + vector.size() + 16 > std::numeric_limits<int32_t>::max()) {
    return Unsupported(
        "delta: deletion vectors of one commit pass 2 GiB; delete fewer rows at once");
  }
  if (file_.empty()) file_ += kFileVersion;
  descriptor.storage_type = 'u';
  descriptor.path_or_inline = encoded_uuid_;
  descriptor.offset = static_cast<int32_t>(file_.size());
  descriptor.size_bytes = static_cast<int32_t>(vector.size());
  FrameDeletionVector(vector, file_);
  return descriptor;
}

}  // namespace tarn::delta
