#include "tarn/datafile/avro_codec.h"

#include <string>

namespace tarn {

Result<AvroCodec> AvroCodecOf(std::string_view name) {
  if (name == "null" || name.empty()) return AvroCodec::kNull;
  if (name == "deflate") return AvroCodec::kDeflate;
  if (name == "snappy") return AvroCodec::kSnappy;
  if (name == "zstandard") return AvroCodec::kZstandard;
  return Unsupported("codec '" + std::string(name) + "'; known: null, deflate, snappy, zstandard");
}

}  // namespace tarn
